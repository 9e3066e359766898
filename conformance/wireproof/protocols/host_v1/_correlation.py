"""Which request a message of a host belongs to, as far as it can be recognised.

An answer under a wrong id is taken for the one request that waits, so that one fault
does not hide the others.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from wireproof.line import OWN_ID, TORN, meant_by, must, whole_of
from wireproof.patterns import look_alike, told_apart
from wireproof.protocols.host_v1._shapes import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Deviation
    from wireproof.protocols.host_v1._exchanges import HostExchange, HostExchanges
    from wireproof.protocols.host_v1._sent import HostOutgoing

WHILE_A_BAD_LINE_WAITS = (
    "; the answer to a line that is no request has no other request's id"
)
"""What is said of one more answer while such a line has none."""

WHILE_OTHERS_WAIT = ", while another request waits for its own"
"""What is said of one while a request in flight has none."""

CUT_IDS = 60
"""Characters from which on the beginning of an id is taken for one that was cut, not
for another id: the suite's own are shorter."""

OFTEN_ASTRAY = 3
"""Answers to no request, in one check without a bad line, that are no chance."""


class Correlation:
    """How the messages of one started host are brought to its exchanges.

    Attributes:
        wrong_ids: Whether a response to a whole request ever had a wrong id.
        reads_as_one: Whether requests that came together were ever answered as one.
        misdirected: How many responses of the check in hand came while requests were
            in flight, and answer none of these.
    """

    def __init__(self, exchanges: HostExchanges, outgoing: HostOutgoing) -> None:
        """Begin with nothing learnt.

        Args:
            exchanges: What was asked.
            outgoing: What was sent.
        """
        self.wrong_ids = False
        self.reads_as_one = False
        self.misdirected = 0
        self._strays_often = False
        self._exchanges = exchanges
        self._outgoing = outgoing

    def of_event(
        self, key: Any, line: bytes, found: list[Deviation]
    ) -> HostExchange | None:
        """Return the exchange of an event, or None.

        Args:
            key: Its id.
            line: The line, as evidence.
            found: Where what is wrong with it is added.
        """
        if isinstance(key, str) and key in self._exchanges.open:
            return self._exchanges.open[key]
        if isinstance(key, str) and self._outgoing.waits_for(key):
            return None
        if isinstance(key, str) and (old := self._exchanges.known.get(key)) is not None:
            if old.answered:
                text = f"an event for {shown(key)} after its response"
                found.append(must("HV1-E2", text, line, about=key))
            return None
        if isinstance(key, str) and key and self._outgoing.names_right(key):
            # A lenient reader found a request in a line that is none.
            return None
        if (torn := whole_of(key, self._exchanges.open)) is not None:
            found.append(must("HV1-T4", _torn_text(key, torn), line, hides=True))
            return self._exchanges.open[torn]
        text = "an event without an id" if key is None else self._in_no_flight(key)
        meant = meant_by(key, self._exchanges.open)
        text += f"; {shown(meant[0])} is: {meant[1]}" if meant else ""
        found.append(must("HV1-E1", text, line, hides=True))
        return self._exchanges.open[meant[0]] if meant else self._exchanges.only_open

    def of_response(
        self, value: Mapping[str, Any], line: bytes, found: list[Deviation]
    ) -> HostExchange | None:
        """Find whose answer this is although its id is no open request's.

        Args:
            value: The answer.
            line: The line, as evidence.
            found: Where what is wrong with it is added.
        """
        key = value.get("id")
        only = self._exchanges.only_open
        old = self._exchanges.known.get(key) if isinstance(key, str) else None
        if not key and old is not None and old.request not in self._exchanges.asked:
            # A request of an earlier check had it; it is that of an answer to none.
            old = None
        if old is not None and not old.answered:
            return old
        if old is not None and (cut := self._cut_at(old.key)) is not None:
            only, old = cut, None
        if old is not None and not _is_for(only, old):
            text = f"a second final response for {shown(key)}"
            if self._outgoing.waiting:
                text += WHILE_A_BAD_LINE_WAITS
            elif self._exchanges.open:
                text += WHILE_OTHERS_WAIT
            # It may be what another one waits for in vain.
            waits = bool(self._exchanges.open)
            self.misdirected += waits
            found.append(must("HV1-M3", text, line, hides=waits, about=old.key))
            return None
        if not self._exchanges.open:
            text = f"a response that answers no request (id {shown(key)})"
            found.append(must("HV1-M3", text, line))
            return None
        if (torn := whole_of(key, self._exchanges.open)) is not None:
            text = _torn_text(str(key), torn)
            found.append(must("HV1-T4", text, line, hides=True, about=torn))
            return self._exchanges.open[torn]
        meant = meant_by(key, self._exchanges.open)
        only = self._exchanges.open[meant[0]] if meant else only
        # The one that is meant, as far as its text tells, stands first.
        waiting = sorted(self._exchanges.open, key=lambda one: (one != str(key), one))
        open_ids = shown(waiting[:5])
        wanted = shown(only.key) if only else f"one of {open_ids}"
        said, wanted = told_apart(shown(key), wanted)
        text = f"the response's id is {said}, the request's was {wanted}"
        text += f": {meant[1]}" if meant else ""
        if key is None:
            # It may be why: a line that was too long to be read.
            text += _told_by(value)
        clause = "HV1-M2"
        if only is not None and only.request.pieced and not self.wrong_ids:
            # Ids are right elsewhere: it was not read as the one line that it is.
            clause = "HV1-T4"
        elif only is not None:
            self.wrong_ids = True
        elif not key and not self.wrong_ids and self._read_as_one():
            text = f"requests that came together were answered as one: {text}"
            clause = "HV1-T4"
            self.reads_as_one = True
        self.misdirected += only is None
        about = only.key if only else None
        found.append(must(clause, text, line, hides=True, about=about))
        return only

    def _in_no_flight(self, key: Any) -> str:
        """Say of an event's id that no request has it, and which may look so."""
        text = "of an event is that of no request in flight"
        ids = self._exchanges.open if isinstance(key, str) else ()
        alike = next((one for one in ids if look_alike(one, key)), None)
        if alike is None:
            return f"the id {shown(key)} {text}"
        said, wanted = told_apart(shown(key), shown(alike))
        return f"the id {said} {text}: {wanted} is"

    def takes_for_astray(self) -> None:
        """Count an answer to no request that may be meant for one that waits.

        Beside a single request it may be a late one to a bad line, unless some came
        while several waited.
        """
        waiting = len(self._exchanges.open)
        self.misdirected += waiting > 1 or bool(waiting and self._strays_often)
        self._strays_often |= waiting > 1 and self.misdirected >= OFTEN_ASTRAY

    def _cut_at(self, key: str) -> HostExchange | None:
        """Return the one request in flight of whose long id this is the beginning."""
        if len(key) < CUT_IDS:
            return None
        longer = [one for one in self._exchanges.open.values() if one.key != key]
        found = [one for one in longer if one.key.startswith(key)]
        return found[0] if len(found) == 1 else None

    def is_stray(self, value: dict[str, Any], time: float) -> bool:
        """Tell whether a response is the answer to a bad line, and to no request."""
        key = value.get("id")
        if isinstance(key, str) and key in self._exchanges.open:
            return False
        # The empty id is that of a request or of none (HV1-T8).
        if isinstance(key, str) and key and key in self._exchanges.known:
            return self._outgoing.waits_for(key)
        only = self._exchanges.only_open
        return self._outgoing.may_answer(value, time, only.request if only else None)

    def _read_as_one(self) -> bool:
        """Tell whether requests in flight were read as one bad line.

        The ids of the suite's own are right where one is asked at a time.
        """
        return (
            self.reads_as_one
            or all(key.startswith(OWN_ID) for key in self._exchanges.open)
            or any(one.request.pieced for one in self._exchanges.open.values())
        )


def _is_for(only: HostExchange | None, old: HostExchange) -> bool:
    """Tell whether a response under a finished id is meant for the open request.

    It is where the ids are the same but for case, white space or normal form.
    """
    return only is not None and _folded(only.key) == _folded(old.key)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _told_by(value: Mapping[str, Any]) -> str:
    """Return what a failure says, to be told after what is wrong with it."""
    match value:
        case {"ok": False, "error": {"detail": str(detail)}} if detail:
            return f"; it is a failure: {shown(detail)}"
        case _:
            return ""


def _torn_text(key: str, whole: str) -> str:
    return f"{TORN}: the id {shown(whole)} came back as {shown(key)}"
