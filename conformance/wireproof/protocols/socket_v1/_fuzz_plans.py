"""What the fuzzer of socket-v1 draws, property by property."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import (
    Example,
    bad_byte_lines,
    corpus_texts,
    crossed,
    many,
    mixed,
    several,
    texts,
    torn_lines,
    values,
)
from wireproof.protocols.socket_v1._plan import ID_HERE, Move, Plan
from wireproof.protocols.socket_v1._sequence_plans import (
    CANCELS,
    CONNECTIONS,
    SAME_IDS,
    SEQUENCES,
)
from wireproof_reference.framing import dumps
from wireproof_vectors import load_vectors

if TYPE_CHECKING:
    from collections.abc import Mapping

DEEPEST = 5_000
"""How deep lines are nested; the vectors go further."""

TAIL = "é漢😀" * 4
"""The end of ids by which a cut inside of a character shows."""

_connections = st.sampled_from(CONNECTIONS)

# --- frames that every server serves

_LISTING = Move(
    {"type": "list_tools", "protocol": 1},
    ({"type": "tools_list", "tools": {"$type": "array"}},),
)


def _call(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "tool_call",
        "protocol": 1,
        "toolName": tool,
        "arguments": dict(arguments),
    }


def _unknown_tool(text: str) -> Move:
    request = _call("conformance_no_such_tool", {"value": text})
    return Move(request, ({"type": "tool_result"},))


_good = st.one_of(st.just(_LISTING), texts(12).map(_unknown_tool))


def _mixed(bad: st.SearchStrategy[Move]) -> st.SearchStrategy[Plan]:
    """Bad lines among good frames, at least one of each, in one write or in many."""
    found = mixed(_good, bad)
    return st.one_of(
        found.map(lambda drawn: Plan(drawn[0], together=drawn[1])),
        found.map(lambda drawn: Plan(drawn[0], cuts=())),
    )


# --- framing


def _cuts() -> st.SearchStrategy[Plan]:
    def build(moves: list[Move], names: list[str], places: list[int]) -> Plan:
        placed = (
            replace(move, on=names[index % len(names)])
            for index, move in enumerate(moves)
        )
        return Plan(tuple(placed), cuts=tuple(sorted(set(places))), tail=TAIL)

    return st.builds(
        build,
        st.lists(_good, min_size=1, max_size=6),
        st.lists(_connections, min_size=1, max_size=3),
        st.lists(st.integers(1, 400), max_size=12),
    )


def _blank_lines() -> st.SearchStrategy[Plan]:
    blank = st.sampled_from([b"\n", b"\r\n"])

    def ended(move: Move, end: bytes) -> Move:
        return replace(move, ending=end)

    good = st.builds(ended, _good, blank)
    bare = blank.map(lambda line: Move(raw=line))

    def build(moves: list[Move], last: Move, together: bool) -> Plan:  # noqa: FBT001
        return Plan((*moves, last), together=together, others={"$one_of": []})

    return st.builds(
        build, st.lists(st.one_of(bare, good), max_size=10), good, st.booleans()
    )


_REFUSED = ({"type": "error", "code": "PROTOCOL_ERROR"},)


def _refused(line: bytes) -> Move:
    return Move(raw=line + b"\n", answers=_REFUSED)


_NOT_JSON = (
    b"{",
    b"}",
    b'{"type":',
    b"[1,2",
    b'{"type":"list_tools","protocol":1',
    b'{"type":"list_tools","protocol":1,}',
    b'{"a":1}{"b":2}',
    b"{'type':'list_tools'}",
    b"{type:1}",
    b"NaN",
    b"tru",
    b'"no end',
    b"// comment",
    b"hello",
    b"\x00",
)

_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""What one language or another takes for the end of a line."""


def _plain_line(text: str) -> bytes:
    kept = "".join(char for char in text if char not in _LINE_ENDS)
    return b"#" + kept.encode()


_bad_lines = st.one_of(
    st.sampled_from(_NOT_JSON), texts(30).map(_plain_line), torn_lines
).map(_refused)

_NOT_MESSAGES = (
    b"null",
    b"true",
    b"0",
    b"-1.5e3",
    b'""',
    b'"list_tools"',
    b"[]",
    b'[{"type":"list_tools","protocol":1}]',
    b"{}",
    b'{"protocol":1}',
    b'{"type":null,"protocol":1}',
    b'{"type":1,"protocol":1}',
    b'{"type":["list_tools"],"protocol":1}',
    b'{"type":"","protocol":1}',
    b'{"type":"LIST_TOOLS","protocol":1}',
    b'{"type":"tools_list","protocol":1,"tools":[]}',
    b'{"type":"tool_call","protocol":1,"toolName":"conformance_no_such_tool"}',
    b'{"type":"tool_call","protocol":1,"requestId":1,"toolName":"conformance_echo"}',
    b'{"type":"cancel_tool_call","protocol":1}',
    b'{"type":"cancel_tool_call","protocol":1,"requestId":null}',
)

_MALFORMED: tuple[tuple[str, st.SearchStrategy[Any]], ...] = (
    ("arguments", st.lists(values, max_size=3)),
    ("requestId", st.one_of(st.booleans(), st.integers(), st.lists(values))),
    ("toolName", st.one_of(st.booleans(), st.integers(), st.lists(values))),
    ("type", texts(8).map("no ".__add__)),
)
"""What may not stand under the keys of a call: SOCK-M5 has the list."""


def _malformed(call: dict[str, Any], wrong: tuple[str, Any]) -> Move:
    key, value = wrong
    message = {**call, key: value}
    return _refused(dumps(message))


_wrong_members = st.one_of(
    [st.tuples(st.just(key), drawn) for key, drawn in _MALFORMED]
)

_SOUND_CALL = {
    **_call("conformance_no_such_tool", {}),
    "requestId": "malformed",
    "timeoutMs": 50_000,
}

_bad_messages = st.one_of(
    st.sampled_from(_NOT_MESSAGES).map(_refused),
    st.builds(_malformed, st.just(_SOUND_CALL), _wrong_members),
)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


# A line of UTF-8 that is no JSON is another clause's: SOCK-F4.
_bad_bytes = bad_byte_lines.filter(lambda line: not _is_utf8(line)).map(
    lambda line: _refused(line.replace(b"\r", b" "))
)

_MAYBE_ID = {"$one_of": [ID_HERE, None, {"$absent": True}]}


def _deep_call(opening: bytes, depth: int) -> Move:
    closing = {b"[": b"]", b'{"a":': b"}"}[opening]
    head = b'{"type":"tool_call","protocol":1,"requestId":"' + ID_HERE.encode()
    value = opening * depth + b"1" + closing * depth
    tool = b'","toolName":"conformance_no_such_tool","arguments":{"value":'
    answer = {
        "requestId": _MAYBE_ID,
        "$one_of": [
            {"type": "error", "code": "PROTOCOL_ERROR"},
            {"type": "tool_result"},
        ],
    }
    raw = head + tool + value + b"}}\n"
    return Move(raw=raw, answers=(answer,), on="deep", may_close=True)


def _deep_nesting() -> st.SearchStrategy[Plan]:
    """Deep lines on a connection that the server may close, good ones on another."""
    deep = st.builds(
        _deep_call, st.sampled_from([b"[", b'{"a":']), st.integers(100, DEEPEST)
    )

    def build(first: Move, rest: list[Move], last: Move) -> Plan:
        return Plan((first, *rest, last))

    return st.builds(build, deep, st.lists(st.one_of(deep, _good), max_size=5), _good)


# --- ids and values


def _request_ids() -> st.SearchStrategy[Plan]:
    looks = st.one_of(
        corpus_texts.filter(bool),
        texts(20).filter(bool),
        st.integers(-(10**20), 10**20).map(str),
        st.tuples(st.sampled_from("ax0é"), st.integers(1, 400)).map(
            lambda pair: pair[0] * pair[1]
        ),
    )

    def build(ids: tuple[str, ...], together: bool) -> Plan:  # noqa: FBT001 - drawn
        moves = [replace(_unknown_tool("x"), own_id=one) for one in dict.fromkeys(ids)]
        return Plan(tuple(moves), together=together)

    return st.builds(build, many(looks, 12, 40), st.booleans())


def _success(content: Any) -> dict[str, Any]:
    return {"type": "tool_result", "result": {"ok": True, "content": content}}


def _exactly(value: Any) -> dict[str, Any]:
    return {"$equals": {"$literal": value}}


def _echo(value: Any) -> Move:
    request = _call("conformance_echo", {"value": {"$literal": value}})
    return Move(request, (_success({"value": _exactly(value)}),))


def _values() -> st.SearchStrategy[Plan]:
    def build(moves: tuple[Move, ...], together: bool) -> Plan:  # noqa: FBT001 - drawn
        return Plan(moves, together=together)

    return st.builds(build, many(values.map(_echo), 12, 24), st.booleans())


STRATEGIES: dict[str, st.SearchStrategy[Example]] = {
    "cuts": _cuts(),
    "blank-lines": _blank_lines(),
    "bad-lines": _mixed(_bad_lines),
    "bad-messages": _mixed(_bad_messages),
    "bad-bytes": _mixed(_bad_bytes),
    "deep-nesting": _deep_nesting(),
    "request-ids": _request_ids(),
    "values": _values(),
    "places": crossed(load_vectors("socket-v1")),
    "should-places": crossed(load_vectors("socket-v1"), "should"),
    "sequences": several(SEQUENCES, 2),
    "same-ids": SAME_IDS,
    "cancels": several(CANCELS, 3),
}
