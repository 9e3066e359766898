"""Mutants of programs in JavaScript, made and tried by Stryker.

Stryker puts all mutants into one copy of the program and says by a variable of the
environment which of them is to be: the subject's start has to hand that variable on.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.mutants.mutant import Mutant
from tests.mutants.subjects import MutatedSubject

SWITCH = "__STRYKER_ACTIVE_MUTANT__"

STRYKER = "@stryker-mutator/core@9"

MOST_SECONDS = 60
"""A run of the suite on a mutant that takes longer has caught it."""

# Killed, or no end: a run that is still waiting would have ended in a failure.
CAUGHT = frozenset({"Killed", "Timeout", "RuntimeError"})


def mutants(
    subject: MutatedSubject, source: Path, folder: Path, suite: Sequence[str], node: str
) -> Iterator[Mutant]:
    """Let Stryker change a program in all its places, and try each.

    Args:
        subject: The program.
        source: Its folder.
        folder: An empty one to work in.
        suite: The words of the command that runs the suite.
        node: Path of Node.

    Raises:
        CalledProcessError: If Stryker cannot be installed, or gave no report.
    """
    copy = folder / "program"
    shutil.copytree(source, copy)
    environment = os.environ | {
        "PATH": os.pathsep.join([str(Path(node).parent), os.environ["PATH"]])
    }
    # ``npm`` beside it is a script for ``env node``, which may find another one.
    npm = Path(node).parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    (copy / "package.json").write_text('{"private": true, "type": "module"}')
    install = [node, str(npm), "install", "--no-save", "--prefix", str(folder), STRYKER]
    subprocess.run(install, env=environment, check=True)
    config = copy / "stryker.config.json"
    # In its first run, without a mutant, the variable is not set.
    switch = f'${{{SWITCH}:+"--subject-env={SWITCH}"}}'
    passed_over = f"[ $((${{{SWITCH}:-0}} % {subject.every})) -ne 0 ]"
    config.write_text(
        json.dumps(
            {
                "testRunner": "command",
                "commandRunner": {
                    "command": f"{passed_over} || {shlex.join(suite)} {switch}"
                },
                "mutate": list(subject.modules),
                "reporters": ["json"],
                "coverageAnalysis": "off",
                "concurrency": os.cpu_count() or 1,
                "timeoutMS": MOST_SECONDS * 1000,
                "jsonReporter": {"fileName": "mutants.json"},
            }
        )
    )
    stryker = folder / "node_modules" / "@stryker-mutator" / "core" / "bin"
    words = [node, str(stryker / "stryker.js"), "run", config.name]
    subprocess.run(words, cwd=copy, env=environment, check=True)
    report = json.loads((copy / "mutants.json").read_text())
    yield from read_report(report, subject.source, subject.every)


def read_report(
    report: dict[str, Any], source: str, every: int = 1
) -> Iterator[Mutant]:
    """Return the mutants that were tried of a report of Stryker on a folder's files."""
    for name, one in report["files"].items():
        lines = one["source"].splitlines()
        for mutant in one["mutants"]:
            if int(mutant["id"]) % every:
                continue
            start, end = (mutant["location"][key] for key in ("start", "end"))
            row = lines[start["line"] - 1]
            tail = row[end["column"] - 1 :] if end["line"] == start["line"] else ""
            becomes = row[: start["column"] - 1] + mutant["replacement"] + tail
            yield Mutant(
                f"{source}/{name}",
                row.strip(),
                " ".join(becomes.split()),
                mutant["status"] in CAUGHT,
            )
