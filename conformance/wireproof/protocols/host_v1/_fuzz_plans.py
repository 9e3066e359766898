"""What the fuzzer of host-v1 draws, property by property."""

from __future__ import annotations

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
from wireproof.protocols.host_v1._plan import ID_HERE, Move, Plan, Spelling
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
    """Bad lines among good requests, at least one of each, in one write or in many."""
    apart = mixed(_good, bad).map(lambda found: Plan(found[0], together=found[1]))
    joined = mixed(_bare_good, bad).map(lambda found: Plan(found[0], as_one=True))
    return st.one_of(apart, joined)


# --- the properties


TAIL = "é漢😀" * 4
"""The end of ids by which a cut inside of a character shows."""

PAGES = (64, 512, 1_024, 4_096, 8_192, 16_384, 65_536)
"""Sizes of the buffers that programs like to read into."""


def _cuts() -> st.SearchStrategy[Example]:
    def build(moves: tuple[Move, ...], places: list[int]) -> Plan:
        cuts = tuple(sorted(set(places)))
        return Plan(moves, as_one=True, cuts=cuts, tail=TAIL)

    def build_whole(moves: list[Move], page: int, beyond: int) -> Plan:
        return Plan(tuple(moves), as_one=True, size=page + beyond)

    cut = st.builds(
        build,
        many(_bare_good, 1, 4),
        st.lists(st.integers(1, 400), max_size=12),
    )
    whole = st.builds(
        build_whole,
        st.lists(_bare_good, min_size=1, max_size=3),
        st.sampled_from(PAGES),
        st.sampled_from((0, 0, 0, -1, 1)),
    )
    return st.one_of(cut, several(whole, 4))


def _spelled(space: st.SearchStrategy[str]) -> st.SearchStrategy[Plan]:
    """Requests in one write, in a spelling that no library writes by default."""

    def build(moves: list[Move], spelling: Spelling) -> Plan:
        return Plan(tuple(moves), as_one=True, spelling=spelling)

    spelling = st.builds(Spelling, space, st.booleans(), st.booleans())
    return st.builds(build, st.lists(_bare_good, min_size=1, max_size=4), spelling)


_blank = _raw(st.sampled_from([b"", b" ", b"\t", b"\r", b"  \t\r", b" \r"]))


def _blank_lines() -> st.SearchStrategy[Plan]:
    def ended(moves: list[Move]) -> Plan:
        return Plan(tuple(moves), as_one=True, ending=b"\r\n")

    returned = st.lists(_bare_good, min_size=1, max_size=4).map(ended)
    between = _spelled(st.sampled_from(["\r", "\r ", " \r", "\r\r"]))
    return st.one_of(_mixed(_blank), returned, between)


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
    torn_lines,
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
        corpus_texts,
        texts(20),
        st.integers(-(10**20), 10**20).map(str),
        st.tuples(st.sampled_from("ax0é"), st.integers(1, 400)).map(
            lambda pair: pair[0] * pair[1]
        ),
    )

    def build(ids: tuple[str, ...], together: bool) -> Plan:  # noqa: FBT001 - drawn
        request = {"method": "get_tool_schemas", "params": {"state": _STATE}}
        moves = [Move(request, _ANY_ANSWER, own_id=one) for one in dict.fromkeys(ids)]
        return Plan(tuple(moves), together=together)

    return st.builds(build, many(looks, 12, 40), st.booleans())


def _call(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    params = {"tool_name": tool, "arguments": dict(arguments), "state": _STATE}
    return {"method": "execute_tool", "params": params}


def _echo(value: Any) -> Move:
    request = _call("conformance_echo", {"value": {"$literal": value}})
    answer = {
        "result": {"value": {"result": {"value": {"$equals": {"$literal": value}}}}}
    }
    return Move(request, (answer,))


def _plan(moves: tuple[Move, ...], together: bool) -> Plan:  # noqa: FBT001 - drawn
    return Plan(moves, together=together)


def _values() -> st.SearchStrategy[Plan]:
    return st.builds(_plan, many(values.map(_echo), 12, 24), st.booleans())


_half_pairs = [one for one in load_vectors("host-v1") if "HV1-T13" in one.clauses]
"""Beside them any answer may be one to a bad line."""

_others = [one for one in load_vectors("host-v1") if one not in _half_pairs]

STRATEGIES: dict[str, st.SearchStrategy[Example]] = {
    "cuts": _cuts(),
    "spellings": several(_spelled(st.sampled_from(["", " ", "\t", " \t "])), 4),
    "blank-lines": _blank_lines(),
    "bad-lines": _mixed(_bad_lines),
    "bad-bytes": _mixed(_bad_bytes),
    "deep-nesting": _mixed(_deep),
    "request-ids": _request_ids(),
    "values": _values(),
    "places": crossed(load_vectors("host-v1")),
    "should-places": crossed(_others, "should"),
    "half-pairs": crossed(_half_pairs, "should"),
    "sequences": SEQUENCES,
    "replays": REPLAYS,
}
