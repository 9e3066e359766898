"""Mutants of the Python cores, made and tried by Cosmic Ray.

It changes the files of a copy in place, one operator at a time, and runs the suite.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.mutants.mutant import Mutant
from tests.mutants.subjects import MutatedSubject

MOST_SECONDS = 60
"""A run of the suite on a mutant that takes longer has caught it."""

# What reads as another program: of the comparisons the opposite one and those that
# differ at the limit. Sums, products and ``|`` of types mostly end in a type error.
LEFT_OUT = (
    "core/ReplaceBinaryOperator_.*",
    "core/RemoveDecorator",
    "core/Variable.*",
    "core/ReplaceComparisonOperator_(Eq|NotEq)_(Lt|LtE|Gt|GtE|Is|IsNot)",
    "core/ReplaceComparisonOperator_(Is|IsNot)_(Eq|NotEq|Lt|LtE|Gt|GtE)",
    "core/ReplaceComparisonOperator_(Lt|LtE|Gt|GtE)_(Eq|NotEq|Is|IsNot)",
)


def mutants(
    subject: MutatedSubject, source: Path, folder: Path, suite: Sequence[str]
) -> Iterator[Mutant]:
    """Let Cosmic Ray change a program in all its places, and try each.

    Args:
        subject: The program.
        source: Its folder.
        folder: An empty one to work in.
        suite: The words of the command that runs the suite.

    Raises:
        CalledProcessError: If Cosmic Ray cannot work.
    """
    copy = folder / "program"
    # Without byte code: two changes within a second have the same time.
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    config, session = folder / "config.toml", folder / "session.sqlite"
    modules = [str(copy / module) for module in subject.modules]
    config.write_text(
        f"""
[cosmic-ray]
module-path = {json.dumps(modules)}
timeout = {MOST_SECONDS}.0
excluded-modules = []
test-command = {json.dumps(shlex.join(suite))}

[cosmic-ray.distributor]
name = "local"

[cosmic-ray.filters.operators-filter]
exclude-operators = {json.dumps(LEFT_OUT)}
"""
    )

    def run(tool: str, *arguments: object) -> str:
        program = str(Path(sys.executable).with_name(tool))
        words = [program, *map(str, arguments)]
        return subprocess.check_output(words, cwd=folder, text=True)

    run("cosmic-ray", "baseline", config)
    run("cosmic-ray", "init", config, session)
    run("cr-filter-operators", session, config)
    run("cosmic-ray", "exec", config, session)
    yield from read_dump(run("cosmic-ray", "dump", session), subject.source, copy)


def read_dump(dump: str, source: str, copy: Path) -> Iterator[Mutant]:
    """Return the mutants of a session of Cosmic Ray on the copy of a folder."""
    for line in dump.splitlines():
        work, result = json.loads(line)
        if result is None or result["worker_outcome"] == "skipped":
            continue
        (mutation,) = work["mutations"]
        path = Path(mutation["module_path"])
        rows = path.read_text().splitlines()
        yield Mutant(
            f"{source}/{path.relative_to(copy).as_posix()}",
            rows[mutation["start_pos"][0] - 1].strip(),
            _added(result["diff"]),
            result["test_outcome"] != "survived",
        )


def _added(diff: str) -> str:
    lines = diff.splitlines()
    added = [line[1:] for line in lines if line[:1] == "+" and line[:3] != "+++"]
    return " ".join(" ".join(added).split())
