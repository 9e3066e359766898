"""What the fuzzer of exec-oneshot draws, property by property.

Each step of an example is a process: an example holds few, and many values in each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from wireproof.fuzzing import (
    Example,
    bad_byte_lines,
    crossed,
    piece,
    texts,
    torn_lines,
    values,
)
from wireproof_vectors import load_vectors

Step = dict[str, Any]

_ANY = {"$type": ["null", "boolean", "number", "string", "array", "object"]}

_ARGS = {"args": {"$use": "args"}}

_SUCCESS = {"result": _ANY}

MOST_VALUES = 8
"""Values that are echoed at once."""

MOST_PAIRS = 2
"""Pairs of places in an example: each place is a process."""

MOST_SINGLES = 3
"""Values of a place that has a process for each."""


@dataclass(frozen=True, slots=True)
class Runs:
    """An example: the steps of runs."""

    runs: tuple[Step, ...]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector; runs have no ids that could begin with it."""
        return [dict(run) for run in self.runs]


_white = st.lists(st.sampled_from([" ", "\t", "\n", "\r", "\r\n"]), max_size=6).map(
    "".join
)

_ways = st.fixed_dictionaries(
    {},
    optional={
        "indent": st.integers(0, 8),
        "spaced": st.just(value=True),
        "escaped": st.just(value=True),
        "before": _white.filter(bool),
        "after": _white.filter(bool),
        "line_end": st.just("\r\n"),
    },
).filter(bool)

_cuts = st.lists(st.integers(1, 200), min_size=1, max_size=4, unique=True).map(sorted)


def _spelling() -> st.SearchStrategy[Runs]:
    def build(way: dict[str, Any], cut: list[int] | None) -> Runs:
        step: Step = {"run": _ARGS, "written": way, "expect": _SUCCESS}
        return Runs(({**step, "cut": cut} if cut else step,))

    return st.builds(build, _ways, st.one_of(st.none(), st.none(), _cuts))


_GOOD = '{"args":{"text":"wireproof","n":[1,2,{"deep":null}]}}'

_truncated = st.integers(0, len(_GOOD) - 1).map(lambda at: _GOOD[:at].encode())

_NO_OBJECTS = ("[]", "[{}]", "0", "-1.5e3", "true", "false", "null", '""', '"args"')

_no_args = st.one_of(
    st.sampled_from(_NO_OBJECTS),
    st.sampled_from(['"x"', "1", "true", "[]", '["args"]', "0.5"]).map(
        lambda value: f'{{"args":{value}}}'
    ),
    st.sampled_from(["arg", "ARGS_", "arguments_", "input", "params", ""]).map(
        lambda key: f'{{"{key}":{{}}}}'
    ),
).map(str.encode)

_spliced = st.tuples(
    st.integers(1, len(_GOOD) - 1),
    st.sampled_from([b"}", b"]", b"{{", b"'", b"//", b"\x00", b"\\x", b"NaN,"]),
).map(lambda pair: _GOOD[: pair[0]].encode() + pair[1])

_text = texts(30).map(lambda text: b"#" + text.encode())


def _bad_input() -> st.SearchStrategy[Runs]:
    bad = st.one_of(_truncated, torn_lines, _no_args, _spliced, _text, bad_byte_lines)
    step = bad.filter(_is_no_input).map(
        lambda data: {"run_raw": [piece(data)], "refused": True}
    )
    return step.map(lambda one: Runs((one,)))


def _is_no_input(data: bytes) -> bool:
    """Tell whether bytes are input that no lenient reader takes for an object."""
    return not data.lstrip(b"\xef\xbb\xbf \t\r\n").endswith(b"}}")


def _unknown_keys() -> st.SearchStrategy[Runs]:
    key = texts(8).filter(lambda name: name not in _MEANT and name[:1] != "$")

    def build(before: dict[str, Any], behind: dict[str, Any]) -> Runs:
        message = {
            **_literal(before),
            "args": {"$use": "args"},
            **_literal(behind),
        }
        return Runs(({"run": message, "expect": _SUCCESS},))

    members = st.dictionaries(key, values, max_size=4)
    return st.builds(build, members, members)


_MEANT = frozenset({"args", "arguments", "tool", "input", "params"})
"""Keys that some tools take for another spelling of args."""


def _literal(members: dict[str, Any]) -> dict[str, Any]:
    return {key: {"$literal": value} for key, value in members.items()}


def _call(tool: str, value: Any) -> Step:
    arguments = {"value": {"$literal": value}}
    return {"args": {"tool": tool, "arguments": arguments}}


def _values() -> st.SearchStrategy[Runs]:
    def build(drawn: list[Any]) -> Runs:
        expected = {"result": {"value": {"$equals": {"$literal": drawn}}}}
        return Runs(({"run": _call("conformance_echo", drawn), "expect": expected},))

    return st.builds(build, st.lists(values, min_size=1, max_size=MOST_VALUES))


def _results() -> st.SearchStrategy[Runs]:
    def build(value: Any) -> Runs:
        expected = {"result": {"$equals": {"$literal": value}}}
        return Runs(({"run": _call("conformance_return", value), "expect": expected},))

    return st.builds(build, values)


STRATEGIES: dict[str, st.SearchStrategy[Example]] = {
    "spelling": _spelling(),
    "bad-input": _bad_input(),
    "unknown-keys": _unknown_keys(),
    "values": _values(),
    "results": _results(),
    "places": crossed(
        load_vectors("exec-oneshot"), pairs=MOST_PAIRS, singles=MOST_SINGLES
    ),
}
