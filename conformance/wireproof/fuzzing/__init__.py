"""Fuzzing: the search for a failing example, properties, and values to draw.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from wireproof.fuzzing._ahead import DrawnAhead
from wireproof.fuzzing._model import Act, Memory, Model, ModelDefect, Sequence
from wireproof.fuzzing._operation_plan import OperationPlan, exactly
from wireproof.fuzzing._places import Crossed, crossed, places_of, sparing
from wireproof.fuzzing._property import FuzzedSuite, run_property
from wireproof.fuzzing._search import BAD, Example, Fuzzed, Step
from wireproof.fuzzing._several import Several, evenly, many, several
from wireproof.fuzzing._values import (
    bad_byte_lines,
    corpus_texts,
    mixed,
    piece,
    texts,
    torn_lines,
    values,
)

__all__ = [
    "BAD",
    "Act",
    "Crossed",
    "DrawnAhead",
    "Example",
    "Fuzzed",
    "FuzzedSuite",
    "Memory",
    "Model",
    "ModelDefect",
    "OperationPlan",
    "Sequence",
    "Several",
    "Step",
    "bad_byte_lines",
    "corpus_texts",
    "crossed",
    "evenly",
    "exactly",
    "many",
    "mixed",
    "piece",
    "places_of",
    "run_property",
    "several",
    "sparing",
    "texts",
    "torn_lines",
    "values",
]
