"""Which format a provider's messages have, and which of its ops prove something.

A subject does not say of which format its provider is: the controls of both are tried,
and the one that comes out right tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.operations import Controls
from wireproof.protocols.interop._ops import PROVIDER_OPS
from wireproof.subjects import DriverFault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from wireproof.operations import StepsOutcome
    from wireproof.subjects import Bridge

UNKNOWN = "no plain op of a provider came out right, in either format"
"""Why no op of a provider proves anything where its format is not known."""


class ProviderControls:
    """The controls of one provider; what is known is not asked again."""

    def __init__(
        self,
        bridge: Bridge,
        controls: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]],
        carry_out: Callable[[Sequence[Mapping[str, Any]]], StepsOutcome],
    ) -> None:
        """Take the controls.

        Args:
            bridge: The subject's driver.
            controls: For each op and format what is tried: steps without their op.
            carry_out: How steps are carried out.
        """
        self._formats = {op: list(controls.get(op, ())) for op in PROVIDER_OPS}
        self._by_format = {
            name: Controls(
                bridge, {op: by.get(name, ()) for op, by in controls.items()}, carry_out
            )
            for names in self._formats.values()
            for name in names
        }
        self._format = ""

    def format(self, ops: AbstractSet[str]) -> str | DriverFault:
        """Find out which format the messages of the provider have.

        Args:
            ops: The ops that the subject offers.

        Returns:
            The format; where no control came out right, the last fault of the driver,
            or an empty text.
        """
        fault: DriverFault | None = None
        for op in PROVIDER_OPS if not self._format else ():
            for name in self._formats[op] if op in ops else ():
                missing = self._by_format[name].missing(op)
                if missing == "":
                    self._format = name
                    return name
                if isinstance(missing, DriverFault):
                    fault = missing
        return self._format or fault or ""

    def missing(self, op: str) -> str | DriverFault:
        """Say why an op proves nothing, or return an empty text where it does."""
        if not self._format:
            return UNKNOWN
        return self._by_format[self._format].missing(op)
