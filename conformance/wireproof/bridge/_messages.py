"""Messages of the bridge: answers to ops, and what a driver says of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wireproof.bridge._misfits import misfit_in
from wireproof.patterns import in_line, is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN_LINE = 200
"""Characters of an answer that are shown in a text."""


class Misfit(Exception):
    """An answer that does not fit the bridge, whatever the subject does."""

    def __init__(self, problem: str) -> None:
        """Say what is wrong."""
        super().__init__(f"the driver's answers do not fit the bridge: {problem}")


@dataclass(frozen=True, slots=True)
class Answer:
    """The driver's answer to an op.

    Attributes:
        value: What the subject returned; None if it refused.
        error: The ``type`` and ``detail`` of its refusal; None if it did not refuse.
        args: The arguments as they are afterwards; None if the driver does not say.
        shared: Whether the value shares a mutable part with them, if the driver says.
        seconds: How long it took, if the driver says; else 0.
    """

    value: Any
    error: Mapping[str, str] | None = None
    args: Mapping[str, Any] | None = None
    shared: bool | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether the subject carried it out."""
        return self.error is None

    @property
    def refusal(self) -> str:
        """The refusal in one line; empty if there is none."""
        return ": ".join(part for part in (self.error or {}).values() if part)


@dataclass(frozen=True, slots=True)
class Description:
    """The description that a driver gives of itself and of its subject.

    Attributes:
        name: The subject's name.
        version: Its version.
        language: The language that it is written in.
        ops: The ops that it offers.
        formats: The formats that it declares.
        targets: The targets that each op offers, those of ``""`` for every other op;
            an op without an entry offers all of them.
        lacks: The features that it says not to have.
        expression: How the object is reached in Python; empty for other drivers, and
            if its methods have to be awaited.
        signatures: How a Python object's methods are called, by op.
        serial: Whether it waits for each answer before it sends the next request.
        told: All that it says, for what one protocol alone asks about.
    """

    name: str
    version: str
    language: str
    ops: frozenset[str]
    formats: tuple[str, ...]
    targets: Mapping[str, frozenset[str]] = field(
        default_factory=dict[str, frozenset[str]]
    )
    lacks: tuple[str, ...] = ()
    expression: str = ""
    signatures: Mapping[str, Any] = field(default_factory=dict[str, Any])
    serial: bool = False
    told: Mapping[str, Any] = field(
        default_factory=dict[str, Any], compare=False, repr=False
    )

    def offers_target(self, op: str, target: str) -> bool:
        """Return whether an op converts to a target, as far as the driver says."""
        offered = self.targets.get(op, self.targets.get(""))
        return offered is None or target in offered


def read_answer(found: Mapping[str, Any], op: str) -> Answer:
    """Read the object that answers an op.

    Args:
        found: The object, whose id is that of the request.
        op: The name of the op.

    Raises:
        Misfit: If it does not fit the bridge.
    """
    args, shared = found.get("args"), found.get("shared")
    seconds = found.get("seconds", 0.0)
    match found:
        case {"ok": True, "value": value}:
            if wrong := misfit_in(op, value):
                raise Misfit(wrong)
            return Answer(value, None, args, shared, seconds)
        case {"ok": False, "error": {"type": kind, "detail": detail}}:
            refusal = {"type": str(kind), "detail": str(detail)}
            return Answer(None, refusal, args, shared, seconds)
        case _:
            shown = in_line(found, SHOWN_LINE)
            raise Misfit(f"an answer has ok and value, or ok and error, not: {shown}")


def description_of(said: Any) -> Description:
    """Read the value of ``describe``.

    Raises:
        Misfit: If it does not fit the bridge.
    """
    if not is_object(said) or not _are_names(said.get("ops")):
        raise Misfit("describe gave no object with the names of its ops")
    for key in ("formats", "lacks"):
        if said.get(key) is not None and not _are_names(said[key]):
            raise Misfit(f"describe gave {key} that are no array of names")
    targets: Any = said.get("targets")
    if not is_object(targets):
        targets = {} if targets is None else {"": targets}
    if not all(map(_are_names, targets.values())):
        raise Misfit(
            "describe gave targets that are neither an array of names nor arrays of "
            "names by op"
        )
    return Description(
        str(said.get("name", "")),
        str(said.get("version", "")),
        str(said.get("language", "")),
        frozenset(said["ops"]),
        tuple(said.get("formats") or ()),
        {op: frozenset(names) for op, names in targets.items()},
        tuple(said.get("lacks") or ()),
        str(said.get("expression", "")),
        said.get("signatures") or {},
        said.get("serial") is True,
        said,
    )


def _are_names(value: Any) -> bool:
    return is_array(value) and all(isinstance(name, str) for name in value)
