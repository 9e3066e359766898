"""What may follow what under the id of a request, on each side.

Only a host meets an id in flight twice: a client must not send it so (HV1-C1), but a
host answers every request that it gets (HV1-M3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wireproof_reference.core import Phase
from wireproof_reference.host_v1.core._messages import Event, Failure, Request, Success

if TYPE_CHECKING:
    from wireproof_reference.core import Transitions

CLIENT_TRANSITIONS: Final[Transitions] = {
    (Phase.IDLE, Request): +1,
    (Phase.IN_FLIGHT, Event): 0,
    (Phase.IN_FLIGHT, Success): -1,
    (Phase.IN_FLIGHT, Failure): -1,
}
"""The client's side: an id is in flight once (HV1-C1)."""

HOST_TRANSITIONS: Final[Transitions] = {
    **CLIENT_TRANSITIONS,
    (Phase.IN_FLIGHT, Request): +1,
}
"""The host's side: it answers whatever was asked (HV1-M3)."""
