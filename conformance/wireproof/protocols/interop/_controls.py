"""What a subject has to be able to do before its answers mean anything.

For each op there are three operations whose right answer differs from what is given:
one that is right shows that the subject does something. A subject that returns what it
is given, or one value for all, has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.protocols.interop._opening import OPS, PROVIDER_OPS
from wireproof.protocols.interop._operations import Broke, Held, carry_out
from wireproof.subjects import DriverFault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.subjects import Bridge


class Controls:
    """The controls of one subject; what is known is not asked again."""

    def __init__(self, bridge: Bridge, setup: Mapping[str, Any]) -> None:
        """Take the controls of ``interop/setup.json``."""
        self._bridge = bridge
        self._controls: Mapping[str, Any] = setup["controls"]
        self._known: dict[tuple[str, str], str | DriverFault] = {}
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
            # A driver that failed by chance gets another chance.
            found = self._try(op, controls)
            again = isinstance(found, DriverFault)
            self._known[key] = self._try(op, controls) if again else found
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
                missing = self.missing(op, provider)
                if missing == "":
                    self._provider = provider
                    return provider
                if isinstance(missing, DriverFault):
                    fault = missing
        return self._provider or fault or ""

    def alive(self, ops: frozenset[str]) -> bool:
        """Tell whether any op of a registry came out right: it is no empty shell."""
        return any(self.missing(op, "") == "" for op in OPS if op in ops)

    def _try(self, op: str, controls: Sequence[Mapping[str, Any]]) -> str | DriverFault:
        told: str | DriverFault = ""
        for control in controls:
            self._bridge.ensure_up()
            found = carry_out(self._bridge, [{"op": op, **control}])
            if isinstance(found, Held):
                return ""
            if isinstance(found, Broke) and found.fault is not None:
                told = found.fault
            elif not told:
                told = f"no plain {op} came out right: {found.text}"
        return told or f"no control of {op}"
