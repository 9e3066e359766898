"""The ledger of a conversation with a server: what was asked, what came, what is wrong.

A response is taken for its request as far as it can be recognised, so
that one fault does not hide the others. Lines that are no request may be answered or
not: such answers are strays.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from wireproof.checks import Deviation
from wireproof.exec_tools import null_companion, plain
from wireproof.line import (
    TORN,
    Exchange,
    LineArrival,
    LineLedger,
    head,
    meant_by,
    must,
    whole_of,
)
from wireproof.patterns import is_array, is_object, json_equal, told_apart
from wireproof.protocols.exec_server._ids import is_own_key, is_plain, key_of
from wireproof.protocols.exec_server._lines import RpcReader
from wireproof.protocols.exec_server._sent import LINE_LIMIT, RpcOutgoing, SentRequest
from wireproof.protocols.exec_server._shapes import response_faults, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.line import Reading

PIECE = "a piece of a line was refused as a line is"
"""What is said of an error without an id where pieces were taken for lines."""

RpcExchange: TypeAlias = Exchange[SentRequest, LineArrival]


class RpcLedger(LineLedger[SentRequest, LineArrival]):
    """What was asked of one server, and what came."""

    def __init__(self) -> None:
        """Open an empty ledger."""
        super().__init__(RpcReader(), LINE_LIMIT, is_own=is_own_key)
        self._outgoing = RpcOutgoing()
        self._misdirected = 0
        self._notified = 0

    def forget(self, time: float) -> None:
        """Begin a new check: what was found before has been reported."""
        super().forget(time)
        self._misdirected = 0
        self._notified = self._outgoing.notifications

    @property
    def misdirected(self) -> int:
        """How many responses of the check in hand answer none of the requests."""
        return self._misdirected

    @property
    def midline(self) -> bool:
        """Whether the last line that was sent has no line feed yet."""
        return self._outgoing.midline

    def _read_sent(self, data: bytes, time: float, *, cut: bool) -> list[SentRequest]:
        return self._outgoing.send(data, cut=cut)

    def _enter(self, reading: Reading, time: float) -> list[LineArrival]:
        reading = self._without_quotes(reading)
        found = reading.found
        if not self._outgoing.any and not found:
            text = "a response came before anything was asked"
            found = (must("EXEC-S3", text, reading.line),)
        self.note(*found)
        if not reading.values:
            self.noise += 1
            return [LineArrival(time, "none", None, reading.line, found)]
        before = found if reading.altered else ()
        return [
            self._enter_batch(value, reading.line, time)
            if is_array(value)
            else self._enter_response(value, reading.line, time, before)
            for value in reading.values
        ]

    def _answers(self, value: Any) -> bool:
        key = key_of(value.get("id")) if is_object(value) else None
        return key is not None and self.exchanges.get(key) is not None

    def _enter_batch(self, value: list[Any], line: bytes, time: float) -> LineArrival:
        """Book an array of responses: what a batch may be answered with (EXEC-S9)."""
        if self._outgoing.batches:
            arrival = LineArrival(time, "response", value, line, (), self._rank)
            self.strays.append(arrival)
            return arrival
        text = "an array on stdout, and no batch was sent"
        found = (must("EXEC-S3", text, line, hides=True),)
        self.note(*found)
        self.noise += 1
        return LineArrival(time, "none", None, line, found)

    def _enter_response(
        self,
        whole: dict[str, Any],
        line: bytes,
        time: float,
        before: Sequence[Deviation],
    ) -> LineArrival:
        value = plain(whole)
        self.seen["errors" if "error" in value else "results"] += 1
        found: list[Deviation] = []
        exchange, is_stray = self._exchange_for(value, line, found)
        if before:
            # Bytes that were lost in it may have been those of its id.
            found.clear()
        found += response_faults(value, line, exchange.key if exchange else None)
        self.note(*found)
        if key := null_companion(whole):
            text = f"{key} is null beside its partner, where it should be absent"
            self.note(Deviation("EXEC-S2", "should", text, head(line)))
        everything = (*before, *found)
        arrival = LineArrival(time, "response", value, line, everything, self._rank)
        if exchange is not None:
            exchange.arrivals.append(arrival)
            self.exchanges.close(exchange)
        elif is_stray:
            self.strays.append(arrival)
        else:
            self.noise += 1
        return arrival

    @property
    def _rank(self) -> int:
        return self.seen["frames"]

    def _exchange_for(
        self, value: dict[str, Any], line: bytes, found: list[Deviation]
    ) -> tuple[RpcExchange | None, bool]:
        """Find what a response answers.

        Returns:
            The exchange, or None; and whether it may answer a line that is no request.
        """
        key = key_of(value.get("id"))
        if key is not None and key in self.exchanges.open:
            return self.exchanges.open[key], False
        sent = self._outgoing
        if key is not None and key in sent.free:
            if sent.free[key] <= 0:
                # It may be what another one waits for in vain, or the same again.
                text = f"a second response to the id {shown(value['id'])}"
                found.append(must("EXEC-S2", text, line, hides=True))
            sent.free[key] -= 1
            return None, True
        if key is None and any(json_equal(value.get("id"), one) for one in sent.odd):
            return None, True
        # A line that is not ended yet may be read as one all the same, at the end.
        unread = sent.bad or sent.batches or sent.midline
        # What is no request has no result.
        is_error = "error" in value or not self.exchanges.open
        if value.get("id") is None and unread and is_error:
            return None, True
        if sent.notifications > self._notified and not self._wrong_ids:
            self._notified += 1
            text = "a notification was answered"
            found.append(Deviation("EXEC-S8", "should", text, head(line)))
            return None, True
        if value.get("id") is None and self.takes_pieces and not self.exchanges.open:
            # It refuses one more piece.
            return None, True
        old = self.exchanges.known.get(key) if key is not None else None
        if old is not None and not old.answered:
            return old, False
        asked = (one.request.id for one in self.exchanges.open.values())
        # Where an id is open that need not come back, it may be the answer to that.
        if old is not None and all(map(is_plain, asked)):
            said = shown(old.request.id)
            text = f"a second response to the request with the id {said}"
            # It may be what another one waits for in vain.
            self._misdirected += bool(self.exchanges.open)
            found.append(must("EXEC-S2", text, line, about=old.key))
            return None, False
        return self._adopted(value, line, found), False

    takes_pieces = False
    """Whether pieces of a line were refused as lines are, by any process so far."""

    _wrong_ids = False
    """Whether a response to a request ever had an id of no request."""

    def _adopted(
        self, value: dict[str, Any], line: bytes, found: list[Deviation]
    ) -> RpcExchange | None:
        """Find whose answer this is although its id is no open request's."""
        said = shown(value["id"]) if "id" in value else "absent"
        if not self.exchanges.open:
            text = f"a response that answers no request (id {said})"
            found.append(must("EXEC-S2", text, line))
            return None
        texts = {
            one.request.id: one
            for one in self.exchanges.open.values()
            if isinstance(one.request.id, str)
        }
        if (torn := whole_of(value.get("id"), texts)) is not None:
            text = f"{TORN}: the id {shown(torn)} came back as {said}"
            whole = texts[torn]
            found.append(must("EXEC-S5", text, line, hides=True, about=whole.key))
            return whole
        meant = meant_by(value.get("id"), texts)
        only = texts[meant[0]] if meant else self.exchanges.only_open
        asked = [one.request.id for one in self.exchanges.open.values()]
        wanted = shown(only.request.id) if only else f"one of {shown(asked[:5])}"
        said, wanted = told_apart(said, wanted)
        text = f"the response's id is {said}, the request's was {wanted}"
        text += f": {meant[1]}" if meant else ""
        self._misdirected += only is None
        about = only.key if only else None
        deviation = must("EXEC-S2", text, line, hides=True, about=about, where="/id")
        candidates = [only] if only else self.exchanges.open.values()
        if not all(is_plain(one.request.id) for one in candidates):
            # It may be one that a server should give back and need not.
            deviation = replace(deviation, clause="EXEC-S12", level="should")
        elif only is not None and only.request.large and _refuses_a_line(value):
            text = f"a long request, {wanted}, was refused as a line is that has no id"
            deviation = replace(deviation, clause="EXEC-S16", level="should", text=text)
        elif only is not None and only.request.pieced and not self._wrong_ids:
            # Ids are right elsewhere: it was not read as the one line that it is.
            deviation = replace(deviation, clause="EXEC-S5")
            if _refuses_a_line(value):
                self.takes_pieces = True
                text = f"a request that takes more than one read, {wanted}, was refused"
                deviation = replace(deviation, text=f"{text} without its id")
        elif self.takes_pieces and _refuses_a_line(value):
            deviation = replace(deviation, clause="EXEC-S5", text=f"{PIECE}: {text}")
        self._wrong_ids |= deviation.clause not in {"EXEC-S5", "EXEC-S16"}
        found.append(deviation)
        return only


def _refuses_a_line(value: Any) -> bool:
    """Tell whether a response is an error without an id."""
    return is_object(value) and value.get("id") is None and "error" in value
