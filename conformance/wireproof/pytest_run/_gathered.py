"""What the checks and monitors of a run came to, and what that is of each subject."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.checks import Verdict, decided
from wireproof.pytest_run._failures import fails
from wireproof.reporting import SubjectReport, merge_facts, merge_monitors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import Result, SubjectFacts
    from wireproof.pytest_run._items import Subject, SubjectEnd


class Gathered:
    """The results of a run, as they come in, also from several workers.

    Attributes:
        results: What the checks of each subject came to, by its index; what the
            monitors found comes last.
    """

    def __init__(self, subjects: Sequence[Subject]) -> None:
        """Begin with nothing known of the subjects."""
        self.results: dict[int, list[Result]] = {s.index: [] for s in subjects}
        self._subjects = subjects
        self._facts: dict[int, list[SubjectFacts]] = {s.index: [] for s in subjects}
        self._monitors: dict[int, list[Sequence[Result]]] = {
            s.index: [] for s in subjects
        }

    def end(self, end: SubjectEnd) -> None:
        """Take what was found at the end of a subject, in one of the workers."""
        self._monitors[end.subject].append(end.monitors)
        self._facts[end.subject].append(end.facts)

    def merge_monitors(self, subject: Subject) -> list[Result]:
        """Add what the monitors found in all workers to the results, and return it."""
        found = [
            one
            for one in merge_monitors(self._monitors[subject.index])
            if not one.clauses or subject.watches(one.clauses[0])
        ]
        if (baseline := subject.baseline) is not None:
            found = [baseline.apply(one, subject.names) for one in found]
        self.results[subject.index] += found
        return found

    def blamed(self, subject: Subject) -> set[str]:
        """Return the clauses that a failed item has named."""
        found: set[str] = set()
        for result in self.results[subject.index]:
            if result.verdict is Verdict.KNOWN_FAILURE:
                continue
            found.update(one.clause for one in result.monitors)
            if fails(result, subject.settings.fail_on):
                found.update(result.clauses)
        return found

    def ran(self) -> int:
        """Count the checks that were run, monitors aside."""
        return sum(len(self._checks(subject)) for subject in self._subjects)

    def undecided(self) -> bool:
        """Tell whether nothing was learnt about a subject that was tried."""
        tried = filter(None, map(self._checks, self._subjects))
        return not all(map(decided, tried))

    def reports(self) -> list[SubjectReport]:
        """Return what is known of each subject."""
        return [
            SubjectReport(
                subject.protocol.name,
                subject.mask.text(subject.target.text),
                subject.target.name,
                merge_facts(self._facts[subject.index]),
                self._in_order(subject),
                tuple(subject.clauses.values()),
                len(self._checks(subject)),
                len(subject.checks),
                subject.settings.sources,
            )
            for subject in self._subjects
        ]

    def _checks(self, subject: Subject) -> list[Result]:
        """Return the results of a subject's checks, monitors aside."""
        return [one for one in self.results[subject.index] if not one.by_monitor]

    def _in_order(self, subject: Subject) -> list[Result]:
        """Return results in the order of the checks, which workers end in another.

        Each says which check it is of, so that the parts of a run can be put together.
        """
        places = {check.id: n for n, check in enumerate(subject.checks, start=1)}
        found = [
            one if one.by_monitor else replace(one, place=places[one.id])
            for one in self.results[subject.index]
        ]
        return sorted(found, key=lambda one: (one.by_monitor, one.place))
