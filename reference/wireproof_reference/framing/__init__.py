"""Strict JSON, and JSON lines, shared by every line protocol.

`loads` and `dumps` are exact where ordinary JSON libraries are lenient;
`NdjsonDecoder` turns bytes, however cut, into events; `encode` makes a line.
"""

from wireproof_reference._errors import EncodeError, JsonError, JsonReason
from wireproof_reference.framing._decoder import DEFAULT_LIMIT, NdjsonDecoder
from wireproof_reference.framing._events import (
    END_OF_INPUT,
    NEED_DATA,
    BadLine,
    BlankLine,
    EndOfInput,
    Event,
    Frame,
    NeedData,
    Oversize,
    Unterminated,
    UnusableLine,
    why_unusable,
)
from wireproof_reference.framing._json import (
    JSON,
    MAX_DEPTH,
    JSONObject,
    dumps,
    encode,
    loads,
)

__all__ = [
    "DEFAULT_LIMIT",
    "END_OF_INPUT",
    "JSON",
    "MAX_DEPTH",
    "NEED_DATA",
    "BadLine",
    "BlankLine",
    "EncodeError",
    "EndOfInput",
    "Event",
    "Frame",
    "JSONObject",
    "JsonError",
    "JsonReason",
    "NdjsonDecoder",
    "NeedData",
    "Oversize",
    "Unterminated",
    "UnusableLine",
    "dumps",
    "encode",
    "loads",
    "why_unusable",
]
