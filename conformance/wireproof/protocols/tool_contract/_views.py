"""How answers of a tool registry are looked at.

Patterns are held to an answer with more in it than the subject sent: what the model
sees of each result, and what a reader of tags finds in that. ``vectors/README.md`` has
the keys.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_array, is_object
from wireproof.protocols.tool_contract._event_log import without_own_entries

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_ATTRIBUTE = r"""\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*')"""

_TAG = re.compile(
    rf"<untrusted(?P<attributes>(?:{_ATTRIBUTE})+)\s*>"
    r"|</untrusted\s*>(?:\s*</untrusted\s*>)*"
)
"""Tags of the wrapper; closing ones with nothing between them are one end."""

_EACH_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")

_ANY_OPENING = re.compile(r"<\s*untrusted(?![\w-])", re.IGNORECASE)
_ANY_CLOSING = re.compile(r"<\s*/\s*untrusted(?![\w-])", re.IGNORECASE)
"""What a lenient reader takes for a tag of the wrapper (TOOL-U3)."""

_MARKER = re.compile(r"\s?\[truncated\b[^\]\n]*\](?!.*\[truncated).*", re.DOTALL)
"""The last mark of a truncation, whatever it says, and what stands behind it."""

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
        self._returns: dict[str, str] = {}

    def note(self, op: str, given: Mapping[str, Any]) -> None:
        """Take note of an op that was asked; they come in their order."""
        if op != "register":
            return
        for tool in given["tools"]:
            # The first of a name may stay, or the second take its place.
            emits = self._emits.setdefault(tool["name"], [])
            emits += [step["emit"] for step in tool["steps"] if "emit" in step]
            self._note_value(tool)

    def of(self, op: str, given: Mapping[str, Any], value: Any) -> Any:
        """Return a value with what is looked at beside what was sent.

        Args:
            op: The op.
            given: Its arguments, as they were sent.
            value: What the driver answered.
        """
        if op == "execute_parallel" and is_object(value):
            return self._batch(given, value)
        if op == "definitions" and is_array(value):
            return _own(value, self._ours)
        if op in _TEXT_OPS and isinstance(value, str):
            return {"text": value, **_tags(value)}
        return value

    def _note_value(self, tool: Any) -> None:
        """Note the value that a tool returns, for what is kept of it."""
        returned: Any = tool["steps"][-1].get("return") if tool["steps"] else None
        value: Any = returned.get("value") if is_object(returned) else None
        if isinstance(value, str):
            self._returns[tool["name"]] = value

    def _batch(self, given: Mapping[str, Any], value: Any) -> Any:
        results: Any = value.get("results")
        if is_array(results):
            results = [self._result(one) for one in results]
            held = sum(one.get("held", 0) for one in results if is_object(one))
            value = {**value, "results": results, "held": held}
        log: Any = value.get("log")
        if is_array(log):
            emits: dict[Any, list[Any]] = {}
            for call in given["calls"]:
                emitted = self._emits.get(call.get("name"), [])
                emits.setdefault(call.get("toolCallId"), []).extend(emitted)
            log = without_own_entries(log, emits)
            value = {**value, "log": log, "log_of": _by_call(log)}
        return value

    def _result(self, found: Any) -> Any:
        if not is_object(found) or not is_object(result := found.get("result")):
            return found
        value: Any = result.get("value") if result.get("ok") is True else None
        more: dict[str, Any] = {}
        if isinstance(value, str):
            kept = _MARKER.sub("", value, 1)
            words = kept.rstrip()
            more = {"kept": kept, "held": len(words if kept != value else kept)}
            if (whole := self._returns.get(str(found.get("name")))) is not None:
                more["begins"] = whole.startswith(words)
        text: Any = found.get("modelText")
        if isinstance(text, str):
            told = str(result.get("error") if value is None else value)
            more |= {"shows": told in text, **_tags(text)}
        elif text is None:
            found = {key: one for key, one in found.items() if key != "modelText"}
        return {**found, **more}


def _by_call(log: list[Any]) -> dict[str | None, list[Any]]:
    """Return the entries of each call, in their order, by its id; None: no text."""
    found: dict[str | None, list[Any]] = {}
    for entry in log:
        if is_object(entry):
            call: Any = entry.get("toolCallId")
            found.setdefault(call if isinstance(call, str) else None, []).append(entry)
    return found


def _own(definitions: list[Any], ours: Collection[str]) -> list[Any]:
    """Return the definitions of tools of ours, by name; their order is free."""
    named = [one for one in definitions if is_object(one)]
    mine = [one for one in named if str(one.get("name")) in ours]
    return sorted(mine, key=lambda one: str(one["name"]))


def _tags(text: str) -> dict[str, Any]:
    """Return what a reader of tags finds in a text.

    ``wrappers`` is how many wrappers there are. ``wrapper`` is the last that ends: its
    ``source`` and ``tool``, what stands before, inside and after it; absent where there
    is none. Inside of it, or else in the whole text, ``tags`` counts everything that
    may be taken for an opening or a closing tag, and ``tokens`` are those of chat
    templates.
    """
    pairs = _wrappers(text)
    found: dict[str, Any] = {"wrappers": len(pairs)}
    if pairs:
        opening, closing = pairs[-1]
        last = closing.start() + closing[0].rindex("</")
        attributes = {
            name: double or single
            for name, double, single in _EACH_ATTRIBUTE.findall(opening["attributes"])
        }
        found["wrapper"] = {
            **attributes,
            "before": text[: opening.start()],
            "inside": text[opening.end() : last],
            "after": text[closing.end() :],
        }
        text = text[opening.end() : last]
    tags = len(_ANY_OPENING.findall(text)) + len(_ANY_CLOSING.findall(text))
    lowered = text.lower()
    tokens = [token for token in TOKENS if token.lower() in lowered]
    return {**found, "tags": tags, "tokens": tokens}


def _wrappers(text: str) -> list[tuple[re.Match[str], re.Match[str]]]:
    """Return opening and closing tags that belong together."""
    opened: list[re.Match[str]] = []
    pairs: list[tuple[re.Match[str], re.Match[str]]] = []
    for tag in _TAG.finditer(text):
        if tag["attributes"]:
            opened.append(tag)
        elif opened:
            pairs.append((opened.pop(), tag))
    return pairs
