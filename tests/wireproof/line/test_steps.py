from __future__ import annotations

from collections import deque
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Deviation, Difference, VectorDefect, Words
from wireproof.line import (
    Completed,
    Diverged,
    Missing,
    MissingCause,
    StepRunner,
    StepsOutcome,
)
from wireproof.line._request_kinds import RequestKinds
from wireproof.patterns import asked_delay, delay_of, is_object
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from wireproof.line import Cut

REFUSAL = {"type": "refusal"}
LATE = Missing(MissingCause.TIMEOUT, "no answer within 5.0 s")
GONE = Missing(MissingCause.EXITED, "it exited")
SLOW = {"id": "a", "arguments": {"ms": 60_000}}
M1 = Deviation("HV1-M1", "must", "v is 2")


@dataclass(frozen=True, slots=True)
class Came:
    """A frame that came."""

    value: Any
    time: float = 0.0
    rank: int = 0
    deviations: tuple[Deviation, ...] = ()

    @property
    def line(self) -> bytes:
        return encode(self.value)[:-1]


Times = dict[str, tuple[float | None, float | None]]
"""When each answer was asked for, and when it came."""


@dataclass(slots=True)
class FakeConversation:
    """A conversation whose other side is written out."""

    frames: deque[Came | Missing] = field(default_factory=deque)
    fences: deque[Missing | None] = field(default_factory=deque)
    stray_frames: list[Came] = field(default_factory=list)
    times: Times = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    is_slow: bool = False
    fenced_by_answers: bool = False
    exit: int | Missing = 0
    restarts: Missing | None = None
    names: dict[str, Any] = field(default_factory=dict)
    kinds: RequestKinds = field(default_factory=RequestKinds)
    log: list[tuple[Any, ...]] = field(default_factory=list)

    def deliver(self, data: bytes, cut: Cut) -> None:
        self.log.append(("deliver", data, cut))

    def leave_unread(self) -> None:
        self.log.append(("leave_unread",))

    def declare_delay(self, seconds: float, *, awaited: bool = True) -> None:
        if seconds and awaited:
            self.log.append(("delay", seconds))

    def resting_on(self, clause: str | None) -> AbstractContextManager[None]:
        if clause is not None:
            self.log.append(("rests on", clause))
        return nullcontext()

    def refuses_a_line(self, arrival: Came) -> bool:
        return is_object(arrival.value) and arrival.value.get("type") == "refusal"

    def declare_frames(self, count: int) -> None:
        self.log.append(("frames", count))

    def await_frame(self, pattern: Any) -> Came | Missing:
        self.log.append(("await", pattern))
        return self.frames.popleft()

    def fence(self) -> Missing | None:
        self.log.append(("fence",))
        return self.fences.popleft() if self.fences else None

    def take_as_fence(self, answer: Any) -> bool:
        self.log.append(("as fence", answer.value))
        return self.fenced_by_answers

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        return None if input_closed else self.fence()

    def strays(self) -> Sequence[Came]:
        return self.stray_frames

    def answered_at(self, key: str) -> float | None:
        return self.times.get(key, (None, None))[1]

    def first_event_at(self, key: str) -> float | None:
        return self.times.get(key, (None, None))[0]

    def answer_rank(self, key: str) -> int | None:
        return self.ranks.get(key)

    def close_input(self) -> None:
        self.log.append(("close",))

    def await_exit(self, within: float) -> int | Missing:
        self.log.append(("exit", within))
        return self.exit

    def restart(self) -> Missing | None:
        self.log.append(("restart",))
        return self.restarts


class OwnSteps(StepRunner[FakeConversation]):
    """A protocol that has a step of its own."""

    def own_step(self, step: Mapping[str, Any]) -> Diverged | None:
        if "own" not in step:
            return super().own_step(step)
        self.session.log.append(("own", step["own"], self.time_scale))
        return None


def run_steps(
    session: FakeConversation,
    steps: Sequence[Mapping[str, Any]],
    *,
    time_scale: int = 1,
) -> StepsOutcome:
    return OwnSteps(session, time_scale=time_scale).run(steps)


def answered(*values: Any) -> FakeConversation:
    return FakeConversation(frames=deque(Came(value) for value in values))


def test_no_steps_are_still_fenced() -> None:
    session = FakeConversation()
    assert run_steps(session, []) == Completed({}, 0)
    assert session.log == [("fence",)]


ASKED = [{"send": {"id": "a"}}, {"expect": {"id": "a"}}]


def spared(steps: Sequence[Mapping[str, Any]], *, proves: bool) -> list[str]:
    session = answered(*({"id": "a"} for step in steps if "expect" in step))
    session.fenced_by_answers = proves
    OwnSteps(session).run(steps, spares_fence=True)
    return [entry[0] for entry in session.log[-2:]]


def test_an_answer_that_proves_as_much_stands_for_the_fence() -> None:
    assert spared(ASKED, proves=True) == ["await", "as fence"]


def test_one_that_proves_less_is_followed_by_a_fence() -> None:
    assert spared(ASKED, proves=False) == ["as fence", "fence"]


@pytest.mark.parametrize(
    "steps",
    [
        [{"send_raw": [{"text": "x"}]}, *ASKED],
        [{"send": {"id": "a"}, "cut": [1]}, ASKED[1]],
        [*ASKED, {"send": {"id": "b"}}],
        [ASKED[0], {"send": {"id": "b"}}, ASKED[1]],
        [{"send_many": [{"id": "a"}]}, ASKED[1]],
        [*ASKED, {"expect_optional": {"id": "a"}}],
        [],
    ],
)
def test_steps_that_end_otherwise_keep_their_fence(
    steps: Sequence[Mapping[str, Any]],
) -> None:
    assert spared(steps, proves=True)[-1:] == ["fence"]


def is_known_unanswered(answer: Mapping[str, Any]) -> bool:
    session = answered({"id": "a", **answer})
    for _ in range(4):
        session.kinds.left("call")
    run_steps(
        session,
        [{"send": {"id": "a", "method": "call"}}, {"expect": {"id": "a"}}],
    )
    return session.kinds.knows("call")


def test_a_frame_that_refuses_a_line_answers_no_request() -> None:
    assert is_known_unanswered(REFUSAL)
    assert not is_known_unanswered({"type": "answer"})


def test_a_message_is_one_compact_line() -> None:
    session = FakeConversation()
    run_steps(session, [{"send": {"v": 1, "id": "é", "n": [1.5, None]}}])
    line = '{"v":1,"id":"é","n":[1.5,null]}\n'.encode()
    assert session.log == [("deliver", line, None), ("fence",)]


def test_several_messages_are_one_write() -> None:
    session = FakeConversation()
    run_steps(session, [{"send_many": [{"id": "a"}, {"id": "b"}], "cut": [3]}])
    assert session.log[0] == ("deliver", b'{"id":"a"}\n{"id":"b"}\n', [3])


def test_what_comes_may_be_left_unread() -> None:
    session = answered()
    run_steps(session, [{"send": {"id": "a"}, "unread": True}])
    assert [entry[0] for entry in session.log] == ["deliver", "leave_unread", "fence"]


def test_raw_bytes_are_sent_as_they_are() -> None:
    session = FakeConversation()
    run_steps(
        session,
        [{"send_raw": [{"text": "x"}, {"base64": "/w=="}], "cut": "every-byte"}],
    )
    assert session.log[0] == ("deliver", b"x\xff", "every-byte")


def test_messages_may_hold_what_earlier_steps_kept() -> None:
    session = answered({"id": "a", "state": {"n": 1}})
    session.names["seed"] = 7
    run_steps(
        session,
        [
            {"expect": {"id": "a", "state": {"$save": "s"}}},
            {"send": {"s": {"$use": "s"}, "seed": {"$use": "seed"}}},
        ],
    )
    assert session.names == {"seed": 7, "s": {"n": 1}}
    assert ("deliver", b'{"s":{"n":1},"seed":7}\n', None) in session.log


def test_what_tools_are_asked_to_take_is_declared_and_slowed() -> None:
    session = FakeConversation()
    step = {"send": {"params": {"arguments": {"ms": 100}}}}
    run_steps(session, [step], time_scale=5)
    assert session.log[:2] == [
        ("delay", 0.5),
        ("deliver", b'{"params":{"arguments":{"ms":500}}}\n', None),
    ]


def test_steps_are_carried_out_in_order() -> None:
    session = answered({"id": "a"})
    run_steps(session, [{"send": {"id": "a"}}, {"expect": {"id": "a"}}])
    assert session.log == [
        ("deliver", b'{"id":"a"}\n', None),
        ("await", {"id": "a"}),
        ("fence",),
    ]


def test_frames_that_match_are_counted() -> None:
    session = answered({"id": "a", "ok": True}, {"id": "b", "ok": False})
    steps: list[Any] = [{"expect": {"id": "a"}}, {"expect": {"id": "b", "ok": False}}]
    assert run_steps(session, steps) == Completed({}, 2)


def test_a_step_may_expect_several_frames() -> None:
    session = answered({"id": "a", "n": 1}, {"id": "a", "n": 1}, {"id": "a", "n": 2})
    step = {"expect": {"id": "a", "n": 1}, "times": 2}

    assert run_steps(session, [step]) == Completed({}, 2)
    assert session.log[0] == ("frames", 2)


def test_each_of_several_frames_is_held_to_the_pattern() -> None:
    session = answered({"id": "a", "n": 1}, {"id": "a", "n": 2})

    outcome = run_steps(session, [{"expect": {"id": "a", "n": 1}, "times": 2}])

    assert isinstance(outcome, Diverged)
    assert outcome.differences == (Difference("/n", 1, 2),)


def test_a_frame_that_differs_ends_the_run() -> None:
    session = answered({"id": "a", "ok": False})
    steps: list[Any] = [{"expect": {"id": "a", "ok": True}}, {"send": {"id": "b"}}]
    assert run_steps(session, steps) == Diverged(
        "the request was answered with a failure: without an error",
        differences=(Difference(where="/ok", expected=True, actual=False),),
        step=0,
        frame='{"id":"a","ok":false}',
    )
    assert ("deliver", b'{"id":"b"}\n', None) not in session.log
    assert ("fence",) not in session.log


def test_a_failure_names_the_request_that_was_answered_so() -> None:
    session = answered({"id": "a", "n": 2})
    request = {"id": "a", "method": "execute_tool", "params": {"tool_name": "add"}}
    broke = run_steps(session, [{"send": request}, {"expect": {"id": "a", "n": 1}}])
    assert isinstance(broke, Diverged)
    assert broke.text == "in the answer to execute_tool add, n is 2, not 1"


def test_a_call_that_was_cancelled_keeps_its_name() -> None:
    session = FakeConversation(frames=deque([LATE]))
    call = {"type": "tool_call", "requestId": "a", "toolName": "sleep"}
    cancel = {"type": "cancel_tool_call", "requestId": "a"}
    steps = [{"send": call}, {"send": cancel}, {"expect": {"requestId": "a"}}]
    broke = run_steps(session, steps)
    assert isinstance(broke, Diverged)
    assert broke.text == "tool_call sleep was not answered: no answer within 5.0 s"


def test_a_sentence_of_the_step_comes_first() -> None:
    session = answered({"id": "a", "n": 2})
    step = {"expect": {"id": "a", "n": 1}, "failure": "the counter did not stand still"}
    broke = run_steps(session, [step])
    assert isinstance(broke, Diverged)
    assert broke.text == "the counter did not stand still: n is 2, not 1"


def test_nothing_is_saved_of_a_frame_that_differs() -> None:
    session = answered({"id": "a", "s": 1, "ok": False})
    run_steps(session, [{"expect": {"id": "a", "s": {"$save": "s"}, "ok": True}}])
    assert session.names == {}


def test_a_frame_of_another_type_altogether_is_named() -> None:
    session = answered(5)
    assert run_steps(session, [{"expect": {"id": "a"}}]) == Diverged(
        "the frame is 5, not an object",
        differences=(Difference("", "an object", 5),),
        step=0,
        frame="5",
    )


@pytest.mark.parametrize(
    ("pattern", "frame", "text", "displaced"),
    [
        (
            {"id": "a", "event": {"type": "part"}},
            {"id": "a", "ok": True},
            "the response came where an event was expected",
            True,
        ),
        (
            {"id": "a", "ok": True},
            {"id": "a", "event": {"type": "part"}},
            "an event came where the response was expected",
            False,
        ),
    ],
)
def test_an_event_and_a_response_are_told_apart(
    pattern: Any, frame: Any, text: str, *, displaced: bool
) -> None:
    broke = run_steps(answered(frame), [{"expect": pattern}])
    assert isinstance(broke, Diverged)
    assert broke.text == text
    assert broke.displaced is displaced


def test_a_place_that_is_not_there_is_told_so() -> None:
    broke = run_steps(answered({"id": "a"}), [{"expect": {"id": "a", "ok": True}}])
    assert isinstance(broke, Diverged)
    assert broke.differences == (
        Difference("/ok", expected=True, actual="nothing there"),
    )


def test_what_monitors_found_in_the_frame_goes_along() -> None:
    session = FakeConversation(frames=deque([Came({"id": "a"}, deviations=(M1,))]))
    broke = run_steps(session, [{"expect": {"id": "a", "ok": True}}])
    assert isinstance(broke, Diverged)
    assert broke.deviations == (M1,)


def test_a_frame_that_does_not_come_is_missing() -> None:
    session = FakeConversation(frames=deque([LATE]))
    assert run_steps(session, [{"expect": {"id": "a"}}]) == Diverged(
        "what was sent was not answered: no answer within 5.0 s",
        missing=LATE,
        differences=(Difference("", {"id": "a"}, "nothing (no answer within 5.0 s)"),),
        step=0,
    )


@pytest.mark.parametrize("frame", [Came({"id": "a", "ok": False}), LATE])
def test_a_step_may_be_charged_to_another_clause(frame: Came | Missing) -> None:
    session = FakeConversation(frames=deque([frame]))
    step = {"expect": {"id": "a", "ok": True}, "clause": "HV1-M6"}
    broke = run_steps(session, [step])
    assert isinstance(broke, Diverged)
    assert broke.clause == "HV1-M6"


def test_what_did_not_come_is_shown_in_words() -> None:
    pattern = {"id": "a", "ok": {"$type": "boolean"}}
    broke = run_steps(FakeConversation(frames=deque([LATE])), [{"expect": pattern}])
    assert isinstance(broke, Diverged)
    assert broke.differences[0].expected == {"id": "a", "ok": "<boolean>"}


def test_behaviour_is_recorded_by_the_first_label_that_matches() -> None:
    session = answered({"id": "a", "n": 1}, {"id": "b", "n": 2}, {"id": "c", "n": 3})
    record = {"one": {"n": 1}, "number": {"n": {"$one_of": [1, 2]}}}
    steps = [{"expect": {"id": key}, "record": record} for key in ("a", "b", "c")]
    assert run_steps(session, steps) == Completed(
        {"a": "one", "b": "number", "c": "other"}, 3
    )


def test_what_was_recorded_is_kept_when_a_later_step_breaks() -> None:
    session = answered({"id": "a"}, {"id": "b"})
    steps: list[Any] = [
        {"expect": {"id": "a"}, "record": {"seen": {}}},
        {"expect": {"id": "b", "ok": True}},
    ]
    broke = run_steps(session, steps)
    assert isinstance(broke, Diverged)
    assert broke.recorded == {"a": "seen"}


def test_answers_to_bad_lines_may_be_none() -> None:
    session = FakeConversation()
    assert run_steps(session, [{"expect_optional": {"ok": False}}]) == Completed({}, 0)
    assert session.log == [("fence",), ("fence",)]


def test_answers_to_bad_lines_must_match_where_there_are_any() -> None:
    session = FakeConversation(stray_frames=[Came({"ok": False}), Came({"ok": True})])
    step = {"expect_optional": {"ok": False}, "clause": "HV1-T8"}
    broke = run_steps(session, [step])
    assert isinstance(broke, Diverged)
    assert broke.differences == (Difference(where="/ok", expected=False, actual=True),)
    assert broke.clause == "HV1-T8"


@pytest.mark.parametrize("step", [{"fence": True}, {"expect_optional": {}}])
def test_a_fence_that_is_not_answered_ends_the_run(step: dict[str, Any]) -> None:
    session = FakeConversation(fences=deque([LATE]))
    assert run_steps(session, [step, {"send": {}}]) == Diverged(
        "a plain valid request was not answered: no answer within 5.0 s",
        missing=LATE,
        at_fence=True,
        step=0,
    )


def test_a_fence_that_is_refused_was_answered() -> None:
    refused = Missing(MissingCause.REFUSED, "it was answered without success")
    session = FakeConversation(fences=deque([refused]))
    broke = run_steps(session, [{"fence": True}])
    assert isinstance(broke, Diverged)
    assert broke.text == "a plain valid request was answered without success"


SURVIVES = {"fence": True, "clause": "HV1-T7"}


def test_what_a_subject_is_to_survive_is_proved_twice() -> None:
    # It answers all that it has read, and ends then.
    session = FakeConversation(fences=deque([None, GONE]))
    assert run_steps(session, [SURVIVES]) == Diverged(
        "a plain valid request was not answered: it exited",
        clause="HV1-T7",
        missing=GONE,
        at_fence=True,
        step=0,
    )


@pytest.mark.parametrize(
    ("step", "is_slow"), [({"fence": True}, False), (SURVIVES, True)]
)
def test_other_fences_are_asked_once(step: dict[str, Any], *, is_slow: bool) -> None:
    session = FakeConversation(fences=deque([None, None, GONE]), is_slow=is_slow)
    assert isinstance(run_steps(session, [step]), Completed)


def test_the_last_fence_counts_as_well() -> None:
    session = answered({"id": "a"})
    session.fences.append(GONE)
    steps = [{"expect": {"id": "a"}, "record": {"seen": {}}}]
    assert run_steps(session, steps) == Diverged(
        "afterwards a plain valid request was not answered: it exited",
        missing=GONE,
        at_fence=True,
        recorded={"a": "seen"},
    )


def test_responses_in_order_hold() -> None:
    session = FakeConversation(ranks={"a": 1, "b": 2})
    assert run_steps(session, [{"order": ["a", "b"]}]) == Completed({}, 0)


def test_responses_out_of_order_are_shown() -> None:
    session = FakeConversation(ranks={"a": 3, "b": 2})
    assert run_steps(session, [{"order": ["a", "b"]}]) == Diverged(
        "the answer to b came before that to a",
        differences=(Difference("order", ["a", "b"], ["b", "a"]),),
        about_time=True,
        step=0,
    )


APART = {"order": ["a", "b"], "apart_ms": 50}


@pytest.mark.parametrize(
    ("times", "scale"), [((1.0, 1.0625), 1), ((1.0, 1.0625), 0), ((1.0, 2.0), 10)]
)
def test_responses_that_are_apart_hold(times: tuple[float, float], scale: int) -> None:
    ranks = {"a": 1, "b": 2}
    answered: Times = {"a": (0.0, times[0]), "b": (0.0, times[1])}
    session = FakeConversation(ranks=ranks, times=answered)
    assert run_steps(session, [APART], time_scale=scale) == Completed({}, 0)


def test_responses_that_came_at_once_are_shown() -> None:
    answered: Times = {"a": (0.0, 1.0), "b": (0.0, 1.03125)}
    session = FakeConversation(ranks={"a": 1, "b": 2}, times=answered)
    assert run_steps(session, [APART]) == Diverged(
        "the answer to a came only when that to b did",
        differences=(
            Difference(
                "answer to a",
                Words("50 ms before it, or more"),
                Words("31.2 ms before it"),
            ),
        ),
        about_time=True,
        step=0,
    )


def test_an_order_of_what_was_not_expected_is_a_defect() -> None:
    with pytest.raises(VectorDefect, match="order names an exchange"):
        run_steps(FakeConversation(ranks={"a": 3}), [{"order": ["a", "b"]}])


GAP = {"gap": {"id": "a", "at_least_ms": 50}}


def test_an_event_well_before_its_response_holds() -> None:
    session = FakeConversation(times={"a": (1.0, 1.0625)})
    assert run_steps(session, [GAP]) == Completed({}, 0)


def test_an_event_right_before_its_response_was_held_back() -> None:
    session = FakeConversation(times={"a": (1.0, 1.03125)})
    assert run_steps(session, [GAP]) == Diverged(
        "the first event came no earlier than the response",
        differences=(
            Difference(
                "first event",
                "at least 50 ms before the response",
                "31.2 ms before it",
            ),
        ),
        about_time=True,
        step=0,
    )


def test_a_gap_grows_with_the_times_of_the_tools() -> None:
    session = FakeConversation(times={"a": (1.0, 1.0625)})
    assert isinstance(run_steps(session, [GAP], time_scale=5), Diverged)


@pytest.mark.parametrize("times", [(None, 1.0), (1.0, None), (None, None)])
def test_a_gap_without_event_or_response_is_a_defect(
    times: tuple[float | None, float | None],
) -> None:
    with pytest.raises(VectorDefect, match="gap names an exchange"):
        run_steps(FakeConversation(times={"a": times}), [GAP])


EXIT = {"expect_exit": {"status": 0, "within_ms": 2000}}


def test_after_the_input_is_closed_there_is_no_fence() -> None:
    session = FakeConversation()
    assert run_steps(session, [{"close_input": True}, EXIT]) == Completed({}, 0)
    assert session.log == [("close",), ("exit", 2.0)]


@pytest.mark.parametrize(
    ("status", "words"), [(3, "status 3"), (-9, "signal 9"), (-15, "signal 15")]
)
def test_another_exit_status_breaks_the_check(status: int, words: str) -> None:
    session = FakeConversation(exit=status)
    assert run_steps(session, [{"close_input": True}, EXIT]) == Diverged(
        f"it exited with {words}",
        differences=(Difference("exit status", 0, status),),
        step=1,
    )


def test_a_subject_that_does_not_exit_breaks_the_check() -> None:
    still = Missing(MissingCause.TIMEOUT, "still running after 2.0 s")
    session = FakeConversation(exit=still)
    assert run_steps(session, [{"close_input": True}, EXIT]) == Diverged(
        "it did not exit: still running after 2.0 s",
        missing=still,
        differences=(Difference("exit", "status 0", "still running after 2.0 s"),),
        step=1,
    )


def test_a_restart_opens_the_input_again() -> None:
    session = FakeConversation()
    assert run_steps(session, [{"close_input": True}, {"restart": True}]) == Completed(
        {}, 0
    )
    assert session.log == [("close",), ("restart",), ("fence",)]


def test_a_subject_that_does_not_start_again_breaks_the_check() -> None:
    assert run_steps(FakeConversation(restarts=GONE), [{"restart": True}]) == Diverged(
        "it did not start again: it exited", missing=GONE, step=0
    )


@pytest.mark.parametrize(
    "step",
    [
        {"wait": 1},
        {},
        {"send_many": {}},
        {"gap": {"id": "a"}},
        {"expect_exit": {"status": "0", "within_ms": 1}},
    ],
)
def test_a_step_of_no_known_kind_is_a_defect(step: dict[str, Any]) -> None:
    with pytest.raises(VectorDefect, match="unknown step with the keys"):
        run_steps(FakeConversation(), [step])


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ({"ms": 250}, 0.25),
        ({"delay_ms": 100, "parts": [{}, {}, {}]}, 0.3),
        ({"delay_ms": 100}, 0.1),
        ({"delay_ms": 100, "parts": []}, 0.0),
        ({"params": {"arguments": {"ms": 1000}, "state": {"ms": 500}}}, 1.5),
        ({"arguments": {"ms": 60_000}, "timeoutMs": 250}, 0.25),
        ({"arguments": {"ms": 250}, "timeoutMs": 60_000}, 0.25),
        ({"arguments": {"ms": 250}, "timeoutMs": 0}, 0.25),
        ({"ms": "soon", "delay_ms": None}, 0.0),
        ({"size": 5}, 0.0),
        ([{"ms": 5}], 0.0),
        (None, 0.0),
    ],
)
def test_the_time_that_tools_are_asked_to_take_adds_up(
    message: Any, seconds: float
) -> None:
    assert asked_delay(message) == pytest.approx(seconds)


def test_a_call_that_is_ended_early_is_not_waited_for() -> None:
    steps: list[dict[str, Any]] = [
        {"send": {"ms": 60_000}, "waits": False},
        {"send": {"ms": 250}},
        {},
    ]
    assert delay_of(steps) == pytest.approx(0.25)


def test_a_step_of_the_protocols_own_is_carried_out_by_the_protocol() -> None:
    session = FakeConversation()
    assert run_steps(session, [{"own": "deed"}], time_scale=5) == Completed({}, 0)
    assert session.log == [("own", "deed", 5), ("fence",)]


@pytest.mark.parametrize("step", [{"send": SLOW}, {"send_many": [SLOW]}])
def test_tools_that_will_not_run_to_their_end_prolong_no_wait(
    step: dict[str, Any],
) -> None:
    patient, quick = FakeConversation(), FakeConversation()
    run_steps(patient, [step])
    run_steps(quick, [{**step, "waits": False}])
    assert ("delay", 60.0) in patient.log
    assert [entry for entry in quick.log if entry[0] == "delay"] == []
