"""Compact references to attachments, and what they are in a request (INT-R8).

A reference stands in the content of an envelope, and in the history made of it, for
bytes that are kept elsewhere.  It is expanded into the request, and nowhere else.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Final, TypeAlias

from wireproof_reference.interop.core import InteropError
from wireproof_reference.interop.providers.core._members import text_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.framing import JSON, JSONObject

    ReadAttachment: TypeAlias = Callable[[str], bytes]
    """Gives the bytes of an attachment by its id; raises where there are none."""

    WritePart: TypeAlias = Callable[[str, str, str], JSONObject]
    """A part of a content, of an attachment's media type, `data:` URL and id."""

ATTACHMENT_REF: Final = "attachment_ref"
"""The `type` of a reference; beside it are `id` and `media_type`."""

# Where the messages and items of the providers have a content.
_CONTENT_KEYS: Final = ("content", "output")

_ANY_BYTES: Final = "application/octet-stream"


class UnreadAttachmentError(InteropError):
    """A reference in a request of a provider that was given no way to read it.

    Attributes:
        attachment_id: The id of the attachment.
    """

    def __init__(self, attachment_id: str) -> None:
        self.attachment_id = attachment_id
        super().__init__(
            f"the attachment {attachment_id!r} cannot be read: give the provider "
            "read_attachment"
        )


def expanded(
    messages: list[JSON], read: ReadAttachment | None, write: WritePart
) -> list[JSON]:
    """The messages as they are sent; those given stay as they are.

    Raises:
        UnreadAttachmentError: There is a reference, and nothing to read it with.
    """
    return [_expanded_message(message, read, write) for message in messages]


def _expanded_message(
    message: JSON, read: ReadAttachment | None, write: WritePart
) -> JSON:
    if not isinstance(message, dict):
        return message
    for key in _CONTENT_KEYS:
        content = message.get(key)
        if isinstance(content, list) and any(map(_is_reference, content)):
            parts = [_expanded_part(part, read, write) for part in content]
            message = {**message, key: parts}
    return message


def _expanded_part(part: JSON, read: ReadAttachment | None, write: WritePart) -> JSON:
    if not isinstance(part, dict) or not _is_reference(part):
        return part
    attachment_id = text_in(part, "id")
    if read is None:
        raise UnreadAttachmentError(attachment_id)
    media_type = text_in(part, "media_type") or _ANY_BYTES
    data = b64encode(read(attachment_id)).decode()
    return write(media_type, f"data:{media_type};base64,{data}", attachment_id)


def _is_reference(part: JSON) -> bool:
    return isinstance(part, dict) and part.get("type") == ATTACHMENT_REF
