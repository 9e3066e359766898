"""The checks of exec-runtime, bound to one runtime.

Theory of operation. Most of a run is waiting: for limits to pass, for processes to
start. So several drivers of the same command are tried beside each other, each with
tools of its own; checks are carried out ahead of their turn, in order, by whichever
driver is free.
"""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.checks import Check, Result, SubjectFacts, Suite

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from tempfile import TemporaryDirectory

    from wireproof.checks import SuiteInputs, Transcript
    from wireproof.protocols.exec_runtime._one_runtime import OneRuntime


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
        """Return the result of one check, which a driver may have carried out ahead."""
        if check.id not in self._results:
            self._results[check.id] = self._try(check)
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

    def _try(self, check: Check) -> Result:
        if check.id not in self._found:
            # Alone, and with nothing beside it that could disturb it.
            self._await_all()
            return self._runtimes[0].run(check)
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
