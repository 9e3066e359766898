"""What a protocol brings so that its subjects can be started and asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from wireproof.checks import Check, Result, SubjectFacts
    from wireproof.judge import Noted, Ran, Reason


AnswerEnd: TypeAlias = Literal[
    "answered", "refused", "silent", "exited", "closed", "held-back"
]
"""What came of a request of the runner's own: the success that is due, another answer,
none, the end of the subject or of the connection, or an answer that came only with the
next request or the end of the input."""


STEPS = frozenset(
    {
        *("send", "send_many", "send_raw", "expect", "expect_optional", "fence"),
        "close_input",
    }
)
"""Steps of all protocols for which a connection is taken in hand."""

COMMON_STEPS = STEPS | {"order", "gap", "took"}
"""Those, and steps that are about what has come already."""


class Request(NamedTuple):
    """A request of the runner's own.

    Attributes:
        message: The request.
        accepts: Returns whether a response is the success that is due.
    """

    message: Mapping[str, Any]
    accepts: Callable[[Any], bool]


class Answer(NamedTuple):
    """What came of a request of the runner's own.

    Attributes:
        ended: How it ended.
        value: The response; if none came, the latest frame that nothing asked for.
        seconds: How long it was waited for in vain.
    """

    ended: AnswerEnd
    value: Any = None
    seconds: float = 0.0


class Came(NamedTuple):
    """What came of a request of a check's own.

    Attributes:
        ended: How it ended; ``garbled`` with a line that is no answer.
        value: The response, or that line.
        seconds: How long it took.
        brief: Whether it was waited for briefly, since others were in vain.
    """

    ended: AnswerEnd | Literal["garbled"]
    value: Any = None
    seconds: float = 0.0
    brief: bool = False


class NotUp(NamedTuple):
    """Why a subject did not come up: the kind of a reason, and its fields."""

    kind: str
    fields: dict[str, Any]


class Unproven(NamedTuple):
    """Why what a subject does right proves nothing; what it does wrong is seen.

    Attributes:
        why: Why.
    """

    why: NotUp


def not_up(answer: Answer) -> NotUp | None:
    """Return why a subject is not up, by what came of its first request."""
    match answer.ended:
        case "answered":
            return None
        case "refused":
            return NotUp("control-refused", {"value": answer.value})
        case "held-back":
            return NotUp("held-back", {})
        case "exited" | "closed" | "silent":
            return NotUp(f"{answer.ended}-at-start", {"seconds": answer.seconds})


class Link(Protocol):
    """What carries bytes to a subject and back: a process, or connections to one."""

    @property
    def exit_status(self) -> int | None:
        """The exit status of the process; None while it runs."""
        ...

    @property
    def ended(self) -> bool:
        """Whether nothing more can come where the next bytes go."""
        ...

    @property
    def input_open(self) -> bool:
        """Whether the subject still takes bytes there."""
        ...

    @property
    def unsent(self) -> int:
        """How many bytes wait to be written."""
        ...

    @property
    def is_running(self) -> bool:
        """Whether the process runs."""
        ...

    def send(self, data: bytes) -> None:
        """Queue bytes; `pump` writes what does not fit at once."""
        ...

    def close_input(self) -> None:
        """Close the input once everything queued has been written."""
        ...

    def input_consumed(self) -> bool:
        """Return whether the subject has read all that was sent."""
        ...

    def await_full_stdout(self, seconds: float) -> None:
        """Read nothing until the subject can write no more, or for so long."""
        ...

    def pump(self, timeout: float) -> bool:
        """Wait for the subject to do something, and take it in."""
        ...

    def stderr_tail(self) -> str:
        """Return the end of what the subject wrote on stderr."""
        ...

    def release(self) -> None:
        """End the process and its group, and release every resource."""
        ...


class Sink(NamedTuple):
    """Where a link tells what happens.

    Attributes:
        received: Takes what came, and the connection.
        stderr: Takes what came on stderr.
        opened: Takes the name of a connection that was opened.
        closed: Takes that of one that the subject closed.
        dropped: Takes that of one that was closed on our side.
        ran: Takes a run of a program that is started for each request.
        noted: Takes what happened beside the conversation, with the time of the
            monotonic clock.
    """

    received: Callable[[bytes, str], None]
    stderr: Callable[[bytes], None]
    opened: Callable[[str], None]
    closed: Callable[[str], None]
    dropped: Callable[[str], None]
    ran: Callable[[Ran], None]
    noted: Callable[[Noted], None]


class Hands(NamedTuple):
    """What steps of a protocol's own are carried out with.

    Attributes:
        ask: Sends a request on the connection in hand, and returns what came of it.
        carry: Sends a request of the check's own, and returns what came of it: its
            response, or a line that is none. Takes seconds that it may take beside the
            usual.
        turn: Takes a connection in hand; returns whether it is open.
        seconds: How long is waited for what is due within so many seconds.
        in_vain: Takes note that such a wait ended in vain.
        sent: Takes note of bytes that the protocol has written by itself.
        names: The values that steps refer to by name.
        time_scale: Factor for the times that tools are asked to take.
    """

    ask: Callable[[Request], Answer]
    carry: Callable[[Request, float], Came]
    turn: Callable[[str], bool]
    seconds: Callable[[float], float]
    in_vain: Callable[[], None]
    sent: Callable[[bytes], None]
    names: Mapping[str, Any]
    time_scale: int = 1


class Connections(Protocol):
    """What a driver brings if its subjects are reached by several connections.

    Attributes:
        keeps: Whether a subject may keep something from one check to the next.
    """

    keeps: bool

    def start(self, sink: Sink, marker: str) -> Link:
        """Start a subject, or reach the one that runs.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        ...

    def take(self, link: Link) -> None:
        """Use a link that was started from now on."""
        ...

    def begin(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Begin a check of these steps: close the connections of the one before."""
        ...

    def end(self) -> None:
        """End a check, whatever came of it."""
        ...

    def turn(self, on: str) -> bool:
        """Take a connection in hand, opening it if need be; return whether it is."""
        ...

    def alive(self) -> Sequence[str]:
        """Return the connections that have to be served at the end of a check."""
        ...

    def is_own(self, step: Mapping[str, Any]) -> bool:
        """Return whether a step is one of the protocol's own."""
        ...

    def carry_out(self, step: Mapping[str, Any], hands: Hands) -> Any:
        """Carry out a step of the protocol's own; return what it saw, as JSON."""
        ...

    def is_shown(self, steps: Sequence[Mapping[str, Any]], *, has_seen: bool) -> bool:
        """Return whether one line of shell can show again what steps do.

        Args:
            steps: The steps of a vector; none if the check is another one.
            has_seen: Whether steps of the protocol's own have seen something.
        """
        ...

    def line_of_shell(
        self, writes: Sequence[bytes], names: Mapping[str, Any], seconds: float
    ) -> str | None:
        """Build one line of shell that sends writes on one connection.

        Args:
            writes: What is sent, each with time for its answer.
            names: The values that steps referred to by name.
            seconds: How long the subject was asked to work on it.

        Returns:
            The line; None if what is sent is too long for one.
        """
        ...


class PlainDriver:
    """What drivers have in common, unless they learn from the frames of checks."""

    def opening(self, writes: Sequence[bytes]) -> Sequence[bytes] | None:
        """Return nothing: no request has to come before those of a check."""
        return ()

    def recover(self, ask: Callable[[Request], Answer]) -> str:
        """Return "": a check changes nothing by which a control is refused."""
        return ""

    def observe(self, log: Sequence[tuple[Any, Any]]) -> None:
        """Take nothing: no clause leaves a choice that shows over all frames."""

    def recorded(self) -> Mapping[str, str]:
        """Return nothing, as `observe` has it."""
        return {}

    def results(self) -> Sequence[Result]:
        """Return nothing: there is no result beside those of checks and monitors."""
        return ()


class Driver(Protocol):
    """How subjects of a protocol are started and asked.

    Attributes:
        names: The values of the process in hand that steps refer to by name.
    """

    names: dict[str, Any]

    @property
    def connections(self) -> Connections | None:
        """How the subject is connected to; None if it has one pair of pipes."""
        ...

    @property
    def command(self) -> Sequence[str]:
        """The argument vector."""
        ...

    @property
    def environment(self) -> Mapping[str, str]:
        """All variables of the subject."""
        ...

    @property
    def folder(self) -> Path:
        """Where the subject is started."""
        ...

    @property
    def tools(self) -> Collection[str]:
        """The tools that the subject lists: their names mean something to it."""
        ...

    @property
    def forwarded(self) -> Sequence[str] | None:
        """The only variables that it gets; None if it gets the user's."""
        ...

    def begin(self, ask: Callable[[Request], Answer]) -> NotUp | None:
        """Bring up a process that was just started; return why it is not up."""
        ...

    def control(self) -> Request:
        """Return a plain valid request with an id of its own."""
        ...

    def opening(self, writes: Sequence[bytes]) -> Sequence[bytes] | None:
        """Return what a pipe sends before the writes of a check.

        Returns:
            The first writes; None if the next process would not know what was sent.
        """
        ...

    def recover(self, ask: Callable[[Request], Answer]) -> str:
        """Find out whether a refused control has to do with what a check changed.

        Returns:
            The kind of a fault if the control succeeds after all; empty if it does not.
        """
        ...

    def observe(self, log: Sequence[tuple[Any, Any]]) -> None:
        """Take the frames of a check, each with its request, for `recorded`."""
        ...

    def recorded(self) -> Mapping[str, str]:
        """Return what was seen over all frames, by the clause that leaves a choice."""
        ...

    def results(self) -> Sequence[Result]:
        """Return results beside those of checks and monitors."""
        ...

    def lacking(
        self, check: Check, ask: Callable[[Request], Answer]
    ) -> Reason | NotUp | Unproven | None:
        """Return what a check needs and the subject does not offer.

        Args:
            check: The check, which is about to be carried out.
            ask: Sends a request and returns what came of it.

        Returns:
            Why the check does not apply; why the subject is not up for it; or why
            nothing can pass.
        """
        ...

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the subject, beside its results."""
        ...
