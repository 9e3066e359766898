"""Nodes of a configuration, which know their lines, and the error that names one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from wireproof_reference._errors import WireproofReferenceError

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON

Scalar: TypeAlias = bool | int | float | str | None


class ConfigError(WireproofReferenceError, ValueError):
    """A configuration says what it must not.

    Attributes:
        source: The file, or nothing where it came in another way.
        line: The line, or None where it is not known.
        field: The field, such as `spec.tools.add.exec.command`; may be empty.
        detail: What is wrong, in a few words.
    """

    def __init__(
        self, source: str, detail: str, *, line: int | None = None, field: str = ""
    ) -> None:
        self.source = source
        self.line = line
        self.field = field
        self.detail = detail
        place = source if line is None else f"{source}:{line}"
        super().__init__(": ".join(part for part in (place, field, detail) if part))


@dataclass(frozen=True, slots=True)
class Node:
    """A value, and where it stands.

    Attributes:
        value: A scalar, or the nodes that it is made of.
        line: The line of it, or of its key in an object; None where not known.
    """

    value: Scalar | list[Node] | dict[str, Node]
    line: int | None = None

    @classmethod
    def from_json(cls, value: JSON) -> Node:
        """A value that stands in no file."""
        if isinstance(value, list):
            return cls([cls.from_json(item) for item in value])
        if isinstance(value, dict):
            return cls({key: cls.from_json(item) for key, item in value.items()})
        return cls(value)

    def to_json(self) -> JSON:
        """The value alone."""
        if isinstance(self.value, list):
            return [node.to_json() for node in self.value]
        if isinstance(self.value, dict):
            return {key: node.to_json() for key, node in self.value.items()}
        return self.value
