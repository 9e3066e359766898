"""What the fuzzer of host-v1 draws, property by property."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import Example, bad_byte_lines, crossed, texts, values
from wireproof.protocols.host_v1._plan import ID_HERE, Move, Plan
from wireproof.protocols.host_v1._sequence_plans import REPLAYS, SEQUENCES
from wireproof_vectors import load_vectors

if TYPE_CHECKING:
    from collections.abc import Mapping


# --- requests

_ANY_ANSWER = ({"ok": {"$type": "boolean"}},)

_SUCCESS = ({"ok": True},)

_STATE = {"$use": "state"}


def _listing() -> Move:
    request = {"method": "get_tool_schemas", "params": {"state": _STATE}}
    return Move(request, _SUCCESS)


def _unknown_tool(value: Any) -> Move:
    params = {
        "tool_name": "conformance_no_such_tool",
        "arguments": {"value": {"$literal": value}},
        "state": _STATE,
    }
    return Move({"method": "execute_tool", "params": params}, _ANY_ANSWER)


def _plain_unknown_tool(text: str) -> Move:
    params = {
        "tool_name": "conformance_no_such_tool",
        "arguments": {"value": text},
        "state": {},
    }
    return Move({"method": "execute_tool", "params": params}, _ANY_ANSWER)


_good = st.one_of(st.just(_listing()), texts(8).map(_unknown_tool))

_bare_good = st.one_of(
    st.just(Move({"method": "get_tool_schemas", "params": {"state": {}}}, _ANY_ANSWER)),
    texts(40).map(_plain_unknown_tool),
)


def _raw(*lines: st.SearchStrategy[bytes]) -> st.SearchStrategy[Move]:
    return st.one_of(*lines).map(lambda line: Move(raw=line + b"\n"))


def _mixed(bad: st.SearchStrategy[Move]) -> st.SearchStrategy[Plan]:
    """Bad lines among good requests, at least one of each."""

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


# --- the properties


def _cuts() -> st.SearchStrategy[Plan]:
    def build(moves: list[Move], places: list[int]) -> Plan:
        return Plan(tuple(moves), as_one=True, cuts=tuple(sorted(set(places))))

    return st.builds(
        build,
        st.lists(_bare_good, min_size=1, max_size=4),
        st.lists(st.integers(1, 400), max_size=12),
    )


_blank = _raw(st.sampled_from([b"", b" ", b"\t", b"\r", b"  \t\r", b" \r"]))


def _blank_lines() -> st.SearchStrategy[Plan]:
    return _mixed(_blank)


_NOT_REQUESTS = (
    b"null",
    b"true",
    b"0",
    b"-1.5e3",
    b'""',
    b'"text"',
    b"[]",
    b"{}",
    b'[{"v":1}]',
    b'{"v":1}',
    b'{"v":1,"id":"no-method"}',
    b'{"v":1,"method":"get_tool_schemas"}',
    b'{"v":1,"id":null,"method":"get_tool_schemas","params":{}}',
    b"{",
    b"}",
    b'{"v":1,',
    b"[1,2",
    b'{"a":1}{"b":2}',
    b"{'v':1}",
    b"NaN",
    b"// comment",
    b'{"v":1,}',
)

_bad_lines = _raw(
    st.sampled_from(_NOT_REQUESTS),
    texts(30)
    .map(lambda text: text.replace("\n", " ").encode())
    .map(lambda line: b"#" + line),
    st.tuples(st.sampled_from(_NOT_REQUESTS), st.integers(0, 40)).map(
        lambda pair: pair[0][: pair[1]] or b"?"
    ),
)

_bad_bytes = _raw(bad_byte_lines)

DEEPEST = 10_000
"""HV1-T14: how deep a request is nested that a host has to survive."""


def _deep_request(opening: bytes, depth: int) -> Move:
    closing = {b"[": b"]", b'{"a":': b"}"}[opening]
    value = opening * depth + b"1" + closing * depth
    head = b'{"v":1,"id":"' + ID_HERE + b'","method":"get_tool_schemas",'
    return Move(raw=head + b'"params":{"state":{},"deep":' + value + b"}}\n")


_deep = st.builds(
    _deep_request, st.sampled_from([b"[", b'{"a":']), st.integers(100, DEEPEST)
)


def _request_ids() -> st.SearchStrategy[Plan]:
    looks = st.one_of(
        texts(20),
        st.integers(-(10**20), 10**20).map(str),
        st.sampled_from(["null", "true", "0", "00", "1e3", " a ", "\t", "NaN", "-0"]),
        st.tuples(st.sampled_from("ax0é"), st.integers(1, 400)).map(
            lambda pair: pair[0] * pair[1]
        ),
    )

    def build(ids: list[str], together: bool) -> Plan:  # noqa: FBT001 - drawn
        request = {"method": "get_tool_schemas", "params": {"state": _STATE}}
        moves = [Move(request, _ANY_ANSWER, own_id=one) for one in ids]
        return Plan(tuple(moves), together=together)

    return st.builds(
        build, st.lists(looks, min_size=1, max_size=12, unique=True), st.booleans()
    )


def _call(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    params = {"tool_name": tool, "arguments": dict(arguments), "state": _STATE}
    return {"method": "execute_tool", "params": params}


def _echo(value: Any) -> Move:
    request = _call("conformance_echo", {"value": {"$literal": value}})
    answer = {
        "result": {"value": {"result": {"value": {"$equals": {"$literal": value}}}}}
    }
    return Move(request, (answer,))


def _plan(moves: list[Move], together: bool) -> Plan:  # noqa: FBT001 - drawn
    return Plan(tuple(moves), together=together)


def _values() -> st.SearchStrategy[Plan]:
    return st.builds(
        _plan,
        st.lists(values.map(_echo), min_size=1, max_size=12),
        st.booleans(),
    )


STRATEGIES: dict[str, st.SearchStrategy[Example]] = {
    "cuts": _cuts(),
    "blank-lines": _blank_lines(),
    "bad-lines": _mixed(_bad_lines),
    "bad-bytes": _mixed(_bad_bytes),
    "deep-nesting": _mixed(_deep),
    "request-ids": _request_ids(),
    "values": _values(),
    "places": crossed(load_vectors("host-v1")),
    "sequences": SEQUENCES,
    "replays": REPLAYS,
}
