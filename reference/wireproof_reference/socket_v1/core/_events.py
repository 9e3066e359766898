"""What a tool may report while it runs.

::

    {"kind":"progress","message"?:str,"fraction"?:0..1}
    {"kind":"log","level":"debug|info|warn|error","message":str}
    {"kind":"partial_text","text":str}
    {"kind":"artifact","mimeType":str,"name"?:str,"dataBase64"?:str,"path"?:str}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof_reference.framing import JSON, JSONObject

LogLevel: TypeAlias = Literal["debug", "info", "warn", "error"]
"""How much a log event matters."""


def progress(message: str | None = None, fraction: float | None = None) -> JSONObject:
    """How far the tool is; `fraction` goes from 0 to 1."""
    return _event("progress", message=message, fraction=fraction)


def log(level: LogLevel, message: str) -> JSONObject:
    """A line for a log."""
    return _event("log", level=level, message=message)


def partial_text(text: str) -> JSONObject:
    """A piece of the text that the tool writes."""
    return _event("partial_text", text=text)


def artifact(
    mime_type: str,
    *,
    name: str | None = None,
    data_base64: str | None = None,
    path: str | None = None,
) -> JSONObject:
    """Something that the tool made, as data or as a file."""
    return _event(
        "artifact", mimeType=mime_type, name=name, dataBase64=data_base64, path=path
    )


def _event(kind: str, **fields: JSON) -> JSONObject:
    given = {name: value for name, value in fields.items() if value is not None}
    return {"kind": kind, **given}


def _is_text(value: JSON) -> bool:
    return isinstance(value, str)


def _is_fraction(value: JSON) -> bool:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and 0 <= value <= 1
    )


def _is_level(value: JSON) -> bool:
    return value in get_args(LogLevel)


_FIELDS: Final[Mapping[str, Mapping[str, tuple[bool, Callable[[JSON], bool]]]]] = {
    # field: (must be there, what it must be)
    "progress": {"message": (False, _is_text), "fraction": (False, _is_fraction)},
    "log": {"level": (True, _is_level), "message": (True, _is_text)},
    "partial_text": {"text": (True, _is_text)},
    "artifact": {
        "mimeType": (True, _is_text),
        "name": (False, _is_text),
        "dataBase64": (False, _is_text),
        "path": (False, _is_text),
    },
}


def event_flaw(event: JSON) -> str | None:
    """What is wrong with an event, or None (SOCK-E1)."""
    if not isinstance(event, dict):
        return "event must be an object"
    kind = event.get("kind")
    fields = _FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None:
        return f"event.kind must be one of {', '.join(_FIELDS)}"
    for name, (required, is_right) in fields.items():
        if name in event:
            if not is_right(event[name]):
                return f"event.{name} of {kind} is not what it must be"
        elif required:
            return f"event.{name} of {kind} is missing"
    return None
