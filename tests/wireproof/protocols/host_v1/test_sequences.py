"""The model of sequences says of each act what the clauses say of it."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.fuzzing import Act, Sequence
from wireproof.protocols.host_v1._sequence_plans import (
    Group,
    ReplayPlan,
    SequencePlan,
)
from wireproof.protocols.host_v1._sequences import MODEL

SAVED = {"$type": "object"}


def steps_of(*acts: Act) -> list[dict[str, Any]]:
    sequence = Sequence(MODEL, "s")
    sequence.one_by_one(acts)
    return sequence.steps


def counted(step: dict[str, Any]) -> Any:
    return step["expect"]["result"]["value"]["result"]["counter"]


def carried(step: dict[str, Any]) -> Any:
    return step["send"]["params"]["state"]


def test_each_count_carries_the_state_that_the_one_before_gave() -> None:
    first, one, second, two = steps_of(Act("count"), Act("count", {"by": 4}))

    assert carried(first) == {"$use": "state"}
    assert one["expect"]["result"]["state"] == {"$save": "state-1", "match": SAVED}
    assert carried(second) == {"$use": "state-1"}
    assert (counted(one), counted(two)) == (3, 7)


def test_only_a_chain_of_counts_is_held_to_a_must() -> None:
    _, one, _, two = steps_of(Act("count"), Act("count"))

    assert (one["clause"], two["clause"]) == ("HV1-R10", "HV1-R11")


def test_counts_together_each_start_from_the_state_that_all_of_them_carry() -> None:
    sequence = Sequence(MODEL, "s")
    sequence.together([Act("count"), Act("count", {"by": 5})])
    _, _, one, two = sequence.steps

    assert (counted(one), counted(two)) == (3, 5)
    assert (one["clause"], two["clause"]) == ("HV1-R10", "HV1-R10")


def test_a_state_is_kept_from_the_answer_to_a_call_that_does_not_count() -> None:
    _, _, sent, kept, last, answer = steps_of(
        Act("count"), Act("failure", {"keeps": True}), Act("count")
    )

    assert carried(sent) == {"$use": "state-1"}
    assert kept["expect"]["result"]["state"] == {"$save": "state-2", "match": SAVED}
    assert carried(last) == {"$use": "state-2"}
    assert counted(answer) == 6


def test_a_count_in_the_state_of_a_second_init_starts_anew() -> None:
    *_, sent, answer = steps_of(
        Act("count"), Act("second-init"), Act("count-of-the-second-init", {"by": 2})
    )

    assert carried(sent) == {"$use": "state-2"}
    assert counted(answer) == 2
    assert answer["clause"] == "HV1-R13"


def test_a_host_is_seen_to_survive_a_bad_line_before_anything_rests_on_it() -> None:
    line = {"text": '{"v":1,"id":\n'}

    assert steps_of(Act("bad-line"), Act("bad-line")) == [
        {"send_raw": [{**line, "times": 20}]},
        {"fence": True, "clause": "HV1-T7"},
        {"send_raw": [line]},
        {"send_raw": [line]},
    ]


@pytest.mark.parametrize(
    "kind",
    [
        "optional-method",
        "arguments-no-object",
        "no-params",
        "no-state",
        "empty-state",
        "foreign-state",
    ],
)
def test_what_a_clause_leaves_open_may_be_answered_either_way(kind: str) -> None:
    _, answer = steps_of(Act(kind))

    assert answer["expect"] == {"id": "s-1", "ok": {"$type": "boolean"}}


@pytest.mark.parametrize("kind", ["throw", "unknown-tool"])
def test_a_call_that_fails_may_do_so_in_either_way(kind: str) -> None:
    _, answer = steps_of(Act(kind))

    failure, reported = answer["expect"]["$one_of"]
    assert failure["ok"] is False
    assert reported["result"]["value"]["success"] is False


def test_a_stream_leads_to_its_own_events_and_then_to_its_result() -> None:
    _, one, two, last = steps_of(Act("stream"))

    assert one["expect"]["event"]["payload"] == {"$equals": {"call": "s-1", "n": 0}}
    assert two["expect"]["event"]["payload"] == {"$equals": {"call": "s-1", "n": 1}}
    assert last["expect"]["result"]["value"]["result"] == {"count": 2}


def test_groups_are_sent_one_by_one_or_as_one_write() -> None:
    acts = (Act("unknown-method"), Act("bad-line"), Act("listing"))
    plan = SequencePlan((Group(acts[:1]), Group(acts, together=True, one_write=True)))

    assert [next(iter(step)) for step in plan.steps("p")[2:-2]] == [
        *("send", "expect"),
        *("send_raw", "fence", "send_raw", "send_many", "expect", "expect"),
    ]


def test_a_replay_tries_each_kind_by_itself_before_it_charges_its_clause() -> None:
    plan = ReplayPlan((Act("failure"), Act("failure")), "HV1-M14", same_id=True)
    steps = [step for step in plan.steps("p") if "fence" not in step]

    assert [step["clause"] for step in steps if "expect" in step] == [
        *("HV1-R10", "HV1-R6"),
        *("HV1-M14", "HV1-M14"),
    ]
    assert [step["send"]["id"] for step in steps if "send" in step] == [
        *("p-1", "p-2"),
        *("p-again", "p-again"),
    ]


def test_what_a_replay_carries_cannot_fail_by_itself() -> None:
    acts = (
        Act("success", {"value": {"$literal": 6.329e25}}),
        Act("failure", {"text": "drawn"}),
    )
    text = str(ReplayPlan(acts, "HV1-M14", same_id=True).steps("p"))
    assert "6.329" not in text
    assert "drawn" not in text
