"""What comes from a host, and the exchanges that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from wireproof.line import Exchange, Exchanges, LineArrival
from wireproof.patterns import is_object
from wireproof.protocols.host_v1._sent import SentRequest


@dataclass(frozen=True, slots=True)
class HostArrival(LineArrival):
    """One frame or line that came from the host."""

    @property
    def event_type(self) -> str | None:
        """The type of an event; None for any other frame."""
        if self.kind != "event":
            return None
        event = self.value.get("event")
        found = event.get("type") if is_object(event) else None
        return found if isinstance(found, str) else None


HostExchange: TypeAlias = Exchange[SentRequest, HostArrival]
HostExchanges: TypeAlias = Exchanges[SentRequest, HostArrival]
