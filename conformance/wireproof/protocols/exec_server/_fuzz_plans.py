"""What the fuzzer of exec-server draws, property by property."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from wireproof.fuzzing import (
    Act,
    Example,
    Model,
    Sequence,
    bad_byte_lines,
    crossed,
    evenly,
    many,
    mixed,
    piece,
    texts,
    torn_lines,
    values,
)
from wireproof_reference.framing import encode
from wireproof_vectors import load_model, load_vectors

Step = dict[str, Any]

DEEPEST = 10_000
"""How deep a line is nested that a server has to survive."""

LARGEST_ID = 800_000_000
"""An integer that fits 31 bits, below the ids of the suite's own."""

LONGEST_KIB = 512
"""KiB of a line that is no request."""

MOST_KIB = 2_048
"""KiB of white space before the call at the end of a bad line."""

NO_METHOD = "conformance_no_such_method"
"""A method that any server answers, and that runs nothing."""

ANY = {"$type": ["null", "boolean", "number", "string", "array", "object"]}
"""The result of a call with the control's args."""

_DATA: Any = load_model("exec-server")

_MODEL = Model(_DATA)


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that is sent.

    Attributes:
        raw: Bytes that are no request; None for a call with the control's args.
        own_id: The id of the call where that is what is tried.
        end: How its line ends.
    """

    raw: bytes | None = None
    own_id: Any = None
    end: bytes = b"\n"


@dataclass(frozen=True, slots=True)
class Plan:
    """An example: moves, and how they are sent.

    Attributes:
        moves: What is sent, in order.
        together: Whether everything is sent before the first answer is awaited.
    """

    moves: tuple[Move, ...]
    together: bool = False

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        pairs = [_pair(move, f"{prefix}-{n}") for n, move in enumerate(self.moves)]
        if self.together:
            sends = [send for send, _ in pairs]
            return sends + [step for _, expects in pairs for step in expects]
        return [step for send, expects in pairs for step in (send, *expects)]


def _pair(move: Move, name: str) -> tuple[Step, list[Step]]:
    if move.raw is not None:
        return {"send_raw": [piece(move.raw + move.end)]}, []
    key = name if move.own_id is None else move.own_id
    request = {
        "jsonrpc": "2.0",
        "id": key,
        "method": "execute",
        "params": {"args": {"$use": "args"}},
    }
    return {"send": request}, [{"expect": {"id": key, "result": ANY}}]


@dataclass(frozen=True, slots=True)
class Joined:
    """An example of requests in one write, or cut into several.

    Attributes:
        texts: A text in the id of each.
        cuts: Where the bytes are cut.
    """

    texts: tuple[str, ...]
    cuts: tuple[int, ...]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        names = [f"{prefix}-{n} {text}" for n, text in enumerate(self.texts)]
        pairs = [_pair(Move(own_id=name), name) for name in names]
        expects = [step for _, found in pairs for step in found]
        cut = {"cut": list(self.cuts)} if self.cuts else {}
        return [{"send_many": [send["send"] for send, _ in pairs], **cut}, *expects]


@dataclass(frozen=True, slots=True)
class Spelled:
    """An example of requests that are spelled in several ways.

    Attributes:
        lines: For each a text in its id, what stands before it, white space between
            its tokens, the order of its keys, those that are escaped, and how it ends.
    """

    lines: tuple[tuple[str, str, str, list[str], set[str], str], ...]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        known = {"jsonrpc": "2.0", "id": f"{prefix}-known", "method": NO_METHOD}
        whole = ""
        expects: list[Step] = []
        for index, (text, before, white, order, escaped, end) in enumerate(self.lines):
            key = f"{prefix}-{index} {text}"
            members = {"params": "{}", "jsonrpc": '"2.0"', "method": f'"{NO_METHOD}"'}
            members["id"] = encode(key)[:-1].decode()
            tokens = [
                f'"{_escaped(one) if one in escaped else one}"{white}:{white}'
                f"{members[one]}"
                for one in order
            ]
            body = f"{white},{white}".join(tokens)
            whole += f"{before}{white}{{{white}{body}{white}}}{end}"
            expects.append({"expect": {"id": key}})
        return [
            {"send": known},
            # One that cannot be asked this at all says nothing of how it is spelled.
            {"expect": {"id": known["id"]}, "clause": "EXEC-S1"},
            {"send_raw": [piece(whole.encode())]},
            *expects,
        ]


def _escaped(text: str) -> str:
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


@dataclass(frozen=True, slots=True)
class Tail:
    """An example of a bad line: its start, `size` times `white`, and a call."""

    start: str
    white: str
    size: int

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        call = _pair(Move(), f"{prefix}-tail")[0]["send"]
        white = {"text": self.white, "times": self.size}
        line = [{"text": self.start}, white, {"json": call}, {"text": "\n"}]
        return [
            {"send_raw": line},
            {"fence": True, "clause": "EXEC-S7"},
            {"expect_optional": {"error": {"$type": "object"}}},
        ]


@dataclass(frozen=True, slots=True)
class Drawn:
    """An example of acts over the model of what is answered.

    Attributes:
        groups: Acts, and whether all of a group are sent together.
    """

    groups: tuple[tuple[bool, tuple[Act, ...]], ...]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        sequence = Sequence(_MODEL, prefix)
        for together, acts in self.groups:
            if together:
                sequence.together(acts)
            else:
                sequence.one_by_one(acts)
        return sequence.steps


@dataclass(frozen=True, slots=True)
class Echoes:
    """An example of values that are echoed."""

    values: tuple[Any, ...]
    together: bool

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        sends: list[Step] = []
        expects: list[Step] = []
        for index, value in enumerate(self.values):
            key = f"{prefix}-{index}"
            args = {"tool": "conformance_echo", "arguments": {"value": _plain(value)}}
            call = {"jsonrpc": "2.0", "id": key, "method": "execute"}
            sends.append({"send": {**call, "params": {"args": args}}})
            done = {"value": {"$equals": _plain(value)}}
            expects.append({"expect": {"id": key, "result": done}})
        if self.together:
            return [*sends, *expects]
        return [step for pair in zip(sends, expects, strict=True) for step in pair]


def _plain(value: Any) -> Any:
    return {"$literal": value}


_good = st.just(Move())

_NOT_REQUESTS = (
    b"null",
    b"true",
    b"0",
    b"-1.5e3",
    b'""',
    b'"text"',
    b"[]",
    b"[1]",
    b"[null,{}]",
    b"{}",
    b'{"jsonrpc":"2.0"}',
    b'{"jsonrpc":"2.0","id":"no-method"}',
    b'{"jsonrpc":"2.0","id":null,"method":"execute","params":{"args":{}}}',
    b'{"jsonrpc":"2.0","id":{},"method":"execute","params":{"args":{}}}',
    b'{"jsonrpc":"2.0","id":"no-text","method":5}',
    b'{"jsonrpc":"1.0","id":"old","method":"execute","params":{"args":{}}}',
    b'{"jsonrpc":"2.0","method":"execute","params":{"args":{}}}',
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
    b'{"jsonrpc":"2.0","id":"stray","result":{}}',
    b'{"args":{}}',
    b"{",
    b"}",
    b'{"jsonrpc":"2.0",',
    b"[1,2",
    b'{"a":1}{"b":2}',
    b"{'a':1}",
    b"NaN",
    b"// comment",
    b"Content-Length: 2",
)

_bad_lines = st.one_of(
    st.sampled_from(_NOT_REQUESTS),
    texts(30).map(lambda text: b"#" + text.replace("\n", " ").encode()),
    st.tuples(st.sampled_from(_NOT_REQUESTS), st.integers(0, 40)).map(
        lambda pair: pair[0][: pair[1]] or b"?"
    ),
    torn_lines,
).map(lambda line: Move(raw=line))

_bad_bytes = bad_byte_lines.map(lambda line: Move(raw=line))


def _deep(opening: bytes, depth: int) -> Move:
    closing = {b"[": b"]", b'{"a":': b"}"}[opening]
    return Move(raw=opening * depth + b"1" + closing * depth)


_long = st.one_of(
    st.tuples(st.sampled_from([b"x", b"{", b'"', b"\xff", b" "]), st.integers(1, 9))
    .map(lambda pair: pair[0] * (pair[1] * (LONGEST_KIB << 10) // 9))
    .map(lambda line: Move(raw=line)),
    st.builds(
        _deep, st.sampled_from([b"[", b'{"a":']), st.sampled_from([100, 999, DEEPEST])
    ),
)


def _mixed(bad: st.SearchStrategy[Move]) -> st.SearchStrategy[Plan]:
    return mixed(_good, bad).map(lambda pair: Plan(*pair))


def _ids() -> st.SearchStrategy[Plan]:
    looks = st.one_of(
        st.integers(1, LARGEST_ID),
        st.integers(1, 9),
        texts(20),
        st.integers(-(10**20), 10**20).map(str),
        st.sampled_from(["null", "true", "0", "00", "1e3", " a ", "\t", "NaN", "-0"]),
        st.tuples(st.sampled_from("ax0é"), st.integers(1, 400)).map(
            lambda pair: pair[0] * pair[1]
        ),
    ).filter(lambda one: one != "")

    def build(ids: list[Any], together: bool) -> Plan:  # noqa: FBT001 - drawn
        return Plan(tuple(Move(own_id=one) for one in ids), together=together)

    several = st.lists(looks, min_size=1, max_size=12, unique_by=repr)
    return st.builds(build, several, st.booleans())


def _cuts() -> st.SearchStrategy[Joined]:
    def build(drawn: list[str], places: list[int]) -> Joined:
        return Joined(tuple(drawn), tuple(sorted(set(places))))

    return st.builds(
        build,
        st.lists(texts(30), min_size=1, max_size=4),
        st.lists(st.integers(1, 400), max_size=10),
    )


_KEYS = ("jsonrpc", "id", "method", "params")


def _spelled(white: st.SearchStrategy[str]) -> st.SearchStrategy[Spelled]:
    blank = st.sampled_from(["", "", "\n", "  \n"])
    order = st.permutations(_KEYS)
    escaped = st.sets(st.sampled_from(_KEYS), max_size=2)
    end = white.map(lambda text: f"{text}\n")
    drawn = st.tuples(texts(8), blank, white, order, escaped, end)
    several = st.lists(drawn, min_size=1, max_size=6)
    return several.map(lambda lines: Spelled(tuple(lines)))


def _tails() -> st.SearchStrategy[Tail]:
    start = st.sampled_from(["x", "[", "{", '"', "1 ", "{} "])
    size = st.integers(0, MOST_KIB << 10)
    return st.builds(Tail, start, st.sampled_from(" \t"), size)


_kinds = st.sampled_from([*_DATA["kinds"]]).map(Act)

_acts = evenly(
    _kinds,
    _kinds,
    values.map(lambda value: Act("success", {"value": _plain(value)})),
    st.integers(1, 9).map(lambda by: Act("count", {"by": by})),
)

_groups = st.tuples(st.booleans(), many(_acts, 6, 12))


def _echoes() -> st.SearchStrategy[Echoes]:
    drawn = st.lists(values, min_size=1, max_size=12).map(tuple)
    return st.builds(Echoes, drawn, st.booleans())


STRATEGIES: dict[str, st.SearchStrategy[Example]] = {
    "ids": _ids(),
    "cuts": _cuts(),
    "spelling": _spelled(st.text(" \t", max_size=4)),
    "line-ends": _spelled(st.text(" \r", max_size=3)),
    "bad-lines": _mixed(_bad_lines),
    "bad-bytes": _mixed(_bad_bytes),
    "long-lines": _mixed(_long),
    "tails": _tails(),
    "sequences": st.lists(_groups, min_size=1, max_size=4).map(
        lambda groups: Drawn(tuple(groups))
    ),
    "values": _echoes(),
    "places": crossed(load_vectors("exec-server")),
}
