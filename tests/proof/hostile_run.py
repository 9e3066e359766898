"""Runs the suite on one hostile subject in a process of its own, and measures it.

``python -m tests.proof.hostile_run FOLDER NAME`` prints one JSON object. A process of
its own, so that its memory, its temporary files and its open descriptors are those of
this run alone.
"""

from __future__ import annotations

import sys

from tests.proof.hostile import measure
from tests.proof.proof import load_proof
from tests.proof.trial import try_out

ANSWER_SECONDS = 1.0
"""Longest wait for an answer of a subject that is not slow on purpose."""


def main(folder: str, name: str) -> None:
    """Run the suite and print what is to be looked at."""
    proof = load_proof(folder)
    command = proof.hostiles.commands[name]
    timeout = proof.hostiles.timeouts.get(name, ANSWER_SECONDS)
    every = proof.every.hostile
    measure(lambda: try_out(proof, command, timeout=timeout, every=every))


if __name__ == "__main__":
    main(*sys.argv[1:])
