"""A call that takes three seconds, on a host of its own beside the other checks.

A host with a time limit of its own may give up such a call, and then answer it once
more when the tool ends. To wait for that alone would make each run as much longer.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Check
from wireproof.line import Completed, StepRunner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.line import StepsOutcome
    from wireproof.protocols.host_v1._session import HostSession

TOOL = "conformance_sleep"

LONG_CALL = Check(
    "host-v1/scenarios/three-seconds",
    "A call that takes three seconds gets one final response.",
    ("HV1-M3",),
    "must",
    "seed",
    "scenario",
    {"tools": [TOOL]},
)

SECONDS = 3.0

SETTLING_SECONDS = 0.3
"""Seconds after the tool's end in which a host that gave up answers once more."""

CHECKS_BEFORE = 8
"""Checks after the start of the other host before it is spoken to: most have come up
by then, so that nobody waits for that."""

_ID = "three-seconds"

STEPS: Sequence[Mapping[str, Any]] = (
    {
        "send": {
            "v": 1,
            "id": _ID,
            "method": "execute_tool",
            "params": {
                "tool_name": TOOL,
                "arguments": {"ms": round(SECONDS * 1000)},
                "state": {"$use": "state"},
            },
        }
    },
    {"expect": {"id": _ID}},
)
"""The call and its answer, whatever that is: a host may have a limit."""


class LongCall:
    """The call in flight, if there is one.

    Attributes:
        session: The host that it is made of.
    """

    def __init__(self, session: HostSession) -> None:
        """Take a host; it is not started before another was seen to serve.

        Args:
            session: The host.
        """
        self.session = session
        self._steps = StepRunner(session)
        self._checks = 0
        self._sent: float | None = None

    def go_on(self) -> None:
        """Do what comes next, after a check of another host that serves."""
        if self._checks == 0:
            self.session.start_ahead()
        if self._checks == CHECKS_BEFORE:
            self.begin()
        self._checks += 1

    def begin(self) -> bool:
        """Send the call, unless that was done; tell whether it is in flight."""
        if self._sent is None:
            self.session.begin()
            if self.session.ensure_up() is not None or TOOL not in self.session.tools:
                return False
            self._steps.step(STEPS[0])
            self._sent = time.monotonic()
        return True

    def end(self) -> None:
        """End the host, where it was started."""
        self.session.stop()
        self.session.end_spares()

    def outcome(self) -> StepsOutcome:
        """Wait for the answer, and for what may come at the end of the tool."""
        outcome = self._steps.run(STEPS[1:])
        if not isinstance(outcome, Completed):
            return outcome if outcome.at_fence else replace(outcome, step=1)
        sent = self._sent or 0.0
        answered = self.session.answered_at(_ID) or sent + SECONDS
        if answered < sent + SECONDS:
            # It gave up. The tool may have been at work then, or may begin only now.
            until = answered + SECONDS + SETTLING_SECONDS
            self.session.listen(max(0.0, until - time.monotonic()))
        return outcome
