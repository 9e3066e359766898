"""What a frame of a server must look like, whatever it answers."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.line import head
from wireproof.patterns import in_line, is_array, is_object, json_equal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wireproof.checks import Level

    Faults = Iterator[tuple[str, str, Level]]

JSON_RPC = "this is JSON-RPC, as MCP servers speak it, not socket-v1: "
"""What is said first of a frame with the key ``jsonrpc``."""

CODES = frozenset(
    {
        "UNKNOWN_TOOL",
        "VALIDATION_ERROR",
        "PERMISSION_DENIED",
        "TIMEOUT",
        "TOOL_FAILED",
        "RUNTIME_SHUTTING_DOWN",
        "CANCELLED",
        "PROTOCOL_ERROR",
    }
)

TYPES = ("tools_list", "tool_event", "tool_result", "error")
"""The types of a server's frames."""

DIAGNOSTIC_LEVELS = frozenset({"info", "warn", "error"})
LOG_LEVELS = frozenset({"debug", "info", "warn", "error"})


ODD_ID_OF_ERROR = "the requestId of an error is not a string"
"""What is said of an error by which a call was refused, and named in another way."""


def frame_faults(
    value: dict[str, Any],
    line: bytes,
    *,
    of_call: bool = False,
    returned: bool = False,
) -> list[Deviation]:
    """Return what is wrong with a frame, as deviations of the clauses that say so.

    Args:
        value: The frame.
        line: Its bytes, for the evidence.
        of_call: Whether it has the id of a well-formed call in flight.
        returned: Whether its result may be an envelope that a tool returned.
    """
    shown = head(line)
    found = [
        Deviation(clause, level, text, shown, hides=clause == "SOCK-M1")
        for clause, text, level in _faults(value, of_call=of_call, returned=returned)
    ]
    if not json_equal(value.get("protocol"), 1):
        text = f"protocol is {_at(value, 'protocol')}, not 1"
        found.append(Deviation("SOCK-M4", "should", text, shown, where="/protocol"))
    return found


def _at(value: dict[str, Any], key: str) -> str:
    """Say what stands under a key."""
    return in_line(value[key]) if key in value else "absent"


def _faults(value: dict[str, Any], *, of_call: bool, returned: bool) -> Faults:
    match value.get("type"):
        case "tools_list":
            yield from _list_faults(value)
        case "tool_event":
            yield from _id_fault(value)
            yield from _event_faults(value.get("event"))
        case "tool_result":
            yield from _id_fault(value)
            yield from result_faults(value.get("result"), returned=returned)
        case "error":
            yield from _error_faults(value, of_call=of_call)
        case _:
            other = JSON_RPC if "jsonrpc" in value else ""
            yield "SOCK-M1", f"{other}{_of_unknown_type(value)}", "must"


def _of_unknown_type(value: dict[str, Any]) -> str:
    """Say of a frame which type it has, and which one was expected."""
    if "type" not in value:
        return f"a frame without a type; its keys are {', '.join(map(in_line, value))}"
    near = get_close_matches(str(value["type"]), TYPES, 1)
    expected = " or ".join(map(in_line, near or TYPES))
    return f"a frame of the type {in_line(value['type'])}; {expected} was expected"


def _id_fault(value: dict[str, Any]) -> Faults:
    if not isinstance(value.get("requestId"), str):
        yield "SOCK-M1", f"a {value['type']} without a string requestId", "must"


def _error_faults(value: dict[str, Any], *, of_call: bool) -> Faults:
    code = value.get("code")
    if of_call and code in CODES and code != "PROTOCOL_ERROR":
        # SOCK-M8: the frame is what is wrong about a tool's failure, not its code.
        yield (
            "SOCK-M8",
            f"a call that failed was answered by an error, {in_line(code)}",
            "must",
        )
    elif code != "PROTOCOL_ERROR":
        yield "SOCK-M1", f"the code of an error is {_at(value, 'code')}", "must"
    if not isinstance(value.get("message"), str):
        yield "SOCK-M1", "an error without a string message", "must"
    if not isinstance(value.get("requestId"), str | None):
        yield "SOCK-M1", ODD_ID_OF_ERROR, "must"


def _list_faults(value: dict[str, Any]) -> Faults:
    tools = value.get("tools")
    if not is_array(tools):
        yield "SOCK-M1", "a tools_list without an array tools", "must"
        return
    for tool in tools:
        if not is_object(tool):
            yield "SOCK-L1", "a tool descriptor is not an object", "must"
            continue
        name = tool.get("name")
        if not isinstance(name, str):
            yield "SOCK-L1", f"the name of a tool is {in_line(name)}", "must"
        if not isinstance(tool.get("description"), str):
            yield "SOCK-L1", f"{in_line(name)} has no string description", "must"
        if not is_object(tool.get("inputSchema")):
            yield "SOCK-L1", f"{in_line(name)} has no object inputSchema", "must"
        # Null under an optional key counts as absent, here and below.
        capabilities = tool.get("capabilities")
        if capabilities is not None and not is_array(capabilities):
            yield (
                "SOCK-L1",
                f"the capabilities of {in_line(name)} are not an array",
                "must",
            )


def result_faults(result: Any, *, returned: bool = False) -> Faults:
    """Yield the faults of a ToolResult.

    Args:
        result: The result.
        returned: Whether a tool may have returned it as an envelope.
    """
    if not is_object(result):
        yield "SOCK-M1", "a tool_result without an object result", "must"
        return
    ok = result.get("ok")
    if not isinstance(ok, bool):
        yield "SOCK-C14", f"ok is {_at(result, 'ok')}, not a boolean", "must"
    error = result.get("error")
    if ok is True and error is not None:
        yield "SOCK-C3", "a result with ok:true has an error", "should"
    if ok is False:
        yield from _failure_faults(error, "should" if returned else "must")
    meta, diagnostics = result.get("meta"), result.get("diagnostics")
    for key in ("error", "meta", "diagnostics"):
        if key in result and result[key] is None and (ok or key != "error"):
            clause = "SOCK-C3" if key == "error" else "SOCK-C14"
            yield clause, f"{key} is null, not absent", "should"
    if meta is not None and not is_object(meta):
        yield "SOCK-C14", "meta is not an object", "must"
    if diagnostics is not None:
        yield from _diagnostic_faults(diagnostics)


def _failure_faults(error: Any, level: Level) -> Faults:
    if not is_object(error):
        yield "SOCK-C3", "a result with ok:false has no object error", level
        return
    if error.get("code") not in CODES:
        yield (
            "SOCK-C3",
            f"the error code {_at(error, 'code')} is none of the known",
            level,
        )
    if not isinstance(error.get("message"), str):
        yield "SOCK-C3", "an error without a string message", level


def _diagnostic_faults(diagnostics: Any) -> Faults:
    if not is_array(diagnostics):
        yield "SOCK-C14", "diagnostics is not an array", "must"
        return
    for one in diagnostics:
        if (
            not is_object(one)
            or one.get("level") not in DIAGNOSTIC_LEVELS
            or not isinstance(one.get("message"), str)
        ):
            text = "a diagnostic is not an object with a known level and a message"
            yield "SOCK-C14", text, "must"
            return


def _event_faults(event: Any) -> Faults:
    if not is_object(event):
        yield "SOCK-E1", "a tool_event without an object event", "must"
    elif not isinstance(event.get("kind"), str):
        yield "SOCK-E1", f"the kind of an event is {_at(event, 'kind')}", "must"
    elif wrong := _wrong_fields(event):
        text = f"an event of kind {_at(event, 'kind')}: {wrong}"
        yield "SOCK-E1", text, "should"


def _wrong_fields(event: dict[str, Any]) -> str:
    match event.get("kind"):
        case "progress":
            fraction = event.get("fraction")
            if not isinstance(event.get("message"), str | None):
                return "message is not a string"
            if fraction is None:
                return ""
            if isinstance(fraction, bool) or not isinstance(fraction, int | float):
                return "fraction is not a number"
            return "" if 0 <= fraction <= 1 else "fraction is not within 0 and 1"
        case "log":
            if event.get("level") not in LOG_LEVELS:
                return "its level is none of the known"
            return "" if isinstance(event.get("message"), str) else "no string message"
        case "partial_text":
            return "" if isinstance(event.get("text"), str) else "no string text"
        case "artifact":
            if not isinstance(event.get("mimeType"), str):
                return "no string mimeType"
            names = ("name", "dataBase64", "path")
            wrong = [key for key in names if not isinstance(event.get(key), str | None)]
            return f"{wrong[0]} is not a string" if wrong else ""
        case _:
            return "the kind is none of the known"
