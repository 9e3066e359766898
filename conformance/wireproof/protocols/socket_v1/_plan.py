"""A fuzzed example before its ids are known: moves on connections, and how they go out.

A move says what is sent, on which connection, and which frames the clauses ask for, so
a plan needs no model of the server beside itself. One example of Hypothesis costs a
millisecond and more, so each holds many frames.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Any

from wireproof.fuzzing import piece
from wireproof.judge import MAIN
from wireproof.patterns import is_array, is_object
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Step = dict[str, Any]

ID_HERE = "<the id>"
"""Stands in raw text, and in patterns, for the id that the line is given."""


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that is sent, and what has to come for it.

    Attributes:
        request: A message; a call in it is given an id. None for raw bytes.
        answers: Patterns of the frames that come, in order; those of a call are given
            its id.
        raw: Bytes to send where there is no message.
        on: The connection.
        own_id: The id of the call where that is what is tried.
        clause: The clause that a wrong answer breaks; None for the property's first.
        ending: What ends the line of a message.
        cancelled: Whether the call is cancelled as soon as it is sent.
        may_close: Whether the server may close the connection instead.
    """

    request: Mapping[str, Any] | None = None
    answers: Sequence[Mapping[str, Any]] = ()
    raw: bytes = b""
    on: str = MAIN
    own_id: str | None = None
    clause: str | None = None
    ending: bytes = b"\n"
    cancelled: bool = False
    may_close: bool = False

    def sent(self, key: str) -> list[Step]:
        """Return the steps that send it under an id."""
        if self.request is None or self.ending != b"\n":
            return [{"send_raw": [piece(self.line(key))]}]
        if not self.cancelled:
            return [{"send": self._message(key)}]
        cancel = {"type": "cancel_tool_call", "protocol": 1, "requestId": key}
        return [{"send": self._message(key), "waits": False}, {"send": cancel}]

    def line(self, key: str) -> bytes:
        """Return the bytes that are sent under an id."""
        if self.request is None:
            return self.raw.replace(ID_HERE.encode(), key.encode())
        return encode(self._message(key)).removesuffix(b"\n") + self.ending

    def expected(self, key: str) -> list[Step]:
        """Return the steps that wait for its answers."""
        steps: list[Step] = []
        for answer in self.answers:
            pattern = _with_id(answer, key) if self.request is None else answer
            if self._is_call:
                pattern = {"requestId": key, **answer}
            step: Step = {"expect": pattern}
            if self.clause is not None:
                step["clause"] = self.clause
            if self.may_close:
                step["or"] = "closed"
            steps.append(step)
        return steps

    @property
    def _is_call(self) -> bool:
        return self.request is not None and self.request["type"] == "tool_call"

    def _message(self, key: str) -> dict[str, Any]:
        message = dict(self.request or {})
        return {**message, "requestId": key} if self._is_call else message


@dataclass(frozen=True, slots=True)
class Plan:
    """An example: moves, and how they are sent.

    Attributes:
        moves: What is sent, in order.
        together: Whether everything is sent before the first answer is awaited.
        cuts: Where the bytes of each connection are cut, which are then written by
            turns; None where each move is written for itself.
        same_ids: Whether the calls of every connection are numbered alike.
        tail: What the ids that are given end with.
        others: What each other frame that comes on a connection must match; None
            where it is not looked for.
    """

    moves: tuple[Move, ...]
    together: bool = False
    cuts: tuple[int, ...] | None = None
    same_ids: bool = False
    tail: str = ""
    others: Mapping[str, Any] | None = None

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        keys = self._keys(prefix)
        pairs = list(zip(self.moves, keys, strict=True))
        expects = [_on(move.on, move.expected(key)) for move, key in pairs]
        if self.cuts is not None:
            sends = [self._by_turns(pairs)]
        else:
            sends = [_on(move.on, move.sent(key)) for move, key in pairs]
        if self.together or self.cuts is not None:
            groups = [*sends, *expects]
        else:
            groups = [
                [*send, *expect] for send, expect in zip(sends, expects, strict=True)
            ]
        steps = [step for group in groups for step in group]
        if self.others is not None:
            last: Step = {"expect_optional": dict(self.others)}
            for name in dict.fromkeys(move.on for move in self.moves):
                steps += _on(name, [last])
        return steps

    def _keys(self, prefix: str) -> list[str]:
        count: Counter[str] = Counter()
        keys: list[str] = []
        for index, move in enumerate(self.moves):
            number = count[move.on] if self.same_ids else index
            count[move.on] += 1
            given = f"{prefix}-{number}{self.tail}"
            keys.append(given if move.own_id is None else move.own_id)
        return keys

    def _by_turns(self, pairs: Sequence[tuple[Move, str]]) -> list[Step]:
        """Cut what each connection gets into pieces, and write these by turns."""
        streams: dict[str, bytes] = {}
        for move, key in pairs:
            streams[move.on] = streams.get(move.on, b"") + move.line(key)
        if len(streams) == 1:
            ((name, data),) = streams.items()
            cuts = [place for place in self.cuts or () if place < len(data)]
            step: Step = {"send_raw": [piece(data)], **({"cut": cuts} if cuts else {})}
            return _on(name, [step])
        rows = [
            _on(name, [{"send_raw": [piece(part)]} for part in self._parts(data)])
            for name, data in streams.items()
        ]
        turns = zip_longest(*rows)
        return [step for turn in turns for step in turn if step is not None]

    def _parts(self, data: bytes) -> list[bytes]:
        inner = [place for place in self.cuts or () if place < len(data)]
        return [data[a:b] for a, b in pairwise([0, *inner, len(data)])]


def _on(name: str, steps: list[Step]) -> list[Step]:
    return steps if name == MAIN else [{**step, "on": name} for step in steps]


def _with_id(pattern: Any, key: str) -> Any:
    if is_object(pattern):
        return {name: _with_id(value, key) for name, value in pattern.items()}
    if is_array(pattern):
        return [_with_id(value, key) for value in pattern]
    return key if pattern == ID_HERE else pattern
