"""What a tool is told of the turn in which it is called (TOOL-C1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from wireproof_reference.tool_contract.core import DEFAULT_TURN_BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof_reference.framing import JSON
    from wireproof_reference.tool_contract.core import ProgressEvent


class AbortSignal:
    """Fires once, and has fired from then on (TOOL-X9).

    Attributes:
        aborted: Whether it has fired.
    """

    def __init__(self) -> None:
        self.aborted = False
        self._fired: anyio.Event | None = None

    def abort(self) -> None:
        """Fire; once more changes nothing."""
        self.aborted = True
        if self._fired is not None:
            self._fired.set()

    async def wait(self) -> None:
        """Return once it has fired."""
        if self.aborted:
            return
        if self._fired is None:
            self._fired = anyio.Event()
        await self._fired.wait()


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """When a file was read last.

    Attributes:
        mtime_ms: Its time of modification then, in milliseconds since 1970.
        read_at_turn: The turn in which it was read, counted from 1.
    """

    mtime_ms: float
    read_at_turn: int


def _emit_nothing(event: ProgressEvent) -> None:
    """Take an event that nobody waits for."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What all calls of a turn have in common, and what one of them may give.

    Attributes:
        session_id: The session, by its stable id.
        session_key: The session, by a name that means something to people.
        platform: Where the turn runs, such as `cli`.
        working_dir: The folder that relative paths start from.
        current_turn: The number of the turn, counted from 1.
        message_count: How many messages the session has.
        result_budget_chars: Characters that the results of the whole turn may have; of
            one call, once a tool sees it (TOOL-B8).
        abort_signal: Fires when the turn is called off.
        emit: Takes events of progress.
        read_mtimes: When files were read, by their paths; None where nobody watches
            over stale writes.
        dry_run: Whether nothing may be changed.
        optional: The fields that are given now and then, by their names on the wire.
    """

    session_id: str = ""
    session_key: str = ""
    platform: str = ""
    working_dir: str = ""
    current_turn: int = 1
    message_count: int = 0
    result_budget_chars: int = DEFAULT_TURN_BUDGET
    abort_signal: AbortSignal = field(default_factory=AbortSignal)
    emit: Callable[[ProgressEvent], None] = _emit_nothing
    read_mtimes: dict[str, ReadRecord] | None = None
    dry_run: bool = False
    optional: Mapping[str, JSON] = field(default_factory=dict[str, "JSON"])
