"""How answers of a tool registry are looked at.

Patterns are held to an answer with more in it than the subject sent: what the model
sees of each result, and what a reader of tags finds in that. ``vectors/README.md`` has
the keys.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_array, is_object
from wireproof.protocols.tool_contract._event_log import without_own_entries

if TYPE_CHECKING:
    from collections.abc import Collection

    from wireproof.subjects import Answer, Op

_ATTRIBUTE = r"""\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*')"""

_OPENING = re.compile(rf"<untrusted((?:{_ATTRIBUTE})*)\s*>")
_CLOSING = re.compile(r"</untrusted\s*>")
_EACH_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")

_ANY_OPENING = re.compile(r"<\s*untrusted(?![\w-])", re.IGNORECASE)
_ANY_CLOSING = re.compile(r"<\s*/\s*untrusted(?![\w-])", re.IGNORECASE)
"""What a lenient reader takes for a tag of the wrapper (TOOL-U3)."""

_MARKER = re.compile(r"\s?\[truncated\b[^\]\n]*\](?!.*\[truncated)", re.DOTALL)
"""The last mark of a truncation, whatever it says: TOOL-B4 has its words and place."""

TOKENS = (
    "<|im_start|>",
    "<|im_end|>",
    "<|begin_of_text|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<s>",
    "</s>",
)
"""The tokens of chat templates that have to be neutralised (TOOL-U2)."""

_TEXT_OPS = ("wrap_untrusted", "sanitize_untrusted")


class AnswerView:
    """Looks at the answers to the steps of one check."""

    def __init__(self, ours: Collection[str]) -> None:
        """Begin with no tool.

        Args:
            ours: The names of the tools that are registered for the check.
        """
        self._ours = ours
        self._emits: dict[str, list[Any]] = {}

    def __call__(self, op: Op, answer: Answer) -> Answer:
        """Return an answer with what is looked at beside what was sent.

        Args:
            op: The op, as it was sent; they come in their order.
            answer: The driver's answer to it.
        """
        if op.name == "register":
            for tool in op.arguments["tools"]:
                # The first of a name may stay, or the second take its place.
                emits = self._emits.setdefault(tool["name"], [])
                emits += [step["emit"] for step in tool["steps"] if "emit" in step]
        value: Any = answer.value
        if not answer.ok:
            return answer
        if op.name == "execute_parallel" and is_object(value):
            value = self._batch(op, value)
        elif op.name == "definitions" and is_array(value):
            value = _own(value, self._ours)
        elif op.name in _TEXT_OPS and isinstance(value, str):
            value = {"text": value, **_tags(value)}
        return replace(answer, value=value)

    def _batch(self, op: Op, value: Any) -> Any:
        results: Any = value.get("results")
        if is_array(results):
            value = {**value, "results": [_result(one) for one in results]}
        log: Any = value.get("log")
        if is_array(log):
            emits: dict[Any, list[Any]] = {}
            for call in op.arguments["calls"]:
                emitted = self._emits.get(call.get("name"), [])
                emits.setdefault(call.get("toolCallId"), []).extend(emitted)
            value = {**value, "log": without_own_entries(log, emits)}
        return value


def _own(definitions: list[Any], ours: Collection[str]) -> list[Any]:
    """Return the definitions of tools of ours, by name; their order is free."""
    named = [one for one in definitions if is_object(one)]
    mine = [one for one in named if str(one.get("name")) in ours]
    return sorted(mine, key=lambda one: str(one["name"]))


def _result(found: Any) -> Any:
    if not is_object(found) or not is_object(result := found.get("result")):
        return found
    value: Any = result.get("value") if result.get("ok") is True else None
    kept = {"kept": _MARKER.sub("", value, 1)} if isinstance(value, str) else {}
    text: Any = found.get("modelText")
    if text is None:
        text = result.get("error") if value is None else value
    tags = _tags(text) if isinstance(text, str) else {}
    return {**found, **kept, "model": text, **tags}


def _tags(text: str) -> dict[str, Any]:
    """Return what a reader of tags finds in a text.

    ``wrapper`` is the outermost one: its ``source`` and ``tool``, what stands before,
    inside and after it. Absent where there is no whole one. ``tags`` counts everything
    that may be taken for an opening or a closing tag. ``tokens`` are those of chat
    templates that stand outside of attributes.
    """
    found: dict[str, Any] = {
        "tags": len(_ANY_OPENING.findall(text)) + len(_ANY_CLOSING.findall(text))
    }
    opening = _OPENING.search(text)
    closings = list(_CLOSING.finditer(text))
    closing = closings[-1] if closings else None
    outside = text
    if opening and closing and opening.end() <= closing.start():
        attributes = {
            name: double or single
            for name, double, single in _EACH_ATTRIBUTE.findall(opening[1])
        }
        found["wrapper"] = {
            **attributes,
            "before": text[: opening.start()],
            "inside": text[opening.end() : closing.start()],
            "after": text[closing.end() :],
        }
        outside = text[: opening.start()] + "\n" + text[opening.end() :]
    lowered = outside.lower()
    found["tokens"] = [token for token in TOKENS if token.lower() in lowered]
    return found
