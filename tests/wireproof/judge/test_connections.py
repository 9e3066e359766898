"""A walk over the events of several connections, and of a protocol's own steps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wireproof.checks import Check, Difference, Verdict
from wireproof.judge import (
    LAST_FENCE,
    Case,
    Closed,
    Ended,
    Look,
    Observation,
    Opened,
    Received,
    Rule,
    Rules,
    Sent,
    StepDone,
    Wait,
    judge,
)
from wireproof.protocols.host_v1._dialect import HostDialect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.judge import Event, Judgement

CAME = Wait("came")
TWO = [Opened(0.0, "main"), Opened(0.0, "other")]


def look(
    step: Mapping[str, Any], seen: Any, names: Mapping[str, Any]
) -> Look | dict[str, Any]:
    if seen["size"] == names["size"]:
        return {"kept": seen["size"]}
    wanted = Difference("the size", names["size"], seen["size"])
    return Look("other-size", {"found": seen["size"]}, (wanted,))


RULES = Rules(HostDialect, {"wrong-id": Rule("T-ID")}, look=look)


def line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def ask() -> dict[str, Any]:
    return {"v": 1, "id": "a", "method": "m", "params": {}}


def answer(value: int) -> bytes:
    return line({"v": 1, "id": "a", "ok": True, "result": {"value": value}})


def expect(value: int, **more: Any) -> dict[str, Any]:
    return {"expect": {"id": "a", "result": {"value": value}}, **more}


def sent(on: str, at: float = 0.0) -> Sent:
    return Sent(at, line(ask()), on=on)


def judged(steps: list[Any], *events: Event, **seen: Any) -> Judgement:
    check = Check("t", "Something holds.", ("T-OWN",), "must", "seed", "vector")
    observation = Observation("t", events=[*events], **seen)
    return judge(Case(check, steps), observation, RULES)


def kind_of(judgement: Judgement) -> str | None:
    return judgement.reason.kind if judgement.reason else None


def test_two_connections_may_use_one_id_at_once() -> None:
    steps = [
        {"send": ask()},
        {"send": ask(), "on": "other"},
        expect(2, on="other"),
        expect(1),
    ]
    events: list[Event] = [
        *TWO,
        *(sent("main"), StepDone(0), sent("other"), StepDone(1)),
        Received(0.1, answer(2), on="other"),
        StepDone(2, CAME),
        Received(0.2, answer(1)),
        StepDone(3, CAME),
    ]
    assert judged(steps, *events).verdict is Verdict.PASSED
    # Each gets what is the other's.
    events[5], events[7] = (
        Received(0.1, answer(1), on="other"),
        Received(0.2, answer(2)),
    )
    assert kind_of(judged(steps, *events)) == "mismatch"


def test_findings_of_all_connections_count() -> None:
    stray = line({"v": 1, "id": "x", "ok": True, "result": {"value": 1}})
    seen = judged([], *TWO, sent("other"), Received(0.1, stray, on="other"))
    assert [(one.kind, one.clause) for one in seen.findings] == [("wrong-id", "T-ID")]


def test_a_connection_that_is_opened_again_begins_anew() -> None:
    steps = [{"send": ask()}, expect(1)]
    events: list[Event] = [
        Opened(0.0, "main"),
        sent("main"),
        Closed(0.1, "main", by_subject=False),
        Opened(0.2, "main"),
        sent("main", 0.3),
        StepDone(0),
        Received(0.4, answer(1)),
        StepDone(1, CAME),
    ]
    assert judged(steps, *events).verdict is Verdict.PASSED


def test_a_closed_connection_is_no_answer_and_charged_to_the_check() -> None:
    steps = [{"send": ask()}, expect(1, clause="T-OTHER")]
    closed = Closed(0.1, "main", by_subject=True)
    events: list[Event] = [sent("main"), StepDone(0), closed]
    seen = judged(steps, *TWO, *events, StepDone(1, Wait("closed")))
    assert seen.reason is not None
    assert (seen.reason.kind, seen.reason.clause) == ("closed", "T-OWN")


def test_a_subject_may_close_a_connection_if_the_step_says_so() -> None:
    steps = [{"send": ask()}, expect(1, **{"or": "closed"})]
    closed = Closed(0.1, "main", by_subject=True)
    events: list[Event] = [sent("main"), StepDone(0), closed]
    seen = judged(steps, *TWO, *events, StepDone(1, Wait("closed")))
    assert seen.verdict is Verdict.PASSED
    silent = judged(steps, *TWO, *events[:2], StepDone(1, Wait("silent", "answered")))
    assert kind_of(silent) == "no-answer"


def test_a_subject_that_cannot_be_reached_fails_the_step() -> None:
    steps = [{"send": ask(), "on": "third"}]
    seen = judged(steps, *TWO, StepDone(0, Wait("unreached")))
    assert kind_of(seen) == "unreached"
    at_the_end = judged([], *TWO, StepDone(LAST_FENCE, Wait("unreached")))
    assert kind_of(at_the_end) == "unreached"


def test_the_end_of_the_process_ends_all_conversations() -> None:
    rules = Rules(HostDialect, {"unterminated": Rule("T-LF")})
    check = Check("t", "Something holds.", ("T-OWN",), "must", "seed", "vector")
    events: list[Event] = [
        *TWO,
        *(sent("main"), sent("other")),
        Received(0.1, answer(1)[:-1]),
        Received(0.1, answer(1)[:-1], on="other"),
        Ended(0.2, 0),
    ]
    seen = judge(Case(check, []), Observation("t", events=events), rules)
    assert [one.kind for one in seen.findings] == ["unterminated", "unterminated"]


def test_what_a_step_saw_is_judged_by_the_rules() -> None:
    kept = {"expect": {"id": "a", "result": {"value": {"$use": "kept"}}}}
    steps = [{"measure": True}, {"send": ask()}, kept]
    right = judged(
        steps,
        *TWO,
        StepDone(0, None, {"size": 5}),
        *(sent("main"), StepDone(1), Received(0.1, answer(5)), StepDone(2, CAME)),
        names={"size": 5},
    )
    assert right.verdict is Verdict.PASSED
    wrong = judged(steps, *TWO, StepDone(0, None, {"size": 4}), names={"size": 5})
    assert (kind_of(wrong), wrong.step) == ("other-size", 0)
    (difference,) = wrong.differences
    assert (difference.expected, difference.actual) == (5, 4)


def test_a_call_takes_at_least_its_time() -> None:
    steps = [{"send": ask()}, expect(1), {"took": {"id": "a", "at_least_ms": 65}}]

    def after(seconds: float) -> Judgement:
        came = Received(1.0 + seconds, answer(1))
        events: list[Event] = [sent("main", 1.0), StepDone(0), came]
        return judged(steps, *TWO, *events, StepDone(1, CAME), StepDone(2))

    assert after(0.07).verdict is Verdict.PASSED
    assert kind_of(after(0.05)) == "too-soon"


def test_the_events_of_connections_survive_json() -> None:
    events: list[Event] = [
        *TWO,
        Closed(0.1, "other", by_subject=True),
        StepDone(0, None, {"names": {"pid": 5}}),
    ]
    seen = Observation("t", events=events)
    assert Observation.load(json.loads(json.dumps(seen.dump()))) == seen
