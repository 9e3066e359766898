"""Carries out checks: steps in, observation and judgement out."""

from __future__ import annotations

import time
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from wireproof.checks import Check, SubjectStartError, Verdict
from wireproof.conversation import NOTHING, own_key
from wireproof.judge import (
    LAST_FENCE,
    MAIN,
    Case,
    Closed,
    Ended,
    Judgement,
    Observation,
    Opened,
    Reason,
    Received,
    Restarted,
    Sent,
    StepDone,
    Wait,
    Walk,
)
from wireproof.patterns import asked_delay, expand, raw_bytes, written
from wireproof.run._driver import (
    STEPS,
    Answer,
    Came,
    Hands,
    NotUp,
    Request,
    Sink,
    Unproven,
)
from wireproof.run._waits import (
    BYTES_A_SECOND,
    CONFIRMED,
    EARLY_SECONDS,
    LONG_SECONDS,
    READ_POLL,
    SLOWER,
)
from wireproof.subjects import (
    UNBUFFERED,
    Notice,
    SubjectProcess,
    kill_strays,
    new_marker,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from wireproof.conversation import Carried, Frame, Key
    from wireproof.judge import Event, Noted, Ran, Rules, WaitEnd
    from wireproof.run._driver import Connections, Driver, Link
    from wireproof.run._waits import Kind, Waits

STDERR_KEPT = 1 << 16
"""Bytes of stderr that an observation holds."""

STDOUT_KEPT = 1 << 25
"""Bytes of stdout that an observation holds: a flood goes on without it."""

AT_ONCE = 1 << 16
"""Bytes that a pipe takes whether or not they are read."""

MOST_SPARES = 2
"""Processes that are started before they are needed: short checks come in a row."""

NO_FIELDS: Mapping[str, Any] = MappingProxyType({})

CAME = Wait("came")
"""How most waits end."""

HELD = frozenset({Verdict.PASSED, Verdict.RECORDED, Verdict.NOT_APPLICABLE})
"""Verdicts after which a check is not tried again."""

OF_PACE = frozenset({"order", "held-together", "events-held-back"})
"""Kinds of failure that are a matter of how long tools take."""

OF_TIME = OF_PACE | {
    *("no-answer", "deaf", "no-exit", "held-back"),
    *("run-unanswered", "run-unended"),
}
"""Kinds of failure that a longer wait may change."""

_START = Case(
    Check("start", "The subject starts.", (), "must", "settled", "scenario"), ()
)
"""What is observed while a subject is started."""


@dataclass(slots=True)
class Outcome:
    """What came of a check.

    Attributes:
        judgement: What it means.
        observation: What the try that counts saw.
        tries: How often the check was tried.
        by_the_way: What monitors noticed in other tries and when the subject was
            started: each with the observation that shows it.
        stderr: The end of the subject's stderr.
        seen: How many frames came, and how many of each kind.
        unproven: What a verdict that counts as success means instead; None if it
            means what it says.
    """

    judgement: Judgement
    observation: Observation
    tries: int = 1
    by_the_way: list[tuple[Reason, Observation]] = field(default_factory=list[Any])
    stderr: str = ""
    seen: Counter[str] = field(default_factory=Counter[str])
    unproven: Judgement | None = None


class _Try:
    """One try of a check, or the start of a process, while it is under way."""

    def __init__(self, case: Case, observation: Observation, rules: Rules) -> None:
        self.case = case
        self.seen = observation
        self.walk = Walk(case, observation, rules)
        self.began = time.monotonic()
        self.allowance = 0.0
        self.stderr_size = self.stdout_size = 0
        self.ended_early: set[Key] = set()

    def note(self, event: Event) -> None:
        if isinstance(event, Sent):
            self.allowance += len(event.data) / BYTES_A_SECOND
        self.seen.events.append(event)
        self.walk.take(event)

    @property
    def now(self) -> float:
        return time.monotonic() - self.began


class Runner:
    """Carries out checks on one subject, each as often as the verdict needs.

    Attributes:
        waits: How long is waited.
        starts: How often the subject was started.
        controlled: Whether a control was ever answered with success.
        held_back: Whether the subject comes up only if its output is not buffered.
        starts_ahead: How many checks are still to come that cost a process: the next
            ones are started before they are needed.
        before_answer: The frames that came before the latest response to `ask`.
    """

    def __init__(
        self,
        driver: Driver,
        rules: Rules,
        waits: Waits,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            driver: How the subject is started and asked.
            rules: Which clause a fault breaks.
            waits: How long is waited.
            tell: Shows the user a line of text; None if nobody reads it.
        """
        self.waits = waits
        self._tell = tell
        self.starts = 0
        self.controlled = False
        self.held_back = False
        self.starts_ahead = 0
        self.before_answer: list[Any] = []
        self._driver = driver
        self._rules = rules
        self._several: Connections | None = driver.connections
        self._on = MAIN
        self._process: Link | None = None
        self._spares: deque[Link] = deque()
        self._is_spare = self._has_failed = False
        self._last_stderr = ""
        self._unflushed: Observation | None = None
        self._marker = new_marker()
        self._served = 0
        self._carried: Carried = NOTHING
        self._confirmed: Counter[tuple[str, ...]] = Counter()
        self._by_the_way: list[tuple[Reason, Observation]] = []
        self._try = _Try(_START, Observation(_START.check.id), rules)
        self._start = self._try.seen
        self._ended_noted = True
        self._was_left_up = False

    # --- checks

    def run(self, case: Case, *, brief: bool = False) -> Outcome:
        """Carry out a check, and once more if the verdict needs it.

        Args:
            case: The check and its steps.
            brief: Whether brief waits are enough for its failures.
        """
        self._by_the_way = []
        first = self._tried(case, full=False)
        self._has_failed = first.judgement.verdict not in HELD
        if first.judgement.verdict in HELD or first.observation.not_up:
            return first
        kind = first.judgement.reason.kind if first.judgement.reason else ""
        of_pace = case.timed or first.judgement.of_pace or kind in OF_PACE
        of_time = of_pace or kind in OF_TIME
        # A subject that is silent about one thing is not slower in all others.
        alike = first.judgement.reason.key[:2] if first.judgement.reason else ()
        is_known = brief or self._confirmed[alike] >= CONFIRMED
        is_at_rest = self._is_up and self._try.walk.talk.is_at_rest
        used = first.observation.used
        is_final = not used and (is_known or not of_time)
        if not (is_final and is_at_rest and self._keeps_nothing):
            self.stop()
            self._drop_spares()
        if is_final:
            return first
        # What came in the first try came, whatever the second one shows.
        findings = first.judgement.findings
        self._by_the_way += [(one, first.observation) for one in findings]
        if of_pace and not is_known:
            case = replace(case, time_scale=SLOWER)
        # A fresh process is slower than a used one, whatever failed on that.
        full = not (of_time and is_known)
        second = self._tried(case, full=full)
        second.tries = 2
        if second.judgement.verdict in HELD:
            if kind == "exited":
                self._left("ended-unanswered", first.observation)
        else:
            again = second.judgement.reason
            self._confirmed[again.key[:2] if again else ()] += 1
            self.stop()
        second.by_the_way = self._by_the_way
        return second

    def stop(self) -> None:
        """End the subject, if there is one."""
        self._was_left_up = False
        if self._process is not None:
            self._last_stderr = self._process.stderr_tail()
            self._process.release()
            self._process = None

    @property
    def seen(self) -> Observation:
        """What the try that is under way, or was the last, has seen."""
        return self._try.seen

    def finish(self) -> list[tuple[Reason, Observation]]:
        """End the subject and all that it has started.

        Returns:
            What monitors noticed in what it wrote when its input was closed.
        """
        self._by_the_way = []
        process = self._process
        if process is not None and self._is_up and self._several is None:
            self._begin(_START)
            self._close_input()
            self._wait(lambda: process.ended, self.waits.seconds("exit", full=False))
            self._note_end()
            self._report_start()
        self.stop()
        self._drop_spares()
        kill_strays(self._marker)
        return self._by_the_way

    def bring_up(self) -> Reason | None:
        """Bring the subject up; return why it is not up."""
        if self._up(bare=False):
            return None
        return Walk(_START, self._start, self._rules).judgement().reason

    def ask(self, request: Request) -> Answer:
        """Send a request of the caller's own to a subject that was brought up."""
        if not self._up(bare=False):
            return Answer("exited")
        self._begin(_START)
        answer = self._ask(request, "answer")
        self._carried = self._try.walk.talk.carried()
        # The response is the last of them.
        self.before_answer = [one for _, one in self._try.walk.talk.log][:-1]
        return answer

    def put(self, request: Request) -> Key | None:
        """Send a request of the caller's own on the first connection, and go on.

        Returns:
            Its key for `answer_to`; None if the subject cannot be reached.
        """
        is_reached = self._up(bare=False) and self._turn(MAIN)
        return self._write(request) if is_reached else None

    def answer_to(self, request: Request, key: Key) -> Answer:
        """Wait for the response to a request that `put` has sent."""
        talk = self._try.walk.talk
        seconds = self.waits.seconds("answer") + self._delay()
        # What is no request may be refused without its id.
        self._wait(lambda: talk.has_answer(key) or bool(talk.strays), seconds)
        frame = talk.answer(key) or talk.unasked()
        if frame is not None:
            return self._answer_of(request, frame)
        is_gone = self._process is None or self._process.ended
        return Answer(self._how_it_ended() if is_gone else "silent")

    @property
    def log(self) -> list[tuple[Any, Any]]:
        """All frames so far on all connections, each with the request it is about."""
        if self._process is not None:
            self._process.pump(0)
        return self._try.walk.log

    @property
    def stderr(self) -> str:
        """The end of what the process in hand wrote on stderr, or the last one."""
        if self._process is None:
            return self._last_stderr
        return self._process.stderr_tail()

    def in_parts(self, case: Case) -> Generator[None, None, Outcome]:
        """Carry out a check once; pause after each step."""
        return self._carry_out(case, full=True)

    def _tried(self, case: Case, *, full: bool) -> Outcome:
        parts = self._carry_out(case, full=full)
        while True:
            try:
                next(parts)
            except StopIteration as end:
                outcome: Outcome = end.value
                return outcome

    def _carry_out(self, case: Case, *, full: bool) -> Generator[None, None, Outcome]:
        if (case.fresh and self._served) or case.bare:
            self.stop()
        if self._several is not None and self._process is not None:
            self._several.begin(case.steps)
        if not self._up(bare=case.bare):
            return self._not_up(case)
        if self._unflushed is not None and self._is_about_flushing(case.check):
            seen = replace(self._unflushed, check=case.check.id)
            walk = Walk(case, seen, self._rules)
            return Outcome(walk.judgement(), seen, 1, self._by_the_way)
        lacks, is_running = self._begin_check(case)
        while not is_running:
            # A control has ended the subject: the check is carried out on another one.
            self._was_left_up = False
            if not self._up(bare=False):
                return self._not_up(case)
            lacks, is_running = self._begin_check(case)
        tried = self._try
        for names in (tried.seen.names, tried.walk.names):
            names.update(self._driver.names)
        if isinstance(lacks, NotUp):
            tried.seen.not_up = lacks
            walk = Walk(case, tried.seen, self._rules)
            stderr = self.stderr
            return Outcome(walk.judgement(), tried.seen, 1, self._by_the_way, stderr)
        if isinstance(lacks, Reason):
            verdict = Judgement(Verdict.NOT_APPLICABLE, case.check.level, lacks)
            return Outcome(verdict, tried.seen, 1, self._by_the_way)
        for number, step in enumerate(case.steps):
            self._step(number, step, full=full)
            if tried.walk.has_failed:
                break
            yield
        else:
            self._last_fence(full=full)
        self._served += 1
        if self._several is not None:
            self._several.end()
        if case.bare:
            # The driver does not know a process that it has not begun.
            self.stop()
        self._was_left_up = self._is_up
        self._carried = tried.walk.talk.carried()
        walk = tried.walk
        if self._several is None:
            log, came = walk.talk.log, walk.talk.seen
            came["frames"] = walk.talk.frames
        else:
            log, came = walk.log, walk.seen
        self._driver.observe(log)
        judgement = walk.judgement()
        unproven = None
        if isinstance(lacks, Unproven):
            seen = replace(tried.seen, not_up=lacks.why)
            unproven = Walk(case, seen, self._rules).judgement()
        stderr = (
            "" if judgement.verdict in HELD and not judgement.findings else self.stderr
        )
        by_the_way = self._by_the_way
        return Outcome(judgement, tried.seen, 1, by_the_way, stderr, came, unproven)

    def _not_up(self, case: Case) -> Outcome:
        seen = replace(self._start, check=case.check.id)
        walk = Walk(case, seen, self._rules)
        return Outcome(walk.judgement(), seen, 1, self._by_the_way, self.stderr)

    def _begin_check(self, case: Case) -> tuple[Reason | NotUp | Unproven | None, bool]:
        """Return what a check lacks, and whether the subject still runs."""
        if self._several is not None:
            self._several.begin(case.steps)
        self._begin(case)
        was_up = self._is_up
        lacks = self._driver.lacking(case.check, self._ask_in_full)
        return lacks, case.bare or self._is_up or not was_up

    def _last_fence(self, *, full: bool) -> None:
        """Prove that the subject lives, on each connection that should be served."""
        if self._several is None:
            if self._process is not None and self._process.input_open:
                self._fence(LAST_FENCE, full=full)
            return
        walk = self._try.walk
        for on in self._several.alive():
            if walk.is_left_out(on) or walk.has_failed:
                continue
            if self._turn(on):
                self._fence(LAST_FENCE, full=full)
            else:
                self._try.note(StepDone(LAST_FENCE, Wait("unreached")))

    def _is_about_flushing(self, check: Check) -> bool:
        rules = self._rules.of("held-back")
        return any(rule.clause in check.clauses for rule in rules)

    def _begin(self, case: Case) -> _Try:
        # What was started beside another process is not as good as fresh.
        is_used = (self._served > 0 and not self._keeps_nothing) or self._is_spare
        names = dict(self._driver.names)
        carried = self._carried if self._several is None else NOTHING
        seen = Observation(case.check.id, is_used, names, carried)
        self._on = MAIN
        self._try = _Try(case, seen, self._rules)
        return self._try

    def _left(
        self, kind: str, seen: Observation, fields: Mapping[str, Any] = NO_FIELDS
    ) -> None:
        """Report what the subject did between checks, or what a second try left out."""
        for rule in self._rules.of(kind):
            if rule.clause:
                reason = Reason(kind, rule.clause, {**fields, "level": rule.level})
                self._by_the_way.append((reason, seen))

    @property
    def _keeps_nothing(self) -> bool:
        return self._several is not None and not self._several.keeps

    # --- the process

    @property
    def _is_up(self) -> bool:
        process = self._process
        return process is not None and not process.ended and process.input_open

    def _up(self, *, bare: bool) -> bool:
        """Bring the subject up, unless it is; return whether it is."""
        if self._process is not None:
            self._process.pump(0)
        if self._is_up:
            return True
        if self._process is not None and self._was_left_up:
            self._left("ended-by-itself", self._try.seen)
        self.stop()
        is_known = self.waits.is_proven("start") and self._start.not_up is not None
        # A check of a process that was asked nothing says by itself what comes of it.
        if is_known and not bare:
            return False
        self._begin_start()
        if bare:
            # Nothing has shown that a process which began beside another comes up.
            self._drop_spares()
        else:
            self._start = self._try.seen
        spare = self._taken_spare()
        self._is_spare = spare is not None
        if not self._launch(spare):
            return False
        if bare:
            return True
        not_up = self._driver.begin(self._ask_at_start)
        if not_up is not None and self._is_spare:
            # A subject may allow one process of it at a time.
            self.starts_ahead = 0
            self._drop_spares()
            self.stop()
            return self._up(bare=False)
        if not_up is not None and not_up.kind == "held-back" and not self.held_back:
            self._read_to_the_end()
            self._report_start()
            self._left(not_up.kind, self._try.seen)
            self._unflushed = replace(self._try.seen, not_up=not_up)
            self.held_back = True
            self._drop_spares()
            return self._up(bare=False)
        if not_up is not None:
            status = self._process.exit_status if self._process else None
            not_up = NotUp(not_up.kind, {"status": status, **not_up.fields})
        self._try.seen.not_up = not_up
        self._report_start()
        self._carried = self._try.walk.talk.carried()
        if not_up is not None:
            self._left(not_up.kind, self._start, not_up.fields)
            self.waits.in_vain("start")
            self.stop()
            return False
        self.waits.forget("start")
        self.controlled = True
        self._start_spares()
        return True

    def _begin_start(self) -> None:
        self._carried = NOTHING
        self._served = 0
        self._begin(_START)

    def _launch(self, spare: Link | None) -> bool:
        self._ended_noted = False
        try:
            self._process = spare or self._new_process()
            if self._several is not None:
                self._several.take(self._process)
        except SubjectStartError as error:
            self._start = self._try.seen
            self._start.not_up = NotUp("not-started", {"detail": error.detail})
            self.waits.in_vain("start")
            self.waits.in_vain("start")
            return False
        self.starts += 1
        return True

    def _new_process(self) -> Link:
        if self._several is not None:
            sink = Sink(
                self._on_data,
                self._on_stderr,
                self._on_open,
                partial(self._on_close, by_subject=True),
                partial(self._on_close, by_subject=False),
                self._on_run,
                self._on_note,
            )
            return self._several.start(sink, self._marker)
        added: Mapping[str, str] = UNBUFFERED if self.held_back else {}
        return SubjectProcess(
            tuple(self._driver.command),
            environment={**self._driver.environment, **added},
            folder=self._driver.folder,
            on_stdout=self._on_data,
            on_stderr=self._on_stderr,
            marker=self._marker,
        )

    def _start_spares(self) -> None:
        if self._has_failed or self._several is not None:
            # The next check may fail as well, and is then tried on a fresh process; and
            # servers may share the place in which they are reached.
            return
        # Without room for one more process each is started when it is needed.
        with suppress(SubjectStartError):
            while len(self._spares) < min(self.starts_ahead, MOST_SPARES):
                self._spares.append(self._new_process())

    def _taken_spare(self) -> Link | None:
        """Return a process that was started beside another one and still runs."""
        while self._spares:
            spare = self._spares.popleft()
            if spare.is_running:
                return spare
            spare.release()
        return None

    def _drop_spares(self) -> None:
        while self._spares:
            self._spares.pop().release()

    def _report_start(self) -> None:
        """Report the faults of what came while the subject was started."""
        findings = self._try.walk.judgement().findings
        self._by_the_way += [(one, self._try.seen) for one in findings]

    def _ask_at_start(self, request: Request) -> Answer:
        """Ask the first requests of a process; find out why one is not answered."""
        process, talk = self._process, self._try.walk.talk
        came = talk.frames
        key = self._write(request)
        most = self.waits.seconds("start")
        early = min(EARLY_SECONDS, most)
        what = "an answer" if talk.frames else "the first answer"
        notice = self._notice(what, most)
        if self._wait(lambda: talk.has_answer(key), early, notice):
            return self._answer_of(request, talk.answer(key))
        if process is None or process.ended:
            return Answer(self._how_it_ended())
        second = self._write(self._driver.control())
        soon = min(self.waits.seconds("answer"), most - early)
        waited = early + soon
        self._wait(lambda: talk.has_answer(key), soon, notice)
        if not talk.has_answer(key) and talk.frames == came:
            # What writes other frames has started.
            waited = most
            self._wait(lambda: talk.has_answer(key), most - early - soon, notice)
        if not talk.has_answer(key):
            found = self._unanswered_start()
            return found._replace(value=talk.latest_unasked, seconds=waited)
        if self._is_held_back(second):
            return Answer("held-back")
        return self._answer_of(request, talk.answer(key))

    def _is_held_back(self, key: Key) -> bool:
        """Return whether a control is answered only when the next one is sent.

        Args:
            key: The control that was sent last; the one before it was just answered.
        """
        for _ in range(2):
            if self._is_answered(key, "absence"):
                return False
            before, key = key, self._write(self._driver.control())
            if not self._is_answered(before, "nudge"):
                return False
        return True

    def _is_answered(self, key: Key, kind: Kind) -> bool:
        talk = self._try.walk.talk
        return self._wait(lambda: talk.has_answer(key), self.waits.seconds(kind))

    def _read_to_the_end(self) -> None:
        """Close the input, and read what the process still has to say."""
        if (process := self._process) is not None and not process.ended:
            self._close_input()
            self._wait(lambda: process.ended, self.waits.seconds("absence"))
        self._note_end()

    def _unanswered_start(self) -> Answer:
        """Close the input of a subject that gave no answer; see what is released."""
        process, talk = self._process, self._try.walk.talk
        if process is None or process.ended:
            return Answer(self._how_it_ended())
        came = talk.frames
        self._close_input()
        self._wait(lambda: process.ended, self.waits.seconds("exit"))
        self._note_end()
        return Answer("held-back" if talk.frames > came else "silent")

    @staticmethod
    def _answer_of(request: Request, frame: Frame | None) -> Answer:
        value = frame.value if frame is not None else None
        return Answer("answered" if request.accepts(value) else "refused", value)

    # --- bytes

    def _on_open(self, on: str) -> None:
        self._try.note(Opened(self._try.now, on))

    def _on_close(self, on: str, *, by_subject: bool) -> None:
        self._try.note(Closed(self._try.now, on, by_subject))

    def _on_run(self, run: Ran) -> None:
        if run.own and run.ended == "exited":
            self.waits.measured(run.seconds)
        self._try.note(replace(run, at=self._try.now - run.seconds))

    def _on_note(self, note: Noted) -> None:
        self._try.note(replace(note, at=note.at - self._try.began))

    def _on_data(self, data: bytes, on: str = MAIN) -> None:
        tried = self._try
        tried.stdout_size += len(data)
        event = Received(time.monotonic() - tried.began, data, on=on)
        if tried.stdout_size <= STDOUT_KEPT:
            tried.note(event)
        else:
            tried.seen.cut = True
            tried.walk.take(event)

    def _on_stderr(self, data: bytes) -> None:
        data = data[: max(0, STDERR_KEPT - self._try.stderr_size)]
        self._try.stderr_size += len(data)
        if not data:
            return
        self._try.note(Received(self._try.now, data, stderr=True))

    def _send(self, data: bytes, cut: Sequence[int] = (), *, own: bool = False) -> None:
        event = Sent(self._try.now, data, own, on=self._on)
        process = self._process
        if process is None:
            self._try.note(event)
            return
        for begin, end in pairwise((0, *cut, len(data))):
            if begin > 0:
                self._await_read(process)
            process.send(data[begin:end])
            if begin == 0:
                # The subject reads it while we do.
                self._try.note(event)

    def _await_read(self, process: Link) -> None:
        """Wait until the subject has read what was written; it gives no sign."""
        limit = time.monotonic() + self.waits.seconds("nudge")
        while not process.input_consumed() and time.monotonic() < limit:
            process.pump(READ_POLL)

    def _close_input(self) -> None:
        process = self._process
        if process is None:
            return
        self._wait(lambda: not process.unsent, self.waits.seconds("close"))
        process.close_input()
        self._try.note(Sent(self._try.now, b"", eof=True, on=self._on))

    def _notice(self, what: str, seconds: float) -> Notice:
        """Return what tells the user of a long wait."""
        return Notice(self._tell, f"{what} of the subject", seconds)

    def _wait(
        self, until: Callable[[], bool], seconds: float, notice: Notice | None = None
    ) -> bool:
        """Read and write until a condition holds, or for so long; return whether."""
        process = self._process
        if notice is None and seconds >= LONG_SECONDS:
            notice = self._notice("an answer", seconds)
        limit = time.monotonic() + seconds
        while not until():
            left = limit - time.monotonic()
            if left <= 0 or process is None or process.ended:
                self._note_end()
                return until()
            process.pump(left if notice is None else notice.due_in(left))
        return True

    def _note_end(self) -> None:
        """Note the end of the process, once."""
        process = self._process
        if process is None or self._ended_noted:
            return
        if process.ended and process.exit_status is not None:
            self._ended_noted = True
            self._try.note(Ended(self._try.now, process.exit_status))

    def _how_it_ended(self) -> Literal["exited", "closed"]:
        """Return what has ended: the subject, or the connection in hand alone."""
        process = self._process
        is_gone = process is None or process.exit_status is not None
        return "exited" if is_gone else "closed"

    def _turn(self, on: str) -> bool:
        """Take a connection in hand; return whether it is open."""
        if self._several is None or not self._several.turn(on):
            return False
        self._on = on
        self._try.walk.turn(on)
        return True

    # --- requests of the runner's own

    def _ask_in_full(self, request: Request) -> Answer:
        return self._ask(request, "answer")

    def _write(self, request: Request, *, own: bool = True) -> Key:
        key = self._rules.dialect().key(request.message)
        if key is None:
            raise ValueError(f"a request of the runner has no id: {request.message!r}")
        self._send(written(request.message), own=own)
        return key if self._several is None else own_key(key)

    def _ask(self, request: Request, kind: Kind, *, full: bool = True) -> Answer:
        talk = self._try.walk.talk
        is_alone = not talk.waiting
        began = time.monotonic()
        key = self._write(request)
        seconds = self.waits.seconds(kind, full=full) + self._try.allowance
        left_before = talk.outstanding
        while not self._wait(lambda: talk.has_answer(key), seconds):
            # Before it the subject answers what was sent before it.
            if talk.outstanding < left_before:
                left_before = talk.outstanding
                continue
            process = self._process
            is_gone = process is None or process.ended
            return Answer(self._how_it_ended() if is_gone else "silent")
        if is_alone:
            self.waits.measured(time.monotonic() - began)
        return self._answer_of(request, talk.answer(key))

    def _carry(self, request: Request, extra: float, *, full: bool) -> Came:
        """Send a request of a check; wait for its response, or a line that is none."""
        talk = self._try.walk.talk
        known = len(talk.findings)
        began = time.monotonic()
        key = self._write(request, own=False)
        seconds = self.waits.seconds("answer", full=full) + self._try.allowance + extra
        self._wait(lambda: talk.has_answer(key) or len(talk.findings) > known, seconds)
        took = time.monotonic() - began
        if len(talk.findings) > known:
            return Came("garbled", talk.findings[known].line, took)
        if (frame := talk.answer(key)) is not None:
            ended, value, _ = self._answer_of(request, frame)
            return Came(ended, value, took)
        if self._process is None or self._process.ended:
            return Came(self._how_it_ended(), None, took)
        is_brief = not full and self.waits.is_proven("answer")
        if not is_brief:
            self.waits.in_vain("answer")
        return Came("silent", None, took, is_brief)

    # --- steps

    def _step(self, number: int, step: Mapping[str, Any], *, full: bool) -> None:
        tried = self._try
        wait: Wait | None = None
        seen: Any = None
        is_own = self._several is not None and self._several.is_own(step)
        if self._several is not None and not is_own and not STEPS.isdisjoint(step):
            on = step.get("on", MAIN)
            if tried.walk.is_left_out(on) or not self._turn(on):
                is_left_out = tried.walk.is_left_out(on)
                wait = None if is_left_out else Wait("unreached")
                tried.note(StepDone(number, wait))
                return
        if self._several is not None and is_own:
            seen = self._several.carry_out(step, self._hands(full=full))
        elif "send_raw" in step:
            data = raw_bytes(step["send_raw"], tried.walk.names)
            self._send(data, _cuts(step, data) if "cut" in step else ())
        elif "send" in step or "send_many" in step:
            messages = [step["send"]] if "send" in step else step["send_many"]
            is_early = step.get("waits") is False
            before = tried.walk.talk.waiting if is_early or tried.ended_early else None
            names, scale = tried.walk.names, tried.case.time_scale
            data = b"".join(
                written(expand(one, names, time_scale=scale)) for one in messages
            )
            self._send(data, _cuts(step, data) if "cut" in step else ())
            if before is not None:
                new = {*tried.walk.talk.waiting} - {*before}
                # An id may be used again.
                early = tried.ended_early - new
                tried.ended_early = early | new if is_early else early
            if step.get("unread") and self._process is not None:
                self._process.await_full_stdout(self.waits.seconds("nudge"))
        elif "expect" in step:
            wait = self._expect(step, full=full)
        elif "fence" in step or "expect_optional" in step:
            self._fence(number, full=full)
            return
        elif "close_input" in step:
            self._close_input()
        elif "expect_exit" in step:
            wait = self._exit(step, full=full)
        elif "restart" in step:
            wait = self._restart()
        tried.note(StepDone(number, wait, seen))

    def _hands(self, *, full: bool) -> Hands:
        """Return what steps of a protocol's own are carried out with."""

        def carry(request: Request, extra: float) -> Came:
            return self._carry(request, extra, full=full)

        def seconds(within: float) -> float:
            return self._seconds_of_look(within, full=full)

        def in_vain() -> None:
            self.waits.in_vain("look")

        def sent(data: bytes) -> None:
            self._try.note(Sent(self._try.now, data, on=self._on))

        names, scale = self._try.walk.names, self._try.case.time_scale
        ask = self._ask_in_full
        return Hands(ask, carry, self._turn, seconds, in_vain, sent, names, scale)

    def _seconds_of_look(self, within: float, *, full: bool) -> float:
        """Return how long is waited for what is due within so many seconds."""
        seconds = self.waits.seconds("look", full=full)
        is_brief = self.waits.is_proven("look") and not full
        return seconds if is_brief else max(seconds, within)

    def _fence(self, number: int, *, full: bool) -> None:
        answer, finding = self._control(full=full)
        match answer.ended:
            case "answered":
                wait = Wait("came", finding=finding)
            case "exited" | "closed":
                wait = Wait(answer.ended)
            case _:
                seconds = self.waits.seconds("answer", full=full)
                if answer.ended == "silent" and full:
                    self.waits.in_vain("answer")
                wait = Wait(
                    "silent",
                    answer.ended,
                    seconds=seconds,
                    brief=not full,
                    answer=answer.value,
                )
        self._try.note(StepDone(number, wait))

    def _control(self, *, full: bool) -> tuple[Answer, str]:
        """Ask the control; if it is refused, see whether the check is the reason."""
        answer = self._ask(self._driver.control(), "answer", full=full)
        # A process that no check may share was not asked at its start.
        self.controlled |= answer.ended == "answered"
        if answer.ended != "refused":
            return answer, ""
        finding = self._driver.recover(self._ask_in_full)
        return (Answer("answered"), finding) if finding else (answer, "")

    def _expect(self, step: Mapping[str, Any], *, full: bool) -> Wait:
        """Wait for the frames of an expectation; ask a quiet subject the control."""
        walk, wanted = self._try.walk, step.get("times", 1)

        def is_decided() -> bool:
            return walk.came(step) >= wanted or not walk.can_come(step)

        if is_decided() and "or" not in step:
            return CAME
        kind: Kind = "answer" if full else "nudge"
        if self._try.case.bare and not walk.talk.frames:
            # Nothing was asked of this process when it was started.
            kind = "start"
        seconds = self.waits.seconds(kind) + self._try.allowance
        if self._try.allowance * BYTES_A_SECOND > AT_ONCE:
            self._let_it_read(is_decided, seconds)
        if self._wait(is_decided, seconds):
            if "or" not in step:
                return CAME
            # A subject that has refused a line may close the connection.
            return Wait("came", self._control(full=full)[0].ended)
        delay = self._delay()
        seconds += delay
        is_here = self._wait(is_decided, delay)
        came = 0
        while not is_here and walk.came(step) > came:
            # A stream of frames is waited for as long as it goes on.
            came = walk.came(step)
            is_here = self._wait(is_decided, seconds)
        if is_here:
            return CAME
        if self._process is None or self._process.ended:
            return Wait(self._how_it_ended(), seconds=seconds)
        answer, finding = self._control(full=full)
        if not is_decided() and answer.ended == "answered":
            self._wait(is_decided, self.waits.seconds("absence"))
        is_gone = answer.ended in {"exited", "closed"}
        ended: WaitEnd = self._how_it_ended() if is_gone else "silent"
        if is_late := is_decided() and not is_gone:
            ended = "came"
        return Wait(ended, answer.ended, is_late, seconds, not full, finding)

    def _let_it_read(self, is_decided: Callable[[], bool], seconds: float) -> None:
        """Wait as long as the subject goes on reading: its answer is not due yet."""
        left = [self._process.unsent if self._process is not None else 0]

        def is_less() -> bool:
            process = self._process
            return is_decided() or process is None or process.unsent < left[-1]

        while left[-1] and self._wait(is_less, seconds) and not is_decided():
            left.append(self._process.unsent if self._process is not None else 0)

    def _delay(self) -> float:
        """Return the seconds that tools were asked to take by what waits for them."""
        talk, ended = self._try.walk.talk, self._try.ended_early
        return sum(asked_delay(talk.request(k)) for k in talk.waiting if k not in ended)

    def _exit(self, step: Mapping[str, Any], *, full: bool) -> Wait:
        process = self._process
        within = step["expect_exit"]["within_ms"] / 1000
        seconds = self.waits.seconds("exit", full=full)
        if full or not self.waits.is_proven("exit"):
            seconds = max(seconds, within)
        seconds += self._delay()
        if process is None or self._wait(lambda: process.ended, seconds):
            self._note_end()
            return Wait("came", seconds=seconds)
        self.waits.in_vain("exit")
        return Wait("silent", seconds=seconds)

    def _restart(self) -> Wait:
        tried = self._try
        self.stop()
        # What was started before the other had ended is no new start.
        self._drop_spares()
        is_up = self._up(bare=False)
        self._try = tried
        if not is_up:
            return Wait("silent")
        names = dict(self._driver.names)
        tried.note(Restarted(tried.now, names, self._carried))
        return Wait("came")


def _cuts(step: Mapping[str, Any], data: bytes) -> Sequence[int]:
    cut: Any = step["cut"]
    if cut == "every-byte":
        return range(1, len(data))
    return [place for place in cut if 0 < place < len(data)]
