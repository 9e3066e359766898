"""Runtimes that coerce what satisfies its schema, and refuse files in use: EXEC-R3,
Y6."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.proof.exec_runtime.changes import on_arguments, on_texts
from tests.proof.exec_runtime.runtime import Driver, Runtime
from tests.proof.exec_runtime.subject import TABLES

fault = TABLES.faults(__name__, Runtime)

# --- arguments that satisfy the schema

WORDS = {"yes": True, "no": False, "true": True, "false": False, "on": True}

TYPED = "exec-runtime/arguments/one-shot-like-another-type"


def _number(text: str) -> Any:
    return int(text) if re.fullmatch(r"-?\d{1,15}", text) else text


def _any_number(text: str) -> Any:
    try:
        return float(text) if re.search(r"\d", text) else text
    except ValueError:
        return text


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if text[:1] in "[{" else text
    except ValueError:
        return text


fault(
    "texts-to-integers",
    "EXEC-R3",
    "makes integers of texts that look like one, whatever the schema wants",
    *on_texts(_number),
    shown_by=TYPED,
)
fault(
    "texts-to-numbers",
    "EXEC-R3",
    "makes numbers of texts that look like one, whatever the schema wants",
    *on_texts(_any_number),
    shown_by=TYPED,
)
fault(
    "words-to-booleans",
    "EXEC-R3",
    "makes booleans of yes, no and the like, whatever the schema wants",
    *on_texts(lambda text: WORDS.get(text, text)),
    shown_by=TYPED,
)
fault(
    "text-null-to-null",
    "EXEC-R3",
    "makes null of the text null",
    *on_texts(lambda text: None if text == "null" else text),
    shown_by=TYPED,
)
fault(
    "texts-parsed-as-json",
    "EXEC-R3",
    "parses texts in arguments that are JSON",
    *on_texts(_parsed),
    shown_by=TYPED,
)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_nulls(one) for k, one in value.items() if one is not None}
    return value


def _nulls_as_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: "" if one is None else one for key, one in value.items()}
    return value


fault(
    "optional-nulls-left-out",
    "EXEC-R3",
    "leaves out arguments that are null, at any depth",
    *on_arguments(_without_nulls),
    shown_by="exec-runtime/arguments/one-shot-optional-null",
)
fault(
    "nulls-to-texts",
    "EXEC-R3",
    "makes empty texts of nulls",
    *on_arguments(_nulls_as_texts),
    shown_by="exec-runtime/arguments/server-optional-null",
)


def _as_double(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_double(one) for key, one in value.items()}
    return int(float(value)) if type(value) is int else value


fault(
    "digits-by-schema-lost",
    "EXEC-R3",
    "reads integers as doubles",
    *on_arguments(_as_double),
    level="should",
    shown_by="exec-runtime/arguments/one-shot-digits-by-schema",
)

# --- files in use

HEAD = {"apiVersion", "kind", "metadata"}


def refusing(wrong: Callable[[Any], set[str]]) -> type[Driver]:
    """Return a driver that refuses files with keys that it does not want."""

    class RefusingDriver(Driver):
        def load(self, config: Path, pack: str | None) -> dict[str, Any]:
            # By its name: it has no stubs.
            yaml: Any = import_module("yaml")
            if found := wrong(yaml.safe_load(config.read_text("utf-8"))):
                raise ValueError(f"unknown: {', '.join(sorted(found))}")
            return super().load(config, pack)

    return RefusingDriver


def _beside_exec(config: Mapping[str, Any]) -> set[str]:
    tools = config["spec"]["tools"].values()
    return {key for tool in tools for key in tool if key != "exec"}


fault(
    "head-refused",
    "EXEC-Y6",
    "refuses a file with apiVersion, kind and metadata",
    level="should",
    driver=refusing(lambda config: config.keys() - {"spec"}),
    shown_by="exec-runtime/head/apiversion-kind-metadata",
)
fault(
    "other-sections-refused",
    "EXEC-Y6",
    "refuses a file with other sections under spec",
    level="should",
    driver=refusing(lambda config: config["spec"].keys() - {"tools"}),
    shown_by="exec-runtime/head/other-sections",
)
fault(
    "keys-beside-exec-refused",
    "EXEC-Y6",
    "refuses a file with other keys beside exec",
    level="should",
    driver=refusing(_beside_exec),
    shown_by="exec-runtime/head/keys-beside-exec",
)
