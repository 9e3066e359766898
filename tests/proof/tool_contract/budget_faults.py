"""Registries that divide the budget or cut values wrongly: TOOL-B1 to B8."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import Any

from tests.proof.tool_contract.argument_faults import read_in_pieces
from tests.proof.tool_contract.subject import (
    Json,
    Registry,
    Subject,
    broken,
    data_tools,
    put,
    registry,
    subject_module,
)

from wireproof_reference.tool_contract import (
    DEFAULT_TURN_BUDGET,
    Failure,
    Success,
    ToolResult,
    sanitize_untrusted,
)

cap_of = registry.cap_of
truncated = registry.truncated
run = registry._run
told = data_tools.context_as_json

SEEN = {"TOOL-B8": "the tool sees the wrong cap"}
PARTS = {"TOOL-B2": "a part of the budget", "TOOL-B5": "a part of the budget", **SEEN}


def cuts(cut: Any) -> None:
    """Let `cut(value, cap)` give the text in the place of one that is too long."""

    def otherwise(result: ToolResult, cap: int) -> Any:
        if not isinstance(result, Success) or len(result.value) <= cap:
            return result
        return replace(result, value=cut(result.value, cap))

    put("truncated", otherwise)


def mark(total: object) -> str:
    """Return the marker, its line feed included."""
    return f"\n[truncated -- {total} chars total]"


# --- B1


@broken(
    "budget-of-each",
    "TOOL-B1",
    "gives each call the turn's whole budget",
)
def _of_each(subject: Subject) -> None:
    put("budget_of_call", lambda total, calls: total)


@broken(
    "budget-rounded-up",
    "TOOL-B1",
    "rounds each call's part up",
)
def _rounded_up(subject: Subject) -> None:
    put("budget_of_call", lambda total, calls: ceil(total / max(calls, 1)))


@broken(
    "budget-of-runnable-calls",
    "TOOL-B1",
    "divides the budget by the calls that it runs",
    level="should",
)
def _of_runnable(subject: Subject) -> None:
    original = Registry.execute_parallel

    async def execute_parallel(self: Any, calls: Any, *more: Any) -> Any:
        count = sum(call.name in self._tools for call in calls)
        put("budget_of_call", lambda total, _: total // max(count, 1))
        return await original(self, calls, *more)

    Registry.execute_parallel = execute_parallel


@broken(
    "budget-of-100000", "TOOL-B1", "has a default budget of 100,000", level="should"
)
def _of_100000(subject: Subject) -> None:
    put("DEFAULT_TURN_BUDGET", 100_000, subject_module)


@broken(
    "budget-has-a-ceiling",
    "TOOL-B1",
    "gives no turn more than the default budget",
)
def _ceiling(subject: Subject) -> None:
    budget_of_call = registry.budget_of_call
    put(
        "budget_of_call",
        lambda total, calls: budget_of_call(min(total, DEFAULT_TURN_BUDGET), calls),
    )


# --- B2


@broken(
    "own-cap-ignored",
    "TOOL-B2",
    "ignores a tool's own cap",
)
def _ignored(subject: Subject) -> None:
    put("cap_of", lambda part, own: part)


@broken(
    "own-cap-raises",
    "TOOL-B2",
    "lets a tool's own cap raise its part of the budget",
)
def _raises(subject: Subject) -> None:
    put("cap_of", lambda part, own: part if own is None else own)


@broken("own-cap-of-zero-is-none", "TOOL-B2", "takes an own cap of 0 for none")
def _zero(subject: Subject) -> None:
    put("cap_of", lambda part, own: cap_of(part, own or None))


# --- B3


@broken(
    "cut-at-the-cap",
    "TOOL-B3",
    "cuts a value of just the cap",
)
def _at_the_cap(subject: Subject) -> None:
    def otherwise(result: ToolResult, cap: int) -> Any:
        if isinstance(result, Success) and result.value and len(result.value) == cap:
            return replace(result, value=result.value[: cap - 1] + mark(cap))
        return truncated(result, cap)

    put("truncated", otherwise)


@broken(
    "cut-one-short", "TOOL-B3", "keeps one character fewer than the cap", level="should"
)
def _one_short(subject: Subject) -> None:
    cuts(lambda value, cap: value[: max(cap - 1, 0)] + mark(len(value)))


@broken(
    "cut-in-bytes",
    "TOOL-B6",
    "counts lengths in bytes",
)
def _bytes(subject: Subject) -> None:
    def otherwise(result: ToolResult, cap: int) -> Any:
        if not isinstance(result, Success):
            return result
        data = result.value.encode()
        if len(data) <= cap:
            return result
        kept = data[:cap].decode(errors="ignore")
        return replace(result, value=kept + mark(len(data)))

    put("truncated", otherwise)


@broken(
    "cut-and-trimmed", "TOOL-B3", "trims white space from what it keeps", level="should"
)
def _trimmed(subject: Subject) -> None:
    cuts(lambda value, cap: value[:cap].rstrip() + mark(len(value)))


@broken("marked-values-left", "TOOL-B3", "does not cut a value that ends with a marker")
def _marked_left(subject: Subject) -> None:
    def otherwise(result: ToolResult, cap: int) -> Any:
        if isinstance(result, Success) and result.value.endswith(" chars total]"):
            return result
        return truncated(result, cap)

    put("truncated", otherwise)


@broken(
    "value-sanitised-in-place",
    "TOOL-B3",
    "sanitises the value of an untrusted tool for its caller as well",
)
def _in_place(subject: Subject) -> None:
    def given(entry: Json) -> Any:
        result = entry["result"]
        if not result["ok"] or not entry["modelText"].startswith("<untrusted"):
            return entry
        value = sanitize_untrusted(result["value"])
        return {**entry, "result": {**result, "value": value}}

    subject.given = given


@broken("read-in-pieces", "TOOL-B3", "tears characters of long values")
def _in_pieces(subject: Subject) -> None:
    register = subject.register

    def registered(tools: list[Any]) -> Any:
        return register(**read_in_pieces({"tools": tools}))

    put("register", registered, subject)


# --- B4


@broken(
    "marker-on-the-same-line",
    "TOOL-B4",
    "puts the marker behind the value",
    level="should",
)
def _same_line(subject: Subject) -> None:
    cuts(lambda value, cap: value[:cap] + mark(len(value)).replace("\n", " "))


@broken(
    "marker-says-what-is-lost",
    "TOOL-B4",
    "writes how much was cut off",
)
def _lost(subject: Subject) -> None:
    cuts(lambda value, cap: value[:cap] + mark(len(value) - cap))


@broken(
    "marker-in-groups",
    "TOOL-B4",
    "writes lengths with commas",
)
def _groups(subject: Subject) -> None:
    cuts(lambda value, cap: value[:cap] + mark(f"{len(value):,}"))


@broken(
    "marker-of-the-length-before-the-reducer",
    "TOOL-B4",
    "writes the length before the reducer",
)
def _before(subject: Subject) -> None:
    lengths: list[int] = []

    async def carry_out(tool: Any, args: Any, context: Any) -> Any:
        found: ToolResult = await run(tool, args, context)
        lengths[:] = [len(found.value)] if isinstance(found, Success) else []
        return found

    put("_run", carry_out)
    cuts(lambda value, cap: value[:cap] + mark(lengths[0] if lengths else len(value)))


@broken(
    "marker-of-the-first-call",
    "TOOL-B4",
    "writes the length of the first value of a batch that is cut into every marker",
    shown_by="tool-contract/truncation/marker-of-each-call",
)
def _first(subject: Subject) -> None:
    lengths: list[int] = []
    original = Registry.execute_parallel

    async def execute_parallel(self: Any, *given: Any) -> Any:
        lengths.clear()
        return await original(self, *given)

    def cut(value: str, cap: int) -> str:
        lengths.append(len(value))
        return value[:cap] + mark(lengths[0])

    Registry.execute_parallel = execute_parallel
    cuts(cut)


# --- B5


@broken("marker-counts", "TOOL-B5", "counts the marker against the cap", level="should")
def _counts(subject: Subject) -> None:
    def cut(value: str, cap: int) -> Any:
        marker = mark(len(value))
        return value[: max(cap - len(marker), 0)] + marker

    cuts(cut)


@broken("marked-again-for-the-model", "TOOL-B5", "cuts what the model sees once more")
def _again(subject: Subject) -> None:
    model_text = registry._model_text

    def again(tool: Any, result: ToolResult) -> Any:
        text = model_text(tool, result)
        if tool.output_is_untrusted or "[truncated -- " not in text:
            return text
        return text[:-1] + mark(len(text))

    put("_model_text", again)


@broken(
    "marked-values-pass",
    "TOOL-B5",
    "marks a value that holds a marker once more",
)
def _marked(subject: Subject) -> None:
    def otherwise(result: ToolResult, cap: int) -> Any:
        if isinstance(result, Success) and "[truncated -- " in result.value:
            return replace(result, value=result.value + mark(len(result.value)))
        return truncated(result, cap)

    put("truncated", otherwise)


# --- B6


@broken("characters-in-half", "TOOL-B6", "cuts characters in half", level="should")
def _in_half(subject: Subject) -> None:
    def otherwise(result: ToolResult, cap: int) -> Any:
        if not isinstance(result, Success):
            return result
        units = result.value.encode("utf-16-le")
        if len(units) // 2 <= cap:
            return result
        kept = units[: 2 * cap].decode("utf-16-le", "surrogatepass")
        return replace(result, value=kept + mark(len(units) // 2))

    put("truncated", otherwise)


# --- B7


def cuts_errors(lets: Any) -> None:
    """Let the errors of failures be cut as well where `lets(tool cap)` says so."""

    def otherwise(result: ToolResult, cap: int) -> Any:
        if isinstance(result, Failure) and len(result.error) > cap and lets(cap):
            return replace(result, error=result.error[:cap] + mark(len(result.error)))
        return truncated(result, cap)

    put("truncated", otherwise)


@broken("failures-are-cut", "TOOL-B7", "cuts errors to the cap as well")
def _failures(subject: Subject) -> None:
    cuts_errors(lambda cap: True)


@broken(
    "failures-are-cut-to-an-own-cap",
    "TOOL-B7",
    "cuts errors where a tool has a cap of 0",
)
def _own_cap(subject: Subject) -> None:
    cuts_errors(lambda cap: cap == 0)


@broken(
    "long-errors-are-cut",
    "TOOL-B7",
    "cuts errors to 256 characters",
)
def _long_errors(subject: Subject) -> None:
    def given(entry: Json) -> Any:
        result = entry["result"]
        if result["ok"]:
            return entry
        return {**entry, "result": {**result, "error": result["error"][:256]}}

    subject.given = given


# --- B8


def shows(cap: Any) -> None:
    """Let a tool see `cap(context, tool)` instead of its cap."""

    async def carry_out(tool: Any, args: Any, context: Any) -> Any:
        shown = replace(context, result_budget_chars=cap(context, tool))
        found: ToolResult = await run(tool, args, shown)
        return found

    put("_run", carry_out)


@broken("sees-the-default", "TOOL-B8", "shows each tool the default budget")
def _sees_default(subject: Subject) -> None:
    shows(lambda context, tool: DEFAULT_TURN_BUDGET)


@broken("sees-the-turns-budget", "TOOL-B8", "shows each tool the turn's budget")
def _sees_total(subject: Subject) -> None:
    totals: list[int] = []

    def asked(told: Json) -> Any:
        context = told.get("context") or {}
        totals[:] = [context.get("resultBudgetChars", DEFAULT_TURN_BUDGET)]
        return told

    subject.asked = asked
    shows(lambda context, tool: totals[0])


@broken(
    "sees-the-cap-of-another",
    "TOOL-B8",
    "shows all tools of a batch the cap of the call that was begun last",
    level="should",
)
def _sees_anothers(subject: Subject) -> None:
    last: list[int] = []

    def noted(part: int, own: int | None) -> Any:
        last[:] = [cap_of(part, own)]
        return last[0]

    def shown(context: Any) -> Json:
        return {**told(context), "resultBudgetChars": last[0]}

    put("cap_of", noted)
    put("context_as_json", shown, data_tools)


@broken(
    "sees-the-part",
    "TOOL-B8",
    "shows each tool its part of the budget, not its own cap",
    level="should",
)
def _sees_part(subject: Subject) -> None:
    parts: list[int] = []
    budget_of_call = registry.budget_of_call

    def noted(total: int, calls: int) -> Any:
        parts[:] = [budget_of_call(total, calls)]
        return parts[0]

    put("budget_of_call", noted)
    shows(lambda context, tool: parts[0])
