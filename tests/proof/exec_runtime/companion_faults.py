"""Runtimes that misread nulls beside results and errors, and spellings: EXEC-R4, R5."""

from __future__ import annotations

import re
from typing import Any

from tests.proof.exec_runtime.changes import having, on_answer, on_once
from tests.proof.exec_runtime.runtime import Failure, Runtime
from tests.proof.exec_runtime.subject import TABLES
from tests.proof.row import Change, around

fault = TABLES.faults(__name__, Runtime)


def reads(function: Any) -> Change:
    """Return the change of how a null beside its partner is left out."""
    return having(without_companion=lambda _, found: function(found))


def _without(key: str, found: Any) -> Any:
    return {name: one for name, one in found.items() if name != key}


def _error_counts(found: Any) -> Any:
    both = isinstance(found, dict) and "error" in found
    return _without("result", found) if both else found


def _null_result_counts(found: Any) -> Any:
    if isinstance(found, dict) and found.get("result", 0) is None:
        return _without("error", found)
    return _error_counts(found)


def _true_result_counts(found: Any) -> Any:
    if isinstance(found, dict) and "error" in found:
        return _without("error" if found.get("result") else "result", found)
    return found


def _first_counts(found: Any) -> Any:
    keys = [key for key in found or () if key in {"result", "error"}]
    return _without(keys[1], found) if len(keys) > 1 else found


fault(
    "companions-refused",
    "EXEC-R4",
    "takes a null beside its partner for both of them",
    reads(lambda found: found),
    shown_by="exec-runtime/companions/one-shot-error-null",
)
fault(
    "null-error-is-one",
    "EXEC-R4",
    "fails a call wherever there is an error, null or not",
    reads(_error_counts),
    shown_by="exec-runtime/companions/one-shot-error-null",
)
fault(
    "null-result-is-one",
    "EXEC-R4",
    "takes a null result for one, whatever the error beside it says",
    reads(_null_result_counts),
    shown_by="exec-runtime/companions/one-shot-result-null",
)
fault(
    "falsy-result-is-none",
    "EXEC-R4",
    "takes a result that counts as false for none where there is an error key",
    reads(_true_result_counts),
    shown_by="exec-runtime/companions/one-shot-error-null",
)
fault(
    "first-key-counts",
    "EXEC-R4",
    "takes the first of result and error",
    reads(_first_counts),
    shown_by="exec-runtime/companions/one-shot-error-null",
)


def _refused(found: Any) -> Any:
    if isinstance(found, dict) and {"result", "error"} <= found.keys():
        raise Failure("the tool wrote both a result and an error")
    return found


fault(
    "companions-of-servers-refused",
    "EXEC-R4",
    "takes a null beside its partner in the answer of a server for both of them",
    on_answer(_refused),
    shown_by="exec-runtime/companions/server-error-null",
)
fault(
    "companions-of-one-shot-tools-refused",
    "EXEC-R4",
    "takes a null beside its partner in the output of a one-shot tool for both of them",
    on_once(_refused),
    shown_by="exec-runtime/companions/one-shot-error-null",
)

# --- neither

fault(
    "object-passed-on",
    "EXEC-R5",
    "gives an object of a one-shot tool without result and error as the result",
    around(
        "read_result",
        lambda _, read, found: (
            found
            if isinstance(found, dict) and not found.keys() & {"result", "error"}
            else read(found)
        ),
    ),
    level="should",
    shown_by="exec-runtime/failures/one-shot-neither",
)
fault(
    "neither-is-null",
    "EXEC-R5",
    "gives null where a server answers with neither",
    around(
        "read_answer",
        lambda _, read, found: (
            read(found) if {"result", "error"} & found.keys() else None
        ),
    ),
    level="should",
    shown_by="exec-runtime/failures/server-neither",
)

# --- spelling


def refusing(pattern: str) -> Change:
    """Return the change that reads no JSON in which this pattern stands."""

    def parse(_: Any, parse: Any, data: bytes) -> Any:
        if re.search(pattern, data.decode(errors="replace")):
            raise Failure("the tool wrote what cannot be read")
        return parse(data)

    return around("parse", parse)


fault(
    "no-blank-before-a-colon",
    "EXEC-R4",
    "reads no JSON with white space in front of a colon",
    refusing(r'"[\t ]+:'),
    shown_by="exec-runtime/spelling/server-answer",
)
fault(
    "no-tabs",
    "EXEC-R4",
    "reads no JSON with tabs between its tokens",
    refusing(r"\t"),
    shown_by="exec-runtime/spelling/server-answer",
)
fault(
    "no-carriage-return",
    "EXEC-R4",
    "reads no JSON with a carriage return in it",
    refusing(r"\r"),
    shown_by="exec-runtime/spelling/one-shot-object",
)
fault(
    "no-escaped-keys",
    "EXEC-R4",
    "looks for its keys in the text, where none is spelled with an escape",
    refusing(r'"\\u00|"[a-z]+\\u00[0-9a-f]{2}[a-z]*"\s*:'),
    shown_by="exec-runtime/spelling/server-answer",
)
fault(
    "id-before-the-result",
    "EXEC-R4",
    "reads no answer of a server whose id stands behind its result",
    refusing(r'"result":.*"id":'),
    shown_by="exec-runtime/spelling/server-answer",
)
fault(
    "no-line-separator",
    "EXEC-R4",
    "reads no JSON with U+2028 in a text",
    refusing("\u2028"),
    shown_by="exec-runtime/spelling/one-shot-text",
)
fault(
    "nothing-around",
    "EXEC-R4",
    "reads no JSON with white space around it but its line end",
    refusing(r"\A\s|[ \t]\s*\Z"),
    shown_by="exec-runtime/spelling/server-answer",
)
