"""The shapes in which the loader hands out the data files."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"
Level: TypeAlias = Literal["must", "should", "may"]
Kind: TypeAlias = Literal["string", "number", "null", "boolean", "array", "object"]
Source: TypeAlias = Literal["seed", "standard", "settled", "derived"]

_SOURCE_MARK = re.compile(r" ?\[(seed|standard|settled|derived)\b[^\]]*\]")
"""The mark of a part's source in the text; the part's field has the source as well."""


@dataclass(frozen=True, slots=True)
class ClausePart:
    """A part of a clause that binds at another level or has another source.

    Attributes:
        level: how strongly the part binds.
        source: where the part comes from.
        text: the words of the part, as they stand in the clause.
    """

    level: Level
    source: Source
    text: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Why no check tries a clause.

    Attributes:
        reason: `not-observable`, `other-side` or `needs-capability`.
        why: one sentence for the reader of a report.
    """

    reason: Literal["not-observable", "other-side", "needs-capability"]
    why: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One testable requirement of a protocol.

    Attributes:
        id: stable for ever, for example `HV1-T1`.
        level: the first level that the clause names.
        source: the source of the clause's first part.
        text: the clause verbatim, further parts included.
        frames: the frames and formats that the text refers to, one a line.
        parts: the parts of another level or source.
        excluded: why nothing tries the clause, or None.
        withdrawn: the id is kept, the requirement is gone.
        monitored: a monitor watches the clause on every frame.
        scenario: a scenario of the suite tries the clause in process, no vector.
        rests_on: the clauses that must hold for this one to be tried at all; those
            that they rest on are not named again.
    """

    id: str
    level: Level
    source: Source
    text: str
    frames: tuple[str, ...] = ()
    parts: tuple[ClausePart, ...] = ()
    excluded: Exclusion | None = None
    withdrawn: bool = False
    monitored: bool = False
    scenario: bool = False
    rests_on: tuple[str, ...] = ()

    @property
    def full_text(self) -> str:
        """The text without marks of its sources, and the frames that it refers to."""
        text = _SOURCE_MARK.sub("", self.text)
        # Where a clause is shown alone nothing stands above it.
        words = (one for one in ("above", "such a line", "such line") if one in text)
        before = next((f'"{one}" means:' for one in words), "·")
        return f"{text} {before} {' · '.join(self.frames)}" if self.frames else text


@dataclass(frozen=True, slots=True)
class Property:
    """A fuzz property, or a scenario that no vector can tell, as it is listed.

    Attributes:
        id: `protocol/fuzz/name` or `protocol/scenarios/name`.
        title: what holds of a correct subject, as a sentence.
        clauses: the clauses to which the verdict is charged, the primary one first.
        level: the level of the part that it tries.
        source: the source of that part.
        kind: `fuzz` or `scenario`.
        needs: what the subject has to offer, by the keys that vectors have.
        explains: the clauses that what it tries may break by the way.
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    level: Level
    source: Source
    kind: Literal["fuzz", "scenario"]
    needs: "Mapping[str, Any]"
    explains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vector:
    """One check, as data.

    Attributes:
        id: `protocol/group/name`.
        title: what holds of a correct subject, as a sentence.
        clauses: the clauses to which the verdict is charged, the primary one first.
        level: the vector's own, else that of its primary clause.
        source: the vector's own, else that of its primary clause.
        kind: which keys `data` has: `exchange`, `message`, `client`, `operation` or
            `stream`.
        group: the group, which for shipped vectors is also the stem of the file name.
        data: the whole vector object of the file.
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    level: Level
    source: Source
    kind: str
    group: str
    data: "Mapping[str, JSON]"


@dataclass(frozen=True, slots=True)
class CorpusValue:
    """A value that programs change, lose or take for something else.

    Attributes:
        name: stable, unique in the corpus, for example `empty`.
        kind: its JSON type; integers are numbers.
        value: the value, or the form that stands for it, as in a message.
        reason: what a program does to it.
        tags: what places choose values by, or leave them out by.
    """

    name: str
    kind: Kind
    value: JSON
    reason: str
    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool of the conformance toolset.

    Attributes:
        name: for example `conformance_echo`.
        description: one sentence for the model or the reader of a listing.
        parameters: JSON Schema of the arguments; None for a freeform tool.
        protocols: the protocols whose full level needs the tool.
        capabilities: what the tool declares that it does.
        behaviour: what it does, precisely enough to write it in any language.
        optional: the full level does not need it.
    """

    name: str
    description: str
    parameters: "Mapping[str, JSON] | None"
    protocols: tuple[str, ...]
    capabilities: tuple[str, ...]
    behaviour: str
    optional: bool = False


class VectorError(ValueError):
    """A vector file that cannot be used, and what to do about it.

    Attributes:
        file: the file's path.
        vector_id: the vector in hand, or None where the file itself is at fault.
        pointer: JSON pointer to the fault inside the file; empty for the whole.
        problem: what is wrong.
        remedy: what to do.
    """

    def __init__(
        self,
        problem: str,
        remedy: str,
        *,
        file: str = "",
        vector_id: str | None = None,
        pointer: str = "",
    ) -> None:
        self.file = file
        self.vector_id = vector_id
        self.pointer = pointer
        self.problem = problem
        self.remedy = remedy
        super().__init__(problem, remedy)

    def __str__(self) -> str:
        where = [self.file, self.vector_id, self.pointer]
        return ": ".join([part for part in where if part] + [self.problem]) + (
            f"; {self.remedy}"
        )
