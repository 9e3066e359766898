"""Several subjects of one command that are tried beside each other.

Most of the time of some protocols is waiting: for limits to pass, for processes to
start. Checks are carried out ahead of their turn, in order, by whichever subject is
free.
"""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.checks import AGAINST, Check, Result, SubjectFacts, Suite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from wireproof.checks import SuiteInputs, Transcript
    from wireproof.run._suite import EngineSuite


class SideBySide(Suite):
    """All checks of one protocol, on some subjects of one command."""

    def __init__(
        self,
        inputs: SuiteInputs,
        suites: Sequence[EngineSuite],
        at_end: Callable[[], None],
    ) -> None:
        """Bind checks to a command.

        Args:
            inputs: What the suites are made of.
            suites: Each with a subject of its own; nothing is started.
            at_end: Called once no subject is left.
        """
        super().__init__(inputs.target, inputs.settings, inputs.checks)
        self._suites = suites
        self._at_end = at_end
        self._ahead: deque[Check] = deque()
        self._lock = threading.Lock()
        self._found: dict[str, Future[Result]] = {}
        self._threads: list[threading.Thread] = []

    @property
    def transcript(self) -> Transcript:
        """The traffic of the first subject."""
        return self._suites[0].transcript

    def observed(self) -> Mapping[str, Any]:
        """Return what the first subject has shown so far."""
        return self._suites[0].observed()

    def announce(self, checks: Sequence[Check]) -> None:
        """Take note of which checks are to be run: vectors are, ahead of their turn."""
        with self._lock:
            new = [one for one in checks if one.kind == "vector"]
            new = [one for one in new if one.id not in self._found]
            self._found |= {one.id: Future[Result]() for one in new}
            self._ahead += new
        self._suites[0].announce([one for one in checks if one.kind != "vector"])

    def carry_out(self, check: Check) -> Result:
        """Return the result of a check, which may have been carried out ahead."""
        self._begin()
        if check.id in self._found:
            return self._found[check.id].result()
        # Alone, and with nothing beside it that could disturb it.
        self._join()
        return self._suites[0].run(check)

    def discard(self) -> None:
        """End no subject: each suite has ended its own if need be."""

    def finish(self) -> list[Result]:
        """Stop the subjects; return what is said of all checks together."""
        with self._lock:
            self._ahead.clear()
        self._join()
        found: dict[str, Result] = {}
        for suite in self._suites:
            for result in suite.finish():
                if result.id not in found or result.verdict in AGAINST:
                    found[result.id] = result
        self._at_end()
        return [*found.values()]

    def facts(self) -> SubjectFacts:
        """Return what is known of the subjects."""
        every = [suite.facts() for suite in self._suites]
        tried = [one for one in every if one.starts]
        return replace(
            tried[0] if tried else every[0],
            starts=sum(one.starts for one in every),
            latency_ms=max(one.latency_ms for one in every),
            tools_started=sum(one.tools_started for one in every),
        )

    def _begin(self) -> None:
        """Have the subjects carry out what was announced, unless they do."""
        with self._lock:
            self._threads = [one for one in self._threads if one.is_alive()]
            if self._threads or not self._ahead:
                return
            self._threads = [
                threading.Thread(target=self._work, args=(suite,), daemon=True)
                for suite in self._suites[: len(self._ahead)]
            ]
        for thread in self._threads:
            thread.start()

    def _work(self, suite: EngineSuite) -> None:
        while (check := self._next()) is not None:
            self._found[check.id].set_result(suite.run(check))

    def _next(self) -> Check | None:
        with self._lock:
            return self._ahead.popleft() if self._ahead else None

    def _join(self) -> None:
        for thread in self._threads:
            thread.join()
