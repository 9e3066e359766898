from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Deviation, Difference, VectorDefect
from wireproof.line import Broke, Held, Missing, MissingCause, asked_delay, run_steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.line import Cut

LATE = Missing(MissingCause.TIMEOUT, "no answer within 5.0 s")
GONE = Missing(MissingCause.EXITED, "it exited")
SLOW = {"id": "a", "arguments": {"ms": 60_000}}
M1 = Deviation("HV1-M1", "must", "v is 2")


@dataclass(frozen=True, slots=True)
class Came:
    """A frame that came."""

    value: Any
    time: float = 0.0
    deviations: tuple[Deviation, ...] = ()


@dataclass(slots=True)
class FakePeer:
    """A conversation whose other side is written out."""

    frames: deque[Came | Missing] = field(default_factory=deque)
    fences: deque[Missing | None] = field(default_factory=deque)
    stray_frames: list[Came] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)
    times: dict[str, tuple[float | None, float | None]] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    exit: int | Missing = 0
    restarts: Missing | None = None
    names: dict[str, Any] = field(default_factory=dict)
    log: list[tuple[Any, ...]] = field(default_factory=list)

    def deliver(self, data: bytes, cut: Cut) -> None:
        self.log.append(("deliver", data, cut))

    def declare_delay(self, seconds: float) -> None:
        if seconds:
            self.log.append(("delay", seconds))

    def declare_frames(self, count: int) -> None:
        self.log.append(("frames", count))

    def await_frame(self, pattern: Any) -> Came | Missing:
        self.log.append(("await", pattern))
        return self.frames.popleft()

    def fence(self) -> Missing | None:
        self.log.append(("fence",))
        return self.fences.popleft() if self.fences else None

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        return None if input_closed else self.fence()

    def turn_to(self, connection: str | None) -> bool:
        if connection is not None:
            self.log.append(("on", connection))
        return connection not in self.left_out

    def take_closing(self) -> None:
        self.log.append(("closing taken",))

    def take_refusal(self) -> None:
        self.log.append(("refusal taken",))

    def own_step(self, step: Mapping[str, Any], time_scale: int) -> Broke | None:
        if "own" not in step:
            raise VectorDefect(f"unknown step with the keys {sorted(step)}")
        self.log.append(("own", step["own"], time_scale))
        return None

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


def answered(*values: Any) -> FakePeer:
    return FakePeer(frames=deque(Came(value) for value in values))


def test_no_steps_are_still_fenced() -> None:
    peer = FakePeer()
    assert run_steps(peer, []) == Held({}, 0)
    assert peer.log == [("fence",)]


def test_a_message_is_one_compact_line() -> None:
    peer = FakePeer()
    run_steps(peer, [{"send": {"v": 1, "id": "é", "n": [1.5, None]}}])
    line = '{"v":1,"id":"é","n":[1.5,null]}\n'.encode()
    assert peer.log == [("deliver", line, None), ("fence",)]


def test_several_messages_are_one_write() -> None:
    peer = FakePeer()
    run_steps(peer, [{"send_many": [{"id": "a"}, {"id": "b"}], "cut": [3]}])
    assert peer.log[0] == ("deliver", b'{"id":"a"}\n{"id":"b"}\n', [3])


def test_raw_bytes_are_sent_as_they_are() -> None:
    peer = FakePeer()
    run_steps(
        peer, [{"send_raw": [{"text": "x"}, {"base64": "/w=="}], "cut": "every-byte"}]
    )
    assert peer.log[0] == ("deliver", b"x\xff", "every-byte")


def test_messages_may_hold_what_earlier_steps_kept() -> None:
    peer = answered({"id": "a", "state": {"n": 1}})
    peer.names["seed"] = 7
    run_steps(
        peer,
        [
            {"expect": {"id": "a", "state": {"$save": "s"}}},
            {"send": {"s": {"$use": "s"}, "seed": {"$use": "seed"}}},
        ],
    )
    assert peer.names == {"seed": 7, "s": {"n": 1}}
    assert ("deliver", b'{"s":{"n":1},"seed":7}\n', None) in peer.log


def test_what_tools_are_asked_to_take_is_declared_and_slowed() -> None:
    peer = FakePeer()
    step = {"send": {"params": {"arguments": {"ms": 100}}}}
    run_steps(peer, [step], time_scale=5)
    assert peer.log[:2] == [
        ("delay", 0.5),
        ("deliver", b'{"params":{"arguments":{"ms":500}}}\n', None),
    ]


def test_steps_are_carried_out_in_order() -> None:
    peer = answered({"id": "a"})
    run_steps(peer, [{"send": {"id": "a"}}, {"expect": {"id": "a"}}])
    assert peer.log == [
        ("deliver", b'{"id":"a"}\n', None),
        ("await", {"id": "a"}),
        ("fence",),
    ]


def test_frames_that_match_are_counted() -> None:
    peer = answered({"id": "a", "ok": True}, {"id": "b", "ok": False})
    steps: list[Any] = [{"expect": {"id": "a"}}, {"expect": {"id": "b", "ok": False}}]
    assert run_steps(peer, steps) == Held({}, 2)


def test_a_step_may_expect_several_frames() -> None:
    peer = answered({"id": "a", "n": 1}, {"id": "a", "n": 1}, {"id": "a", "n": 2})
    step = {"expect": {"id": "a", "n": 1}, "times": 2}

    assert run_steps(peer, [step]) == Held({}, 2)
    assert peer.log[0] == ("frames", 2)


def test_each_of_several_frames_is_held_to_the_pattern() -> None:
    peer = answered({"id": "a", "n": 1}, {"id": "a", "n": 2})

    outcome = run_steps(peer, [{"expect": {"id": "a", "n": 1}, "times": 2}])

    assert isinstance(outcome, Broke)
    assert outcome.differences == (Difference("/n", 1, 2),)


def test_a_frame_that_differs_ends_the_run() -> None:
    peer = answered({"id": "a", "ok": False})
    steps: list[Any] = [{"expect": {"id": "a", "ok": True}}, {"send": {"id": "b"}}]
    assert run_steps(peer, steps) == Broke(
        "a frame differs from what was expected at /ok",
        differences=(Difference(where="/ok", expected=True, actual=False),),
    )
    assert ("deliver", b'{"id":"b"}\n', None) not in peer.log
    assert ("fence",) not in peer.log


def test_nothing_is_saved_of_a_frame_that_differs() -> None:
    peer = answered({"id": "a", "s": 1, "ok": False})
    run_steps(peer, [{"expect": {"id": "a", "s": {"$save": "s"}, "ok": True}}])
    assert peer.names == {}


def test_a_frame_of_another_type_altogether_is_named() -> None:
    peer = answered(5)
    assert run_steps(peer, [{"expect": {"id": "a"}}]) == Broke(
        "a frame differs from what was expected at the frame itself",
        differences=(Difference("", "an object", 5),),
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
    assert isinstance(broke, Broke)
    assert broke.text == text
    assert broke.displaced is displaced


def test_a_place_that_is_not_there_is_told_so() -> None:
    broke = run_steps(answered({"id": "a"}), [{"expect": {"id": "a", "ok": True}}])
    assert isinstance(broke, Broke)
    assert broke.differences == (
        Difference("/ok", expected=True, actual="nothing there"),
    )


def test_what_monitors_found_in_the_frame_goes_along() -> None:
    peer = FakePeer(frames=deque([Came({"id": "a"}, deviations=(M1,))]))
    broke = run_steps(peer, [{"expect": {"id": "a", "ok": True}}])
    assert isinstance(broke, Broke)
    assert broke.deviations == (M1,)


def test_a_frame_that_does_not_come_is_missing() -> None:
    peer = FakePeer(frames=deque([LATE]))
    assert run_steps(peer, [{"expect": {"id": "a"}}]) == Broke(
        "what was expected did not come: no answer within 5.0 s",
        missing=LATE,
        differences=(Difference("", {"id": "a"}, "nothing (no answer within 5.0 s)"),),
    )


@pytest.mark.parametrize("frame", [Came({"id": "a", "ok": False}), LATE])
def test_a_step_may_be_charged_to_another_clause(frame: Came | Missing) -> None:
    peer = FakePeer(frames=deque([frame]))
    step = {"expect": {"id": "a", "ok": True}, "clause": "HV1-M6"}
    broke = run_steps(peer, [step])
    assert isinstance(broke, Broke)
    assert broke.clause == "HV1-M6"


def test_what_did_not_come_is_shown_in_words() -> None:
    pattern = {"id": "a", "ok": {"$type": "boolean"}}
    broke = run_steps(FakePeer(frames=deque([LATE])), [{"expect": pattern}])
    assert isinstance(broke, Broke)
    assert broke.differences[0].expected == {"id": "a", "ok": "<boolean>"}


def test_behaviour_is_recorded_by_the_first_label_that_matches() -> None:
    peer = answered({"id": "a", "n": 1}, {"id": "b", "n": 2}, {"id": "c", "n": 3})
    record = {"one": {"n": 1}, "number": {"n": {"$one_of": [1, 2]}}}
    steps = [{"expect": {"id": key}, "record": record} for key in ("a", "b", "c")]
    assert run_steps(peer, steps) == Held({"a": "one", "b": "number", "c": "other"}, 3)


def test_what_was_recorded_is_kept_when_a_later_step_breaks() -> None:
    peer = answered({"id": "a"}, {"id": "b"})
    steps: list[Any] = [
        {"expect": {"id": "a"}, "record": {"seen": {}}},
        {"expect": {"id": "b", "ok": True}},
    ]
    broke = run_steps(peer, steps)
    assert isinstance(broke, Broke)
    assert broke.recorded == {"a": "seen"}


def test_answers_to_bad_lines_may_be_none() -> None:
    peer = FakePeer()
    assert run_steps(peer, [{"expect_optional": {"ok": False}}]) == Held({}, 0)
    assert peer.log == [("fence",), ("fence",)]


def test_answers_to_bad_lines_must_match_where_there_are_any() -> None:
    peer = FakePeer(stray_frames=[Came({"ok": False}), Came({"ok": True})])
    step = {"expect_optional": {"ok": False}, "clause": "HV1-T8"}
    broke = run_steps(peer, [step])
    assert isinstance(broke, Broke)
    assert broke.differences == (Difference(where="/ok", expected=False, actual=True),)
    assert broke.clause == "HV1-T8"


@pytest.mark.parametrize("step", [{"fence": True}, {"expect_optional": {}}])
def test_a_fence_that_is_not_answered_ends_the_run(step: dict[str, Any]) -> None:
    peer = FakePeer(fences=deque([LATE]))
    assert run_steps(peer, [step, {"send": {}}]) == Broke(
        "a plain valid request was not answered: no answer within 5.0 s",
        missing=LATE,
        at_fence=True,
    )


def test_the_last_fence_counts_as_well() -> None:
    peer = answered({"id": "a"})
    peer.fences.append(GONE)
    steps = [{"expect": {"id": "a"}, "record": {"seen": {}}}]
    assert run_steps(peer, steps) == Broke(
        "afterwards a plain valid request was not answered: it exited",
        missing=GONE,
        at_fence=True,
        recorded={"a": "seen"},
    )


def test_responses_in_order_hold() -> None:
    peer = FakePeer(ranks={"a": 1, "b": 2})
    assert run_steps(peer, [{"order": ["a", "b"]}]) == Held({}, 0)


def test_responses_out_of_order_are_shown() -> None:
    peer = FakePeer(ranks={"a": 3, "b": 2})
    assert run_steps(peer, [{"order": ["a", "b"]}]) == Broke(
        "the responses did not come in the order that they should",
        differences=(Difference("order", ["a", "b"], ["b", "a"]),),
        about_time=True,
    )


def test_an_order_of_what_was_not_expected_is_a_defect() -> None:
    with pytest.raises(VectorDefect, match="order names an exchange"):
        run_steps(FakePeer(ranks={"a": 3}), [{"order": ["a", "b"]}])


GAP = {"gap": {"id": "a", "at_least_ms": 50}}


def test_an_event_well_before_its_response_holds() -> None:
    peer = FakePeer(times={"a": (1.0, 1.0625)})
    assert run_steps(peer, [GAP]) == Held({}, 0)


def test_an_event_right_before_its_response_was_held_back() -> None:
    peer = FakePeer(times={"a": (1.0, 1.03125)})
    assert run_steps(peer, [GAP]) == Broke(
        "the first event came no earlier than the response",
        differences=(
            Difference(
                "first event",
                "at least 50 ms before the response",
                "31.2 ms before it",
            ),
        ),
        about_time=True,
    )


def test_a_gap_grows_with_the_times_of_the_tools() -> None:
    peer = FakePeer(times={"a": (1.0, 1.0625)})
    assert isinstance(run_steps(peer, [GAP], time_scale=5), Broke)


@pytest.mark.parametrize("times", [(None, 1.0), (1.0, None), (None, None)])
def test_a_gap_without_event_or_response_is_a_defect(
    times: tuple[float | None, float | None],
) -> None:
    with pytest.raises(VectorDefect, match="gap names an exchange"):
        run_steps(FakePeer(times={"a": times}), [GAP])


EXIT = {"expect_exit": {"status": 0, "within_ms": 2000}}


def test_after_the_input_is_closed_there_is_no_fence() -> None:
    peer = FakePeer()
    assert run_steps(peer, [{"close_input": True}, EXIT]) == Held({}, 0)
    assert peer.log == [("close",), ("exit", 2.0)]


@pytest.mark.parametrize(
    ("status", "words"), [(3, "status 3"), (-9, "signal 9"), (-15, "signal 15")]
)
def test_another_exit_status_breaks_the_check(status: int, words: str) -> None:
    peer = FakePeer(exit=status)
    assert run_steps(peer, [{"close_input": True}, EXIT]) == Broke(
        f"it exited with {words}",
        differences=(Difference("exit status", 0, status),),
    )


def test_a_subject_that_does_not_exit_breaks_the_check() -> None:
    still = Missing(MissingCause.TIMEOUT, "still running after 2.0 s")
    peer = FakePeer(exit=still)
    assert run_steps(peer, [{"close_input": True}, EXIT]) == Broke(
        "it did not exit: still running after 2.0 s",
        missing=still,
        differences=(Difference("exit", "status 0", "still running after 2.0 s"),),
    )


def test_a_restart_opens_the_input_again() -> None:
    peer = FakePeer()
    assert run_steps(peer, [{"close_input": True}, {"restart": True}]) == Held({}, 0)
    assert peer.log == [("close",), ("restart",), ("fence",)]


def test_a_subject_that_does_not_start_again_breaks_the_check() -> None:
    assert run_steps(FakePeer(restarts=GONE), [{"restart": True}]) == Broke(
        "it did not start again: it exited", missing=GONE
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
        run_steps(FakePeer(), [step])


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ({"ms": 250}, 0.25),
        ({"delay_ms": 100, "parts": [{}, {}, {}]}, 0.3),
        ({"delay_ms": 100}, 0.1),
        ({"delay_ms": 100, "parts": []}, 0.0),
        ({"params": {"arguments": {"ms": 1000}, "state": {"ms": 500}}}, 1.5),
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


def test_a_step_of_the_protocols_own_is_carried_out_by_the_peer() -> None:
    peer = FakePeer()
    assert run_steps(peer, [{"own": "deed"}], time_scale=5) == Held({}, 0)
    assert peer.log == [("own", "deed", 5), ("fence",)]


def test_a_step_may_name_its_connection() -> None:
    peer = FakePeer()
    run_steps(peer, [{"own": "deed", "on": "other"}])
    assert peer.log == [("on", "other"), ("own", "deed", 1), ("fence",)]


def test_a_step_on_a_connection_that_is_left_out_is_not_carried_out() -> None:
    peer = FakePeer(left_out={"other"})
    steps: list[dict[str, Any]] = [
        {"send": {"id": "a"}, "on": "other"},
        {"own": "deed", "on": "other"},
    ]
    assert run_steps(peer, steps) == Held({}, 0)
    assert peer.log == [
        ("on", "other"),
        ("on", "other"),
        ("own", "deed", 1),
        ("fence",),
    ]


def test_a_connection_may_be_closed_where_the_step_leaves_the_choice() -> None:
    closed = Missing(MissingCause.CLOSED, "the server closed the connection")
    peer = FakePeer(frames=deque([closed]))
    step = {"expect": {"type": "error"}, "or": "closed"}
    assert run_steps(peer, [step]) == Held({}, 0)
    assert ("closing taken",) in peer.log


def test_a_frame_that_is_late_is_no_closing() -> None:
    late = Missing(MissingCause.TIMEOUT, "no answer within 1.0 s")
    peer = FakePeer(frames=deque([late]))
    step = {"expect": {"type": "error"}, "or": "closed"}
    outcome = run_steps(peer, [step])
    assert isinstance(outcome, Broke)
    assert outcome.missing is late


@pytest.mark.parametrize("step", [{"send": SLOW}, {"send_many": [SLOW]}])
def test_tools_that_will_not_run_to_their_end_prolong_no_wait(
    step: dict[str, Any],
) -> None:
    patient, quick = FakePeer(), FakePeer()
    run_steps(patient, [step])
    run_steps(quick, [{**step, "waits": False}])
    assert ("delay", 60.0) in patient.log
    assert [entry for entry in quick.log if entry[0] == "delay"] == []
