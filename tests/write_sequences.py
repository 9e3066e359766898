"""Writes the vectors of sequences: ``python -m tests.write_sequences``.

Every kind of request comes right before every other, one after the other and all at
once, as the models of the protocols' sequences say what comes of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import wireproof_vectors
from wireproof.protocols.host_v1 import _sequences as host

FOLDER = Path(wireproof_vectors.__file__).parent

Vector = dict[str, Any]

AGAIN = (
    host.Kind.ECHO,
    host.Kind.COUNT,
    host.Kind.FAIL,
    host.Kind.THROW,
    host.Kind.STREAM,
    host.Kind.UNKNOWN_TOOL,
    host.Kind.UNKNOWN_METHOD,
    host.Kind.LISTING,
)
"""What is asked under an id that was used before."""

EACH = [
    host.Act(kind) for kind in (*(2 * [host.Kind.COUNT]), *host.KINDS, host.Kind.COUNT)
]
"""Every kind once, before what comes of it is charged to another clause."""

KEEPS = (True, False, False)
"""Whether the states in answers are taken up, by turns: of three, so that both the
kind that comes first and those that follow meet it either way."""


def host_vectors() -> list[Vector]:
    """Return the vectors of host-v1."""
    return [
        *map(_one_by_one, host.KINDS),
        *map(_together, host.KINDS),
        *map(_under_one_id, AGAIN),
        _second_init(),
        _first_state(),
        _many_bad_lines(),
    ]


def _vector(
    name: str, title: str, clauses: Iterable[str], sequence: host.Sequence
) -> Vector:
    return {
        "id": f"host-v1/sequences/{name}",
        "title": title,
        "clauses": list(clauses),
        "needs": {"tools": list(host.TOOLS)},
        "steps": sequence.steps,
    }


def _acts(first: host.Kind) -> list[host.Act]:
    """Return a kind before every kind, itself included, and after it."""
    keeps = cycle(KEEPS)
    return [
        host.Act(kind, keeps=next(keeps))
        for second in host.KINDS
        for kind in (first, second)
    ]


def _one_by_one(first: host.Kind) -> Vector:
    name = f"after-{first}"
    sequence = host.Sequence(name)
    sequence.one_by_one([host.Act(host.Kind.COUNT), *_acts(first)])
    sequence.one_by_one([host.Act(host.Kind.COUNT)])
    title = f"{WORDS[first]} leaves no trace in what is asked next."
    return _vector(name, title, host.CLAUSES, sequence)


def _together(first: host.Kind) -> Vector:
    name = f"beside-{first}"
    sequence = host.Sequence(name)
    sequence.one_by_one([host.Act(host.Kind.COUNT)])
    sequence.together(_acts(first))
    sequence.one_by_one([host.Act(host.Kind.COUNT)])
    title = f"{WORDS[first]} leaves no trace in what is in flight beside it."
    return _vector(name, title, host.CLAUSES, sequence)


def _under_one_id(first: host.Kind) -> Vector:
    name = f"same-id-after-{first}"
    sequence = host.Sequence(name)
    sequence.one_by_one(
        [host.Act(kind) for kind in (*(2 * [host.Kind.COUNT]), *AGAIN, host.Kind.COUNT)]
    )
    sequence.charged = "HV1-M14"
    for second in AGAIN:
        for kind in (first, second):
            sequence.one_by_one([host.Act(kind, own_id=f"{name}-again")])
            sequence.fence()
    title = f"{WORDS[first]} leaves no trace in what is asked next under its id."
    return _vector(name, title, ["HV1-M14"], sequence)


def _second_init() -> Vector:
    name = "around-a-second-init"
    sequence = host.Sequence(name)
    sequence.one_by_one(EACH)
    sequence.charged = "HV1-R13"
    for kind in host.KINDS:
        around = (kind, host.Kind.INIT, kind, host.Kind.COUNT_ANEW, host.Kind.COUNT)
        sequence.one_by_one([host.Act(one) for one in around])
    title = (
        "A second init begins anew whatever is asked around it, and older states stay."
    )
    return _vector(name, title, ["HV1-R13"], sequence)


def _first_state() -> Vector:
    name = "first-state-again"
    sequence = host.Sequence(name)
    sequence.one_by_one(EACH)
    sequence.charged = "HV1-R10"
    for kind in host.KINDS:
        around = (kind, host.Kind.COUNT_AGAIN, kind, host.Kind.COUNT)
        sequence.one_by_one([host.Act(one) for one in around])
    title = "The state of init is what it was whatever was asked since."
    return _vector(name, title, ["HV1-R10"], sequence)


def _many_bad_lines() -> Vector:
    name = "many-bad-lines"
    sequence = host.Sequence(name)
    sequence.one_by_one(act for act in EACH if act.kind is not host.Kind.BAD_LINE)
    sequence.charged = "HV1-T7"
    sequence.one_by_one([host.Act(host.Kind.BAD_LINE), *EACH])
    title = "Twenty lines in a row that are not JSON leave no trace in what is asked."
    return _vector(name, title, ["HV1-T7"], sequence)


WORDS: Mapping[host.Kind, str] = {
    host.Kind.ECHO: "A success",
    host.Kind.COUNT: "A call that changes the state",
    host.Kind.FAIL: "A reported failure",
    host.Kind.THROW: "A throw",
    host.Kind.STREAM: "A stream",
    host.Kind.SLEEP: "A sleep",
    host.Kind.UNKNOWN_TOOL: "A call of an unknown tool",
    host.Kind.UNKNOWN_METHOD: "An unknown method",
    host.Kind.LISTING: "A listing",
    host.Kind.OPTIONAL: "An optional method",
    host.Kind.NO_OBJECT_ARGUMENTS: "A call whose arguments are no object",
    host.Kind.NO_PARAMS: "A request without params",
    host.Kind.BAD_LINE: "A line that is not JSON",
    host.Kind.NO_STATE: "A call without a state",
    host.Kind.EMPTY_STATE: "A call with an empty state",
    host.Kind.FOREIGN_STATE: "A call with a state that lacks the host's keys",
}


def text_of(protocol: str, vectors: Iterable[Vector]) -> str:
    """Return a vector file, a step a line."""
    head = {
        "schema": "wireproof-vectors/1",
        "protocol": protocol,
        "group": "sequences",
        "kind": "exchange",
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(head[key])}," for key in head]
    shown = ",\n".join(map(_shown, vectors))
    return "{\n" + "\n".join(lines) + f'\n  "vectors": [\n{shown}\n  ]\n}}\n'


def _shown(vector: Vector) -> str:
    *others, _ = vector
    lines = [
        f"      {json.dumps(key)}: {json.dumps(vector[key], ensure_ascii=False)},"
        for key in others
    ]
    steps = [
        f"        {json.dumps(step, ensure_ascii=False)}" for step in vector["steps"]
    ]
    body = ",\n".join(steps)
    return "    {\n" + "\n".join(lines) + f'\n      "steps": [\n{body}\n      ]\n    }}'


FILES: Mapping[str, Callable[[], list[Vector]]] = {"host-v1": host_vectors}
"""What the file ``sequences.json`` of a protocol holds."""


def path_of(protocol: str) -> Path:
    """Return where the file of a protocol is."""
    return FOLDER / protocol.replace("-", "_") / "sequences.json"


if __name__ == "__main__":
    for protocol, vectors in FILES.items():
        path_of(protocol).write_text(text_of(protocol, vectors()), encoding="utf-8")
