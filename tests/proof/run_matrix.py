"""Runs the suite on each subject of the published matrix."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.conforming_subjects import built, node
from tests.proof.matrix import Tried, lacking, read_matrix, shipped_of
from tests.proof.proof import Proof, load_proof
from tests.proof.trial import BROKEN_VERDICTS, try_row

from wireproof.checks import Verdict


def run_matrix(
    folder: str, pool: Executor, *, only_new: bool = False
) -> Sequence[Tried]:
    """Run the suite on all subjects of a protocol that have to conform.

    Args:
        folder: That of the protocol, such as `host_v1`.
        pool: What runs them.
        only_new: Only the checks of which the matrix has no verdict yet.
    """
    proof = load_proof(folder)
    known = {one.name: one for one in read_matrix(proof.protocol)} if only_new else {}
    found = [
        pool.submit(partial(try_subject, folder, name, known.get(name)))
        for name in [*shipped_of(proof), *proof.legal]
    ]
    return [one.result() for one in found]


def try_subject(folder: str, name: str, known: Tried | None = None) -> Tried:
    """Run the suite on a subject.

    Args:
        folder: That of its protocol.
        name: The subject's.
        known: What is known of it: only the other checks are run.
    """
    proof = load_proof(folder)
    wanted = lacking(proof, known)
    if known is not None and not wanted:
        return known
    run = _run_shipped if name in shipped_of(proof) else _run_legal
    found = run(proof, name, None if known is None else wanted)
    if known is None:
        return found
    # A monitor watches in every run, and may see in the new one what it did not before.
    verdicts = {
        **known.verdicts,
        **{
            one: verdict
            for one, verdict in found.verdicts.items()
            if one in wanted or verdict in BROKEN_VERDICTS
        },
    }
    return Tried(name, found.kind, found.does, known.level, verdicts)


def _run_legal(proof: Proof, name: str, only: Collection[str] | None) -> Tried:
    row = proof.legal[name]
    trial = try_row(proof, row, only=only)
    verdicts = {result.id: result.verdict for result in trial.results}
    return Tried(name, "legal", row.does, trial.facts.level, verdicts)


def _run_shipped(proof: Proof, name: str, only: Collection[str] | None) -> Tried:
    """Run pytest on it, as its users do."""
    one = shipped_of(proof)[name]
    with TemporaryDirectory() as folder:
        command = one.command.replace("@", _needed(one.needs, Path(folder)))
        report = Path(folder) / "report.json"
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0"),
                *(f"--{one.option}={command}", f"--compat-report={report}"),
                *(option for option in one.options if "fuzz" not in option),
                *("--fuzz=0", *(only or ())),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if not report.exists():
            raise RuntimeError(f"{name}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        subject: Any
        (subject,) = json.loads(report.read_text())["subjects"]
    verdicts = {one["id"]: Verdict(one["verdict"]) for one in subject["results"]}
    return Tried(name, "shipped", "", subject["level"], verdicts)


def _needed(what: str, folder: Path) -> str:
    """Return the path of what a subject is run with; a program in Go is built."""
    match what:
        case "":
            return ""
        case "node":
            return node()
        case "go_host" | "go_tool":
            return built(f"{what.removeprefix('go_')}s", folder)
        case _:
            path = shutil.which(what)
            if path is None:
                raise RuntimeError(f"there is no {what}: install it")
            return path
