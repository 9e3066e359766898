"""Registries that wrap or sanitise untrusted output wrongly: TOOL-U1 to U8."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import Any

from tests.proof.tool_contract.subject import (
    Json,
    Subject,
    broken,
    put,
    registry,
    subject_module,
    untrusted,
)

from wireproof.protocols.tool_contract._views import TOKENS as LISTED
from wireproof_reference.tool_contract import Failure, ToolResult

wrap = untrusted.wrap_untrusted
sanitize = untrusted.sanitize_untrusted
model_text = registry._model_text
run = registry._run

TAG = re.compile(r"<(?=\s*/?\s*untrusted)", re.IGNORECASE)
TOKENS = untrusted._TOKEN


def wraps(change: Callable[[str, str, str | None], str]) -> None:
    """Let `change(content, tool, source)` wrap, for calls and by itself."""

    def wrapped(content: str, tool_name: str, source: str | None = None) -> Any:
        return change(content, tool_name, source)

    put("wrap_untrusted", wrapped)
    put("wrap_untrusted", wrapped, subject_module)


def sanitizes(change: Callable[[str], str]) -> None:
    """Let `change(content)` sanitise, wherever that is done."""
    put("sanitize_untrusted", change, untrusted)
    put("sanitize_untrusted", change, subject_module)


def tags_only(content: str) -> str:
    """Neutralise tags of the wrapper, and nothing else."""
    return TAG.sub("&lt;", content)


def tokens_only(content: str) -> str:
    """Neutralise tokens, and no tag of the wrapper."""

    def change(found: re.Match[str]) -> Any:
        if TAG.match(found.string, found.start()):
            return found[0]
        return {"<": "&lt;", "[": "&#91;"}[found[0]]

    return str(TOKENS.sub(change, content))


# --- U1


@broken(
    "not-wrapped",
    "TOOL-U1",
    "sanitises untrusted output, and does not wrap it",
)
def _not_wrapped(subject: Subject) -> None:
    put("wrap_untrusted", lambda content, tool: sanitize(content))


@broken("empty-not-wrapped", "TOOL-U1", "does not wrap empty output")
def _empty(subject: Subject) -> None:
    put("wrap_untrusted", lambda content, tool: wrap(content, tool) if content else "")


@broken(
    "wrapped-without-a-source",
    "TOOL-U1",
    "leaves the source out where it is not told",
)
def _no_source(subject: Subject) -> None:
    def change(content: str, tool: str, source: str | None) -> Any:
        found = wrap(content, tool, source)
        return found if source else re.sub(r' source="[^"]*"', "", found, count=1)

    wraps(change)


@broken(
    "attributes-changed-round",
    "TOOL-U1",
    "writes the tool as source and the source as tool",
)
def _changed_round(subject: Subject) -> None:
    wraps(lambda content, tool, source: wrap(content, source or "web", tool))


@broken(
    "wrapped-in-capitals",
    "TOOL-U1",
    "writes the wrapper in capitals",
)
def _capitals(subject: Subject) -> None:
    def change(content: str, tool: str, source: str | None) -> Any:
        found = wrap(content, tool, source).removeprefix("<untrusted")
        return f"<UNTRUSTED{found.removesuffix('</untrusted>')}</UNTRUSTED>"

    wraps(change)


@broken(
    "wrapped-as-another",
    "TOOL-U1",
    "names the tool that was begun last in the wrappers of all",
)
def _as_another(subject: Subject) -> None:
    last: list[str] = []

    async def carry_out(tool: Any, args: Any, context: Any) -> Any:
        if tool.output_is_untrusted:
            last[:] = [tool.name]
        return await run(tool, args, context)

    put("_run", carry_out)
    put("wrap_untrusted", lambda content, tool: wrap(content, last[0]))


@broken(
    "wrapper-counts", "TOOL-U1", "counts the wrapper against the cap of what fits it"
)
def _counts(subject: Subject) -> None:
    caps: list[int] = []
    truncated = registry.truncated

    def cut(result: ToolResult, cap: int) -> Any:
        caps.append(cap)
        return truncated(result, cap)

    def text(tool: Any, result: ToolResult) -> Any:
        whole = model_text(tool, result)
        over = len(whole) - caps.pop()
        if isinstance(result, Failure) or not tool.output_is_untrusted or over <= 0:
            return whole
        if result.value.endswith(" chars total]"):
            return whole
        return wrap(result.value[:-over], tool.name)

    put("truncated", cut)
    put("_model_text", text)


# --- U2


@broken(
    "tokens-of-chatml-only",
    "TOOL-U2",
    "neutralises the tokens of ChatML alone",
)
def _chatml(subject: Subject) -> None:
    sanitizes(
        lambda text: tags_only(re.sub(r"<(?=\|im_)", "&lt;", text, flags=re.IGNORECASE))
    )


@broken(
    "tokens-in-small-letters",
    "TOOL-U2",
    "neutralises tokens in the case of their templates",
)
def _small(subject: Subject) -> None:
    strict = re.compile(TOKENS.pattern)
    entities = {"<": "&lt;", "[": "&#91;"}
    sanitizes(lambda text: tags_only(strict.sub(lambda it: entities[it[0]], text)))


@broken(
    "tokens-where-small-letters-have-them",
    "TOOL-U2",
    "looks for tokens in lower case, and changes what stands at their places",
    shown_by="tool-contract/untrusted/tokens-behind-letters-that-grow",
)
def _by_lower_case(subject: Subject) -> None:
    def change(text: str) -> str:
        for found in reversed([*TOKENS.finditer(text.lower())]):
            start, entity = found.start(), {"<": "&lt;", "[": "&#91;"}[found[0]]
            text = text[:start] + entity + text[start + 1 :]
        return tags_only(text)

    sanitizes(change)


@broken(
    "tokens-taken-out-once",
    "TOOL-U2",
    "takes tokens out, once",
)
def _once(subject: Subject) -> None:
    each = re.compile("|".join(map(re.escape, LISTED)), re.IGNORECASE)
    sanitizes(lambda text: tags_only(each.sub("", text)))


@broken(
    "first-of-each-token",
    "TOOL-U2",
    "neutralises the first token alone",
)
def _first(subject: Subject) -> None:
    sanitizes(
        lambda text: tags_only(
            TOKENS.sub(lambda it: {"<": "&lt;", "[": "&#91;"}[it[0]], text, count=1)
        )
    )


@broken(
    "tokens-left",
    "TOOL-U2",
    "wraps untrusted output, and leaves tokens in it",
)
def _left(subject: Subject) -> None:
    sanitizes(tags_only)


# --- U3


@broken(
    "tags-left",
    "TOOL-U3",
    "leaves tags of the wrapper in the content",
)
def _tags_left(subject: Subject) -> None:
    sanitizes(tokens_only)


@broken(
    "exact-closing-tag-only",
    "TOOL-U3",
    "neutralises the closing tag as it writes it alone",
)
def _exact(subject: Subject) -> None:
    sanitizes(lambda text: tokens_only(text).replace("</untrusted>", "&lt;/untrusted>"))


@broken(
    "closing-tags-only",
    "TOOL-U3",
    "neutralises closing tags, and no opening ones",
)
def _closing(subject: Subject) -> None:
    closing = re.compile(r"<(?=\s*/\s*untrusted)", re.IGNORECASE)
    sanitizes(lambda text: closing.sub("&lt;", tokens_only(text)))


@broken(
    "tags-taken-out-once",
    "TOOL-U3",
    "takes tags of the wrapper out, once",
)
def _tags_once(subject: Subject) -> None:
    tag = re.compile(r"<\s*/?\s*untrusted[^>]*>", re.IGNORECASE)
    sanitizes(lambda text: tag.sub("", tokens_only(text)))


@broken(
    "wrapped-once",
    "TOOL-U3",
    "does not wrap content that begins with the opening tag of a wrapper",
)
def _wrapped_once(subject: Subject) -> None:
    def change(content: str, tool: str, source: str | None) -> Any:
        if content.startswith("<untrusted "):
            return content
        return wrap(content, tool, source)

    wraps(change)


# --- U4


def attributes(change: Callable[[str], str]) -> None:
    """Let attribute values be written by `change(value)`."""

    def wrapped(content: str, tool: str, source: str | None) -> Any:
        where, inner = change(source or tool), sanitize(content)
        return f'<untrusted source="{where}" tool="{change(tool)}">{inner}</untrusted>'

    wraps(wrapped)


@broken("attributes-as-they-are", "TOOL-U4", "writes attribute values as they are")
def _as_they_are(subject: Subject) -> None:
    attributes(lambda value: value)


@broken(
    "attributes-without-quotes",
    "TOOL-U4",
    "takes only double quotes from attribute values",
)
def _without_quotes(subject: Subject) -> None:
    attributes(lambda value: value.replace('"', ""))


@broken(
    "attributes-without-brackets",
    "TOOL-U4",
    "takes only angle brackets from attribute values",
)
def _without_brackets(subject: Subject) -> None:
    attributes(lambda value: value.replace("<", "").replace(">", ""))


@broken(
    "attributes-with-line-breaks",
    "TOOL-U4",
    "leaves line breaks in attribute values",
    level="should",
)
def _line_breaks(subject: Subject) -> None:
    attributes(escape)


@broken(
    "one-line-feed-of-a-source",
    "TOOL-U4",
    "takes the first line feed out of an attribute alone",
    level="should",
)
def _one_line_feed(subject: Subject) -> None:
    def attribute(value: str) -> str:
        return escape(value).replace("\n", " ", 1).replace("\r", " ", 1)

    def wrapped(content: str, tool: str, source: str | None) -> str:
        where = attribute(source or tool)
        return (
            f'<untrusted source="{where}" tool="{attribute(tool)}">'
            f"{sanitize(content)}</untrusted>"
        )

    wraps(wrapped)


# --- U5


@broken(
    "all-is-wrapped",
    "TOOL-U5",
    "wraps the output of every tool",
)
def _all(subject: Subject) -> None:
    def text(tool: Any, result: ToolResult) -> Any:
        if isinstance(result, Failure):
            return result.error
        return wrap(result.value, tool.name)

    put("_model_text", text)


@broken(
    "wrapped-by-its-content",
    "TOOL-U5",
    "wraps output in which it finds a token or a tag",
)
def _by_content(subject: Subject) -> None:
    def text(tool: Any, result: ToolResult) -> Any:
        found = model_text(tool, result)
        odd = "<" in found and not tool.output_is_untrusted
        return (
            wrap(found, tool.name) if odd and not isinstance(result, Failure) else found
        )

    put("_model_text", text)


@broken(
    "wrapped-after-an-untrusted-one",
    "TOOL-U5",
    "wraps everything once a tool was untrusted",
)
def _sticky(subject: Subject) -> None:
    seen: list[bool] = []
    reset = subject.reset

    def text(tool: Any, result: ToolResult) -> Any:
        if isinstance(result, Failure):
            return result.error
        if tool.output_is_untrusted:
            seen.append(True)
        return wrap(result.value, tool.name) if seen else result.value

    def forget() -> Any:
        seen.clear()
        reset()

    put("reset", forget, subject)
    put("_model_text", text)


# --- U6


@broken(
    "ampersands-again",
    "TOOL-U6",
    "writes ampersands as entities, each time",
    level="should",
)
def _ampersands(subject: Subject) -> None:
    sanitizes(lambda text: sanitize(text.replace("&", "&amp;")))


# --- U8


def wrapped_before_the_cut(keeps: Callable[[str, int], str]) -> None:
    """Let untrusted output be wrapped first, and cut by `keeps(text, cap)`."""

    def given(entry: Json) -> Any:
        value = entry["result"].get("value", "")
        text = entry.get("modelText", "")
        marked = re.search(r"\n\[truncated -- \d+ chars total\]", value)
        if marked is None or not text.startswith("<untrusted"):
            return entry
        return {**entry, "modelText": keeps(text, marked.start()) + marked[0]}

    GIVEN.append(given)


GIVEN: list[Callable[[Json], Json]] = []


@broken(
    "wrapper-cut-off",
    "TOOL-U8",
    "cuts what it has wrapped",
)
def _cut_off(subject: Subject) -> None:
    wrapped_before_the_cut(lambda text, cap: text[:cap])
    subject.given = GIVEN[-1]


@broken(
    "closing-tag-cut-off",
    "TOOL-U8",
    "puts the marker in the closing tag's place",
)
def _closing_cut(subject: Subject) -> None:
    def keeps(text: str, cap: int) -> Any:
        return text.removesuffix("</untrusted>").partition("\n[truncated")[0]

    wrapped_before_the_cut(keeps)
    subject.given = GIVEN[-1]


@broken(
    "not-wrapped-when-cut",
    "TOOL-U8",
    "does not wrap what it has cut",
)
def _cut_unwrapped(subject: Subject) -> None:
    def text(tool: Any, result: ToolResult) -> Any:
        if not isinstance(result, Failure) and "[truncated -- " in result.value:
            return sanitize(result.value)
        return model_text(tool, result)

    put("_model_text", text)


@broken("wrapper-without-a-mark", "TOOL-U8", "wraps what fits, without the marker")
def _no_mark(subject: Subject) -> None:
    def text(tool: Any, result: ToolResult) -> Any:
        found = model_text(tool, result)
        if not tool.output_is_untrusted or isinstance(result, Failure):
            return found
        return re.sub(r"\n\[truncated -- \d+ chars total\]", "", found)

    put("_model_text", text)


@broken(
    "marks-replaced",
    "TOOL-U3",
    "replaces marks in what it wraps, as JavaScript does in replacements",
)
def _marks_replaced(subject: Subject) -> None:
    def wrapped(content: str, tool: str, source: str | None) -> str:
        return str(wrap(content, tool, source)).replace("$'", "</untrusted>")

    wraps(wrapped)
