"""What is wrong with a frame of a server, whatever it answers: kinds of faults."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeAlias

from wireproof.patterns import is_array, is_object, json_equal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Faults: TypeAlias = Iterator[tuple[str, Mapping[str, Any]]]

CODES = frozenset(
    {
        *("UNKNOWN_TOOL", "VALIDATION_ERROR", "PERMISSION_DENIED", "TIMEOUT"),
        *("TOOL_FAILED", "RUNTIME_SHUTTING_DOWN", "CANCELLED", "PROTOCOL_ERROR"),
    }
)

TYPES = ("tools_list", "tool_event", "tool_result", "error")

DIAGNOSTIC_LEVELS = frozenset({"info", "warn", "error"})

LOG_LEVELS = frozenset({"debug", "info", "warn", "error"})

RETURNS_ENVELOPES = "conformance_envelope"
"""The tool of the toolset that may return any envelope."""


def faults_of(frame: dict[str, Any], request: Any) -> Faults:
    """Return the faults of a frame, each with where it is and what stands there.

    Args:
        frame: The frame.
        request: The request that it belongs to; None if it belongs to none.
    """
    if not json_equal(frame.get("protocol"), 1):
        yield _fault("protocol", frame, "protocol")
    match frame.get("type"):
        case "tools_list":
            yield from _list_faults(frame)
        case "tool_event":
            yield from _id_fault(frame)
            yield from _event_faults(frame.get("event"))
        case "tool_result":
            yield from _id_fault(frame)
            may_return = _may_return(request)
            yield from _result_faults(frame.get("result"), may_return=may_return)
        case "error":
            yield from _error_faults(frame, request)
        case other:
            kind, fields = _fault("frame-type", frame, "type")
            near = get_close_matches(str(other), TYPES, 1)
            yield kind, {**fields, "near": near, "is_json_rpc": "jsonrpc" in frame}


def _fault(
    kind: str, holder: Mapping[str, Any], key: str, path: str = ""
) -> tuple[str, dict[str, Any]]:
    """Return a fault of what stands under a key."""
    fields: dict[str, Any] = {"where": f"{path}/{key}"}
    if key in holder:
        fields["found"] = holder[key]
    return kind, fields


def _may_return(request: Any) -> bool:
    """Return whether the tool that was called may return an envelope of its own."""
    tool = str(request.get("toolName")) if is_object(request) else ""
    return tool == RETURNS_ENVELOPES or "conformance_" not in tool


def _id_fault(frame: dict[str, Any]) -> Faults:
    if not isinstance(frame.get("requestId"), str):
        yield _fault("frame-id", frame, "requestId")


def _error_faults(frame: dict[str, Any], request: Any) -> Faults:
    code = frame.get("code")
    is_of_call = is_object(request) and request.get("type") == "tool_call"
    if is_of_call and code in CODES and code != "PROTOCOL_ERROR":
        yield _fault("failure-as-error", frame, "code")
    elif code != "PROTOCOL_ERROR":
        yield _fault("error-member", frame, "code")
    if not isinstance(frame.get("message"), str):
        yield _fault("error-member", frame, "message")
    if not isinstance(frame.get("requestId"), str | None):
        yield _fault("frame-id", frame, "requestId")


def _list_faults(frame: dict[str, Any]) -> Faults:
    tools = frame.get("tools")
    if not is_array(tools):
        yield _fault("list-member", frame, "tools")
        return
    for place, tool in enumerate(tools):
        path = f"/tools/{place}"
        if not is_object(tool):
            yield "descriptor", {"where": path, "found": tool}
            continue
        capabilities = tool.get("capabilities")
        is_right = {
            "name": isinstance(tool.get("name"), str),
            "description": isinstance(tool.get("description"), str),
            "inputSchema": is_object(tool.get("inputSchema")),
            # Null under an optional key counts as absent, here and below.
            "capabilities": capabilities is None or is_array(capabilities),
        }
        for key, holds in is_right.items():
            if not holds:
                yield _fault("descriptor", tool, key, path)


def _result_faults(result: Any, *, may_return: bool) -> Faults:
    if not is_object(result):
        yield "no-result", {"where": "/result", "found": result}
        return
    ok, error = result.get("ok"), result.get("error")
    if not isinstance(ok, bool):
        yield _fault("result-shape", result, "ok", "/result")
    if ok is True and error is not None:
        yield _fault("success-with-error", result, "error", "/result")
    if ok is False:
        yield from _failure_faults(result, may_return=may_return)
    for key in ("error", "meta", "diagnostics"):
        if key in result and result[key] is None and (ok or key != "error"):
            kind = "null-error" if key == "error" else "null-member"
            yield _fault(kind, result, key, "/result")
    if not isinstance(result.get("meta"), dict | None):
        yield _fault("result-shape", result, "meta", "/result")
    diagnostics = result.get("diagnostics")
    if diagnostics is not None and not _are_diagnostics(diagnostics):
        yield _fault("result-shape", result, "diagnostics", "/result")


def _failure_faults(result: dict[str, Any], *, may_return: bool) -> Faults:
    kind = "returned-failure" if may_return else "failed-result"
    error = result.get("error")
    if not is_object(error):
        yield _fault(kind, result, "error", "/result")
        return
    if error.get("code") not in CODES:
        yield _fault(kind, error, "code", "/result/error")
    if not isinstance(error.get("message"), str):
        yield _fault(kind, error, "message", "/result/error")


def _are_diagnostics(value: Any) -> bool:
    return is_array(value) and all(
        is_object(one)
        and one.get("level") in DIAGNOSTIC_LEVELS
        and isinstance(one.get("message"), str)
        for one in value
    )


def _event_faults(event: Any) -> Faults:
    if not is_object(event):
        yield "event-kind", {"where": "/event", "found": event}
    elif not isinstance(event.get("kind"), str):
        yield _fault("event-kind", event, "kind", "/event")
    else:
        for key in _wrong_fields(event):
            yield _fault("event-fields", event, key, "/event")


def _wrong_fields(event: dict[str, Any]) -> Iterator[str]:
    """Yield the members of an event that are not as its kind asks."""
    match event["kind"]:
        case "progress":
            fraction = event.get("fraction")
            if not isinstance(event.get("message"), str | None):
                yield "message"
            is_number = isinstance(fraction, int | float) and not isinstance(
                fraction, bool
            )
            if fraction is not None and not (is_number and 0 <= fraction <= 1):
                yield "fraction"
        case "log":
            if event.get("level") not in LOG_LEVELS:
                yield "level"
            if not isinstance(event.get("message"), str):
                yield "message"
        case "partial_text":
            if not isinstance(event.get("text"), str):
                yield "text"
        case "artifact":
            if not isinstance(event.get("mimeType"), str):
                yield "mimeType"
            names = ("name", "dataBase64", "path")
            yield from (one for one in names if not _is_text(event.get(one)))
        case _:
            yield "kind"


def _is_text(value: Any) -> bool:
    return value is None or isinstance(value, str)
