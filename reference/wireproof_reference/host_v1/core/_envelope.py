"""The envelope that keeps a formatted result structured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeGuard

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

ENVELOPE_TYPE: Final = "provider_native_tool_result"
"""The `type` of an envelope."""

SUPPORTED_FORMATS: Final = ("openai.chat_completions", "openai.responses")
"""The formats whose `content` a client hands on as it is.

A tuple, for `in` must answer for a list or an object too, which have no hash.
"""


def is_envelope(value: JSON) -> TypeGuard[JSONObject]:
    """Whether a value is an explicit envelope in a supported format (HV1-O5, HV1-C6).

    Any other object from `format_tool_result` is compatibility text.
    """
    if not isinstance(value, dict) or value.get("type") != ENVELOPE_TYPE:
        return False
    return value.get("format") in SUPPORTED_FORMATS and "content" in value
