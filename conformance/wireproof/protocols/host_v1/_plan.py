"""A fuzzed example before its ids are known: moves, and how they are sent.

A move that sends a request also says which answer the clauses ask for, so a plan needs
no model of the host beside itself. One example of Hypothesis costs a millisecond and
more, so each holds many frames.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.fuzzing import piece
from wireproof.patterns import is_array, is_object, written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Step = dict[str, Any]


ID_HERE = b"<the id>"
"""Stands in raw bytes for the id that the line is given."""


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that is sent, and what has to come for it.

    Attributes:
        request: A request without ``v`` and ``id``; None for raw bytes.
        answers: Patterns of the frames that come, without their id, in order.
        raw: Bytes to send where there is no request.
        own_id: The request's id where that is what is tried.
        clause: The clause that a wrong answer breaks; None for the property's first.
    """

    request: Mapping[str, Any] | None = None
    answers: Sequence[Mapping[str, Any]] = ()
    raw: bytes = b""
    own_id: str | None = None
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Spelling:
    """How the JSON text of a request is written.

    Attributes:
        space: What stands between tokens, in front and behind.
        escapes: Whether each character of a string is an escape.
        backwards: Whether the keys of an object come in reverse order.
    """

    space: str = ""
    escapes: bool = False
    backwards: bool = False

    def line(self, value: Any) -> bytes:
        """Return a value as a line, without its line feed."""
        return f"{self.space}{self._text(value)}{self.space}".encode()

    def _text(self, value: Any) -> str:
        gap = self.space
        if is_object(value):
            items = [*value.items()][:: -1 if self.backwards else 1]
            parts = [f"{self._text(k)}{gap}:{gap}{self._text(v)}" for k, v in items]
            return f"{{{gap}{f'{gap},{gap}'.join(parts)}{gap}}}"
        if is_array(value):
            return f"[{gap}{f'{gap},{gap}'.join(map(self._text, value))}{gap}]"
        if isinstance(value, str) and self.escapes:
            units = value.encode("utf-16-be").hex()
            each = (units[at : at + 4] for at in range(0, len(units), 4))
            return '"' + "".join("\\u" + unit for unit in each) + '"'
        return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """An example: moves, and how they are sent.

    Attributes:
        moves: What is sent, in order.
        together: Whether everything is sent before the first answer is awaited.
        cuts: Where the bytes are cut when all is sent as one; empty for no cut.
        as_one: Whether all of it is one write, cut or not.
        size: Bytes that this write has at least: white space before the last line feed
            fills it up; 0 for those that it has.
        ending: What ends the lines of requests in it.
        tail: What the ids that are given end with.
        spelling: How its requests are written; None for compact JSON.
    """

    moves: tuple[Move, ...]
    together: bool = False
    as_one: bool = False
    cuts: tuple[int, ...] = ()
    size: int = 0
    ending: bytes = b"\n"
    tail: str = ""
    spelling: Spelling | None = None

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        sends: list[list[Step]] = []
        expects: list[list[Step]] = []
        whole = b""
        for index, move in enumerate(self.moves):
            if move.request is None:
                raw = move.raw.replace(ID_HERE, f"{prefix}-{index}".encode())
                sends.append([{"send_raw": [piece(raw)]}])
                expects.append([])
                whole += raw
                continue
            given = f"{prefix}-{index}{self.tail}"
            key = given if move.own_id is None else move.own_id
            message = {"v": 1, "id": key, **move.request}
            if self.as_one:
                line = written(message).removesuffix(b"\n")
                if self.spelling is not None:
                    line = self.spelling.line(message)
                whole += line + self.ending
            sends.append([{"send": message}])
            expects.append([_expect(key, answer, move) for answer in move.answers])
        if self.as_one:
            line = whole.removesuffix(b"\n")
            whole = line.ljust(self.size - 1) + whole[len(line) :]
            cut = {"cut": list(self.cuts)} if self.cuts else {}
            sends = [[{"send_raw": [piece(whole)], **cut}]]
        if self.together or self.as_one:
            return [step for group in (*sends, *expects) for step in group]
        return [
            step
            for send, expect in zip(sends, expects, strict=True)
            for step in (*send, *expect)
        ]


def _expect(key: str, answer: Mapping[str, Any], move: Move) -> Step:
    step: Step = {"expect": {"id": key, **answer}}
    if move.clause is not None:
        step["clause"] = move.clause
    return step
