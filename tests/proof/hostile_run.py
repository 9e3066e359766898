"""Runs the suite on one hostile subject in a process of its own, and measures it.

A process of its own, so that its memory, its temporary files and its open descriptors
are those of this run alone. It is forked from one that has imported the proofs.
"""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from typing import Any

from tests.proof.hostile import measure
from tests.proof.proof import load_proof
from tests.proof.trial import try_out

ANSWER_SECONDS = 1.0
"""Longest wait for an answer of a subject that is not slow on purpose."""

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([__name__])


def run(
    folder: str,
    name: str,
    *,
    seconds: float,
    every: int,
    patience: float = ANSWER_SECONDS,
    clause: str = "",
) -> dict[str, Any]:
    """Run the suite on a subject, and return what is to be looked at.

    Args:
        folder: The protocol's, such as `host_v1`.
        name: The subject's.
        seconds: How long it may take.
        every: One vector of so many is run.
        patience: Longest wait for an answer of a subject that is not slow on purpose;
            a subject that may start beside others has no more to come up.
        clause: The vectors of this one are run beside them.

    Raises:
        TimeoutError: It took longer.
        EOFError: The run ended without a word.
    """
    ours, theirs = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(
        target=_send, args=(theirs, folder, name, every, patience, clause)
    )
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            raise TimeoutError(f"it took more than {seconds} s")
        report: dict[str, Any] = ours.recv()
    finally:
        process.kill()
        process.join()
        ours.close()
    return report


def _send(
    theirs: Connection, folder: str, name: str, every: int, patience: float, clause: str
) -> None:
    proof = load_proof(folder)
    command = proof.hostiles.commands[name]
    timeout = proof.hostiles.timeouts.get(name, patience)
    theirs.send(
        measure(
            lambda: try_out(proof, command, timeout=timeout, every=every, clause=clause)
        )
    )
