"""The envelope that every call resolves to, and the error that a tool throws.

::

    {"ok":bool,"content"?,"meta"?:{…},"diagnostics"?:[{"level","message"}],
     "error"?:{"code","message","details"?}}
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from wireproof_reference._errors import WireproofReferenceError

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

ErrorCode: TypeAlias = Literal[
    "UNKNOWN_TOOL",
    "VALIDATION_ERROR",
    "PERMISSION_DENIED",
    "TIMEOUT",
    "TOOL_FAILED",
    "RUNTIME_SHUTTING_DOWN",
    "CANCELLED",
    "PROTOCOL_ERROR",
]
"""Why a call failed."""

ERROR_CODES: Final[frozenset[str]] = frozenset(get_args(ErrorCode))
"""All of them (SOCK-C3)."""

DIAGNOSTIC_LEVELS: Final = ("info", "warn", "error")


class Absent(Enum):
    """Stands for a field that is not there, where null is a value."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
"""The one `Absent`."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of a call; a tool that returns one has it arrive as it is.

    Attributes:
        json: The envelope as it stands on the wire.
    """

    json: JSONObject

    @classmethod
    def success(cls, content: JSON) -> ToolResult:
        """The envelope around what a tool returned (SOCK-C4)."""
        return cls({"ok": True, "content": content})

    @classmethod
    def failure(
        cls, code: ErrorCode, message: str, details: JSON | Absent = ABSENT
    ) -> ToolResult:
        """The envelope of a call that failed."""
        error: JSONObject = {"code": code, "message": message}
        if details is not ABSENT:
            error["details"] = details
        return cls({"ok": False, "error": error})

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.json.get("ok") is True

    @property
    def content(self) -> JSON:
        """What the tool gave; None also where it gave nothing."""
        return self.json.get("content")

    @property
    def error(self) -> JSONObject:
        """Code, message and perhaps details; empty where the call succeeded."""
        return cast("JSONObject", self.json.get("error") or {})


class ToolError(WireproofReferenceError):
    """A tool could not do what was asked, and says so.

    Attributes:
        code: Which of the codes; any other becomes `TOOL_FAILED`.
        message: Exactly what the caller is told.
        details: More about it, or `ABSENT`.
    """

    def __init__(
        self, code: ErrorCode, message: str, details: JSON | Absent = ABSENT
    ) -> None:
        self.code: ErrorCode = code
        self.message = message
        self.details: JSON | Absent = details
        super().__init__(f"{code}: {message}")


def result_flaw(result: JSON) -> str | None:
    """What is wrong with an envelope, or None (SOCK-C3, C14)."""
    if not isinstance(result, dict):
        return "result must be an object"
    ok = result.get("ok")
    if not isinstance(ok, bool):
        return "result.ok must be a boolean"
    if not isinstance(result.get("meta", {}), dict):
        return "result.meta must be an object"
    diagnostics = result.get("diagnostics", [])
    if not isinstance(diagnostics, list) or not all(map(_is_diagnostic, diagnostics)):
        return "result.diagnostics must be an array of objects with level and message"
    if ok:
        return "a result with ok must have no error" if "error" in result else None
    error = result.get("error")
    if not isinstance(error, dict):
        return "a result without ok must have an error"
    code = error.get("code")
    if not isinstance(code, str) or code not in ERROR_CODES:
        return "result.error.code must be a known code"
    if not isinstance(error.get("message"), str):
        return "result.error.message must be a string"
    return None


def _is_diagnostic(item: JSON) -> bool:
    return (
        isinstance(item, dict)
        and item.get("level") in DIAGNOSTIC_LEVELS
        and isinstance(item.get("message"), str)
    )
