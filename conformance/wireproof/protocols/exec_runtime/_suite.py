"""The checks of exec-runtime, bound to one runtime.

Theory of operation. Most of a run is waiting: for limits to pass, for processes to
start. So several drivers of the same command are tried beside each other, each with
tools of its own; checks are carried out ahead of their turn, in order, by whichever
driver is free. What a check relies on is looked at when its turn comes.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.checks import Check, Result, SubjectFacts, Suite, Verdict, broken
from wireproof.protocols.exec_runtime._needs import BASIC, needed_clauses
from wireproof.protocols.exec_runtime._one_runtime import (
    EARLY,
    GARBLED,
    HELD,
    OVERLAPPING,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from tempfile import TemporaryDirectory

    from wireproof.checks import SuiteInputs, Transcript
    from wireproof.protocols.exec_runtime._one_runtime import OneRuntime

_BROKEN = frozenset({Verdict.FAILED, Verdict.WARNED})

REQUESTS = "EXEC-R2"
"""The clause by which each request of a server is one line."""

OVERLAPS = "EXEC-R16"
"""What says that a call gets its own result beside others."""

LIMIT = "EXEC-R19"
"""What says that a call is given the time of its limit."""

ALONE = frozenset({"EXEC-R4", "EXEC-R14"})
"""What says that a call of a sound tool gets its result."""

BLAME_SECONDS = 20.0
"""Seconds that may go into checks that nobody asked for, to find the clause to which
what other checks found is due: a runtime may let each of them wait in vain."""


class RuntimeSuite(Suite):
    """All checks of exec-runtime on one runtime, some drivers beside each other."""

    def __init__(
        self,
        inputs: SuiteInputs,
        open_one: Callable[[], OneRuntime],
        beside: int,
        folder: TemporaryDirectory[str] | None = None,
    ) -> None:
        """Bind checks to a runtime.

        Args:
            inputs: What the suite is made of.
            open_one: Prepares a driver; nothing is started.
            beside: How many drivers are tried beside each other.
            folder: A folder on their PATH, removed at the end.
        """
        super().__init__(inputs.target, inputs.settings, inputs.checks)
        self._vectors = inputs.vectors
        self._folder = folder
        self._runtimes = [open_one() for _ in range(beside)]
        self._ahead: deque[Check] = deque()
        self._lock = threading.Lock()
        self._found: dict[str, Future[Result]] = {}
        self._results: dict[str, Result] = {}
        self._alone: dict[str, Result] = {}
        self._broken: dict[str, bool] = {}
        self._blame_seconds = 0.0
        self._threads: list[threading.Thread] = []

    @property
    def transcript(self) -> Transcript:
        """The traffic of the first driver."""
        return self._runtimes[0].transcript

    def announce(self, checks: Sequence[Check]) -> None:
        """Take note of which checks are to be run: vectors are, ahead of their turn."""
        with self._lock:
            new = [one for one in checks if one.kind == "vector"]
            new = [one for one in new if one.id not in self._found]
            self._found |= {one.id: Future[Result]() for one in new}
            self._ahead += new

    def carry_out(self, check: Check) -> Result:
        """Carry out one check; one that was needed for another already is not again."""
        if check.id not in self._results:
            result = self._tried(check)
            if GARBLED in result.evidence and _charged(result):
                # Whatever comes of it: requests were written into each other.
                garbled = result.evidence[GARBLED]
                result = replace(
                    result,
                    verdict=Verdict.FAILED,
                    level="must",
                    reason=f"a server was sent a line that is no request, {garbled}: "
                    f"{_said(result)}",
                    clauses=(REQUESTS,),
                    because=None,
                )
            elif "control" in result.evidence:
                # Plain calls fail: by one of these, tried without them, if by any.
                result = self._because(result, filter(self._fails_alone, BASIC))
            elif _is_lost_overlapping(result) and self._loses_overlapping(result):
                # Alone each call gets its answer: R16 is broken, a SHOULD, and not R4.
                result = replace(
                    result,
                    verdict=broken("should"),
                    reason=_said(result),
                    clauses=(OVERLAPS,),
                    because=None,
                )
            elif self._fails_early(result):
                # Where calls do not get their time, whatever has a limit fails.
                result = self._because(result, (LIMIT,))
            elif check.kind == "vector" and (charged := _charged(result)):
                data = self._vectors[check.id].data
                held = result.evidence.get(HELD, "")
                needed = [
                    one for one in needed_clauses(data, charged) if one not in held
                ]
                if LIMIT in charged and EARLY in result.evidence:
                    # A call that failed at once had no time to show more than that.
                    needed = list(filter(self._fails_without_limit, needed))
                result = self._because(result, filter(self._is_broken, needed))
            self._results[check.id] = result
        return self._results[check.id]

    def discard(self) -> None:
        """End no driver: each has ended its own where that was needed."""

    def finish(self) -> list[Result]:
        """Stop the drivers, and return what their answers do wrong, if anything."""
        with self._lock:
            self._ahead.clear()
        for thread in self._threads:
            thread.join()
        found = [result for one in self._runtimes for result in one.finish()]
        if self._folder is not None:
            self._folder.cleanup()
        return found[:1]

    def facts(self) -> SubjectFacts:
        """Return what is known of the runtime."""
        first, *others = (one.facts() for one in self._runtimes)
        tried = [one for one in (first, *others) if one.starts]
        processes = sum(one.processes for one in self._runtimes)
        return replace(
            tried[0] if tried else first,
            starts=sum(one.starts for one in tried),
            latency_ms=max((one.latency_ms for one in tried), default=0.0),
            tools_started=processes,
        )

    # --- several drivers

    def _tried(self, check: Check) -> Result:
        """Return what a check comes to by itself."""
        if check.id not in self._alone:
            self._alone[check.id] = self._try(check)
        return self._alone[check.id]

    def _try(self, check: Check) -> Result:
        if check.id not in self._found:
            # Alone, and with nothing beside it that could disturb it.
            self._await_all()
            began = time.monotonic()
            result = self._runtimes[0].run(check)
            if check.kind == "vector":
                self._blame_seconds += time.monotonic() - began
            return result
        self._begin()
        return self._found[check.id].result()

    def _begin(self) -> None:
        """Have the drivers carry out what was announced, where they do not yet."""
        with self._lock:
            self._threads = [one for one in self._threads if one.is_alive()]
            if self._threads or not self._ahead:
                return
            count = min(len(self._runtimes), len(self._ahead))
            self._threads = [
                threading.Thread(target=self._work, args=(one,), daemon=True)
                for one in self._runtimes[:count]
            ]
        for thread in self._threads:
            thread.start()

    def _work(self, runtime: OneRuntime) -> None:
        while (check := self._next()) is not None:
            self._found[check.id].set_result(runtime.run(check))

    def _next(self) -> Check | None:
        with self._lock:
            return self._ahead.popleft() if self._ahead else None

    def _await_all(self) -> None:
        self._begin()
        for thread in self._threads:
            thread.join()

    # --- what a check relies on

    def _because(self, result: Result, broken: Iterable[str]) -> Result:
        """Blame the first of these clauses, all of which are broken; none if empty."""
        clause = next(iter(broken), None)
        if clause is None:
            return result
        reason = f"not testable because of {clause}: {_said(result)}"
        return replace(
            result, verdict=Verdict.NOT_TESTABLE, reason=reason, because=clause
        )

    def _fails_alone(self, clause: str) -> bool:
        """Tell whether a check of a clause fails, whatever that rests on."""
        return any(
            _breaks(self._tried(check), clause)
            for check in self._telling(clause)
            if self._is_affordable(check)
        )

    def _fails_early(self, result: Result) -> bool:
        """Tell whether a check met a call that was not given the time of its limit."""
        charged = _charged(result)
        if EARLY not in result.evidence or not charged or LIMIT in charged:
            return False
        affordable = filter(self._is_affordable, self._telling(LIMIT))
        return any(
            _breaks(found, LIMIT) and EARLY in found.evidence
            for found in map(self._tried, affordable)
        )

    def _fails_without_limit(self, clause: str) -> bool:
        """Tell whether a check of a clause fails, and not for want of time."""
        affordable = filter(self._is_affordable, self._telling(clause))
        return any(
            _breaks(found, clause) and EARLY not in found.evidence
            for found in map(self._tried, affordable)
        )

    def _loses_overlapping(self, result: Result) -> bool:
        """Tell whether calls of one server disturb each other, and none fails alone."""
        affordable = filter(self._is_affordable, self._telling(OVERLAPS))
        return not any(map(self._is_broken, _charged(result))) and any(
            _breaks(found, OVERLAPS) and OVERLAPPING in found.evidence
            for found in map(self._tried, affordable)
        )

    def _is_broken(self, clause: str) -> bool:
        if clause not in self._broken:
            self._broken[clause] = any(
                _breaks(self._tried(check), clause)
                and not _is_lost_overlapping(self._tried(check))
                # What hides it is more basic still.
                and _breaks(self.carry_out(check), clause)
                for check in self._telling(clause)
                if self._is_affordable(check)
            )
        return self._broken[clause]

    def _telling(self, clause: str) -> Sequence[Check]:
        """Return the vectors that tell whether others can rely on a clause.

        Where a clause has a MUST part, none relies on its SHOULD part.
        """
        vectors = [one for one in self.checks if one.kind == "vector"]
        found = [one for one in vectors if clause in one.clauses]
        return [one for one in found if one.level == "must"] or found

    def _is_affordable(self, check: Check) -> bool:
        """Tell whether a check is to be run anyway, or there is time for it."""
        is_wanted = check.id in self._alone or check.id in self._found
        return is_wanted or self._blame_seconds < BLAME_SECONDS


def _said(result: Result) -> str:
    """Return what is wrong, without the clause that hides it."""
    return result.reason.removeprefix(f"not testable because of {result.because}: ")


def _charged(result: Result) -> Sequence[str]:
    """Return the clauses that a check found broken, its own or that of a step."""
    if result.verdict in _BROKEN:
        return result.clauses
    if result.verdict is Verdict.NOT_TESTABLE and result.because is not None:
        return (result.because,)
    return ()


def _is_lost_overlapping(result: Result) -> bool:
    """Tell whether a call lost its result that was not alone at its server."""
    return OVERLAPPING in result.evidence and not ALONE.isdisjoint(_charged(result))


def _breaks(result: Result, clause: str) -> bool:
    """Tell whether a check has shown that this one of its clauses is broken."""
    return result.verdict in _BROKEN and clause in result.clauses
