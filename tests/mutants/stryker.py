"""Changes of programs in JavaScript, made by Stryker.

Stryker puts all changes into one copy of the program, which reads from a variable of
the environment which of them is to be: the subject's start has to hand that on.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.mutants.mutant import Change

SWITCH = "__STRYKER_ACTIVE_MUTANT__"

STRYKER = "@stryker-mutator/core@9"


def changes(
    source: Path, name: str, modules: Sequence[str], folder: Path, node: str
) -> tuple[Path, list[Change]]:
    """Let Stryker change a program in all its places.

    Args:
        source: The program's folder.
        name: The folder, relative to the repository.
        modules: Which of its files to change.
        folder: An empty one to work in.
        node: Path of Node.

    Returns:
        The folder of the program with all changes in it, and the changes.

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
    subprocess.run(install, env=environment, check=True, stdout=subprocess.DEVNULL)
    config = copy / "stryker.config.json"
    config.write_text(
        json.dumps(
            {
                # It is not Stryker that tries them.
                "testRunner": "command",
                "commandRunner": {"command": "true"},
                "mutate": list(modules),
                "reporters": ["json"],
                "coverageAnalysis": "off",
                "concurrency": os.cpu_count() or 1,
                "jsonReporter": {"fileName": "mutants.json"},
                "tempDirName": "changed",
                "cleanTempDir": False,
            }
        )
    )
    stryker = folder / "node_modules" / "@stryker-mutator" / "core" / "bin"
    words = [node, str(stryker / "stryker.js"), "run", config.name]
    subprocess.run(
        words, cwd=copy, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    (changed,) = (copy / "changed").iterdir()
    report = json.loads((copy / "mutants.json").read_text())
    return changed, list(read_report(report, name))


def read_report(report: dict[str, Any], source: str) -> Iterator[Change]:
    """Return the changes of a report of Stryker on a folder's files."""
    for name, one in report["files"].items():
        lines = one["source"].splitlines()
        for mutant in one["mutants"]:
            start, end = (mutant["location"][key] for key in ("start", "end"))
            row = lines[start["line"] - 1]
            tail = row[end["column"] - 1 :] if end["line"] == start["line"] else ""
            becomes = row[: start["column"] - 1] + mutant["replacement"] + tail
            yield Change(
                f"{source}/{name}",
                row.strip(),
                " ".join(becomes.split()),
                environment={SWITCH: mutant["id"]},
            )
