from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from wireproof.checks import Check, Level, Verdict
from wireproof.conversation import NOTHING, Carried
from wireproof.judge import (
    LAST_FENCE,
    Case,
    Ended,
    Event,
    Judgement,
    Observation,
    Reason,
    Received,
    Restarted,
    Rule,
    Rules,
    Sent,
    StepDone,
    Wait,
    Walk,
    judge,
)
from wireproof.protocols.host_v1._dialect import HostDialect

FAULTS: dict[str, Rule | tuple[Rule, ...]] = {
    "version": Rule("T-MUST"),
    "blank-line": Rule("T-SHOULD", "should"),
    "not-json": (Rule("T-MUST"), Rule("T-OTHER")),
    "old-state-refused": Rule("T-SHOULD", "should"),
    "held-back": Rule("T-OTHER"),
    "silent-at-start": Rule("T-START"),
}
LEVELS: dict[str, Level] = {"T-MUST": "must", "T-SHOULD": "should", "T-OTHER": "must"}
RULES = Rules(HostDialect, FAULTS, LEVELS)

CAME = Wait("came")
PASSED = Judgement(Verdict.PASSED, "must", findings=[])


def line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def ask(identifier: str = "a") -> dict[str, Any]:
    return {"v": 1, "id": identifier, "method": "get_tags", "params": {}}


def success(identifier: str = "a", value: Any = 1, version: Any = 1) -> bytes:
    result = {"value": value}
    return line({"v": version, "id": identifier, "ok": True, "result": result})


def part(identifier: str = "a") -> bytes:
    return line({"v": 1, "id": identifier, "event": {"type": "part", "payload": 1}})


def sent(identifier: str = "a", at: float = 0, *, own: bool = False) -> Sent:
    return Sent(at, line(ask(identifier)), own)


def received(data: bytes, at: float = 0) -> Received:
    return Received(at, data)


def case(*steps: Any, clause: str = "T-OWN", level: Level = "must") -> Case:
    check = Check("t", "Something holds.", (clause,), level, "seed", "vector")
    return Case(check, steps)


def judged(checked: Case, *events: Event, **seen: Any) -> Judgement:
    return judge(checked, Observation("t", events=[*events], **seen), RULES)


def answered(data: bytes, pattern: Any = None) -> tuple[list[Any], list[Event]]:
    """Return the steps and the events of a request that was answered at once."""
    steps = [{"send": ask()}, {"expect": pattern or {"id": "a", "ok": True}}]
    return steps, [sent(), StepDone(0), received(data), StepDone(1, CAME)]


def kinds(judgement: Judgement) -> list[tuple[str, str]]:
    return [(one.kind, one.clause) for one in judgement.findings]


# --- verdicts


def test_a_check_without_events_passes() -> None:
    assert judged(case()) == PASSED


@pytest.mark.parametrize(
    ("level", "verdict"),
    [
        ("must", Verdict.FAILED),
        ("should", Verdict.WARNED),
        ("may", Verdict.RECORDED),
    ],
)
def test_a_failed_step_counts_as_much_as_the_level_of_its_check(
    level: Level, verdict: Verdict
) -> None:
    steps, events = answered(success(), {"id": "a", "ok": False})
    judgement = judged(case(*steps, level=level), *events)
    assert (judgement.verdict, judgement.level) == (verdict, level)
    assert judgement.step == 1
    assert judgement.reason is not None
    assert judgement.reason.key == ("mismatch", "T-OWN", "/ok")
    (difference,) = judgement.differences
    assert (difference.where, difference.expected, difference.actual) == (
        "/ok",
        False,
        True,
    )


def test_a_step_of_another_clause_that_fails_makes_a_check_not_testable() -> None:
    steps, events = answered(success())
    steps[1] = {"expect": {"id": "a", "ok": False}, "clause": "T-MUST"}
    judgement = judged(case(*steps), *events)
    assert (judgement.verdict, judgement.level) == (Verdict.NOT_TESTABLE, "must")
    assert judgement.reason is not None
    assert judgement.reason.clause == "T-MUST"


def test_a_must_that_a_broken_should_hides_counts_as_the_should() -> None:
    steps, events = answered(success())
    steps[1] = {"expect": {"id": "a", "ok": False}, "clause": "T-SHOULD"}
    judgement = judged(case(*steps), *events)
    assert (judgement.verdict, judgement.level) == (Verdict.NOT_TESTABLE, "should")


def test_the_steps_of_a_check_end_at_the_first_that_fails() -> None:
    steps, events = answered(success(), {"id": "a", "ok": False})
    steps.append({"expect": {"id": "a", "result": {"value": 2}}})
    events.append(StepDone(2, Wait("exited")))
    judgement = judged(case(*steps), *events)
    assert judgement.step == 1


def test_a_walk_knows_when_a_step_has_failed() -> None:
    steps, events = answered(success(), {"id": "a", "ok": False})
    walk = Walk(case(*steps), Observation("t"), RULES)
    failed = []
    for one in events:
        walk.take(one)
        failed.append(walk.has_failed)
    assert failed == [False, False, False, True]


def test_a_failure_begins_with_the_words_of_its_step() -> None:
    steps, events = answered(success())
    steps[1] = {"expect": {"id": "a", "ok": False}, "failure": "the echo is wrong"}
    judgement = judged(case(*steps), *events)
    assert judgement.reason is not None
    assert judgement.reason.fields["failure"] == "the echo is wrong"


def test_a_subject_that_is_not_up_fails_the_checks_of_that_clause_alone() -> None:
    not_up = ("silent-at-start", {"seconds": 10.0})
    own, other = case(clause="T-START"), case()
    assert judged(own, not_up=not_up).verdict is Verdict.FAILED
    assert judged(other, not_up=not_up).verdict is Verdict.NOT_TESTABLE


def test_a_faulty_start_is_reported_beside_the_reason_that_it_failed() -> None:
    seen = judged(case(), received(b"\n"), not_up=("silent-at-start", {}))
    assert kinds(seen) == [("blank-line", "T-SHOULD")]


def test_stderr_is_not_read() -> None:
    noise = Received(0, b"noise\n", stderr=True)
    assert judged(case(), noise) == PASSED


# --- findings


@pytest.mark.parametrize(
    ("clause", "level", "verdict"),
    [
        ("T-MUST", "must", Verdict.FAILED),
        ("T-MUST", "should", Verdict.PASSED),
        ("T-OWN", "must", Verdict.PASSED),
    ],
)
def test_a_finding_of_a_must_fails_the_musts_of_its_clause(
    clause: str, level: Level, verdict: Verdict
) -> None:
    steps, events = answered(success(version=2))
    judgement = judged(case(*steps, clause=clause, level=level), *events)
    assert judgement.verdict is verdict
    assert kinds(judgement) == [("version", "T-MUST")]


@pytest.mark.parametrize(
    ("level", "verdict"), [("should", Verdict.WARNED), ("must", Verdict.PASSED)]
)
def test_a_finding_of_a_should_warns_the_shoulds_of_its_clause(
    level: Level, verdict: Verdict
) -> None:
    steps, events = answered(b"\n" + success())
    judgement = judged(case(*steps, clause="T-SHOULD", level=level), *events)
    assert judgement.verdict is verdict
    assert kinds(judgement) == [("blank-line", "T-SHOULD")]


def test_a_finding_that_fails_a_check_names_no_step() -> None:
    steps, events = answered(success(version=2))
    judgement = judged(case(*steps, clause="T-MUST"), *events)
    assert judgement.step is None
    assert judgement.reason is not None
    assert judgement.reason.key == ("version", "T-MUST", "/v")


def test_a_failed_step_goes_before_a_finding_of_the_same_clause() -> None:
    steps, events = answered(success(version=2), {"id": "a", "ok": False})
    judgement = judged(case(*steps, clause="T-MUST"), *events)
    assert judgement.reason is not None
    assert judgement.reason.kind == "mismatch"
    assert kinds(judgement) == [("version", "T-MUST")]


def test_a_finding_says_which_line_and_which_request_it_is_about() -> None:
    steps, events = answered(success(version=2))
    (finding,) = judged(case(*steps), *events).findings
    assert finding.fields["line"] == success(version=2).decode().strip()
    assert finding.fields["about"] == "a"
    assert finding.fields["found"] == 2
    assert finding.fields["level"] == "must"


def test_a_finding_shows_300_bytes_of_its_line() -> None:
    steps, events = answered(success(value="x" * 400, version=2))
    (finding,) = judged(case(*steps), *events).findings
    assert finding.fields["line"] == success(value="x" * 400, version=2)[:300].decode()


def test_a_finding_shows_bytes_that_are_not_utf8_escaped() -> None:
    rules = Rules(HostDialect, {"not-utf8": Rule("T-MUST")})
    seen = Observation("t", events=[received(b"caf\xe9\n")])
    (finding,) = judge(case(), seen, rules).findings
    assert finding.fields["line"] == "caf\\xe9"


def test_a_fault_may_break_two_clauses() -> None:
    judgement = judged(case(), received(b"noise\n"))
    assert kinds(judgement) == [("not-json", "T-MUST"), ("not-json", "T-OTHER")]


def test_a_fault_without_a_rule_is_charged_to_nothing() -> None:
    steps, events = answered(success() + success())
    judgement = judged(case(*steps), *events)
    assert judgement == PASSED


def test_a_fault_in_the_answer_to_an_own_request_does_not_fail_the_check() -> None:
    own: list[Event] = [sent("own", own=True), received(success("own", version=2))]
    events = [*own, StepDone(LAST_FENCE, CAME)]
    judgement = judged(case(clause="T-MUST"), *events)
    assert judgement.verdict is Verdict.PASSED
    assert kinds(judgement) == [("version", "T-MUST")]


def test_what_a_control_shows_by_the_way_is_a_finding() -> None:
    wait = Wait("came", finding="old-state-refused")
    judgement = judged(case(), StepDone(LAST_FENCE, wait))
    assert judgement.verdict is Verdict.PASSED
    assert kinds(judgement) == [("old-state-refused", "T-SHOULD")]


# --- may


def test_a_check_of_a_may_has_no_findings() -> None:
    steps, events = answered(b"noise\n" + success(version=2))
    judgement = judged(case(*steps, clause="T-MUST", level="may"), *events)
    assert judgement == replace(PASSED, verdict=Verdict.RECORDED, level="may")


def test_a_choice_that_came_is_recorded_by_its_request() -> None:
    choices = {"one": {"result": {"value": 1}}, "any": {"ok": True}}
    steps, events = answered(success())
    steps[1]["record"] = choices
    judgement = judged(case(*steps, level="may"), *events)
    assert judgement.recorded == {"a": "one"}


def test_a_choice_that_is_not_listed_is_recorded_as_other() -> None:
    steps, events = answered(success(value=5))
    steps[1]["record"] = {"one": {"result": {"value": 1}}}
    assert judged(case(*steps, level="may"), *events).recorded == {"a": "other"}


def test_the_answer_to_a_bad_line_is_recorded_if_it_came() -> None:
    steps = [
        {"send_raw": [{"text": "bad\n"}]},
        {"expect_optional": {"ok": False}, "record": {"refused": {"ok": False}}},
    ]
    refusal = line({"id": None, "v": 1, "ok": False, "error": {}})
    before: list[Event] = [Sent(0, b"bad\n"), StepDone(0)]
    after = StepDone(1, CAME)
    checked = case(*steps, level="may")
    assert judged(checked, *before, after).recorded == {}
    came = judged(checked, *before, received(refusal), after)
    assert came.recorded == {"answer": "refused"}


# --- names


def test_what_a_step_saves_later_steps_may_name() -> None:
    steps: list[Any] = [
        {"send": ask()},
        {"expect": {"id": "a", "result": {"value": {"$save": "first"}}}},
        {"send": ask("b")},
        {"expect": {"id": "b", "result": {"value": {"$equals": {"$use": "first"}}}}},
    ]

    def events(second: Any) -> list[Event]:
        first: list[Event] = [
            sent(),
            StepDone(0),
            received(success(value=4)),
            StepDone(1, CAME),
        ]
        then = received(success("b", value=second))
        return [*first, sent("b"), StepDone(2), then, StepDone(3, CAME)]

    assert judged(case(*steps), *events(4)).verdict is Verdict.PASSED
    assert judged(case(*steps), *events(5)).step == 3


def test_steps_may_use_names_of_the_process() -> None:
    steps, events = answered(success(value={"n": 1}))
    steps[1] = {"expect": {"id": "a", "result": {"value": {"$use": "state"}}}}
    seen = judged(case(*steps), *events, names={"state": {"n": 1}})
    assert seen.verdict is Verdict.PASSED
    seen = judged(case(*steps), *events, names={"state": {"n": 2}})
    assert seen.verdict is Verdict.FAILED


# --- several frames


def test_a_step_may_expect_several_frames() -> None:
    steps = [
        {"send": ask()},
        {"expect": {"id": "a", "event": {"type": "part"}}, "times": 2},
    ]
    two: list[Event] = [sent(), StepDone(0), received(part() * 2), StepDone(1, CAME)]
    assert judged(case(*steps), *two).verdict is Verdict.PASSED
    one: list[Event] = [
        sent(),
        StepDone(0),
        received(part()),
        StepDone(1, Wait("silent")),
    ]
    seen = judged(case(*steps), *one)
    assert seen.reason is not None
    assert seen.reason.kind == "no-answer"


def test_a_walk_counts_the_frames_that_a_step_is_about() -> None:
    step = {"expect": {"id": "a", "event": {"type": "part"}}, "times": 3}
    walk = Walk(case({"send": ask()}, step), Observation("t"), RULES)
    assert not walk.can_come(step)
    walk.take(sent())
    assert (walk.came(step), walk.can_come(step)) == (0, True)
    walk.take(received(part() * 2))
    assert (walk.came(step), walk.can_come(step)) == (2, True)
    walk.take(received(success()))
    assert (walk.came(step), walk.can_come(step)) == (3, False)


def test_a_step_may_expect_an_answer_under_any_of_several_ids() -> None:
    pattern = {"id": {"$one_of": ["a", None]}, "ok": False}
    steps = [{"send_raw": [{"text": "bad\n"}]}, {"expect": pattern}]
    for identifier in ("a", None):
        answer = line({"v": 1, "id": identifier, "ok": False, "error": {}})
        bad = Sent(0, b'{"v":1,"id":"a"}\n')
        events: list[Event] = [bad, StepDone(0), received(answer), StepDone(1, CAME)]
        assert judged(case(*steps), *events).verdict is Verdict.PASSED


# --- times


PAIR = [
    {"send_many": [ask("slow"), ask("fast")]},
    {"expect": {"id": "fast", "ok": True}},
    {"expect": {"id": "slow", "ok": True}},
    {"order": ["fast", "slow"], "apart_ms": 100},
]
STREAM = [
    {"send": ask()},
    {"expect": {"id": "a", "event": {"type": "part"}}},
    {"expect": {"id": "a", "ok": True}},
    {"gap": {"id": "a", "at_least_ms": 100}},
]


def scaled(steps: Any, scale: int) -> Case:
    plain = case(*steps)
    return Case(plain.check, plain.steps, time_scale=scale)


@pytest.mark.parametrize(
    ("apart", "scale", "verdict"),
    [
        (0.125, 1, Verdict.PASSED),
        (0.0625, 1, Verdict.FAILED),
        (0.125, 5, Verdict.FAILED),
        (0.5, 5, Verdict.PASSED),
    ],
)
def test_the_time_between_two_answers_grows_with_the_time_scale(
    apart: float, scale: int, verdict: Verdict
) -> None:
    events: list[Event] = [
        sent("slow"),
        sent("fast"),
        StepDone(0),
        received(success("fast"), 1.0),
        received(success("slow"), 1.0 + apart),
        StepDone(1, CAME),
        StepDone(2, CAME),
        StepDone(3),
    ]
    assert judged(scaled(PAIR, scale), *events).verdict is verdict


@pytest.mark.parametrize(
    ("apart", "scale", "verdict"),
    [
        (0.125, 1, Verdict.PASSED),
        (0.0625, 1, Verdict.FAILED),
        (0.125, 5, Verdict.FAILED),
        (0.5, 5, Verdict.PASSED),
    ],
)
def test_the_time_between_event_and_response_grows_with_the_time_scale(
    apart: float, scale: int, verdict: Verdict
) -> None:
    events: list[Event] = [
        sent(),
        StepDone(0),
        received(part(), 1.0),
        StepDone(1, CAME),
        received(success(), 1.0 + apart),
        StepDone(2, CAME),
        StepDone(3),
    ]
    assert judged(scaled(STREAM, scale), *events).verdict is verdict


# --- the end of the subject, and a new one


@pytest.mark.parametrize("wait", [Wait("exited"), Wait("silent", "exited")])
def test_an_exit_is_charged_to_the_check_whatever_its_step_names(wait: Wait) -> None:
    steps = [{"send": ask()}, {"expect": {"id": "a"}, "clause": "T-OTHER"}]
    judgement = judged(
        case(*steps), sent(), StepDone(0), Ended(1, -9), StepDone(1, wait)
    )
    assert judgement.reason is not None
    assert (judgement.reason.kind, judgement.reason.clause) == ("exited", "T-OWN")
    assert judgement.reason.fields["status"] == -9


def test_an_answer_that_came_before_the_exit_counts() -> None:
    steps, events = answered(success())
    events[3:] = [Ended(1, 1), StepDone(1, Wait("exited"))]
    assert judged(case(*steps), *events).verdict is Verdict.PASSED


def test_a_last_fence_that_is_not_answered_fails_the_check() -> None:
    wait = Wait("silent", "silent", seconds=2.0)
    judgement = judged(case(), StepDone(LAST_FENCE, wait))
    assert judgement.reason is not None
    assert (judgement.reason.kind, judgement.reason.clause) == ("deaf", "T-OWN")
    assert judgement.step is None


def test_the_clause_of_a_fence_holds_for_the_last_one_too() -> None:
    refused = Wait("silent", "refused")
    fence = {"fence": True, "clause": "T-OTHER"}
    steps = [{"send_raw": [{"text": "bad\n"}]}, fence]
    events: list[Event] = [Sent(0, b"bad\n"), StepDone(0), StepDone(1, CAME)]
    judgement = judged(case(*steps), *events, StepDone(LAST_FENCE, refused))
    assert judgement.reason is not None
    assert judgement.reason.clause == "T-OTHER"


@pytest.mark.parametrize(
    ("kind", "fields", "key"),
    [
        ("exited", {"status": 3}, ("exited", "", "3")),
        ("deaf", {"status": None}, ("deaf", "", "")),
        ("deaf", {"seconds": 2.0}, ("deaf", "", "")),
        ("refused", {"where": "no room"}, ("refused", "", "no room")),
        ("mismatch", {"where": "/id"}, ("mismatch", "T-OWN", "/id")),
    ],
)
def test_a_reason_of_the_subject_as_a_whole_has_no_clause_in_its_key(
    kind: str, fields: dict[str, Any], key: tuple[str, str, str]
) -> None:
    assert Reason(kind, "T-OWN", fields).key == key


def test_an_exit_at_a_fence_is_charged_to_the_clause_that_it_names() -> None:
    steps = [{"send_raw": [{"text": "bad\n"}]}, {"fence": True, "clause": "T-LIVES"}]
    events: list[Event] = [Sent(0, b"bad\n"), StepDone(0)]
    events += [Ended(1, 1), StepDone(1, Wait("exited"))]
    judgement = judged(case(*steps), *events)
    assert judgement.verdict is Verdict.NOT_TESTABLE
    assert judgement.reason is not None
    assert (judgement.reason.kind, judgement.reason.clause) == ("exited", "T-LIVES")


def test_the_clause_of_a_fence_holds_until_something_is_sent() -> None:
    refused = Wait("silent", "refused")
    steps = [{"fence": True, "clause": "T-OTHER"}, {"send": ask()}]
    events: list[Event] = [
        StepDone(0, CAME),
        sent(),
        StepDone(1),
        StepDone(LAST_FENCE, refused),
    ]
    judgement = judged(case(*steps), *events)
    assert judgement.reason is not None
    assert judgement.reason.clause == "T-OWN"


def test_a_new_process_begins_a_new_conversation() -> None:
    steps = [
        {"send": ask()},
        {"restart": True},
        {"send": ask("b")},
        {"expect": {"id": "b", "result": {"value": {"$use": "state"}}}},
    ]
    new = Restarted(1, {"state": {"n": 2}}, NOTHING)
    events: list[Event] = [
        *(sent(), StepDone(0), received(b"noise\n")),
        *(new, StepDone(1, CAME)),
        *(sent("b"), StepDone(2)),
        *(received(success("b", {"n": 2})), StepDone(3, CAME)),
    ]
    walk = Walk(case(*steps), Observation("t", names={"state": {"n": 1}}), RULES)
    for one in events:
        walk.take(one)
    judgement = walk.judgement()
    assert judgement.verdict is Verdict.PASSED
    assert walk.talk.waiting == []
    assert walk.names == {"state": {"n": 2}}
    assert kinds(judgement) == [("not-json", "T-MUST"), ("not-json", "T-OTHER")]


def test_a_new_process_owes_what_its_restart_says() -> None:
    new = Restarted(1, {}, Carried(may_come=(("string", "old"),), anything_sent=True))
    walk = Walk(case({"restart": True}), Observation("t"), RULES)
    walk.take(new)
    walk.take(received(success("old")))
    assert walk.judgement() == PASSED


def test_an_observation_with_a_restart_can_be_written_as_json() -> None:
    owed = Carried(1, (("string", "a"), ("number", 7)), True, ("printed",))  # noqa: FBT003
    events: list[Event] = [
        Sent(0.5, b"\xff\n", own=True),
        Sent(0.5, b"", eof=True),
        Received(1.0, b"noise", stderr=True),
        Ended(1.5, None),
        Restarted(2.0, {"state": {"n": 1}}, owed),
        StepDone(0),
        StepDone(LAST_FENCE, Wait("came", "answered", True, 0.5, True, "x")),  # noqa: FBT003
    ]
    seen = Observation("t", True, {"state": {}}, owed, events, ("alike", {}))  # noqa: FBT003
    assert Observation.load(json.loads(json.dumps(seen.dump()))) == seen


def test_an_event_of_an_unknown_kind_is_not_read() -> None:
    document = Observation("t").dump()
    document["events"] = [{"kind": "thought"}]
    with pytest.raises(KeyError):
        Observation.load(document)
