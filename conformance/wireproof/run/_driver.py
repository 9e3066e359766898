"""What a protocol brings so that its subjects can be started and asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from wireproof.checks import Check, SubjectFacts
    from wireproof.judge import Reason


AnswerEnd: TypeAlias = Literal["answered", "refused", "silent", "exited", "held-back"]
"""What came of a request of the runner's own: the success that is due, another answer,
none, the subject's end, or an answer that came only with the next request or the end of
the input."""


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
        value: The response; None if none came.
    """

    ended: AnswerEnd
    value: Any = None


class NotUp(NamedTuple):
    """Why a subject did not come up: the kind of a reason, and its fields."""

    kind: str
    fields: dict[str, Any]


def not_up(answer: Answer) -> NotUp | None:
    """Return why a subject is not up, by what came of its first request."""
    match answer.ended:
        case "answered":
            return None
        case "refused":
            return NotUp("control-refused", {"value": answer.value})
        case "held-back":
            return NotUp("held-back", {})
        case "exited" | "silent":
            return NotUp(f"{answer.ended}-at-start", {})


class Driver(Protocol):
    """How subjects of a protocol are started and asked.

    Attributes:
        names: The values of the process in hand that steps refer to by name.
    """

    names: dict[str, Any]

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

    def lacking(self, check: Check) -> Reason | None:
        """Return what a check needs and the subject does not offer."""
        ...

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the subject, beside its results."""
        ...
