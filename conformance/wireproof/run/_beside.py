"""A check that takes long, on a process of its own beside the other checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wireproof.judge import Case
    from wireproof.run._runner import Outcome, Runner


class Beside:
    """One check that is begun early and ended when its turn comes."""

    def __init__(self, runner: Runner, case: Case) -> None:
        """Prepare; nothing is started yet.

        Args:
            runner: Starts the process that serves this check alone.
            case: The check.
        """
        self._runner = runner
        self._parts = runner.in_parts(case)
        self._outcome: Outcome | None = None

    def begin(self) -> None:
        """Start the subject and carry out the first step."""
        self._go_on()

    def finish(self) -> Outcome | None:
        """Carry out the rest; return what came of it, None if it did not come up."""
        while self._outcome is None:
            self._go_on()
        return None if self._outcome.observation.not_up else self._outcome

    def stop(self) -> None:
        """End the subject and all that it has started."""
        self._runner.finish()

    def _go_on(self) -> None:
        try:
            next(self._parts)
        except StopIteration as end:
            self._outcome = end.value
