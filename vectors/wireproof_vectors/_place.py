"""Where in a vector file a check stands, and how it complains from there."""

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ._model import JSON, VectorError

if TYPE_CHECKING:
    from collections.abc import Collection

# A value quoted in a message is cut here, so that the message stays one line.
_QUOTED_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a vector file.

    Attributes:
        file: the file's path.
        vector_id: the vector in hand, once it is known.
        pointer: JSON pointer from the top of the file.
    """

    file: str
    vector_id: str | None = None
    pointer: str = ""

    def at(self, *keys: str | int) -> "Place":
        """Name the place below this one."""
        steps = (str(key).replace("~", "~0").replace("/", "~1") for key in keys)
        return replace(self, pointer="/".join((self.pointer, *steps)))

    def inside(self, vector_id: str) -> "Place":
        """Name the same place, now that the vector's id is known."""
        return replace(self, vector_id=vector_id)

    def error(self, problem: str, remedy: str) -> VectorError:
        """Build the error for a fault at this place."""
        return VectorError(
            problem,
            remedy,
            file=self.file,
            vector_id=self.vector_id,
            pointer=self.pointer,
        )

    def object(
        self,
        value: JSON,
        *,
        required: "Collection[str]" = (),
        optional: "Collection[str]" = (),
    ) -> dict[str, JSON]:
        """Check that a value is an object with these keys and no others."""
        if not isinstance(value, dict):
            raise self._wrong("an object", value)
        for key in required:
            if key not in value:
                raise self.error(f"the key {key!r} is missing", "add it")
        for key in value:
            if key not in required and key not in optional:
                known = ", ".join([*required, *optional])
                raise self.at(key).error(
                    f"the key {key!r} is unknown here", f"known are {known}"
                )
        return value

    def array(self, value: JSON) -> list[JSON]:
        """Check that a value is an array that is not empty."""
        if not isinstance(value, list):
            raise self._wrong("an array", value)
        if not value:
            raise self.error("the array is empty", "put at least one element in")
        return value

    def text(self, value: JSON) -> str:
        """Check that a value is a string that is not empty."""
        if not isinstance(value, str):
            raise self._wrong("a string", value)
        if not value:
            raise self.error("the string is empty", "fill it")
        return value

    def texts(self, value: JSON) -> list[str]:
        """Check that a value is an array of strings, none of them empty."""
        return [
            self.at(index).text(element)
            for index, element in enumerate(self.array(value))
        ]

    def number(self, value: JSON) -> int:
        """Check that a value is an integer of 0 or more."""
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self._wrong("an integer of 0 or more", value)
        return value

    def flag(self, value: JSON) -> bool:
        """Check that a value is true or false."""
        if not isinstance(value, bool):
            raise self._wrong("true or false", value)
        return value

    def one_of(self, value: JSON, choices: "Collection[str]") -> str:
        """Check that a value is one of a few strings."""
        if not isinstance(value, str) or value not in choices:
            raise self._wrong(f"one of {', '.join(choices)}", value)
        return value

    def _wrong(self, wanted: str, value: JSON) -> VectorError:
        shown = json.dumps(value)
        if len(shown) > _QUOTED_LENGTH:
            shown = f"{shown[:_QUOTED_LENGTH]}…"
        return self.error(f"{wanted} is wanted, not {shown}", "write it so")
