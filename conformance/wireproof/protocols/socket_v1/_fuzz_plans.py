"""What the fuzzer of socket-v1 draws, property by property."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import bad_byte_lines, crossed, texts, values
from wireproof.protocols.socket_v1._plan import ID_HERE, Move, Plan
from wireproof.protocols.socket_v1._transport import MAIN
from wireproof_vectors import load_vectors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.fuzzing import Example

CONNECTIONS = (MAIN, "second", "third")
"""The connections of plans that have several."""

NEVER_ENDING_MS = 60_000
"""Milliseconds of a sleep that only a cancel ends in time."""

DEEPEST = 5_000
"""How deep lines are nested; the vectors go further."""

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
    """Bad lines among good frames, at least one of each."""

    def build(
        before: list[Move],
        one: Move,
        rest: list[Move],
        last: Move,
        together: bool,  # noqa: FBT001 - drawn
    ) -> Plan:
        return Plan((*before, one, *rest, last), together=together)

    return st.builds(
        build,
        st.lists(_good, max_size=2),
        bad,
        st.lists(st.one_of(bad, _good), max_size=8),
        _good,
        st.booleans(),
    )


# --- framing


def _cuts() -> st.SearchStrategy[Plan]:
    def build(moves: list[Move], names: list[str], places: list[int]) -> Plan:
        placed = (
            replace(move, on=names[index % len(names)])
            for index, move in enumerate(moves)
        )
        return Plan(tuple(placed), cuts=tuple(sorted(set(places))))

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
)

_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""What one language or another takes for the end of a line."""


def _plain_line(text: str) -> bytes:
    kept = "".join(char for char in text if char not in _LINE_ENDS)
    return b"#" + kept.encode()


_bad_lines = st.one_of(st.sampled_from(_NOT_JSON), texts(30).map(_plain_line)).map(
    _refused
)

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

_bad_messages = st.sampled_from(_NOT_MESSAGES).map(_refused)

_bad_bytes = bad_byte_lines.map(lambda line: _refused(line.replace(b"\r", b" ")))

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
        texts(20).filter(bool),
        st.integers(-(10**20), 10**20).map(str),
        st.sampled_from(["null", "true", "0", "00", "1e3", " a ", "\t", "NaN", "-0"]),
        st.tuples(st.sampled_from("ax0é"), st.integers(1, 400)).map(
            lambda pair: pair[0] * pair[1]
        ),
    )

    def build(ids: list[str], together: bool) -> Plan:  # noqa: FBT001 - drawn
        moves = [replace(_unknown_tool("x"), own_id=one) for one in ids]
        return Plan(tuple(moves), together=together)

    return st.builds(
        build, st.lists(looks, min_size=1, max_size=12, unique=True), st.booleans()
    )


def _success(content: Any) -> dict[str, Any]:
    return {"type": "tool_result", "result": {"ok": True, "content": content}}


def _failure(error: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "tool_result", "result": {"ok": False, "error": error}}


def _exactly(value: Any) -> dict[str, Any]:
    return {"$equals": {"$literal": value}}


def _echo(value: Any) -> Move:
    request = _call("conformance_echo", {"value": {"$literal": value}})
    return Move(request, (_success({"value": _exactly(value)}),))


def _values() -> st.SearchStrategy[Plan]:
    def build(moves: list[Move], together: bool) -> Plan:  # noqa: FBT001 - drawn
        return Plan(tuple(moves), together=together)

    return st.builds(
        build, st.lists(values.map(_echo), min_size=1, max_size=12), st.booleans()
    )


# --- sequences on several connections

_CODES = (
    "UNKNOWN_TOOL",
    "VALIDATION_ERROR",
    "PERMISSION_DENIED",
    "TIMEOUT",
    "TOOL_FAILED",
)
"""Codes that a tool may choose for its error."""

_ABSENT = object()

_messages = texts(10).map(lambda text: f"no {text}.")


def _fail(message: str, code: str, details: Any) -> Move:
    arguments: dict[str, Any] = {"message": message, "code": code}
    error: dict[str, Any] = {"code": code, "message": message}
    clause = "SOCK-C5"
    if details is not _ABSENT:
        arguments["details"] = {"$literal": details}
        error["details"] = _exactly(details)
        clause = "SOCK-C14"
    request = _call("conformance_fail", arguments)
    return Move(request, (_failure(error),), clause=clause)


def _throw(message: str) -> Move:
    error = {"code": "TOOL_FAILED", "message": {"$contains": message}}
    request = _call("conformance_throw", {"message": message})
    return Move(request, (_failure(error),), clause="SOCK-C5")


def _count(by: int) -> Move:
    answer = _success({"counter": {"$type": "integer"}})
    return Move(_call("conformance_counter", {"by": by}), (answer,), clause="SOCK-C4")


def _stream(parts: list[Any]) -> Move:
    events = [
        {
            "type": "tool_event",
            "event": {"kind": "progress", "message": {"$json_text": _exactly(part)}},
        }
        for part in parts
    ]
    request = _call("conformance_stream", {"parts": {"$literal": parts}})
    return Move(request, (*events, _success({"count": len(parts)})), clause="SOCK-E2")


def _sleep(milliseconds: int) -> Move:
    answer = _success({"slept_ms": milliseconds})
    request = _call("conformance_sleep", {"ms": milliseconds})
    return Move(request, (answer,), clause="SOCK-C4")


def _unknown(name: str) -> Move:
    answer = _failure({"code": "UNKNOWN_TOOL"})
    return Move(_call(f"conformance_no_{name}", {}), (answer,), clause="SOCK-C6")


def _invalid(tool: str) -> Move:
    answer = _failure({"code": "VALIDATION_ERROR"})
    return Move(_call(tool, {}), (answer,), clause="SOCK-C6")


_echoes = values.map(lambda value: replace(_echo(value), clause="SOCK-C11"))

_streams = st.lists(st.dictionaries(texts(4), values, max_size=2), max_size=6).map(
    _stream
)

_sleeps = st.integers(0, 5).map(_sleep)


def _placed(
    move: st.SearchStrategy[Move], **more: Any
) -> st.SearchStrategy[tuple[Move, ...]]:
    def place(one: Move, name: str) -> Move:
        return replace(one, on=name, **more)

    placed = st.builds(place, move, _connections)
    return st.lists(placed, min_size=1, max_size=12).map(tuple)


def _sequences() -> st.SearchStrategy[Plan]:
    move = st.one_of(
        st.just(replace(_LISTING, clause="SOCK-L1")),
        _echoes,
        st.builds(
            _fail,
            _messages,
            st.sampled_from(_CODES),
            st.one_of(st.just(_ABSENT), values.filter(lambda one: one is not None)),
        ),
        _messages.map(_throw),
        st.integers(-1000, 1000).map(_count),
        _streams,
        _sleeps,
        st.sampled_from(["tool", "such", "thing"]).map(_unknown),
        st.sampled_from(["conformance_echo", "conformance_sleep"]).map(_invalid),
    )
    return st.builds(Plan, _placed(move), together=st.booleans())


def _same_ids() -> st.SearchStrategy[Plan]:
    move = st.one_of(_echoes, _streams, _sleeps)
    return st.builds(
        Plan,
        _placed(move, clause=None),
        together=st.booleans(),
        same_ids=st.just(value=True),
    )


def _cancel_of(key: str) -> Move:
    """Cancel what no connection has called."""
    return Move({"type": "cancel_tool_call", "protocol": 1, "requestId": key})


def _cancelled() -> Move:
    answer = _failure({"code": "CANCELLED"})
    request = _call("conformance_sleep", {"ms": NEVER_ENDING_MS})
    return Move(request, (answer,), clause="SOCK-X1", cancelled=True)


def _cancels() -> st.SearchStrategy[Plan]:
    move = st.one_of(
        st.sampled_from(["nothing", "", "0", "__proto__"]).map(_cancel_of),
        st.just(_cancelled()),
        _echoes.map(lambda one: replace(one, clause=None)),
        _sleeps.map(lambda one: replace(one, clause=None)),
    )
    return st.builds(
        Plan,
        _placed(move),
        together=st.booleans(),
        same_ids=st.booleans(),
        # Best is no reply at all, but that is a SHOULD; a result is what may not come.
        others=st.just({"type": "error"}),
    )


STRATEGIES: dict[str, st.SearchStrategy[Plan] | st.SearchStrategy[Example]] = {
    "cuts": _cuts(),
    "blank-lines": _blank_lines(),
    "bad-lines": _mixed(_bad_lines),
    "bad-messages": _mixed(_bad_messages),
    "bad-bytes": _mixed(_bad_bytes),
    "deep-nesting": _deep_nesting(),
    "request-ids": _request_ids(),
    "values": _values(),
    "places": crossed(load_vectors("socket-v1")),
    "sequences": _sequences(),
    "same-ids": _same_ids(),
    "cancels": _cancels(),
}
