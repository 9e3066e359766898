"""How a subject behind a driver is started and asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wireproof.bridge._messages import (
    Answer,
    Description,
    Misfit,
    description_of,
    read_answer,
)
from wireproof.checks import Result, Verdict
from wireproof.judge import MAIN
from wireproof.run import Came, Hands, NotUp, PlainDriver, Request, not_up
from wireproof.subjects import SubjectProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Check, Settings, SubjectFacts, Target
    from wireproof.judge import Reason
    from wireproof.run import Answer as RunnersAnswer
    from wireproof.run import Sink, Unproven

SHOWN_LINE = 200
"""Characters of a line that is no answer."""


class Told(NamedTuple):
    """What came of an op.

    Attributes:
        answer: The answer; None if none came that fits the bridge.
        seen: The same as JSON: ``op``; how it ``ended``, which is ``answered`` or what
            the driver did instead; ``value`` or ``error``; the ``seconds`` that it
            took; a ``text`` about what does not fit, the ``status`` with which the
            driver ended, and whether it was waited for briefly, as ``brief``.
    """

    answer: Answer | None
    seen: dict[str, Any]


class _Process(SubjectProcess):
    """The driver's process; what belongs to it ends with it."""

    on_release: Callable[[], None]

    def release(self) -> None:
        """End the process, then what belongs to it."""
        super().release()
        self.on_release()


class BridgeOps:
    """The ops of a driver, in place of connections to it.

    Attributes:
        keeps: Whether a subject may keep something from one check to the next.
        target: The subject.
        settings: The user's options.
        environment: All variables of the driver.
        process: The driver; None before the first start.
        sink: Where what happens is told.
        described: What the driver says of itself; None before it has.
        names: The values that steps refer to by name.
        misfit: The first answer that does not fit the bridge; "" if each does.
    """

    keeps = True

    def __init__(
        self, target: Target, settings: Settings, environment: Mapping[str, str]
    ) -> None:
        """Prepare; nothing is started.

        Args:
            target: The subject.
            settings: The user's options.
            environment: All variables of the driver.
        """
        self.process: SubjectProcess | None = None
        self.sink: Sink | None = None
        self.described: Description | None = None
        self.names: dict[str, Any] = {}
        self.misfit = ""
        self.target = target
        self.settings = settings
        self.environment = environment
        self._number = 0

    # --- what the runner asks

    def start(self, sink: Sink, marker: str) -> SubjectProcess:
        """Start the driver.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        self.sink = sink
        process = _Process(
            self.target.command,
            environment=self.environment,
            folder=self.settings.folder,
            on_stdout=lambda data: sink.received(data, MAIN),
            on_stderr=sink.stderr,
            marker=marker,
        )
        process.on_release = self.end
        return process

    def take(self, link: Any) -> None:
        """Use a process that was started from now on."""
        self.process = link

    def begin(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Begin a check."""

    def end(self) -> None:
        """End a check, or the driver."""

    def turn(self, on: str) -> bool:
        """Return whether the driver runs: there is one conversation with it."""
        return self.process is not None and self.process.input_open

    def alive(self) -> Sequence[str]:
        """Return nothing: no op may follow those of a check."""
        return ()

    def is_own(self, step: Mapping[str, Any]) -> bool:
        """Return True: each step is an op, or looks at what one has done."""
        return True

    def carry_out(self, step: Mapping[str, Any], hands: Hands) -> Any:
        """Carry out a step; return what it saw, as JSON."""
        raise NotImplementedError

    def is_shown(self, steps: Sequence[Mapping[str, Any]], *, has_seen: bool) -> bool:
        """Return False: a line of shell does not wait for answers."""
        return False

    def line_of_shell(
        self, writes: Sequence[bytes], names: Mapping[str, Any], seconds: float
    ) -> str | None:
        """Return None: a line of shell does not wait for answers."""
        return None

    # --- ops

    def request(self, op: str, arguments: Mapping[str, Any]) -> Request:
        """Return the request of an op."""
        self._number += 1
        return Request({"id": self._number, "op": op, **arguments}, _is_carried_out)

    def told(self, op: str, came: Came | RunnersAnswer) -> Told:
        """Return what came of an op."""
        status = self.process.exit_status if self.process is not None else None
        seen: dict[str, Any] = {"op": op, "ended": came.ended, "text": ""}
        seen |= {"seconds": came.seconds, "status": status}
        if isinstance(came, Came):
            seen["brief"] = came.brief
        if came.ended == "garbled":
            line: bytes = came.value
            seen["text"] = line[:SHOWN_LINE].decode(errors="backslashreplace")
        if came.ended not in {"answered", "refused"}:
            return Told(None, seen)
        try:
            answer = read_answer(came.value, op)
        except Misfit as error:
            self.misfit = self.misfit or str(error)
            return Told(None, {**seen, "ended": "misfit", "text": str(error)})
        seen["ended"] = "answered"
        if answer.ok:
            seen["value"] = answer.value
        else:
            seen["error"] = answer.refusal
        return Told(answer, seen)


class BridgeDriver(PlainDriver):
    """How one subject behind a driver is started and asked.

    Attributes:
        names: The values that steps refer to by name: none to begin with.
        ops: How the driver is asked.
        described: What the driver says of itself; None before it has.
    """

    tools = ()
    forwarded = None

    def __init__(self, ops: BridgeOps) -> None:
        """Prepare; nothing is started."""
        self.command = ops.target.command
        self.environment = ops.environment
        self.folder = ops.settings.folder
        self.names = ops.names
        self.ops = ops

    @property
    def described(self) -> Description | None:
        """What the driver says of itself; None before it has."""
        return self.ops.described

    @property
    def connections(self) -> BridgeOps:
        """How the driver is asked."""
        return self.ops

    def begin(self, ask: Callable[[Request], RunnersAnswer]) -> NotUp | None:
        """Ask the driver what it offers."""
        came = ask(self.control())
        told = self.ops.told("describe", came)
        if told.seen["ended"] == "misfit":
            return NotUp("misfit", {"text": told.seen["text"]})
        if told.answer is None:
            return not_up(came)
        if not told.answer.ok:
            return NotUp("describe-refused", {"error": told.answer.refusal})
        try:
            self.ops.described = description_of(told.answer.value)
        except Misfit as error:
            self.ops.misfit = self.ops.misfit or str(error)
            return NotUp("misfit", {"text": str(error)})
        return None

    def lacking(
        self, check: Check, ask: Callable[[Request], RunnersAnswer]
    ) -> Reason | NotUp | Unproven | None:
        """Return None: nothing is known of what a check needs."""
        return None

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Return what is known of the subject as it is."""
        return facts

    def control(self) -> Request:
        """Return the op that every driver answers."""
        return self.ops.request("describe", {})

    def results(self) -> Sequence[Result]:
        """Return one result for the first answer that does not fit the bridge.

        It fails the run, and is charged to no clause of the protocol.
        """
        if not self.ops.misfit:
            return ()
        return [
            Result(
                f"{self.ops.target.protocol}/driver",
                (),
                "must",
                # Counts against both answers: nothing is known of the subject.
                "seed",
                Verdict.FAILED,
                self.ops.misfit,
                title="The driver's answers fit the bridge.",
                by_monitor=True,
            )
        ]


def _is_carried_out(message: Any) -> bool:
    return bool(message.get("ok") is True)


def plain_hands(ask: Callable[[Request], RunnersAnswer]) -> Hands:
    """Return what the steps of a control are carried out with."""

    def carry(request: Request, extra: float) -> Came:
        return Came(*ask(request))

    def turn(on: str) -> bool:
        return True

    def seconds(within: float) -> float:
        return within

    def in_vain() -> None:
        """Do nothing: a control says nothing about other waits."""

    def sent(data: bytes) -> None:
        """Do nothing: a driver is sent ops alone."""

    return Hands(ask, carry, turn, seconds, in_vain, sent, {})
