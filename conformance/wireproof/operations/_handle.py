"""A started bridged subject for a user's own tests: one op, one value, no ceremony."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from wireproof.checks import NoAnswer
from wireproof.subjects import Bridge, DriverFault, Op

if TYPE_CHECKING:
    from types import TracebackType

    from wireproof.subjects import Description


class BridgedHandle:
    """A subject behind a driver that was started, to be used in a ``with`` block.

    Attributes:
        description: What its driver says of it: name, version, ops, formats.
    """

    description: Description

    def __init__(self, bridge: Bridge) -> None:
        """Take the bridge; the driver is started on entering the block."""
        self._bridge = bridge

    def __enter__(self) -> Self:
        """Start the driver.

        Raises:
            NoAnswer: If it does not come up.
        """
        found = self._bridge.ensure_up()
        if isinstance(found, DriverFault):
            __tracebackhide__ = True
            raise NoAnswer(f"{found.text}\n{self._bridge.stderr_tail}".rstrip())
        self.description = found
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the driver and whatever it started."""
        self._bridge.stop()

    def ask(self, op: str, **arguments: Any) -> Any:
        """Carry out an op and return its value.

        Args:
            op: Its name, such as ``convert_schemas``.
            **arguments: Its arguments, as the bridge names them.

        Raises:
            NoAnswer: If the subject refuses, or the driver fails.
        """
        __tracebackhide__ = True
        self._bridge.begin()
        if isinstance(found := self._bridge.ensure_up(), DriverFault):
            raise NoAnswer(f"{op}: {found.text}")
        outcome = self._bridge.ask(Op(op, arguments))
        if isinstance(outcome, DriverFault):
            raise NoAnswer(f"{op}: {outcome.text}")
        if not outcome.ok:
            raise NoAnswer(f"{op}: {outcome.refusal}")
        return outcome.value
