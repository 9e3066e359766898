"""The ledger of a conversation with a server: what was asked, what came, what is wrong.

Theory of operation. Every byte that is sent passes through ``sent``; a line that is a
request opens an exchange. Every byte that comes passes through ``received``, which
finds the exchange that a response belongs to and checks what must hold of every frame,
whatever the check in hand is about: these are the monitors. What they find is attached
to the arrival. A response is taken for its request as far as it can be recognised, so
that one fault does not hide the others. Lines that are no request may be answered or
not: such answers are strays.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.exec_tools import plain
from wireproof.line import Reading, events_of, head, must
from wireproof.patterns import is_array, json_equal
from wireproof.protocols.exec_server._exchanges import (
    Exchange,
    Exchanges,
    RpcArrival,
)
from wireproof.protocols.exec_server._ids import is_plain, key_of
from wireproof.protocols.exec_server._lines import RpcReader
from wireproof.protocols.exec_server._sent import LINE_LIMIT, RpcOutgoing
from wireproof.protocols.exec_server._shapes import response_faults, shown
from wireproof_reference.framing import Frame, NdjsonDecoder

if TYPE_CHECKING:
    from collections.abc import Sequence

UNFINISHED_KEPT = 1 << 16
"""Bytes kept of a line in progress."""

MOST_DEVIATIONS = 1_000
"""Deviations kept of one check: a flood must not fill the memory."""


class RpcLedger:
    """What was asked of one server, and what came.

    Attributes:
        exchanges: What was asked, and what came for it.
        strays: Answers to lines that are no request, since the last ``forget``.
        deviations: What the monitors found since the last ``forget``.
        seen: How many frames have come, and how many of each kind.
        noise: How many lines came that belong to nothing.
        finished: Whether the end of stdout has been booked.
        requests: How many requests were sent.
    """

    def __init__(self) -> None:
        """Open an empty ledger."""
        self.exchanges = Exchanges()
        self.strays: list[RpcArrival] = []
        self.deviations: list[Deviation] = []
        self.seen: Counter[str] = Counter()
        self.noise = 0
        self.finished = False
        self.requests = 0
        self._reader = RpcReader()
        self._outgoing = RpcOutgoing()
        self._incoming = NdjsonDecoder(LINE_LIMIT, blank_lines="report")
        self._unfinished = bytearray()

    # --- what is sent

    def sent(self, data: bytes, time: float, *, cut: bool = False) -> None:
        """Book bytes that go to the server.

        Args:
            data: The bytes, or one piece of them.
            time: When, in seconds on the clock of the run.
            cut: Whether they are a piece that the server may read by itself.
        """
        for request in self._outgoing.send(data, cut=cut):
            self.requests += 1
            self.exchanges.add(request.key, request.id, pieced=request.pieced)

    @property
    def asked(self) -> frozenset[str]:
        """The keys of the requests of the check in hand, the suite's own aside."""
        return self.exchanges.asked

    @property
    def midline(self) -> bool:
        """Whether the last line that was sent has no line feed yet."""
        return self._outgoing.midline

    def forget(self, time: float) -> None:
        """Begin a new check: what was found before has been reported."""
        self.deviations.clear()
        self.strays.clear()
        self.noise = 0
        self.exchanges.forget()

    # --- what is received

    def received(self, data: bytes, time: float) -> list[RpcArrival]:
        """Take bytes from the server's stdout; return what arrived with them."""
        self._incoming.receive_data(data)
        self._keep_unfinished(data)
        return self._take(time)

    def ended(self, time: float) -> list[RpcArrival]:
        """Take note that the server's stdout has come to its end."""
        self.finished = True
        self._incoming.receive_eof()
        return [*self._take(time), *self.settle_text(time)]

    def settle_text(self, time: float) -> list[RpcArrival]:
        """Book the lines whose case was open, now that nothing follows them."""
        return [
            arrival
            for reading in self._reader.give_up()
            for arrival in self._enter(reading, time)
        ]

    @property
    def pending(self) -> int:
        """How many bytes of a line have come whose line feed has not."""
        return self._incoming.pending

    @property
    def unfinished(self) -> bytes:
        """The beginning of a line whose line feed has not come."""
        return bytes(self._unfinished)

    def note(self, *found: Deviation) -> None:
        """Add deviations, as far as there is room for them."""
        room = MOST_DEVIATIONS - len(self.deviations)
        self.deviations += found[: max(0, room)]

    def _take(self, time: float) -> list[RpcArrival]:
        found: list[RpcArrival] = []
        for event in events_of(self._incoming):
            self.seen["frames"] += isinstance(event, Frame)
            for reading in self._reader.read(event):
                found += self._enter(reading, time)
        return found

    def _keep_unfinished(self, data: bytes) -> None:
        newline = data.rfind(b"\n")
        if newline != -1:
            self._unfinished.clear()
        room = UNFINISHED_KEPT - len(self._unfinished)
        self._unfinished += data[newline + 1 : newline + 1 + room]

    def _enter(self, reading: Reading, time: float) -> list[RpcArrival]:
        found = reading.found
        if not self._outgoing.any and not found:
            text = "a response came before anything was asked"
            found = (must("EXEC-S3", text, reading.line),)
        self.note(*found)
        if not reading.values:
            self.noise += 1
            return [RpcArrival(time, "none", None, reading.line, found)]
        before = found if reading.altered else ()
        return [
            self._enter_batch(value, reading.line, time)
            if is_array(value)
            else self._enter_response(value, reading.line, time, before)
            for value in reading.values
        ]

    def _enter_batch(self, value: list[Any], line: bytes, time: float) -> RpcArrival:
        """Book an array of responses: what a batch may be answered with (EXEC-S9)."""
        if self._outgoing.batches:
            arrival = RpcArrival(time, "response", value, line, (), self._rank)
            self.strays.append(arrival)
            return arrival
        text = "an array on stdout, and no batch was sent"
        found = (must("EXEC-S3", text, line, hides=True),)
        self.note(*found)
        self.noise += 1
        return RpcArrival(time, "none", None, line, found)

    def _enter_response(
        self,
        whole: dict[str, Any],
        line: bytes,
        time: float,
        before: Sequence[Deviation],
    ) -> RpcArrival:
        value = plain(whole)
        self.seen["errors" if "error" in value else "results"] += 1
        found: list[Deviation] = []
        exchange, is_stray = self._exchange_for(value, line, found)
        if before:
            # Bytes that were lost in it may have been those of its id.
            found.clear()
        found += response_faults(value, line, exchange.key if exchange else None)
        self.note(*found)
        everything = (*before, *found)
        arrival = RpcArrival(time, "response", value, line, everything, self._rank)
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
    ) -> tuple[Exchange | None, bool]:
        """Find what a response answers.

        Returns:
            The exchange, or None; and whether it may answer a line that is no request.
        """
        key = key_of(value.get("id"))
        if key is not None and key in self.exchanges.open:
            return self.exchanges.open[key], False
        sent = self._outgoing
        if key is not None and key in sent.free:
            return None, True
        if key is None and any(json_equal(value.get("id"), one) for one in sent.odd):
            return None, True
        # A line that is not ended yet may be read as one all the same, at the end.
        unread = sent.bad or sent.batches or sent.midline
        if value.get("id") is None and unread:
            return None, True
        if value.get("id") is None and sent.notifications and not self._wrong_ids:
            text = "a notification was answered"
            found.append(Deviation("EXEC-S8", "should", text, head(line)))
            return None, True
        old = self.exchanges.known.get(key) if key is not None else None
        if old is not None and not old.answered:
            return old, False
        if old is not None:
            text = f"a second response to the request with the id {shown(old.id)}"
            found.append(must("EXEC-S2", text, line, about=old.key))
            return None, False
        return self._adopted(value, line, found), False

    _wrong_ids = False
    """Whether a response to a request ever had an id of no request."""

    def _adopted(
        self, value: dict[str, Any], line: bytes, found: list[Deviation]
    ) -> Exchange | None:
        """Find whose answer this is although its id is no open request's."""
        said = shown(value["id"]) if "id" in value else "absent"
        if not self.exchanges.open:
            text = f"a response that answers no request (id {said})"
            found.append(must("EXEC-S2", text, line))
            return None
        only = self.exchanges.only_open
        asked = [one.id for one in self.exchanges.open.values()]
        wanted = shown(only.id) if only else f"one of {shown(asked[:5])}"
        text = f"the response's id is {said}, the request's was {wanted}"
        about = only.key if only else None
        deviation = must("EXEC-S2", text, line, hides=True, about=about, where="/id")
        candidates = [only] if only else self.exchanges.open.values()
        if not all(is_plain(one.id) for one in candidates):
            # It may be one that a server should give back and need not.
            deviation = replace(deviation, clause="EXEC-S12", level="should")
        elif only is not None and only.pieced and not self._wrong_ids:
            # Ids are right elsewhere: it was not read as the one line that it is.
            deviation = replace(deviation, clause="EXEC-S5")
        if deviation.clause != "EXEC-S5":
            self._wrong_ids = True
        found.append(deviation)
        return only
