from __future__ import annotations

import pytest

from wireproof_reference.framing import JSON
from wireproof_reference.host_v1 import ENVELOPE_TYPE, SUPPORTED_FORMATS, is_envelope


@pytest.mark.parametrize("format_", SUPPORTED_FORMATS)
def test_an_explicit_envelope_is_one(format_: str) -> None:
    assert is_envelope({"type": ENVELOPE_TYPE, "format": format_, "content": None})


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        [],
        {},
        {"format": "openai.responses", "content": 1},
        {"type": "other", "format": "openai.responses", "content": 1},
        {"type": ENVELOPE_TYPE, "content": 1},
        {"type": ENVELOPE_TYPE, "format": "openai.other", "content": 1},
        {"type": ENVELOPE_TYPE, "format": ["openai.responses"], "content": 1},
        {"type": ENVELOPE_TYPE, "format": "openai.responses"},
    ],
)
def test_anything_else_is_none(value: JSON) -> None:
    assert not is_envelope(value)
