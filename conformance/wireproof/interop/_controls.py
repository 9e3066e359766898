"""What a subject has to be able to do before its answers mean anything.

For each op there are three operations whose right answer differs from what is given:
one that is right shows that the subject does something. A subject that returns what it
is given, or one value for all, has none.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from wireproof._bridge import DriverFault
from wireproof.interop._opening import PROVIDER_OPS
from wireproof.interop._operations import Broke, Held, carry_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof._bridge import Bridge


MOST_FAULTS = 2
"""Faults of the driver at one control, after which it is not tried again: each may
cost a start and a wait."""


class Controls:
    """The controls of one subject; what is known is not asked again."""

    def __init__(self, bridge: Bridge, setup: Mapping[str, Any]) -> None:
        """Take the controls of ``interop/setup.json``."""
        self._bridge = bridge
        self._controls: Mapping[str, Any] = setup["controls"]
        self._known: dict[tuple[str, str], str | DriverFault] = {}
        self._faults: Counter[tuple[str, str]] = Counter()
        self._provider = ""

    def missing(self, op: str, provider: str) -> str | DriverFault:
        """Say why an op proves nothing, or return an empty text where it does.

        Args:
            op: The op.
            provider: The format of the subject's provider, for the ops of one; empty
                where that could not be found out.
        """
        key = (op, provider) if op in PROVIDER_OPS else (op, "")
        if key not in self._known:
            controls = self._controls.get(op, ())
            if op in PROVIDER_OPS:
                if not provider:
                    return "no plain op of a provider came out right, in either format"
                controls = controls.get(provider, ())
            found = self._try(op, controls)
            if isinstance(found, DriverFault):
                self._faults[key] += 1
                if self._faults[key] < MOST_FAULTS:
                    return found
            self._known[key] = found
        return self._known[key]

    def provider(self, ops: frozenset[str]) -> str | DriverFault:
        """Find out which format the messages of the subject's provider have.

        Args:
            ops: The ops that the subject offers.

        Returns:
            The format; where no control came out right, the last fault of the driver,
            or an empty text.
        """
        fault: DriverFault | None = None
        for op in PROVIDER_OPS if not self._provider else ():
            formats: Sequence[str] = list(self._controls[op]) if op in ops else ()
            for provider in formats:
                self._bridge.ensure_up()
                missing = self.missing(op, provider)
                if missing == "":
                    self._provider = provider
                    return provider
                if isinstance(missing, DriverFault):
                    fault = missing
        return self._provider or fault or ""

    def _try(self, op: str, controls: Sequence[Mapping[str, Any]]) -> str | DriverFault:
        told = ""
        for control in controls:
            found = carry_out(self._bridge, [{"op": op, **control}])
            if isinstance(found, Held):
                return ""
            if isinstance(found, Broke) and found.fault is not None:
                return found.fault
            told = told or found.text
        return (
            f"no plain {op} came out right: {told}"
            if controls
            else f"no control of {op}"
        )
