"""What the fuzz properties of exec-runtime draw: output of tools, and what comes of it.

Imports Hypothesis: import it only where something is fuzzed. An example has several
outputs, a call for each; after them a plain call gets its own answer.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import crossed, evenly, exactly, many, piece, values
from wireproof.patterns import is_object
from wireproof.protocols.exec_runtime._sequence_plans import SEQUENCES, SERVED_AGAIN
from wireproof_reference.framing import dumps
from wireproof_vectors import load_vectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypothesis.strategies import SearchStrategy

    from wireproof.fuzzing import Crossed, Example, Step

LIMIT_MS = 1_500
"""Limit of the calls of a server that may give no answer."""

AFTER = {"text": "its own"}
"""The arguments of the plain call after an output."""

AMBIGUOUS = re.compile(r"\\u[dD][89a-fA-F]|\ufeff")
"""What readers of JSON take differently: halves of pairs, and a byte order mark."""

DEEPEST = 32
"""Brackets in a text from which on some readers give it up."""

LONG_NUMBER = re.compile(r"\d{16}|\d[eE]")
"""Numbers that a double may round, or cannot hold."""

MOST_OUTPUTS = 10
"""Outputs in an example: each takes a process."""

MOST_PAIRS = 2
"""Pairs of places in an example: each place is a process."""

MOST_SINGLES = 3
"""Values of a place that has a call for each."""

_FALSY: Sequence[Any] = (None, False, 0, "", [], {})

_CONSTANTS = ("NaN", "Infinity", "-Infinity")
"""What is no JSON, and is read as a number by many."""

_RESULT: dict[str, Any] = {"result": {"$args_of": "call"}}


@dataclass(frozen=True, slots=True)
class OnceOutput:
    """What a one-shot tool writes, and how it ends.

    Attributes:
        data: The bytes.
        status: The status with which it exits; below zero the signal that kills it.
        logged: What it writes to stderr before.
    """

    data: bytes
    status: int
    logged: str = ""

    def play(self) -> list[Mapping[str, Any]]:
        """Return the script of the tool."""
        logged = [{"stderr": self.logged}] if self.logged else []
        written = [{"write_raw": [piece(self.data)]}] if self.data else []
        ended = {"signal": -self.status} if self.status < 0 else {"exit": self.status}
        return [{"read": "call"}, *logged, *written, ended]

    def expectation(self) -> Mapping[str, Any]:
        """Return what the call has to come to; either where readers differ.

        Beside it the clause that says so: what a tool says is EXEC-R4, what it may
        not write EXEC-R5.
        """
        failure: Mapping[str, Any] = {"error": {"mentions": []}, "clause": "EXEC-R5"}
        if self.status:
            return failure
        try:
            text = self.data.decode()
        except UnicodeDecodeError:
            return {}
        if AMBIGUOUS.search(text) or text.count("[") > DEEPEST:
            return {}
        if LONG_NUMBER.search(text):
            return {}
        try:
            found: Any = _read(text)
        except _NoJsonConstant:
            # A driver whose answer holds it has taken it for a number.
            return {**failure, "relayed": True}
        except ValueError:
            return {} if _repeats(text) else failure
        if not is_object(found):
            return failure
        # A null companion counts as absent.
        if found.get("error", 0) is None:
            del found["error"]
        elif found.get("result", 0) is None and "error" in found:
            del found["result"]
        if "result" in found and "error" not in found:
            return {"expected": exactly(found["result"]), "clause": "EXEC-R4"}
        if "error" not in found:
            return {}  # that neither is a failure is a SHOULD
        if "result" in found or not isinstance(found["error"], str):
            return failure
        if found["error"].strip():
            return {**failure, "clause": "EXEC-R4"}
        # A tool that fails without a word is at fault itself (EXEC-O3), and has failed.
        return {**failure, "error": {"mentions": [], "wordless": True}}


class _NoJsonConstant(ValueError):
    """A name stands for a number that JSON does not have."""


class _RepeatedKey(ValueError):
    """An object has a key twice, which readers take differently."""


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RepeatedKey
    return found


def _read(text: str) -> Any:
    """Read a text as JSON, and nothing else as JSON: NaN is none."""
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)


def _no_constant(name: str) -> Any:
    raise _NoJsonConstant(name)


def _repeats(text: str) -> bool:
    try:
        _read(text)
    except _RepeatedKey:
        return True
    except ValueError:
        return False
    return False


@dataclass(frozen=True, slots=True)
class OncePlan:
    """Calls of a one-shot tool, each with an output of its own.

    Attributes:
        outputs: What is written.
    """

    outputs: Sequence[OnceOutput]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector."""
        plays: list[Any] = []
        calls: list[Step] = []
        for output in self.outputs:
            plays.append(output.play())
            expectation = output.expectation()
            either: Mapping[str, Any] = {"record": {"either": {}}}
            calls.append({**_call({"n": 1}), **(expectation or either)})
        plays.append([{"read": "call"}, {"write": _RESULT}, {"exit": 0}])
        after = {"expected": exactly(AFTER), "clause": "EXEC-R4"}
        calls.append({**_call(AFTER), **after})
        bound = {"name": "tool", "exec": {"timeout_ms": 20_000}}
        return [{"op": "bind", "input": bound, "plays": plays}, *calls]


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """Calls of a server, each answered by lines of which one may be the answer.

    Attributes:
        answers: For each call what is written for it.
    """

    answers: Sequence[Sequence[Mapping[str, Any]]]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector."""
        play: list[Mapping[str, Any]] = []
        calls: list[Step] = []
        for index, lines in enumerate(self.answers):
            play += [{"read": "call"}, *lines]
            args = {"n": index}
            calls.append(_either(args))
        # A call after it may fail too, if the server has lost step; no call may get
        # what is not its own.
        for index in range(2):
            args = {"after": index}
            calls.append(_either(args))
        bound = {"name": "tool", "exec": {"runtime": "server", "timeout_ms": LIMIT_MS}}
        plays = [[*play, {"serve": True}]]
        return [{"op": "bind", "input": bound, "plays": plays}, *calls]


@dataclass(frozen=True, slots=True)
class PlacesPlan:
    """Places with values in them, each with a tool of its own.

    Attributes:
        places: The places.
    """

    places: Crossed

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector."""
        steps: list[Step] = []
        number = 0
        for step in self.places.steps(prefix):
            number += step.get("op") == "bind"
            steps.append(_of_tool(step, f"tool-{number}"))
        return steps


def _of_tool(step: Step, name: str) -> Step:
    """Return a step of a place, about a tool of another name."""
    match step:
        case {"op": "bind"}:
            return {**step, "input": {**step["input"], "name": name}}
        case {"op": "call"}:
            return {**step, "input": {**step["input"], "tool": name}}
        case _:
            return {**step, "seen": name}


def _call(args: Mapping[str, Any]) -> Step:
    return {"op": "call", "input": {"tool": "tool", "args": dict(args)}}


def _either(args: Mapping[str, Any]) -> Step:
    """Return a call that gets its own answer, or fails."""
    mentions: list[str] = []
    expectation = {"expected": exactly(args), "error": {"mentions": mentions}}
    return {**_call(args), **expectation}


def _texts() -> SearchStrategy[bytes]:
    """Draw JSON texts that are answers, or nearly."""
    key = st.sampled_from(["result", "error", "Result", "value", "results", ""])
    members = st.dictionaries(key, values, max_size=3)
    whole = st.one_of(members, members, values)
    space = st.sampled_from(["", "\n", " \r\n\t", "\n\n"])
    joined = st.tuples(space, whole.map(dumps), space)
    return joined.map(lambda parts: parts[0].encode() + parts[1] + parts[2].encode())


def _mutated() -> SearchStrategy[bytes]:
    """Draw answers that are cut, doubled, spliced or damaged in one place."""
    damage = st.sampled_from([b"", b"\0", b"\xff", b"}", b"{", b'"', b",", b"\n", b"x"])

    def spliced(drawn: tuple[bytes, int, int, bytes]) -> bytes:
        data, first, second, middle = drawn
        start, end = sorted((first % (len(data) + 1), second % (len(data) + 1)))
        return data[:start] + middle + data[end:]

    place = st.integers(0, 400)
    damaged = st.tuples(_texts(), place, place, damage).map(spliced)
    doubled = st.tuples(_texts(), _texts()).map(b"".join)
    return st.one_of(damaged, doubled, st.binary(max_size=40))


def _shaped() -> SearchStrategy[bytes]:
    """Draw what programs mistake for one answer, or one answer for."""
    result = evenly(
        st.sampled_from(["5", "true", "null", "[1]", '{"a": 1}', '"x"', "1e3"]),
        st.sampled_from(_FALSY),
        st.sampled_from([" ", " x ", "x\n", "\tx", "\ufeffx", "x\0"]),
        st.sampled_from([{"result": 1}, {"error": "x"}, {"value": 1}, {"ok": False}]),
        values,
    ).map(lambda value: {"result": value})
    odd = st.sampled_from(["", 0, False, [], {}, 5, {"message": "no"}])
    error = odd.map(lambda value: {"error": value})
    both = result.map(lambda one: {**one, "error": "no luck"})
    companion = evenly(
        result.map(lambda one: {**one, "error": None}),
        st.just({"error": "no luck", "result": None}),
    )
    good = result.map(dumps)
    beside = st.sampled_from([b"done", b"ok\n", b"null", b"{}"])
    space = st.sampled_from([b"", b"\n"])
    two = st.tuples(good, space, evenly(good, beside))
    turned = st.tuples(beside, st.just(b"\n"), good)
    none = st.sampled_from([b"", b"\n", b" \r\n", *map(_constant, _CONSTANTS)])
    joined = evenly(two, turned).map(b"".join)
    alone = evenly(error, both, companion).map(dumps)
    return evenly(good, good, alone, alone, joined, none)


def _constant(name: str) -> bytes:
    return b'{"result": [%s]}' % name.encode()


def _once() -> SearchStrategy[Example]:
    data = evenly(_texts(), _mutated(), _shaped(), _shaped())
    status = st.sampled_from([0, 0, 0, 0, 0, 0, 1, 255, -9, -15])
    logged = st.sampled_from(["", "", "ready\n", '{"result": "logged"}\n'])
    output = st.builds(OnceOutput, data, status, logged)
    return st.builds(OncePlan, many(output, 2, MOST_OUTPUTS))


def _lines() -> SearchStrategy[Mapping[str, Any]]:
    """Draw one line of a server that is no answer to what was asked."""
    odd: Sequence[Any] = (None, "nobody", -7, 0.5, [], {"id": 1})
    # A text for a number, and a number for a text.
    ids: SearchStrategy[Any] = st.sampled_from([*odd, {"$other_id_of": "call"}])
    wrong = st.just("wrong")
    stray = ids.map(
        lambda one: {"write": {"jsonrpc": "2.0", "id": one, "result": "wrong"}}
    )
    bare = st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "result": wrong})
    noise = st.one_of(_mutated(), _texts()).map(
        lambda data: {"write_raw": [piece(data.replace(b"id", b"ID") + b"\n")]}
    )
    return st.one_of(stray, bare.map(lambda one: {"write": one}), noise)


def _serving() -> SearchStrategy[Example]:
    answer: Mapping[str, Any] = {
        "write": {"jsonrpc": "2.0", "id": {"$id_of": "call"}, **_RESULT}
    }
    front = st.lists(_lines(), max_size=2)
    behind = st.lists(st.one_of(_lines(), st.just(answer)), max_size=2)
    lines = st.tuples(front, behind).map(lambda two: [*two[0], answer, *two[1]])
    return st.builds(ServerPlan, st.lists(lines, min_size=1, max_size=4))


STRATEGIES: Mapping[str, SearchStrategy[Example]] = {
    "one-shot-output": _once(),
    "server-output": _serving(),
    "sequences": SEQUENCES,
    "served-again": SERVED_AGAIN,
    "places": crossed(
        load_vectors("exec-runtime"), pairs=MOST_PAIRS, singles=MOST_SINGLES
    ).map(PlacesPlan),
}
"""What each property draws, by the name of the property."""
