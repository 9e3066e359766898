"""Registries in which calls wait for each other, or an abort goes wrong."""

from __future__ import annotations

from typing import Any

from tests.proof.tool_contract.changes import (
    ABORTED,
    MALFORMED,
    faults,
    on_failure,
    on_result,
    on_results,
    one_at_a_time,
    signal_of_its_own,
)
from tests.proof.tool_contract.subject import Json, Subject, put, registry

from wireproof_reference.tool_contract import Failure, ReducerRegistry
from wireproof_reference.tool_contract.core import MalformedResult, mcp_server_of

fault = faults(__name__)


def is_aborted(entry: Json) -> bool:
    """Whether a call was ended by the abort."""
    result = entry["result"]
    return not result["ok"] and result["error"].startswith(ABORTED)


# --- X1

fault(
    "aborted-calls-left-out",
    "TOOL-X1",
    "gives no result for a call that an abort has ended",
    on_results(lambda results: [one for one in results if not is_aborted(one)]),
)
fault(
    "aborted-calls-last",
    "TOOL-X1",
    "puts calls that an abort has ended behind the others",
    on_results(lambda results: sorted(results, key=is_aborted)),
)
fault(
    "aborted-calls-twice",
    "TOOL-X1",
    "gives two results for a call that an abort has ended",
    on_results(
        lambda results: [
            one for each in results for one in [each] * (1 + is_aborted(each))
        ]
    ),
)
fault(
    "an-abort-ends-the-list",
    "TOOL-X1",
    "gives the results up to the first call that an abort has ended",
    on_results(
        lambda results: results[
            : next(
                (place for place, one in enumerate(results) if is_aborted(one)),
                len(results),
            )
        ]
    ),
)

# --- X2

fault(
    "large-caps-run-in-turn",
    "TOOL-X2",
    "runs tools in turn whose own caps are beyond half of the budget",
    one_at_a_time(
        lambda tool, _, budget: (
            True if (tool.max_result_chars or 0) > budget // 2 else None
        )
    ),
)
fault(
    "small-budgets-run-in-turn",
    "TOOL-X2",
    "runs calls in turn with a budget of less than 1,000",
    one_at_a_time(lambda tool, _, budget: True if budget < 1000 else None),
)
fault(
    "a-server-runs-in-turn",
    "TOOL-X2",
    "runs the tools of one server in turn",
    one_at_a_time(lambda tool, *_: mcp_server_of(tool.name)),
)
fault(
    "a-toolset-runs-in-turn",
    "TOOL-X2",
    "runs the tools of one toolset in turn",
    one_at_a_time(lambda tool, *_: tool.toolset),
)
fault(
    "untrusted-tools-run-in-turn",
    "TOOL-X2",
    "runs untrusted tools in turn",
    one_at_a_time(lambda tool, *_: tool.output_is_untrusted or None),
)
fault(
    "a-tool-runs-in-turn",
    "TOOL-X2",
    "runs the calls of one tool in turn",
    one_at_a_time(lambda tool, *_: tool.name),
)

# --- X9

fault(
    "signal-of-its-own",
    "TOOL-X9",
    "gives each tool a signal that does not fire, and fails its call at the abort",
    signal_of_its_own(lambda *_: True),
)
fault(
    "signal-of-its-own-for-servers",
    "TOOL-X9",
    "gives tools of servers a signal that does not fire",
    signal_of_its_own(lambda tool, *_: mcp_server_of(tool.name) is not None),
)
fault(
    "signal-of-its-own-in-later-turns",
    "TOOL-X9",
    "gives tools a signal that does not fire from the second turn on",
    signal_of_its_own(lambda tool, context, _: 1 < context.current_turn < 50),
)

# --- R3

fault(
    "malformed-as-it-is",
    "TOOL-R3",
    "gives its caller nothing for what is no result",
    on_failure(MALFORMED, lambda result: {"ok": None}),
)
fault(
    "malformed-with-a-code-of-its-own",
    "TOOL-R3",
    "fails what is no result with the code malformed",
    on_failure(MALFORMED, lambda result: {**result, "code": "malformed"}),
)
fault(
    "malformed-without-an-error",
    "TOOL-R3",
    "fails what is no result without an error",
    on_failure(MALFORMED, lambda result: {"ok": False, "code": result["code"]}),
)


def _spoils(results: list[Any]) -> list[Any]:
    bad = [one for one in results if MALFORMED in one["result"].get("error", "")]
    return [{**one, "result": bad[0]["result"]} for one in results] if bad else results


fault(
    "malformed-fails-all",
    "TOOL-R3",
    "fails all calls of a batch in which a tool returns no result",
    on_results(_spoils),
)

# --- R2, R4

fault(
    "objects-by-their-type",
    "TOOL-R2",
    "writes a thrown object as [object Object]",
    on_failure(
        "{",
        lambda one: (
            {**one, "error": "[object Object]"} if "because" in one["error"] else one
        ),
    ),
    level="should",
)
fault(
    "structured-and-cost-are-null",
    "TOOL-R4",
    "gives null for structured output and a cost that there are not",
    on_result(
        lambda one: {"structured": None, "cost_usd": None, **one} if one["ok"] else one
    ),
    level="should",
)

# --- D6

reduced = ReducerRegistry.reduced


def on_bad_reducer(then: Any) -> Any:
    """Let `then(subject)` come when a reducer has given no result."""

    def arrange(subject: Subject) -> None:
        def otherwise(self: Any, tool_name: str, result: Any, context: Any) -> Any:
            found = reduced(self, tool_name, result, context)
            reducer = self.get(tool_name)
            if reducer is not None and found is result:
                try:
                    registry.read_result(reducer.reduce(result, context))
                except MalformedResult:
                    then(subject)
                except Exception:  # noqa: BLE001, S110 - TOOL-D2 is another clause
                    pass
            return found

        put("reduced", otherwise, ReducerRegistry)

    return arrange


def _end(subject: Subject) -> None:
    raise MalformedResult("the reducer gave no result")


def _fail_all(subject: Subject) -> None:
    def value(value: Json) -> Json:
        subject.value = lambda value: value
        failed = {"ok": False, "error": "reducer", "code": "execution_failed"}
        return {
            **value,
            "results": [{**one, "result": failed} for one in value["results"]],
        }

    subject.value = value


def _fail_next(subject: Subject) -> None:
    async def run(*_: Any) -> Any:
        return Failure("a reducer gave no result before")

    put("_run", run)


fault(
    "bad-reducer-ends-the-batch",
    "TOOL-D6",
    "raises if a reducer gives no result",
    on_bad_reducer(_end),
)
fault(
    "bad-reducer-fails-all",
    "TOOL-D6",
    "fails every call of a batch in which a reducer gives no result",
    on_bad_reducer(_fail_all),
)
fault(
    "bad-reducer-fails-what-comes-next",
    "TOOL-D6",
    "runs no tool once a reducer has given no result",
    on_bad_reducer(_fail_next),
)
