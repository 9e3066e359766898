"""The line that shows a failed operation again: Python, a pipe, or pytest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wireproof.operations._opening import is_in_process
from wireproof.operations._operations import op_of
from wireproof.subjects import (
    DriverFault,
    pipe_line,
    placed,
    python_line,
    run_line,
    shown_folder,
    signature_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Check, Settings, Target
    from wireproof.subjects import Bridge

DESCRIBE = b'{"id":1,"op":"describe"}\n'
"""What each driver is told first."""


class Reproduction:
    """What builds such lines for one subject."""

    def __init__(self, target: Target, settings: Settings, bridge: Bridge) -> None:
        """Take the subject and its driver."""
        self._target = target
        self._settings = settings
        self._bridge = bridge
        self._in_process = is_in_process(target.command)

    def line(self, check: Check, step: Mapping[str, Any] | None = None) -> str:
        """Return the line for a check, or for the step of it that failed."""
        line = None
        if step is not None and self._in_process:
            line = self._python(step)
        elif step is not None:
            line = self._pipe(b"".join(self._bridge.sent))
        return line or run_line(self._settings, check.argument)

    def start_line(self) -> str | None:
        """Return a line that starts the user's driver; None for the suite's own."""
        return None if self._in_process else self._pipe(b"")

    def _pipe(self, data: bytes) -> str | None:
        """Return a line that says to the driver what it was told, describing first."""
        return pipe_line(
            DESCRIBE + data,
            self._target.command,
            folder=shown_folder(self._settings),
            environment=self._settings.shown_environment,
        )

    def _python(self, step: Mapping[str, Any]) -> str | None:
        """Return a line that calls the method itself, where its value shows it all."""
        found = self._bridge.ensure_up()
        if isinstance(found, DriverFault) or "$use" in json.dumps(step.get("input")):
            return None
        op = op_of(step, {})
        if op.echo or not found.expression:
            return None
        module = self._target.command[-1].partition(":")[0]
        by_place = 1
        if signature := found.signatures.get(op.name):
            by_place = placed(signature_of(signature), op.arguments, (1, 0))
        return python_line(
            module,
            found.expression,
            op.name,
            op.arguments,
            by_place,
            folder=shown_folder(self._settings),
            environment=self._settings.shown_environment,
        )
