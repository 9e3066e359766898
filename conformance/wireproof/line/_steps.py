"""Carry out the steps of one vector of a line protocol.

The interpreter knows steps and patterns; what a frame is, and whose it is, the session
knows. Its outcome says what happened, not yet what it means for a clause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wireproof.checks import Difference, VectorDefect, Words
from wireproof.line._conversation import Conversation
from wireproof.line._cuts import SENDING
from wireproof.line._evidence import head
from wireproof.line._outcome import Completed, Diverged, Missing, StepsOutcome
from wireproof.line._sentences import (
    is_displaced,
    is_intruding,
    mismatch_text,
    missing_text,
    request_text,
)
from wireproof.patterns import (
    asked_delay,
    difference_of,
    exit_text,
    expand,
    in_words,
    is_array,
    is_object,
    match,
    raw_bytes,
    written,
)

if TYPE_CHECKING:
    from wireproof.line._conversation import Arrival
    from wireproof.line._cuts import Cut

Step = Mapping[str, Any]

ConversationType = TypeVar("ConversationType", bound=Conversation)


ANSWERED_BY_ANOTHER = frozenset({"cancel_tool_call"})
"""Requests without an answer of their own: that of the call with their id says it."""

ANSWERED = "it was answered"
"""How it is told of a request that came back, and not with what was wanted."""

ORDERLY = frozenset({"send", "send_many", "expect", "fence", "gap", "order"})
"""Steps after which a success orders the stream: no bad line, nothing absent."""

UNNAMED = "answer"
"""What an exchange is called in a record where its id is left open."""


class StepRunner(Generic[ConversationType]):
    """Carries out the steps that all line protocols have.

    A protocol that has steps of its own, or several connections, extends it.

    Attributes:
        session: The conversation.
        time_scale: Factor for the times that tools are asked to take.
    """

    def __init__(self, session: ConversationType, *, time_scale: int = 1) -> None:
        """Prepare; nothing is sent yet."""
        self.session = session
        self.time_scale = time_scale
        self._recorded: dict[str, str] = {}
        self._frames = 0
        self._input_closed = False
        self._requests: dict[str, str] = {}
        self._last: Arrival | None = None
        self._rests_on: str | None = None

    def run(self, steps: Sequence[Step], *, spares_fence: bool = False) -> StepsOutcome:
        """Carry out steps, and a fence after them unless stdin was closed.

        Args:
            steps: The steps as the vector has them.
            spares_fence: Whether the last answer may stand for the fence.

        Raises:
            VectorDefect: If a step cannot be carried out as it is written.
        """
        for place, step in enumerate(steps):
            if (diverged := self.step(step)) is not None:
                text = diverged.text
                if "failure" in step:
                    text = f"{step['failure']}: {text}"
                return replace(diverged, text=text, step=place)
        last = self._last
        if (
            spares_fence
            and last is not None
            and ends_plainly(steps)
            and self.session.take_as_fence(last)
        ):
            return Completed(self._recorded, self._frames)
        missing = self.session.final_fence(input_closed=self._input_closed)
        if missing is not None:
            return Diverged(
                f"afterwards {_unproved(missing)}",
                self._rests_on,
                missing,
                at_fence=True,
                recorded=self._recorded,
            )
        return Completed(self._recorded, self._frames)

    def own_step(self, step: Step) -> Diverged | None:
        """Carry out a step that only one protocol has.

        Raises:
            VectorDefect: If there is no such step.
        """
        raise VectorDefect(f"unknown step with the keys {sorted(step)}")

    def step(self, step: Step) -> Diverged | None:
        """Carry out one step; return how it diverged, if it did."""
        cut: Cut = step.get("cut")
        if not SENDING.isdisjoint(step):
            self._rests_on = None
        match step:
            case {"send": message}:
                self._send([message], cut, waits=step.get("waits", True))
            case {"send_many": [*messages]}:
                self._send(messages, cut, waits=step.get("waits", True))
            case {"send_raw": [*pieces]}:
                self.session.deliver(raw_bytes(pieces, self.session.names), cut)
            case {"expect": pattern, "times": int(times)}:
                return self._expect_many(pattern, times, step)
            case {"expect": pattern}:
                return self.expect(pattern, step)
            case {"expect_optional": pattern}:
                return self._expect_optional(pattern, step)
            case {"order": [*keys]}:
                apart = step.get("apart_ms", 0) * self.time_scale / 1000
                return self._order(keys) or self._apart(keys, apart)
            case {"gap": {"id": str(key), "at_least_ms": int(least)}}:
                return self._gap(key, least * self.time_scale / 1000)
            case {"fence": _}:
                return self._fence(step)
            case {"close_input": _}:
                self.session.close_input()
                self._input_closed = True
            case {"expect_exit": {"status": int(status), "within_ms": int(within)}}:
                return self._exit(status, within / 1000)
            case {"restart": _}:
                if (missing := self.session.restart()) is not None:
                    text = f"it did not start again: {missing.text}"
                    return Diverged(text, step.get("clause"), missing)
                self._input_closed = False
            case _:
                return self.own_step(step)
        if step.get("unread"):
            self.session.leave_unread()
        return None

    def _send(self, messages: Sequence[Any], cut: Cut, *, waits: bool = True) -> None:
        data = b""
        for template in messages:
            message = expand(template, self.session.names, time_scale=self.time_scale)
            self.session.declare_delay(asked_delay(message), awaited=waits)
            if (name := request_text(message)) not in ANSWERED_BY_ANOTHER:
                self._requests[_key(template)] = name
            data += written(message)
        self.session.deliver(data, cut)

    def expect(self, pattern: Any, step: Step) -> Diverged | None:
        """Wait for a frame and compare it with a pattern."""
        clause = step.get("clause")
        with self.session.resting_on(clause):
            arrival = self.session.await_frame(pattern)
        request = self._request_of(pattern)
        if isinstance(arrival, Missing):
            text = missing_text(pattern, arrival.text, request)
            nothing = Words(f"nothing ({arrival.text})")
            wanted = Difference("", in_words(pattern), nothing)
            return Diverged(
                text,
                clause,
                arrival,
                (wanted,),
                recorded=self._recorded,
                request=request,
            )
        if not self.session.refuses_a_line(arrival):
            self.session.kinds.answered(request)
        self._frames += 1
        self._last = arrival
        if (diverged := self._compare(pattern, arrival, clause)) is not None:
            return diverged
        self._record(pattern, arrival, step)
        return None

    def _record(self, pattern: Any, arrival: Arrival, step: Step) -> None:
        """Take note of which of the choices that a step names came."""
        choices: Mapping[str, Any] = step.get("record", {})
        if choices:
            name = _key(pattern) or _key(arrival.value) or UNNAMED
            self._recorded[name] = next(
                (
                    label
                    for label, choice in choices.items()
                    if match(choice, arrival.value, self.session.names, {}) is None
                ),
                "other",
            )

    def _request_of(self, pattern: Any) -> str:
        """Name the request that a frame of this pattern answers, where it is known."""
        return self._requests.get(_key(pattern), "")

    def _expect_many(self, pattern: Any, times: int, step: Step) -> Diverged | None:
        self.session.declare_frames(times)
        for _ in range(times):
            if (diverged := self.expect(pattern, step)) is not None:
                return diverged
        return None

    def _compare(
        self, pattern: Any, arrival: Arrival, clause: str | None
    ) -> Diverged | None:
        saved: dict[str, Any] = {}
        miss = match(pattern, arrival.value, self.session.names, saved)
        if miss is None:
            self.session.names.update(saved)
            return None
        return Diverged(
            mismatch_text(pattern, arrival.value, miss, self._request_of(pattern)),
            clause,
            None,
            (difference_of(miss),),
            arrival.deviations,
            recorded=self._recorded,
            displaced=is_displaced(pattern, arrival.value),
            intruding=is_intruding(pattern, arrival.value),
            frame=head(arrival.line),
        )

    def _expect_optional(self, pattern: Any, step: Step) -> Diverged | None:
        if (diverged := self._fence(step)) is not None:
            return diverged
        for stray in self.session.strays():
            self._frames += 1
            if (
                diverged := self._compare(pattern, stray, step.get("clause"))
            ) is not None:
                return diverged
            self._record(pattern, stray, step)
        return None

    def _fence(self, step: Step) -> Diverged | None:
        # What was sent may end a subject a little later than at the first fence.
        clause = step.get("clause", self._rests_on)
        missing = self.session.fence()
        survives = {"fence", "clause"} <= step.keys()
        if missing is None and survives and not self.session.is_slow:
            # One that ends of what it reads may answer all of that read before it does.
            missing = self.session.fence()
        if missing is None:
            self._rests_on = clause
            return None
        return Diverged(
            _unproved(missing), clause, missing, at_fence=True, recorded=self._recorded
        )

    def _order(self, keys: Sequence[str]) -> Diverged | None:
        ranks = {key: self.session.answer_rank(key) for key in keys}
        known = {key: rank for key, rank in ranks.items() if rank is not None}
        if len(known) < len(keys):
            raise VectorDefect("order names an exchange whose answer was not expected")
        actual = sorted(known, key=lambda key: known[key])
        if actual == list(keys):
            return None
        before, after = next(
            pair
            for pair in combinations(actual, 2)
            if keys.index(pair[0]) > keys.index(pair[1])
        )
        text = f"the answer to {before} came before that to {after}"
        wanted = Difference("order", list(keys), actual)
        return Diverged(text, differences=(wanted,), about_time=True)

    def _apart(self, keys: Sequence[str], least: float) -> Diverged | None:
        """See whether each response came so many seconds before the next."""
        times = [self.session.answered_at(key) for key in keys]
        for (before, first), (after, then) in pairwise(zip(keys, times, strict=True)):
            if not least or first is None or then is None or then - first >= least:
                continue
            text = f"the answer to {before} came only when that to {after} did"
            wanted = Words(f"{least * 1000:.0f} ms before it, or more")
            found = Words(f"{(then - first) * 1000:.1f} ms before it")
            shown = Difference(f"answer to {before}", wanted, found)
            return Diverged(text, differences=(shown,), about_time=True)
        return None

    def _gap(self, key: str, least: float) -> Diverged | None:
        first, last = self.session.first_event_at(key), self.session.answered_at(key)
        if first is None or last is None:
            raise VectorDefect("gap names an exchange without an event or a response")
        if last - first >= least:
            return None
        text = "the first event came no earlier than the response"
        wanted = Words(f"at least {least * 1000:.0f} ms before the response")
        found = Words(f"{(last - first) * 1000:.1f} ms before it")
        shown = Difference("first event", wanted, found)
        return Diverged(text, differences=(shown,), about_time=True)

    def _exit(self, status: int, within: float) -> Diverged | None:
        found = self.session.await_exit(within)
        if isinstance(found, Missing):
            wanted = Difference("exit", Words(f"status {status}"), Words(found.text))
            return Diverged(f"it did not exit: {found.text}", None, found, (wanted,))
        if found == status:
            return None
        text = f"it exited with {exit_text(found)}"
        return Diverged(text, differences=(Difference("exit status", status, found),))


def ends_plainly(steps: Sequence[Step]) -> bool:
    """Tell whether steps end with the answer to the request that they sent last.

    Args:
        steps: The steps as the vector has them.
    """
    if any(ORDERLY.isdisjoint(step) or "cut" in step for step in steps):
        return False
    sent = [step for step in steps if "send" in step or "send_many" in step]
    if not sent or "expect" not in steps[-1] or "send" not in sent[-1]:
        return False
    return _key(sent[-1]["send"]) == _key(steps[-1]["expect"])


def _key(pattern: Any) -> str:
    """Return the id, or else the type, that a message or a pattern names."""
    keys = ("id", "requestId", "type")
    found = (
        next((pattern[k] for k in keys if k in pattern), "")
        if is_object(pattern)
        else ""
    )
    if is_object(found) and is_array(choices := found.get("$one_of")):
        found = next((one for one in choices if isinstance(one, str)), "")
    return found if isinstance(found, str) else ""


def _unproved(missing: Missing) -> str:
    """Say what became of a fence."""
    if missing.text.startswith(ANSWERED):
        return f"a plain valid request {missing.text.removeprefix('it ')}"
    return f"a plain valid request was not answered: {missing.text}"
