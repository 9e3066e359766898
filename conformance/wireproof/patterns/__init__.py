"""Patterns: what is expected of a value, how it is matched, and how it is said."""

from __future__ import annotations

from wireproof.patterns._comparison import Mismatch
from wireproof.patterns._delays import asked_delay, delay_of
from wireproof.patterns._equality import json_equal, json_type
from wireproof.patterns._forms import (
    expand,
    is_array,
    is_generator,
    is_object,
    raw_bytes,
)
from wireproof.patterns._given import MOST_VALUES, Given, given_at, packs
from wireproof.patterns._match import match
from wireproof.patterns._misreading import misreading
from wireproof.patterns._place_steps import is_place, steps_with
from wireproof.patterns._rendering import (
    in_code_points,
    in_line,
    in_lines,
    look_alike,
    told_apart,
)
from wireproof.patterns._wide import DECODER, written
from wireproof.patterns._wording import (
    NOTHING_THERE,
    difference_of,
    exit_text,
    in_words,
    place_text,
    without_strings,
)

__all__ = [
    "DECODER",
    "MOST_VALUES",
    "NOTHING_THERE",
    "Given",
    "Mismatch",
    "asked_delay",
    "delay_of",
    "difference_of",
    "exit_text",
    "expand",
    "given_at",
    "in_code_points",
    "in_line",
    "in_lines",
    "in_words",
    "is_array",
    "is_generator",
    "is_object",
    "is_place",
    "json_equal",
    "json_type",
    "look_alike",
    "match",
    "misreading",
    "packs",
    "place_text",
    "raw_bytes",
    "steps_with",
    "told_apart",
    "without_strings",
    "written",
]
