"""The built-in result formats, and the messages that results are sent in (INT-R).

A stored result is a text or an envelope with a provider's own content.  Adapters give
what is sent of it, its content; the message around that is the same for every format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wireproof_reference.framing import EncodeError, dumps
from wireproof_reference.interop.core._calls import CHAT, RESPONSES
from wireproof_reference.interop.core._copying import copied
from wireproof_reference.interop.core._errors import MalformedResultError, shown
from wireproof_reference.interop.core._model import (
    ResultInspection,
    ToolResultAccessor,
    ToolResultAdapter,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof_reference.framing import JSON, JSONObject

CORE: Final = "core"
TEXT_RESULT: Final = "tool_result"
ENVELOPE: Final = "provider_native_tool_result"

# How the providers mark a part of a content that is text.
_TEXT_PARTS: Final = ("text", "input_text", "output_text")


class Outcome(NamedTuple):
    """A core tool message, taken apart.

    Attributes:
        call_id: The call that it answers.
        tool_name: The tool that was called, or None.
        payload_kind: What `metadata` says that the tool was given, or None.
        stored: The structured result, or None where there is just a text.
        text: The text fallback, or None.
    """

    call_id: str
    tool_name: str | None
    payload_kind: JSON
    stored: JSON
    text: str | None


def read_message(message: JSON) -> Outcome:
    """Take a core tool message apart.

    Raises:
        MalformedResultError: It is none, or does not say which call it answers.
    """
    if not isinstance(message, dict):
        detail = f"a tool message must be an object, not {shown(message)}"
        raise MalformedResultError(detail)
    metadata = message.get("metadata")
    if not isinstance(metadata, dict):
        detail = f"metadata must be an object, not {shown(metadata)}"
        raise MalformedResultError(detail)
    tool_name = metadata.get("tool_name")
    known_name = tool_name if isinstance(tool_name, str) else None
    call_id = metadata.get("tool_call_id")
    if not isinstance(call_id, str):
        detail = f"metadata.tool_call_id must be a text, not {shown(call_id)}"
        raise MalformedResultError(detail, tool=known_name)
    stored = message.get("toolResult")
    content = message.get("content")
    text = content if isinstance(content, str) else None
    if stored is None and text is None:
        detail = "a tool message without toolResult must have a text as content"
        raise MalformedResultError(detail, tool=known_name)
    kind = metadata.get("payload_kind")
    return Outcome(call_id, known_name, kind, stored, text)


def is_envelope(value: JSON) -> bool:
    """Whether a value is an explicit envelope: that alone stays structured (INT-R3)."""
    return (
        isinstance(value, dict)
        and value.get("type") == ENVELOPE
        and isinstance(value.get("format"), str)
        and "content" in value
    )


def envelope_format(value: JSON) -> str | None:
    """The provider whose content an explicit envelope holds; None for all else."""
    if isinstance(value, dict) and is_envelope(value):
        format_ = value["format"]
        return format_ if isinstance(format_, str) else None
    return None


def unwrapped(value: JSON, target: str) -> JSON:
    """What is sent of what an adapter gave, bare or stored in some form."""
    if isinstance(value, dict) and envelope_format(value) == target:
        return copied(value["content"])
    return _text_of(value) if _is_text(value) else value


def text_parts(content: JSON) -> list[str]:
    """The texts in a provider's content, in order (INT-R4)."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else [content]
    return [
        text
        for part in parts
        if isinstance(part, dict) and part.get("type") in _TEXT_PARTS
        if isinstance(text := part.get("text"), str)
    ]


def core_message(item: JSON, payload_kinds: Mapping[str, str]) -> JSONObject:
    """What core keeps of the value that a formatter gave (INT-R5, INT-R11, INT-R12).

    Args:
        item: `{"result","tool_call_id","tool_name"}`.
        payload_kinds: What is known of the calls, by their ids.

    Raises:
        MalformedResultError: A key is missing, or JSON cannot hold the result.
    """
    if not isinstance(item, dict):
        detail = f"a result must be an object, not {shown(item)}"
        raise MalformedResultError(detail, target=CORE)
    names = {key: item.get(key) for key in ("tool_call_id", "tool_name")}
    for key, value in names.items():
        if not isinstance(value, str):
            detail = f"{key} of a result must be a text, not {shown(value)}"
            raise MalformedResultError(detail, target=CORE)
    if "result" not in item:
        raise MalformedResultError("there is no result", target=CORE)
    result = item["result"]
    call_id = names["tool_call_id"]
    kind = payload_kinds.get(call_id) if isinstance(call_id, str) else None
    if isinstance(result, dict) and is_envelope(result):
        content = "\n".join(text_parts(result["content"]))
        stored: JSONObject = copied(result)
    else:
        content = _as_text(result, names["tool_name"])
        stored = {"type": TEXT_RESULT, "text": content}
    # What tells later, without the call, that it was a freeform one (INT-R7).
    freeform: JSONObject = {"payload_kind": "text"} if kind == "text" else {}
    return {
        "role": "tool",
        "content": content,
        "toolResult": stored,
        "metadata": {**names, **freeform},
    }


def _as_text(result: JSON, tool: JSON) -> str:
    if isinstance(result, str):
        return result
    try:
        return dumps(result).decode()
    except EncodeError as error:
        detail = f"the result has no JSON text: {error.detail}"
        raise MalformedResultError(detail, tool=shown(tool), target=CORE) from error


def _chat_message(outcome: Outcome, content: JSON, *, custom: bool) -> JSONObject:
    message: JSONObject = {
        "role": "tool",
        "content": content,
        "tool_call_id": outcome.call_id,
    }
    if outcome.tool_name is not None:
        message["_metadata"] = {"tool_name": outcome.tool_name}
    return message


def _responses_item(outcome: Outcome, content: JSON, *, custom: bool) -> JSONObject:
    kind = "custom_tool_call_output" if custom else "function_call_output"  # INT-R7
    return {"type": kind, "call_id": outcome.call_id, "output": content}


RESULT_MESSAGES: Final[Mapping[str, Callable[..., JSONObject]]] = {
    CHAT: _chat_message,
    RESPONSES: _responses_item,
}
"""The message around a content, by target; elsewhere the provider writes it."""


def _is_text(value: JSON) -> bool:
    return isinstance(value, dict) and value.get("type") == TEXT_RESULT


def _text_of(value: JSON) -> str:
    text = value.get("text") if isinstance(value, dict) else None
    if not isinstance(text, str):
        detail = f"the text of a stored result must be a text, not {shown(text)}"
        raise MalformedResultError(detail, format=TEXT_RESULT)
    return text


def _inspect_text(value: JSON) -> ResultInspection:
    return ResultInspection("text", _text_of(value), None, None)


def _inspect_envelope(value: JSON) -> ResultInspection:
    content = value["content"] if isinstance(value, dict) else None
    text = "\n".join(text_parts(content))
    return ResultInspection("native", text, envelope_format(value), copied(content))


RESULT_ACCESSORS: Final = (
    ToolResultAccessor(TEXT_RESULT, _is_text, _inspect_text),
    ToolResultAccessor(ENVELOPE, is_envelope, _inspect_envelope),
)
"""What knows stored texts, and envelopes of every format."""

RESULT_ADAPTERS: Final = (
    ToolResultAdapter(TEXT_RESULT, CHAT, _text_of),
    ToolResultAdapter(TEXT_RESULT, RESPONSES, _text_of),
)
"""What is sent of a stored text.  An envelope needs none: see `convert_results`."""
