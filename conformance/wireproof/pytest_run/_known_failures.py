"""What a run knows beforehand to fail, and the baseline that it writes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from wireproof.checks import Verdict, decided
from wireproof.pytest_run._failures import fails
from wireproof.reporting import (
    Baseline,
    BaselineError,
    KnownFailure,
    failed_clauses,
    is_of_monitor,
    place_problem,
    read_baseline,
    renewed,
    require_current,
    write_baseline,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from wireproof.checks import Result
    from wireproof.pytest_run._configure import Reader
    from wireproof.pytest_run._items import Subject
    from wireproof.reporting import Names

READ = "known-failures"
WRITTEN = "write-known-failures"


class KnownFailures:
    """The baselines of one run: what holds in it, and what it writes.

    Attributes:
        baseline: The one that holds in it, or None.
        failed: Whether the run fails for a fault that is of no check.
    """

    def __init__(
        self,
        baseline: Baseline | None = None,
        written: Path | None = None,
        old: Sequence[KnownFailure] = (),
    ) -> None:
        """Hold the baselines of a run.

        Args:
            baseline: The one that holds in it, or None.
            written: Where one is written, or None.
            old: What that one listed before, without what no check has.
        """
        self.baseline = baseline
        self.failed = False
        self._written = written
        self._old = old
        self._problems: list[str] = []
        self._held = 0
        self._outcome = ""

    def look_at(self, subject: Subject, results: Sequence[Result]) -> dict[str, str]:
        """Find what is wrong with the entries of a subject's checks and monitors.

        Args:
            subject: The subject.
            results: What its checks and monitors came to, known failures as such.

        Returns:
            What is wrong, by the id of the check or of the monitor's result.
        """
        if (baseline := self.baseline) is None:
            return {}
        found: dict[str, str] = {}
        for result in results:
            self._held += result.verdict is Verdict.KNOWN_FAILURE
            by_chance = _by_chance(subject, result, results)
            text = baseline.problem(result, subject.names, by_chance=by_chance)
            if text:
                found[result.id] = text
        self._problems += found.values()
        seen = {result.id for result in results}
        for entry in baseline.entries if _is_complete(subject, results) else ():
            if (
                is_of_monitor(entry.id)
                and entry.id not in seen
                and entry.id.startswith(f"{subject.protocol.name}/")
                and (entry.subject is None or entry.subject in subject.names)
            ):
                told = "no monitor watches this clause; remove the entry"
                self._problems.append(f"{entry.place}: {entry.id}: {told}")
                self.failed = True
        return found

    def write(self, found: Sequence[tuple[Subject, Sequence[Result]]]) -> None:
        """Write the baseline of a run, where one is asked for.

        Args:
            found: The subjects of the run, and what their checks came to.
        """
        if self._written is None:
            return
        checks = ([r for r in results if not r.by_monitor] for _, results in found)
        if not any(map(decided, checks)):
            self._outcome = "not written: nothing was decided, so nothing is known"
            return
        protocols = [subject.protocol.name for subject, _ in found]
        said: list[tuple[Result, Names, bool]] = []
        for subject, results in found:
            named = protocols.count(subject.protocol.name) > 1
            for result in results:
                # What a monitor saw by the way is listed for the monitor.
                own = replace(result, monitors=())
                known = own.verdict is Verdict.KNOWN_FAILURE
                failed = known or fails(own, subject.settings.fail_on)
                by_chance = _by_chance(subject, own, results)
                mended = not failed_clauses(own) and not by_chance
                # The suite's own fault, and what need not fail, say nothing of entries.
                if own.verdict is not Verdict.HARNESS_ERROR and (failed or mended):
                    said.append((own, subject.names, named))
        entries = renewed(self._old, said)
        try:
            write_baseline(self._written, entries)
        except OSError as error:
            self.failed = True
            self._outcome = f"it could not be written: {error.strerror or error}"
            return
        self._outcome = f"written, {_count(len(entries))}"
        if entries:
            self._outcome += "; say in each reason why it is left so"

    def lines(self) -> Iterator[tuple[str, bool]]:
        """Yield what is told at the end of the run, and whether it is a fault."""
        if self.baseline is not None:
            count = _count(len(self.baseline.entries))
            yield f"{self.baseline.file}: {count}, {self._held} failed as listed", False
            for text in self._problems:
                yield text, True
        if self._written is not None:
            yield f"{self._written}: {self._outcome}", self.failed


def _count(entries: int) -> str:
    return "1 entry" if entries == 1 else f"{entries} entries"


def _is_complete(subject: Subject, results: Sequence[Result]) -> bool:
    """Tell whether all checks of a subject were run."""
    return sum(not one.by_monitor for one in results) >= len(subject.checks)


def _by_chance(subject: Subject, result: Result, results: Sequence[Result]) -> bool:
    """Tell whether it says little that a check did not fail.

    A search may find nothing, and a monitor sees only what the checks bring about.
    """
    if result.by_monitor:
        return not _is_complete(subject, results)
    return subject.kinds.get(result.id) == "fuzz"


def read_known_failures(
    reader: Reader, subjects: Sequence[Subject], today: date
) -> KnownFailures:
    """Read the baselines that the options of a run name.

    Args:
        reader: Reads the options.
        subjects: The subjects of the run.
        today: The local date.

    Raises:
        pytest.UsageError: If one of them cannot be used.
    """
    written = reader.path(WRITTEN)
    if written is not None and (problem := place_problem(written)):
        raise reader.refuse(WRITTEN, reader.text(WRITTEN), problem)
    known_ids: dict[str, set[str]] = {}
    for subject in subjects:
        every = replace(subject.settings, level="may", fuzz=1)
        ids = known_ids.setdefault(subject.protocol.name, set())
        ids.update(check.id for check in subject.protocol.checks(every))
    try:
        old: Sequence[KnownFailure] = ()
        if written is not None and written.is_file():
            found = read_baseline(written, str(reader.text(WRITTEN)))
            old = [one for one in found.entries if _is_known(one, known_ids)]
        return KnownFailures(_in_force(reader, written, today, known_ids), written, old)
    except BaselineError as error:
        raise pytest.UsageError(str(error)) from error


def _in_force(
    reader: Reader,
    written: Path | None,
    today: date,
    known_ids: Mapping[str, set[str]],
) -> Baseline | None:
    path = reader.path(READ)
    # A run that writes a baseline anew shows all that fails; and with --runxfail
    # nothing that fails is to be taken for known.
    is_renewed = path is not None and written is not None and _same(path, written)
    if path is None or is_renewed or getattr(reader.config.option, "runxfail", False):
        return None
    name = str(reader.text(READ))
    if not path.is_file():
        told = "this is a folder" if path.is_dir() else "there is no such file"
        remedy = f"{told}; {reader.flag(WRITTEN)}=FILE writes a baseline"
        raise reader.refuse(READ, name, remedy)
    baseline = read_baseline(path, name)
    require_current(baseline, today, known_ids)
    return baseline


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _is_known(entry: KnownFailure, known_ids: Mapping[str, set[str]]) -> bool:
    known = known_ids.get(entry.id.partition("/")[0])
    return known is None or is_of_monitor(entry.id) or entry.id in known
