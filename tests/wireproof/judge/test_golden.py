from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from wireproof.checks import Check
from wireproof.judge import Case, Judgement, Observation, Rules, judge
from wireproof.patterns import expand, written
from wireproof.protocols.exec_server._dialect import RpcDialect
from wireproof.protocols.exec_server.rules import FAULTS as EXEC_SERVER_FAULTS
from wireproof.protocols.host_v1._dialect import HostDialect
from wireproof.protocols.host_v1.rules import FAULTS as HOST_V1_FAULTS
from wireproof.protocols.host_v1.rules import mismatch
from wireproof.report import sentence
from wireproof_vectors import load_clauses

GOLDEN = {
    file.stem: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parent / "golden").glob("*.json"))
}
"""One observation each, by its origin (a protocol, a reason) and what it shows."""

RULES: dict[str, Rules] = {
    "exec-server": Rules(RpcDialect, EXEC_SERVER_FAULTS),
    "host-v1": Rules(HostDialect, HOST_V1_FAULTS, mismatch=mismatch),
}

LEVELS = {
    protocol: {clause.id: clause.level for clause in load_clauses(protocol)}
    for protocol in RULES
}

REASONS = (
    "mismatch",
    "refused",
    "no-answer",
    "exited",
    "deaf",
    "held-back",
    "answered-before",
    "order",
    "held-together",
    "events-held-back",
    "no-exit",
    "exit-status",
    "did-not-start-again",
    "control-refused",
)
"""The kinds of reason that a failed step may have."""

OF_PAYLOADS = ("HV1-E3", "HV1-E4", "HV1-E6")
"""The clauses that a wrong payload may break, whatever the check is about."""

NAMES = [
    *(f"{name}.{kind}" for name, rules in RULES.items() for kind in rules.faults),
    *(f"reason.{kind}" for kind in REASONS),
    *(f"mismatch.{clause}" for clause in OF_PAYLOADS),
]


def event_of(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event as it is dumped, with its message as text."""
    if "line" in event:
        data = written(expand(event["line"], {}))
    elif "text" in event:
        data = event["text"].encode(errors="surrogateescape")
    else:
        return event
    rest = {key: event[key] for key in event.keys() - {"line", "text"}}
    return {**rest, "text": data.decode(errors="surrogateescape")}


def observation_of(golden: dict[str, Any]) -> Observation:
    """Read an observation; members that are not given are those of an empty one."""
    given = golden["observation"]
    empty = Observation(golden["check"]["id"]).dump()
    carried = {**empty["carried"], **given.get("carried", {})}
    events = [event_of(event) for event in given["events"]]
    return Observation.load({**empty, **given, "carried": carried, "events": events})


def judged(golden: dict[str, Any], observation: Observation) -> Judgement:
    check = golden["check"]
    case = Case(
        Check(
            check["id"],
            "Something holds.",
            tuple(check["clauses"]),
            check["level"],
            "seed",
            "vector",
        ),
        golden["steps"],
    )
    rules = RULES[golden["protocol"]]
    dialect = rules.dialect()
    vars(dialect)["line_limit"] = golden.get("line_limit", dialect.line_limit)
    levels = LEVELS[golden["protocol"]]
    return judge(
        case, observation, replace(rules, dialect=lambda: dialect, levels=levels)
    )


golden_files = pytest.mark.parametrize("golden", GOLDEN.values(), ids=GOLDEN)


@golden_files
def test_a_golden_observation_is_judged_as_its_file_says(
    golden: dict[str, Any],
) -> None:
    judgement = judged(golden, observation_of(golden))
    reason = judgement.reason
    assert {
        "verdict": judgement.verdict.value,
        "level": judgement.level,
        "reason": reason and {"kind": reason.kind, "clause": reason.clause},
        "findings": [[one.kind, one.clause] for one in judgement.findings],
    } == {key: golden[key] for key in ("verdict", "level", "reason", "findings")}


@golden_files
def test_an_observation_that_was_written_as_json_is_judged_alike(
    golden: dict[str, Any],
) -> None:
    observation = observation_of(golden)
    read = Observation.load(json.loads(json.dumps(observation.dump())))
    assert read == observation
    assert judged(golden, read) == judged(golden, observation)


@golden_files
def test_all_that_is_wrong_with_an_observation_can_be_said(
    golden: dict[str, Any],
) -> None:
    judgement = judged(golden, observation_of(golden))
    reasons = [*judgement.findings, *filter(None, [judgement.reason])]
    assert reasons
    assert all(map(sentence, reasons))


@golden_files
def test_the_clauses_of_a_golden_file_are_in_the_catalogue(
    golden: dict[str, Any],
) -> None:
    charged = {clause for _, clause in golden["findings"]}
    charged |= {golden["reason"]["clause"]} if golden["reason"] else set()
    named = {*golden["check"]["clauses"], *charged}
    assert named <= LEVELS[golden["protocol"]].keys()


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_file_shows_what_it_is_named_for(name: str) -> None:
    origin, _, shown = name.partition(".")
    golden = GOLDEN[name]
    reason = golden["reason"] or {}
    found = {kind for kind, _ in golden["findings"]}
    match origin:
        case "reason":
            assert reason["kind"] == shown
        case "mismatch":
            assert reason == {"kind": "mismatch", "clause": shown}
        case _:
            assert golden["protocol"] == origin
            assert shown in {*found, reason.get("kind")}


def test_each_rule_and_each_kind_of_reason_has_a_golden_file() -> None:
    assert GOLDEN.keys() == {*NAMES}
