"""Summaries of JSON values without what must not be written down (SOCK-A2)."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

REDACTED: Final = "[redacted]"
"""Stands for a secret."""

SECRET_KEYS: Final = frozenset(
    (
        "token",
        "accesstoken",
        "refreshtoken",
        "password",
        "passwd",
        "secret",
        "clientsecret",
        "apikey",
        "authorization",
        "privatekey",
        "accesskey",
        "credential",
        "credentials",
    )
)
"""Keys whose values are secret; in lower case, without `_` and `-`."""

# What a summary shows of a value, so that a line of the log stays short.
_MAX_CHARACTERS: Final = 256
_MAX_BITS: Final = 128
_MAX_ITEMS: Final = 20
_MAX_DEPTH: Final = 6
_MAX_VALUES: Final = 100

_SEPARATORS: Final = str.maketrans("", "", "_-")
_BEARER: Final = re.compile(r"\bbearer\s+\S+", re.IGNORECASE)
_PEM: Final = re.compile(
    r"-----BEGIN [^-]*PRIVATE KEY.*?(?:-----END [^-]*-----|\Z)", re.DOTALL
)


def is_secret_key(key: str) -> bool:
    """Whether the value under a key is secret."""
    return key.lower().translate(_SEPARATORS) in SECRET_KEYS


def redact_text(text: str) -> str:
    """A text without tokens and private keys; of a long one just the length."""
    if len(text) > _MAX_CHARACTERS:
        return f"[{len(text)} characters]"
    return _PEM.sub(REDACTED, _BEARER.sub(f"Bearer {REDACTED}", text))


def summarise(value: JSON) -> JSON:
    """A short copy of a value that holds no secret; nothing else of it is looked at."""
    return _Summary().of(value, 0)


class _Summary:
    """Counts the values in a summary, for a thousand short ones are long too."""

    def __init__(self) -> None:
        self._left = _MAX_VALUES

    def of(self, value: JSON, depth: int) -> JSON:
        self._left -= 1
        match value:
            case str():
                return redact_text(value)
            case int() if value.bit_length() > _MAX_BITS:
                return f"[{value.bit_length()} bits]"
            case list():
                if depth == _MAX_DEPTH or self._left < 0:
                    return [f"[{len(value)} items]"]
                items = [self.of(item, depth + 1) for item in value[:_MAX_ITEMS]]
                if len(value) > _MAX_ITEMS:
                    items.append(f"[{len(value) - _MAX_ITEMS} more items]")
                return items
            case dict():
                return self._of_object(value, depth)
            case _:
                return value

    def _of_object(self, value: JSONObject, depth: int) -> JSONObject:
        if depth == _MAX_DEPTH or self._left < 0:
            return {f"[{len(value)} keys]": None}
        members: JSONObject = {}
        for key, member in islice(value.items(), _MAX_ITEMS):
            members[redact_text(key)] = (
                REDACTED if is_secret_key(key) else self.of(member, depth + 1)
            )
        if len(value) > _MAX_ITEMS:
            members[f"[{len(value) - _MAX_ITEMS} more keys]"] = None
        return members
