"""Tries the suite on changed programs, several at a time.

Most of a run on a program that is caught at once is the start of pytest and the reading
of the vectors. So pytest runs once on the program as it is, in this process, which then
is copied for each change; and the checks that have caught most come first.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import pytest
from tests.mutants.mutant import Change, Mutant

SUITE = (
    "--fuzz=0",
    "--fail-on=should",
    # Many changes leave a subject that says nothing.
    "--subject-timeout=20",
    "-x",
    "-q",
    "-p",
    "no:cacheprovider",
)

MOST_SECONDS = 1200
"""A run that takes longer comes to no end: the suite cuts waits that are in vain much
sooner, and a machine may be busy."""

# A check failed or warned, or there was no end.
CAUGHT = frozenset({pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED})


class First:
    """A plugin of pytest: runs those checks first, and knows the first that failed."""

    def __init__(self, first: Sequence[str] = ()) -> None:
        """Rank checks by their node ids."""
        self._rank = {name: rank for rank, name in enumerate(first)}
        self.failed = ""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Order the checks."""
        items.sort(key=lambda item: self._rank.get(item.nodeid, len(self._rank)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first that failed."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


@dataclass(frozen=True, slots=True)
class Place:
    """A copy of the program that one run at a time may change.

    Attributes:
        folder: The copy.
        options: The options of pytest that name the subject in it.
    """

    folder: Path
    options: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Run:
    change: Change
    place: Place
    process: ForkProcess
    before: Mapping[str, str]


def try_out(changes: Sequence[Change], places: Sequence[Place]) -> Iterator[Mutant]:
    """Run the suite on each change, in as many processes as there are places.

    Args:
        changes: What to change.
        places: Copies of the program, of which all but those of `Change.files` are
            alike; each run has one for itself.

    Raises:
        RuntimeError: If the suite finds something in the program as it is.
    """
    if status := pytest.main([*places[0].options, *SUITE]):
        raise RuntimeError(f"the suite ends with {status} on what is not changed")
    catchers: Counter[str] = Counter()
    left, free = list(reversed(changes)), list(places)
    running: dict[Any, _Run] = {}
    while left or running:
        while left and free:
            first = [name for name, _ in catchers.most_common()]
            answers, run = _start(left.pop(), free.pop(), first)
            running[answers] = run
        for ready in wait(list(running)):
            run = running.pop(ready)
            status, failed = _end(ready, run)
            free.append(run.place)
            catchers.update([failed] if failed else [])
            done = len(changes) - len(left) - len(running)
            said = failed or ("lives" if status == 0 else f"status {status}")
            sys.stderr.write(f"{done}/{len(changes)} {run.change.becomes}: {said}\n")
            yield run.change.tried(caught=status in CAUGHT)


def _start(
    change: Change, place: Place, first: Sequence[str]
) -> tuple[Connection, _Run]:
    before = {name: (place.folder / name).read_text() for name in change.files}
    _write(place.folder, change.files)
    context = multiprocessing.get_context("fork")
    answers, its_answers = context.Pipe(duplex=False)
    process = context.Process(target=_try, args=(change, place, first, its_answers))
    process.start()
    its_answers.close()
    return answers, _Run(change, place, process, before)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)


def _end(answers: Any, run: _Run) -> tuple[int, str]:
    """Return the status of a run of pytest, and the check that failed first."""
    try:
        status, failed = answers.recv()
    except EOFError:
        status, failed = pytest.ExitCode.INTERNAL_ERROR, ""
    answers.close()
    run.process.join()
    _write(run.place.folder, run.before)
    return status, failed


def _try(
    change: Change,
    place: Place,
    first: Sequence[str],
    answers: Connection,
) -> None:
    """Run pytest on a change: what a copied process does."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    # As if somebody pressed ctrl-c, so that the subjects are ended too.
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS, MOST_SECONDS)
    names = [f"--subject-env={name}" for name in change.environment]
    order = First(first)
    os.environ.update(change.environment)
    # Where a subject in process is imported from, too.
    sys.path.insert(0, str(place.folder))
    status = pytest.main([*place.options, *SUITE, *names], plugins=[order])
    answers.send((int(status), order.failed))
