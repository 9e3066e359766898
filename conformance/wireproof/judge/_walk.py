"""The judge: one walk over the events of an observation.

The runner feeds a walk while it carries out a check, to know when to stop; `judge`
feeds it from a stored observation. So both come to the same verdict.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from wireproof.checks import Check, Difference, Verdict, Words, broken
from wireproof.conversation import Conversation, Finding, Frame, Key
from wireproof.judge._observation import (
    MAIN,
    Closed,
    Ended,
    Noted,
    Opened,
    Ran,
    Received,
    Restarted,
    Sent,
    StepDone,
)
from wireproof.judge._reason import Judgement, Reason
from wireproof.judge._rules import Look
from wireproof.patterns import (
    difference_of,
    expand,
    in_line,
    is_generator,
    is_object,
    match,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import Level
    from wireproof.judge._observation import Event, Observation, Wait
    from wireproof.judge._rules import Rules

LAST_FENCE = -1
"""The number of the fence after the last step."""

STOPPED = frozenset({"exited", "deaf", "closed"})
"""Kinds of what a check did to the subject: charged to the check's own clause, unless
it shows at a fence that names another."""

EXPLAINED = frozenset(
    {"broken-json", "not-utf8", "wrong-id", "event-after-the-response"}
)
"""Kinds of fault that what a check sends may cause, if the check says so: the rows
infinity, infinity-as-c-prints-it, writes-inf, decodes-each-read and
timer-says-so-in-an-event need them."""

SENDING = ("send", "send_many", "send_raw")
"""Steps that send something of the check's own."""


@dataclass(frozen=True, slots=True)
class Case:
    """A check and the steps that carry it out.

    Attributes:
        check: The check.
        steps: Its steps, as a vector has them.
        fresh: Whether it needs a process that has served no other check.
        bare: Whether it needs a process that was sent nothing.
        timed: Whether its verdict rests on how long tools take.
        time_scale: Factor for the times that tools are asked to take.
    """

    check: Check
    steps: Sequence[Mapping[str, Any]]
    fresh: bool = False
    bare: bool = False
    timed: bool = False
    time_scale: int = 1


@dataclass(slots=True)
class _Failure:
    kind: str
    clause: str
    fields: dict[str, Any]
    step: int
    differences: Sequence[Difference] = ()
    rule: str = ""
    level: Level | None = None
    of_pace: bool = False
    applies: bool = True


def judge(case: Case, observation: Observation, rules: Rules) -> Judgement:
    """Return what an observation means for its check."""
    walk = Walk(case, observation, rules)
    for event in observation.events:
        walk.take(event)
    return walk.judgement()


class Walk:
    """One walk over the events of an observation.

    Attributes:
        talk: The conversation so far, on the connection in hand.
        names: The values that steps refer to by name.
    """

    def __init__(self, case: Case, observation: Observation, rules: Rules) -> None:
        """Begin before the first event.

        Args:
            case: The check.
            observation: What is known before the first event.
            rules: What is known of the protocol.
        """
        self._dialect = rules.dialect()
        self.talk = Conversation(self._dialect, observation.carried)
        self._on: str = MAIN
        self._talks = {MAIN: self.talk}
        self._closed: set[str] = set()
        self._left_out: set[str] = set()
        self._sent_at: dict[Key, float] = {}
        self._last_sent = 0.0
        self.names = dict(observation.names)
        self._case = case
        self._rules = rules
        self._not_up = observation.not_up
        self._failure: _Failure | None = None
        self._own: set[Key] = set()
        self._fenced = ""
        self._status: int | None = None
        self._finals: dict[str, Frame] = {}
        self._firsts: dict[str, Frame] = {}
        self._recorded: dict[str, str] = {}
        self._requests: dict[Key, Any] = {}
        self._keyed: tuple[Any, Key | None] = (None, None)
        self._earlier: list[Finding] = []
        self._noted: list[Reason] = []
        self._runs: list[Ran] = []
        self._ran: Counter[str] = Counter()

    # --- events

    def take(self, event: Event) -> None:
        """Take the next event."""
        # In the order of how many there are.
        match event:
            case StepDone(step=number, wait=wait, seen=seen):
                if wait is not None and wait.finding:
                    for rule in self._rules.of(wait.finding):
                        fields = {"level": rule.level}
                        self._noted.append(Reason(wait.finding, rule.clause, fields))
                if self._failure is None:
                    self._failure = self._failure_of(number, wait, seen)
            case Sent(eof=True, on=on):
                self._talks[on].send_eof()
            case Sent(at=at, data=data, own=own, on=on):
                talk, self._last_sent = self._talks[on], at
                before = set(talk.waiting) if own else set[Key]()
                talk.send(data, own=own)
                if own:
                    self._own.update(set(talk.waiting) - before)
            case Received(stderr=True) | Noted():
                pass
            case Received(at=at, data=data, on=on):
                self._talks[on].receive(data, at)
            case Opened(on=on):
                self._open(on)
            case Closed(at=at, on=on, by_subject=by_subject):
                self._closed.add(on)
                if by_subject:
                    self._talks[on].receive_eof(at)
            case Ended(at=at, status=status):
                for talk in self._talks.values():
                    talk.receive_eof(at)
                self._status = status
            case Restarted(names=names, carried=carried):
                self._earlier += self.talk.findings
                self.talk = self._talks[MAIN] = Conversation(self._dialect, carried)
                self.names.update(names)
                self._keyed = (None, None)
                self._status = None
            case Ran(own=True):
                self._watch({}, event)
            case Ran():
                self._runs.append(event)

    def turn(self, on: str) -> None:
        """Take a connection in hand."""
        if on != self._on:
            self._on, self.talk = on, self._talks[on]
            self._keyed = (None, None)

    def is_left_out(self, on: str) -> bool:
        """Return whether the subject chose to close a connection that a check uses."""
        return on in self._left_out

    def _open(self, on: str) -> None:
        if on in self._talks:
            self._earlier += self._talks[on].findings
        self._talks[on] = Conversation(self._dialect)
        self._closed.discard(on)
        if on == self._on:
            self.talk = self._talks[on]

    @property
    def has_failed(self) -> bool:
        """Whether a step has failed: the steps of a check end there."""
        return self._failure is not None

    @property
    def log(self) -> list[tuple[Any, Any]]:
        """The frames that belong to a request, each with it, on all connections."""
        return [one for talk in self._talks.values() for one in talk.log]

    @property
    def seen(self) -> Counter[str]:
        """How many frames came on all connections, and how many of each kind."""
        found = self._ran.copy()
        for talk in self._talks.values():
            found.update(talk.seen)
            found["frames"] += talk.frames
        return found

    @property
    def findings(self) -> Sequence[Finding]:
        """What is wrong with the lines that came."""
        talks = self._talks.values()
        return [*self._earlier, *(one for talk in talks for one in talk.findings)]

    def came(self, step: Mapping[str, Any]) -> int:
        """Return how many frames have come that an expectation waits for."""
        pattern = step["expect"]
        key = self._key(pattern)
        if key is not None:
            count = self.talk.count(key, pattern, step.get("times", 1))
            if count or self.talk.is_owed(key):
                return count
        return int(self._awaited(key, pattern) is not None)

    def can_come(self, step: Mapping[str, Any]) -> bool:
        """Return whether a frame of an expectation may still come."""
        key = self._key(step["expect"])
        return key is None or self.talk.may_come(key)

    # --- the verdict

    def judgement(self) -> Judgement:
        """Return what the events so far mean for the check."""
        check, levels = self._case.check, self._rules.levels
        findings = [
            *self._noted,
            *(r for one in self.findings for r in self._charged(one)),
        ]
        if check.level == "may":
            # What a choice leads to is recorded, and breaks no other clause.
            findings = []
        if self._not_up is not None:
            kind, fields = self._not_up
            if not (rules := self._rules.of(kind)):
                raise LookupError(f"the rules of the protocol have none for {kind!r}")
            clause = rules[0].clause
            is_about = clause in check.clauses
            verdict = broken(check.level) if is_about else Verdict.NOT_TESTABLE
            reason = Reason(kind, clause, fields)
            return Judgement(verdict, check.level, reason, findings)
        failure = self._failure
        if failure is None:
            failure = self._shown_by_monitor()
        if failure is None:
            verdict = Verdict.RECORDED if check.level == "may" else Verdict.PASSED
            return Judgement(
                verdict, check.level, None, findings, None, (), self._recorded
            )
        clause = failure.rule or failure.clause
        reason = Reason(failure.kind, clause, failure.fields)
        level = failure.level or check.level
        if failure.level is None and level == "must" and clause != check.clauses[0]:
            level = levels.get(clause, level)
        is_about = bool(failure.rule) or clause in check.clauses
        verdict = broken(level) if is_about else Verdict.NOT_TESTABLE
        if not failure.applies:
            verdict = Verdict.NOT_APPLICABLE
        return Judgement(
            verdict,
            level,
            reason,
            findings,
            failure.step if failure.step >= 0 else None,
            failure.differences,
            self._recorded,
            failure.of_pace,
        )

    def _charged(self, finding: Finding) -> Iterator[Reason]:
        shown = finding.line[:SHOWN].decode(errors="backslashreplace")
        about = str(finding.about[1]) if finding.about else None
        for rule in self._rules.of(finding.kind):
            if not rule.clause:
                continue
            fields = {**finding.fields, "line": shown, "level": rule.level}
            yield Reason(finding.kind, rule.clause, {**fields, "about": about})

    def _shown_by_monitor(self) -> _Failure | None:
        """Return the failure of a check whose own clause a monitor saw broken."""
        check = self._case.check
        if check.level == "may":
            return None
        for finding in self.findings:
            # What earlier checks and the runner asked is no matter of this one.
            if finding.about in self._own or self.talk.is_earlier(finding.about):
                continue
            for reason in self._charged(finding):
                is_alike = (reason.fields["level"] == "must") == (check.level == "must")
                clause = reason.clause
                if reason.kind in EXPLAINED and clause in check.explains:
                    # What the check sent is why the message was written so.
                    clause = check.clauses[0]
                if is_alike and clause in check.clauses:
                    fields = dict(reason.fields)
                    return _Failure(reason.kind, clause, fields, LAST_FENCE)
        for reason in self._noted:
            if reason.clause in check.clauses and reason.fields["level"] == check.level:
                fields = dict(reason.fields)
                return _Failure(reason.kind, reason.clause, fields, LAST_FENCE)
        return None

    # --- steps

    def _failure_of(self, number: int, wait: Wait | None, seen: Any) -> _Failure | None:
        if number == LAST_FENCE:
            return self._fence(number, {}, wait)
        step = self._case.steps[number]
        if "on" in step and step["on"] in self._talks:
            self.turn(step["on"])
        elif len(self._talks) > 1:
            self.turn(MAIN)
        if self._runs:
            seen, self._runs = self._runs, []
            for run in seen:
                self._watch(step, run)
        if seen is not None:
            return self._looked(number, step, seen)
        if wait is not None and wait.ended == "unreached":
            return self._failed("unreached", number, step, {})
        if not step.keys().isdisjoint(SENDING):
            self._fenced = ""
            self._remember(step)
        if "expect" in step:
            return self._expected(number, step, wait)
        if "fence" in step:
            self._fenced = step.get("clause", self._fenced)
            return self._fence(number, step, wait)
        if "expect_optional" in step:
            return self._fence(number, step, wait) or self._optional(number, step)
        if "order" in step:
            return self._order(number, step)
        if "gap" in step:
            return self._gap(number, step)
        if "took" in step:
            return self._took(number, step)
        if "expect_exit" in step:
            return self._exit(number, step)
        if "restart" in step and wait is not None and wait.ended != "came":
            return self._failed("did-not-start-again", number, step, {})
        return None

    def _remember(self, step: Mapping[str, Any]) -> None:
        """Keep the requests of a step, for the sentences about their answers."""
        messages = [step["send"]] if "send" in step else step.get("send_many", ())
        for template in messages:
            name = self._dialect.id_name
            identifier = template.get(name) if is_object(template) else None
            if isinstance(identifier, str | int) and (
                key := self._dialect.key({name: identifier})
            ):
                self._requests[key] = template
                self._sent_at[key] = self._last_sent

    def _looked(
        self, number: int, step: Mapping[str, Any], seen: Any
    ) -> _Failure | None:
        """Return what is wrong with what a step of the protocol's own saw."""
        found = self._rules.look(step, seen, self.names)
        if is_object(seen):
            for name, choices, value in seen.get("choices", ()):
                self._record(choices, name, value)
            self._ran.update(seen.get("kinds", {}))
            self._earlier += [
                Finding(kind, line.encode(), None, fields)
                for kind, line, fields in seen.get("faults", ())
            ]
        if isinstance(found, Look):
            failure = self._failed(
                found.kind, number, step, found.fields, found.differences
            )
            failure.of_pace, failure.applies = found.of_pace, found.applies
            if found.rule is not None:
                failure.clause, failure.level = found.rule.clause, found.rule.level
            elif found.clause:
                failure.clause = found.clause
            return failure
        self.names.update(found)
        if is_object(seen):
            self.names.update(seen.get("names", {}))
        self._keyed = (None, None)
        return None

    def _watch(self, step: Mapping[str, Any], run: Ran) -> None:
        """Take what monitors see in a run."""
        kinds, faults = self._rules.watch(step, run)
        self._ran.update(["frames", *kinds])
        self._earlier += [Finding(one, run.wrote, None, f) for one, f in faults]

    def _failed(
        self,
        kind: str,
        number: int,
        step: Mapping[str, Any],
        fields: dict[str, Any],
        differences: Sequence[Difference] = (),
    ) -> _Failure:
        own = self._case.check.clauses[0]
        # What a fence is about is that the subject lives: its clause says so.
        is_own = kind in STOPPED and "expect" in step
        clause = own if is_own else step.get("clause") or own
        if "failure" in step:
            fields["failure"] = step["failure"]
        return _Failure(kind, clause, fields, number, differences)

    def _fence(
        self, number: int, step: Mapping[str, Any], wait: Wait | None
    ) -> _Failure | None:
        if wait is None or wait.ended == "came":
            return None
        step = {"clause": self._fenced, **step} if self._fenced else step
        if wait.ended in {"exited", "closed", "unreached"}:
            return self._failed(wait.ended, number, step, {"status": self._status})
        if wait.control == "refused":
            return self._failed("control-refused", number, step, {"value": wait.answer})
        return self._failed("deaf", number, step, {"seconds": wait.seconds})

    def _expected(
        self, number: int, step: Mapping[str, Any], wait: Wait | None
    ) -> _Failure | None:
        pattern = step["expect"]
        key = self._key(pattern)
        request = self._requests.get(key) if key is not None else None
        # The line of the frame before, if frames of the same bytes match like it.
        alike = b""
        for _ in range(step.get("times", 1)):
            frame = self._awaited(key, pattern)
            if frame is None and "or" in step and self._on in self._closed:
                self._left_out.add(self._on)
                return None
            if frame is None:
                return self._missing(number, step, wait, request)
            self._take_out(key, frame)
            if frame.line == alike and "record" not in step:
                continue
            alike = b""
            saved: dict[str, Any] = {}
            miss = match(pattern, frame.value, self.names, saved)
            if miss is not None:
                fields = {"where": miss.path, "pattern": pattern, "miss": miss}
                fields |= {"value": frame.value, "request": request}
                fields["line"] = frame.line[:SHOWN].decode(errors="backslashreplace")
                shown = (difference_of(miss),)
                kind = "mismatch"
                if self._is_refused(pattern, frame.value, miss.path):
                    kind = "refused"
                    fields["where"] = in_line(frame.value.get("error"))
                failure = self._failed(kind, number, step, fields, shown)
                failure.rule = self._rules.mismatch(pattern, frame.value)
                return failure
            if saved:
                self.names.update(saved)
                self._keyed = (None, None)
            else:
                alike = frame.line
            if "record" in step:
                name = str(key[1]) if key is not None else "answer"
                self._record(step["record"], name, frame.value)
        if wait is not None and "closed" in {wait.ended, wait.control}:
            # The subject refused a line, and then closed the connection.
            self._left_out.add(self._on)
        if wait is not None and wait.late:
            return self._failed("held-back", number, step, {"request": request})
        return None

    def _is_refused(self, pattern: Any, value: Any, path: str) -> bool:
        """Return whether a failure came where a success was due."""
        is_whole = path in {"/ok", "/result"}
        fails = self._dialect.is_failure
        return is_whole and fails(value) and not fails(pattern)

    def _missing(
        self, number: int, step: Mapping[str, Any], wait: Wait | None, request: Any
    ) -> _Failure:
        pattern = step["expect"]
        fields: dict[str, Any] = {
            "pattern": pattern,
            "request": request,
            "seconds": wait.seconds if wait else 0.0,
            "status": self._status,
        }
        wanted = Difference("", pattern, Words("nothing"))
        if wait is None or not self.can_come(step):
            return self._failed("answered-before", number, step, fields, (wanted,))
        ends = {wait.ended, wait.control}
        if "exited" in ends:
            kind = "exited"
        elif "closed" in ends:
            kind = "closed"
        else:
            kind = "deaf" if wait.control == "silent" else "no-answer"
        return self._failed(kind, number, step, fields, (wanted,))

    def _optional(self, number: int, step: Mapping[str, Any]) -> _Failure | None:
        while (frame := self.talk.unasked()) is not None:
            saved: dict[str, Any] = {}
            miss = match(step["expect_optional"], frame.value, self.names, saved)
            self.names.update(saved)
            if miss is not None:
                fields = {"where": miss.path, "pattern": step["expect_optional"]}
                fields |= {"miss": miss, "value": frame.value, "request": None}
                shown = (difference_of(miss),)
                return self._failed("mismatch", number, step, fields, shown)
            if "record" in step:
                self._record(step["record"], "answer", frame.value)
        return None

    def _order(self, number: int, step: Mapping[str, Any]) -> _Failure | None:
        frames = [(key, self._finals[key]) for key in step["order"]]
        apart = step.get("apart_ms", 0) * self._case.time_scale / 1000
        for (before, first), (after, then) in pairwise(frames):
            # Ranks count for one connection; times order those of several.
            if (then.at, then.rank) < (first.at, first.rank):
                fields = {"before": after, "after": before}
                return self._failed("order", number, step, fields)
            if then.at - first.at < apart:
                fields = {"before": before, "after": after, "apart": then.at - first.at}
                return self._failed("held-together", number, step, fields)
        return None

    def _gap(self, number: int, step: Mapping[str, Any]) -> _Failure | None:
        key = step["gap"]["id"]
        first, last = self._firsts[key], self._finals[key]
        least = step["gap"]["at_least_ms"] * self._case.time_scale / 1000
        if last.at - first.at >= least:
            return None
        fields = {"request": self._requests.get(("string", key)), "wanted": least}
        return self._failed(
            "events-held-back", number, step, {**fields, "apart": last.at - first.at}
        )

    def _took(self, number: int, step: Mapping[str, Any]) -> _Failure | None:
        name = step["took"]["id"]
        key = self._dialect.key({self._dialect.id_name: name})
        apart = self._finals[name].at - (self._sent_at.get(key, 0.0) if key else 0.0)
        least = step["took"]["at_least_ms"] * self._case.time_scale / 1000
        if apart >= least:
            return None
        fields = {"request": self._requests.get(key) if key else None, "wanted": least}
        return self._failed("too-soon", number, step, {**fields, "apart": apart})

    def _exit(self, number: int, step: Mapping[str, Any]) -> _Failure | None:
        wanted = step["expect_exit"]["status"]
        if self._status is None:
            return self._failed("no-exit", number, step, {"wanted": wanted})
        if self._status == wanted:
            return None
        shown = (Difference("exit status", wanted, self._status),)
        fields = {"wanted": wanted, "status": self._status}
        return self._failed("exit-status", number, step, fields, shown)

    # --- frames

    def _awaited(self, key: Key | None, pattern: Any) -> Frame | None:
        if key is not None and (frame := self.talk.next_frame(key, pattern)):
            return frame
        name = self._dialect.id_name
        if is_object(pattern) and name not in pattern:
            return self.talk.strays[0] if self.talk.strays else None
        wanted = pattern.get(name) if is_object(pattern) else None
        return self.talk.stray(wanted, self.names)

    def _key(self, pattern: Any) -> Key | None:
        """Return the key of the request that a pattern names; None for a stray."""
        # One step asks for it several times.
        if self._keyed[0] is not pattern:
            self._keyed = (pattern, self._key_of(pattern))
        return self._keyed[1]

    def _key_of(self, pattern: Any) -> Key | None:
        if not is_object(pattern):
            return None
        name = self._dialect.id_name
        wanted = pattern.get(name)
        if not is_generator(wanted):
            return self._dialect.key(pattern)
        choices = wanted.get("$one_of")
        if choices is not None:
            wanted = next((one for one in choices if isinstance(one, str)), None)
        else:
            wanted = expand(wanted, self.names)
        return self._dialect.key({**pattern, name: wanted})

    def _take_out(self, key: Key | None, frame: Frame) -> None:
        if key is None or not self.talk.take_frame(key, frame):
            self.talk.strays.remove(frame)
            return
        name = str(key[1])
        self._firsts.setdefault(name, frame)
        if frame.is_final:
            self._finals[name] = frame

    def _record(self, choices: Mapping[str, Any], name: str, value: Any) -> None:
        fits = (
            label
            for label, choice in choices.items()
            if match(choice, value, self.names, {}) is None
        )
        self._recorded[name] = next(fits, "other")


SHOWN = 300
"""Bytes of a line that a finding shows."""
