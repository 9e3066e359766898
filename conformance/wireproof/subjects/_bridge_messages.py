"""Messages of the bridge: ops, their answers, and what a driver says of itself."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import orjson

from wireproof.patterns import DECODER, is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN_LINE = 200
"""Characters of a line that are shown in a text."""


@dataclass(frozen=True, slots=True)
class Op:
    """One op.

    Attributes:
        name: Such as ``convert_schemas``.
        arguments: Its arguments by name.
        echo: Whether the arguments, as they are afterwards, are asked for.
        timed: Whether the driver, which is the suite's own, has to time it.
    """

    name: str
    arguments: Mapping[str, Any]
    echo: bool = False
    timed: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The driver's answer to an op.

    Attributes:
        value: What the subject gave; None where it refused.
        error: The ``type`` and ``detail`` of its refusal; None where it did not.
        args: The arguments as they are afterwards; None where they were not told.
        shared: Whether the value shares a mutable part with them, where that is told.
        seconds: How long it took, by the clock or as the driver told.
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
        """The refusal in one line; empty where there is none."""
        return ": ".join(part for part in (self.error or {}).values() if part)


@dataclass(frozen=True, slots=True)
class DriverFault:
    """What a driver did that no subject can do.

    Attributes:
        cause: The kind of fault.
        text: What happened, in a sentence without a full stop.
    """

    cause: Literal["not started", "died", "hung", "out of step", "misfit"]
    text: str


Outcome: TypeAlias = Answer | DriverFault


def misfit(text: str) -> DriverFault:
    """Return the fault of an answer that does not fit the bridge."""
    return DriverFault("misfit", f"the driver's answers do not fit the bridge: {text}")


@dataclass(frozen=True, slots=True)
class Description:
    """What a driver says of itself and of its subject.

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
            where its methods have to be awaited.
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
        """Tell whether an op converts to a target, as far as the driver says."""
        offered = self.targets.get(op, self.targets.get(""))
        return offered is None or target in offered


def encoded(message: dict[str, Any]) -> bytes:
    """Return a request as a line, its line feed aside."""
    try:
        return orjson.dumps(message)
    except TypeError:
        # Integers beyond 64 bits, and halves of surrogate pairs.
        return json.dumps(message, separators=(",", ":")).encode()


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")


_STRICT = json.JSONDecoder(parse_int=DECODER.parse_int, parse_constant=_no_constant)


def answer_of(line: bytes, number: int, op: str) -> Outcome:
    """Read the line that should answer an op.

    Args:
        line: The line.
        number: The id that it should have.
        op: The name of the op.
    """
    shown = line[:SHOWN_LINE].decode(errors="backslashreplace")
    try:
        found: Any = _STRICT.decode(line.decode())
    except (ValueError, RecursionError) as error:
        text = f"the driver's answer to {op} is no JSON ({error}): {shown}"
        return DriverFault("out of step", text)
    if not is_object(found) or found.get("id") != number:
        text = f"the driver's answer to {op} has not the id {number}: {shown}"
        return DriverFault("out of step", text)
    return read_answer(found, op)


def read_answer(found: dict[str, Any], op: str) -> Outcome:
    """Read the object that answers an op.

    Args:
        found: The object, whose id is that of the request.
        op: The name of the op.
    """
    args, shared = found.get("args"), found.get("shared")
    seconds = found.get("seconds", 0.0)
    match found:
        case {"ok": True, "value": value}:
            return Answer(value, None, args, shared, seconds)
        case {"ok": False, "error": {"type": kind, "detail": detail}}:
            refusal = {"type": str(kind), "detail": str(detail)}
            return Answer(None, refusal, args, shared, seconds)
        case _:
            shown = encoded(found)[:SHOWN_LINE].decode(errors="backslashreplace")
            text = f"an answer has ok and value, or ok and error, not: {shown}"
            return misfit(text)


def _undescribed(value: Any) -> str | None:
    """Say what is wrong with the value of ``describe``, None where nothing is."""
    if not is_object(value) or not _are_names(value.get("ops")):
        return "no object with the names of its ops"
    for key in ("formats", "lacks"):
        if value.get(key) is not None and not _are_names(value[key]):
            return f"{key} that are no array of names"
    if not all(map(_are_names, _targets_by_op(value).values())):
        return "targets that are neither an array of names nor arrays of names by op"
    return None


def _targets_by_op(said: Any) -> dict[str, Any]:
    targets: Any = said.get("targets")
    if is_object(targets):
        return targets
    return {} if targets is None else {"": targets}


def _are_names(value: Any) -> bool:
    return is_array(value) and all(isinstance(name, str) for name in value)


def description_of(said: Any) -> Description | DriverFault:
    """Read the value of ``describe``."""
    if (problem := _undescribed(said)) is not None:
        return misfit(f"describe gave {problem}")
    return Description(
        str(said.get("name", "")),
        str(said.get("version", "")),
        str(said.get("language", "")),
        frozenset(said["ops"]),
        tuple(said.get("formats") or ()),
        {op: frozenset(names) for op, names in _targets_by_op(said).items()},
        tuple(said.get("lacks") or ()),
        str(said.get("expression", "")),
        said.get("signatures") or {},
        said.get("serial") is True,
        said,
    )
