"""Registries that read or hand on results wrongly: TOOL-R1 to R5."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.proof.tool_contract.subject import (
    Json,
    Subject,
    broken,
    put,
    registry,
)

from wireproof_reference.tool_contract import (
    Failure,
    Success,
    ToolResult,
    sanitize_untrusted,
)
from wireproof_reference.tool_contract._data_tools import Thrown

read = registry.read_result
run = registry._run

LONGEST_ERROR = 8_000


def on_result(subject: Subject, change: Any) -> None:
    """Let a change be made in each result that is given."""

    def given(entry: Json) -> Any:
        return {**entry, "result": change(dict(entry["result"]))}

    subject.given = given


def is_untrusted(subject: Subject, entry: Json) -> bool:
    """Whether an entry of the results is that of an untrusted tool."""
    tool = subject._registry._tools.get(entry["name"])
    return tool is not None and tool.output_is_untrusted


def reads(change: Any) -> None:
    """Let what a tool returned be changed before it is read."""
    put("read_result", lambda returned: read(change(returned)))


def on_thrown(change: Any) -> None:
    """Let the failure that a thrown error becomes be made otherwise."""

    async def run_otherwise(tool: Any, args: Any, context: Any) -> Any:
        try:
            returned = await tool.execute(args, context)
        except Thrown as error:
            found: ToolResult = change(error)
            return found

        async def execute(args: Any, context: Any) -> Any:
            return returned

        return await run(replace(tool, execute=execute), args, context)

    put("_run", run_otherwise)


# --- R1


@broken(
    "empty-value-is-a-failure",
    "TOOL-R1",
    "takes an empty value for none and fails",
)
def _empty_value(subject: Subject) -> None:
    def change(result: Json) -> Any:
        if result.get("value") == "":
            return {"ok": False, "error": "no output", "code": "execution_failed"}
        return result

    on_result(subject, change)


@broken("success-with-an-error", "TOOL-R1", "gives a success an empty error and code")
def _success_with_error(subject: Subject) -> None:
    on_result(subject, lambda it: {"error": "", "code": "", **it} if it["ok"] else it)


@broken("failure-with-a-value", "TOOL-R1", "gives a failure an empty value")
def _failure_with_value(subject: Subject) -> None:
    on_result(subject, lambda it: it if it["ok"] else {"value": "", **it})


# --- R2


@broken(
    "thrown-message-lost",
    "TOOL-R2",
    "says of each error that the tool failed",
)
def _message_lost(subject: Subject) -> None:
    on_thrown(lambda error: Failure("the tool failed"))


@broken(
    "thrown-message-with-its-type",
    "TOOL-R2",
    "puts the type before the message",
)
def _message_with_type(subject: Subject) -> None:
    on_thrown(lambda error: Failure(f"Error: {error}"))


@broken("thrown-message-first-line", "TOOL-R2", "keeps the first line of a message")
def _first_line(subject: Subject) -> None:
    on_thrown(lambda error: Failure(str(error).partition("\n")[0]))


@broken(
    "thrown-is-invalid-input",
    "TOOL-R2",
    "gives what is thrown the code input_invalid",
)
def _other_code(subject: Subject) -> None:
    on_thrown(lambda error: Failure(str(error), "input_invalid"))


@broken(
    "thrown-message-that-is-json-is-read",
    "TOOL-R2",
    "takes a message that is the JSON text of a result for the result",
)
def _message_read(subject: Subject) -> None:
    def change(error: Thrown) -> Any:
        if str(error).startswith('{"ok":true'):
            return Success("no")
        return Failure(str(error))

    on_thrown(change)


@broken(
    "empty-message-is-no-error",
    "TOOL-R2",
    "takes an error with an empty message for none",
)
def _no_error(subject: Subject) -> None:
    def change(error: Thrown) -> Any:
        return Failure(str(error)) if str(error) else Success("")

    on_thrown(change)


@broken("thrown-code-handed-on", "TOOL-R2", "hands the code of what is thrown on")
def _thrown_code(subject: Subject) -> None:
    def change(error: Thrown) -> Any:
        try:
            value = json.loads(str(error))
        except ValueError:
            value = None
        code = value.get("code") if isinstance(value, dict) else None
        return Failure(str(error), code or "execution_failed")

    on_thrown(change)


@broken("thrown-message-cut", "TOOL-R2", "cuts messages to 8,000 characters")
def _message_cut(subject: Subject) -> None:
    on_thrown(lambda error: Failure(str(error)[:LONGEST_ERROR]))


# --- R3


@broken(
    "nothing-is-an-empty-success",
    "TOOL-R3",
    "takes nothing for an empty success",
    level="should",
)
def _nothing(subject: Subject) -> None:
    reads(lambda it: Success("") if it is None else it)


@broken(
    "text-is-a-success", "TOOL-R3", "takes a bare string for a success", level="should"
)
def _text(subject: Subject) -> None:
    reads(lambda it: Success(it) if isinstance(it, str) else it)


@broken(
    "any-value-becomes-text",
    "TOOL-R3",
    "writes a value that is no string as text",
    level="should",
)
def _any_value(subject: Subject) -> None:
    def change(it: Any) -> Any:
        if isinstance(it, dict) and it.get("ok") is True:
            return {**it, "value": str(it.get("value"))}
        return it

    reads(change)


@broken("any-code", "TOOL-R3", "hands unknown codes on")
def _any_code(subject: Subject) -> None:
    known = {**registry.__dict__}

    def change(it: Any) -> Any:
        if isinstance(it, dict) and it.get("ok") is False and it.get("code"):
            error = it.get("error")
            return Unchecked(error, it["code"]) if isinstance(error, str) else it
        return it

    class Unchecked(Failure):
        """Of any code."""

    def read_any(returned: Any) -> Any:
        found = change(returned)
        return found if isinstance(found, Unchecked) else known["read_result"](found)

    put("read_result", read_any)


@broken(
    "any-truth-is-ok", "TOOL-R3", "takes every true ok for a success", level="should"
)
def _any_truth(subject: Subject) -> None:
    def change(it: Any) -> Any:
        if isinstance(it, dict) and "ok" in it:
            return {**it, "ok": bool(it["ok"])}
        return it

    reads(change)


@broken(
    "malformed-ends-the-batch",
    "TOOL-R3",
    "raises where a tool returns nothing",
)
def _ends_the_batch(subject: Subject) -> None:
    async def run_raising(tool: Any, args: Any, context: Any) -> Any:
        returned = await run(tool, args, context)
        if isinstance(returned, Failure) and "returned no result" in returned.error:
            raise TypeError("cannot read the result")
        return returned

    put("_run", run_raising)


# --- R4


def _without(*keys: str) -> Any:
    return lambda it: {key: told for key, told in it.items() if key not in keys}


@broken(
    "drops-structured",
    "TOOL-R4",
    "drops structured output",
)
def _drops_structured(subject: Subject) -> None:
    on_result(subject, _without("structured"))


@broken(
    "drops-the-cost",
    "TOOL-R4",
    "drops what a call cost",
)
def _drops_cost(subject: Subject) -> None:
    on_result(subject, _without("cost_usd"))


@broken("drops-falsy", "TOOL-R4", "drops structured output and costs that are falsy")
def _drops_falsy(subject: Subject) -> None:
    def change(it: Json) -> Any:
        further = ("structured", "cost_usd")
        return {key: told for key, told in it.items() if key not in further or told}

    on_result(subject, change)


@broken("drops-nulls", "TOOL-R4", "takes members that are null from structured output")
def _drops_nulls(subject: Subject) -> None:
    def clean(it: Any) -> Any:
        if isinstance(it, dict):
            return {key: clean(one) for key, one in it.items() if one is not None}
        return [clean(one) for one in it] if isinstance(it, list) else it

    on_result(
        subject,
        lambda it: (
            {**it, "structured": clean(it["structured"])} if "structured" in it else it
        ),
    )


@broken(
    "cuts-structured", "TOOL-R4", "cuts texts in structured output to the cap as well"
)
def _cuts_structured(subject: Subject) -> None:
    def change(it: Json) -> Any:
        text = it.get("structured", {}).get("text")
        if isinstance(text, str) and len(text) > 400:
            return {**it, "structured": {**it["structured"], "text": text[:400]}}
        return it

    on_result(subject, change)


@broken(
    "truncated-loses-structured",
    "TOOL-R4",
    "makes a new result of what it cuts, of the value alone",
    level="should",
)
def _truncated_loses(subject: Subject) -> None:
    cut = registry.truncated

    def truncated(result: ToolResult, cap: int) -> Any:
        found = cut(result, cap)
        if found is not result and isinstance(found, Success):
            return Success(found.value)
        return found

    put("truncated", truncated)


@broken(
    "structured-is-sanitised",
    "TOOL-R4",
    "sanitises structured output of untrusted tools",
)
def _sanitises_structured(subject: Subject) -> None:
    def clean(it: Any) -> Any:
        if isinstance(it, dict):
            return {key: clean(one) for key, one in it.items()}
        if isinstance(it, list):
            return [clean(one) for one in it]
        return sanitize_untrusted(it) if isinstance(it, str) else it

    def given(entry: Json) -> Any:
        result = entry["result"]
        if "structured" not in result or not is_untrusted(subject, entry):
            return entry
        structured = clean(result["structured"])
        return {**entry, "result": {**result, "structured": structured}}

    subject.given = given


# --- R5


@broken(
    "error-is-trimmed",
    "TOOL-R5",
    "trims the error of a failure",
)
def _trimmed(subject: Subject) -> None:
    on_result(
        subject, lambda it: it if it["ok"] else {**it, "error": it["error"].strip()}
    )


@broken(
    "error-has-a-prefix",
    "TOOL-R5",
    "puts the code before a returned error",
)
def _prefixed(subject: Subject) -> None:
    reads(
        lambda it: (
            {**it, "error": f"{it['code']}: {it['error']}"}
            if isinstance(it, dict)
            and it.get("ok") is False
            and it.get("code") in CODES
            and isinstance(it.get("error"), str)
            else it
        )
    )


CODES = ("input_invalid", "not_available", "execution_failed", "STALE_WRITE")


@broken(
    "every-failure-is-execution-failed",
    "TOOL-R5",
    "gives each returned failure the code execution_failed",
)
def _one_code(subject: Subject) -> None:
    def change(it: Any) -> Any:
        is_failure = isinstance(it, dict) and it.get("ok") is False
        return (
            {**it, "code": "execution_failed"}
            if is_failure and it.get("code") in CODES
            else it
        )

    reads(change)


@broken("empty-error-is-unknown", "TOOL-R5", "calls an empty error an unknown one")
def _empty_error(subject: Subject) -> None:
    on_result(
        subject,
        lambda it: it if it["ok"] else {**it, "error": it["error"] or "unknown error"},
    )


@broken("returned-errors-cut", "TOOL-R5", "cuts returned errors to 8,000 characters")
def _errors_cut(subject: Subject) -> None:
    def change(it: Any) -> Any:
        if isinstance(it, dict) and isinstance(it.get("error"), str):
            return {**it, "error": it["error"][:LONGEST_ERROR]}
        return it

    reads(change)


@broken(
    "errors-sanitised-in-place",
    "TOOL-R5",
    "sanitises the error of an untrusted tool for its caller as well",
)
def _errors_sanitised(subject: Subject) -> None:
    def given(entry: Json) -> Any:
        result = entry["result"]
        if result["ok"] or not is_untrusted(subject, entry):
            return entry
        error = sanitize_untrusted(result["error"])
        return {**entry, "result": {**result, "error": error}}

    subject.given = given
