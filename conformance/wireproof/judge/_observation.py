"""What was seen while a check was carried out: values that can be written as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from wireproof.conversation import NOTHING, Carried

if TYPE_CHECKING:
    from collections.abc import Mapping

MAIN = "main"
"""The connection that is meant if nothing names one; a process has no other."""

WaitEnd: TypeAlias = Literal["came", "silent", "exited", "closed", "unreached"]
"""How a wait ended: with what was awaited, without it, with the subject's end, with the
end of the connection, or without a connection."""

ControlEnd: TypeAlias = Literal[
    "", "answered", "refused", "silent", "exited", "closed", "held-back"
]
"""How a control ended that was sent after a wait in vain; empty if none was sent."""


@dataclass(slots=True)
class Sent:
    """Bytes that were written to the subject.

    Attributes:
        at: When, in seconds since the check began.
        data: The bytes.
        own: Whether they are a request of the runner's own.
        eof: Whether the input was closed, with no bytes.
        on: The connection.
    """

    at: float
    data: bytes
    own: bool = False
    eof: bool = False
    on: str = MAIN


@dataclass(slots=True)
class Received:
    """Bytes that the subject wrote.

    Attributes:
        at: When they came, in seconds since the check began.
        data: The bytes.
        stderr: Whether they came on stderr.
        on: The connection.
    """

    at: float
    data: bytes
    stderr: bool = False
    on: str = MAIN


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection was opened: a new conversation begins.

    Attributes:
        at: When, in seconds since the check began.
        on: The connection.
    """

    at: float
    on: str


@dataclass(frozen=True, slots=True)
class Closed:
    """A connection has come to its end.

    Attributes:
        at: When, in seconds since the check began.
        on: The connection.
        by_subject: Whether the subject closed it.
    """

    at: float
    on: str
    by_subject: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The subject's output has ended.

    Attributes:
        at: When, in seconds since the check began.
        status: The exit status, negative for a signal; None if the process runs on.
    """

    at: float
    status: int | None


RunEnd: TypeAlias = Literal["exited", "flooded", "silent", "not-started"]
"""How a run ended: by itself, because it wrote without end, because its time was over,
or not at all."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a program that is started for each request.

    Attributes:
        at: When it was started, in seconds since the check began.
        data: What it was given on stdin.
        wrote: What it wrote on stdout.
        stderr: The end of what it wrote on stderr.
        ended: How it ended.
        status: The exit status, negative for a signal; None if it did not exit.
        seconds: How long it took.
        held: Whether a child of it held stdout open for longer than it may.
        own: Whether it is a request of the runner's own.
    """

    at: float
    data: bytes
    wrote: bytes
    stderr: str
    ended: RunEnd
    status: int | None
    seconds: float
    held: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that happened beside the conversation, for the reader.

    Attributes:
        at: When, in seconds since the check began.
        text: What, as a sentence without a full stop.
        by_runner: Whether the runner had it happen.
    """

    at: float
    text: str
    by_runner: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """How one wait ended.

    Attributes:
        ended: What ended it.
        control: How the control ended that was sent after it.
        late: Whether what was awaited came only after the control was sent.
        seconds: How long was waited.
        brief: Whether the wait was shorter than a full one.
        finding: The kind of a fault that the control showed by the way; empty if none.
        answer: The response to the control, if it was refused.
    """

    ended: WaitEnd
    control: ControlEnd = ""
    late: bool = False
    seconds: float = 0.0
    brief: bool = False
    finding: str = ""
    answer: Any = None


@dataclass(slots=True)
class StepDone:
    """A step was carried out.

    Attributes:
        step: Its index; `LAST_FENCE` for the fence after the last step.
        wait: How its wait ended; None if it did not wait.
        seen: What a step of the protocol's own saw, as JSON; its member ``names`` has
            the values that later steps refer to by name; ``choices``, each with a name,
            patterns by label, and the value of which these say what it is; ``kinds`` of
            what monitors hold of, with how many there were; the ``faults`` that they
            saw, each with its kind, a line that shows it, and fields; and what a report
            shows of it as ``evidence``.
    """

    step: int
    wait: Wait | None = None
    seen: Any = None


@dataclass(frozen=True, slots=True)
class Restarted:
    """A step started the subject anew; a new conversation begins.

    Attributes:
        at: When, in seconds since the check began.
        names: The values of the new process that steps refer to by name.
        carried: What the new process owes.
    """

    at: float
    names: Mapping[str, Any]
    carried: Carried


Event: TypeAlias = (
    Sent | Received | Opened | Closed | Ended | StepDone | Restarted | Ran | Noted
)

_KINDS: dict[str, type[Event]] = {
    "sent": Sent,
    "received": Received,
    "opened": Opened,
    "closed": Closed,
    "ended": Ended,
    "step": StepDone,
    "restarted": Restarted,
    "ran": Ran,
    "noted": Noted,
}
_BYTES = {"data": "text", "wrote": "wrote_text"}
"""Members that are bytes, and what they are called as text."""

_NAMES = {kind: name for name, kind in _KINDS.items()}


@dataclass(slots=True)
class Observation:
    """Everything that one try of a check saw of its subject.

    Attributes:
        check: The id of the check.
        used: Whether the process had served other checks, or began beside another.
        names: The values that steps refer to by name when the check begins.
        carried: What the process owed from earlier checks.
        events: What happened, in order.
        not_up: Why the subject did not come up: the kind of a reason and its fields;
            None if it came up.
        cut: Whether events of a flood on stdout were left out.
    """

    check: str
    used: bool = False
    names: dict[str, Any] = field(default_factory=dict[str, Any])
    carried: Carried = NOTHING
    events: list[Event] = field(default_factory=list[Event])
    not_up: tuple[str, dict[str, Any]] | None = None
    cut: bool = False

    def dump(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "check": self.check,
            "used": self.used,
            "names": self.names,
            "carried": asdict(self.carried),
            "events": [_dump(event) for event in self.events],
            "not_up": self.not_up,
            "cut": self.cut,
        }

    @classmethod
    def load(cls, document: dict[str, Any]) -> Observation:
        """Read what `dump` returned, also after it was written as JSON.

        Raises:
            KeyError: A member is missing, or an event is of an unknown kind.
        """
        not_up = document["not_up"]
        return cls(
            document["check"],
            document["used"],
            document["names"],
            _carried(document["carried"]),
            [_load(one) for one in document["events"]],
            (not_up[0], not_up[1]) if not_up else None,
            document["cut"],
        )


def _dump(event: Event) -> dict[str, Any]:
    members: dict[str, Any] = {"kind": _NAMES[type(event)], **asdict(event)}
    for name in _BYTES.keys() & members.keys():
        # Bytes that are not UTF-8 stay what they are on the way to text and back.
        text = members.pop(name).decode(errors="surrogateescape")
        members[_BYTES[name]] = text
    return members


def _load(members: dict[str, Any]) -> Event:
    rest = {key: value for key, value in members.items() if key != "kind"}
    for name, text in _BYTES.items():
        if text in rest:
            rest[name] = rest.pop(text).encode(errors="surrogateescape")
    if rest.get("wait") is not None:
        rest["wait"] = Wait(**rest["wait"])
    if "carried" in rest:
        rest["carried"] = _carried(rest["carried"])
    return _KINDS[members["kind"]](**rest)


def _carried(members: dict[str, Any]) -> Carried:
    keys = tuple((kind, value) for kind, value in members["may_come"])
    answered = tuple((kind, value) for kind, value in members["answered"])
    return Carried(
        members["refusals"],
        keys,
        members["anything_sent"],
        tuple(members["printed"]),
        answered,
        members["notifications"],
    )
