"""What a subject has to be able to do before its answers mean anything.

For each op there are operations whose right answer differs from what is given: one
that is right shows that the subject does something. A subject that returns what it is
given, or one value for all, has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import VectorDefect
from wireproof.operations._outcome import AsExpected, NotAnswered
from wireproof.patterns import expand, match
from wireproof.subjects import DriverFault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from wireproof.operations._outcome import StepsOutcome
    from wireproof.subjects import Bridge


class Controls:
    """The controls of one subject; what is known is not asked again."""

    def __init__(
        self,
        bridge: Bridge,
        controls: Mapping[str, Sequence[Mapping[str, Any]]],
        carry_out: Callable[[Sequence[Mapping[str, Any]]], StepsOutcome],
    ) -> None:
        """Take the controls.

        Args:
            bridge: The subject's driver.
            controls: For each op what is tried: steps without their op; ``before``
                holds whole steps that come before it.
            carry_out: How steps are carried out.
        """
        self._bridge = bridge
        self._carry_out = carry_out
        self._controls = controls
        self._known: dict[str, str | DriverFault] = {}

    def missing(self, op: str) -> str | DriverFault:
        """Say why an op proves nothing, or return an empty text where it does."""
        if op not in self._known:
            # A driver that failed by chance gets another chance.
            found = self._try(op)
            again = isinstance(found, DriverFault)
            self._known[op] = self._try(op) if again else found
        return self._known[op]

    def any_right(self, ops: Iterable[str]) -> bool:
        """Tell whether any of these ops came out right: it is no empty shell."""
        return any(self.missing(op) == "" for op in ops)

    def plain(self, op: str) -> list[Mapping[str, Any]]:
        """Return the first control of an op as a step; none where it has no control."""
        return [{"op": op, **control} for control in self._controls.get(op, ())[:1]]

    def _try(self, op: str) -> str | DriverFault:
        reason: str | DriverFault = ""
        for control in self._controls.get(op, ()):
            self._bridge.ensure_up()
            found = self._carry_out(_steps_of(op, control))
            if isinstance(found, AsExpected):
                return ""
            if isinstance(found, NotAnswered):
                reason = found.fault
            elif not reason:
                reason = f"no plain {op} came out right: {found.text}"
        return reason or f"no control of {op}"


def is_own_control(op: str, steps: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a right answer to one of these steps shows that an op works.

    It does if it differs from what the op was given and from empty values.
    """
    for step in steps:
        if step.get("op") != op:
            continue
        try:
            given = expand(step.get("input", {}), {})
        except VectorDefect:
            # The step holds what an earlier one saved, or a value of a place.
            continue
        echoes: list[Any] = [given, *given.values(), None, {}, [], ""]
        if "expected" in step and not any(
            match(step["expected"], echo, {}, {}) is None for echo in echoes
        ):
            return True
    return False


def _steps_of(op: str, control: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    own = {key: value for key, value in control.items() if key != "before"}
    return [*control.get("before", ()), {"op": op, **own}]
