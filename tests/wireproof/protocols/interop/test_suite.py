"""What a check of interop comes to, for registries and drivers of all kinds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.wireproof.protocols.interop.conftest import DRIVER

from wireproof.checks import Check, Difference, Result, Verdict
from wireproof.protocols.interop._ops import OPS
from wireproof.protocols.interop._own_formats import OWN_FORMATS
from wireproof.protocols.interop._suite import InteropSuite
from wireproof.subjects import DriverFault

Open = Callable[..., InteropSuite]

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"

CUT = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{"}
WHOLE = {**CUT, "arguments": "{}"}

SANITISE: dict[str, Any] = {"op": "sanitize_tool_call", "input": {"call": CUT}}

RIGHT = {**SANITISE, "expected": {"arguments": "{}"}}
WRONG = {**SANITISE, "expected": {"arguments": "{"}}

# The controls come out right, and what is named "n" ends or hangs the process.
DIES = """
def sanitize_tool_call(self, call):
    import os, sys
    if call.get("name") == "n":
        print("a trace", file=sys.stderr, flush=True)
        os._exit(5)
    return super().sanitize_tool_call(call)
"""
HANGS = """
def sanitize_tool_call(self, call):
    import time
    if call.get("name") == "n":
        time.sleep(600)
    return super().sanitize_tool_call(call)
"""
FOREVER_WRONG = "def sanitize_tool_call(self, call): return call"


def scenario(name: str) -> Check:
    return Check(
        f"interop/scenarios/{name}",
        "A scenario.",
        ("INT-G1",),
        "must",
        "seed",
        "scenario",
        {"in_process": ["yes"]},
    )


def only(suite: InteropSuite) -> Result:
    (check,) = suite.checks
    return suite.run(check)


# --- vectors


def test_what_comes_out_as_it_should_passes(open_suite: Open) -> None:
    result = only(open_suite(steps=[RIGHT]))
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")
    assert result.evidence == {"operations": 1}
    assert [entry.direction for entry in result.entries] == ["sent", "received"]
    assert (result.id, result.title) == ("interop/own/it", "It holds.")
    assert result.duration_s > 0


@pytest.mark.parametrize(
    ("level", "verdict"),
    [
        ("must", Verdict.FAILED),
        ("should", Verdict.WARNED),
        ("may", Verdict.RECORDED),
    ],
)
def test_a_difference_breaks_the_clause_as_its_level_has_it(
    open_suite: Open, level: str, verdict: Verdict
) -> None:
    result = only(open_suite(steps=[RIGHT, WRONG], level=level))
    assert result.verdict == verdict
    assert result.reason == (
        "what sanitize_tool_call gave differs from what was expected at /arguments"
    )
    assert result.differences == (Difference("/arguments", "{", "{}"),)
    assert result.evidence == {"step": 1}


def test_what_may_be_is_recorded(open_suite: Open) -> None:
    step = {**SANITISE, "record": {"emptied": {"arguments": "{}"}}}
    result = only(open_suite(steps=[step], level="may"))
    assert (result.verdict, result.reason) == (
        Verdict.RECORDED,
        "sanitize_tool_call: emptied",
    )
    assert result.evidence == {
        "operations": 1,
        "recorded": {"sanitize_tool_call": "emptied"},
    }


def test_a_record_beside_a_must_does_not_change_its_verdict(open_suite: Open) -> None:
    result = only(open_suite(steps=[{**RIGHT, "record": {}}]))
    assert result.verdict is Verdict.PASSED
    assert result.evidence["recorded"] == {"sanitize_tool_call": "other"}


def test_a_step_that_another_clause_is_about_hides_this_one(open_suite: Open) -> None:
    result = only(open_suite(steps=[{**WRONG, "clause": "INT-Z2"}]))
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, "INT-Z2")
    assert result.reason.startswith("not testable because of INT-Z2: what sanitize_")
    assert result.differences == (Difference("/arguments", "{", "{}"),)


def test_a_step_of_the_clause_itself_fails(open_suite: Open) -> None:
    result = only(open_suite(steps=[{**WRONG, "clause": "INT-S1"}]))
    assert (result.verdict, result.because) == (Verdict.FAILED, None)


def test_a_step_that_cannot_be_carried_out_is_a_fault_of_the_suite(
    open_suite: Open,
) -> None:
    step = {**RIGHT, "input": {"call": {"$use": "nothing"}}}
    result = only(open_suite(steps=[step]))
    assert (result.verdict, result.reason) == (
        Verdict.HARNESS_ERROR,
        "$use names 'nothing', which no step has saved",
    )


def test_a_fault_of_the_suite_ends_one_check_alone(open_suite: Open) -> None:
    suite = open_suite(steps=[{"op": "sanitize_tool_call", "input": 5}])
    result = only(suite)
    assert result.verdict is Verdict.HARNESS_ERROR
    assert "Traceback" in result.reason
    assert suite.attempt(suite.checks[0], [RIGHT]).result.verdict is Verdict.PASSED


# --- what a check needs


def test_an_op_that_is_not_offered_is_not_applicable(open_suite: Open) -> None:
    result = only(open_suite(steps=[{"op": "finalize", "input": {}, "expected": 1}]))
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        "it needs the op finalize, which is not offered",
    )


def test_a_format_that_is_not_declared_is_not_applicable(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT], needs={"formats": ["acme.tool"]})
    assert only(suite).reason == "it needs the format acme.tool, which is not declared"
    assert only(suite).verdict is Verdict.NOT_APPLICABLE


def test_a_format_that_is_declared_is_tried(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT], needs={"formats": [f"{CHAT}.custom"]})
    assert only(suite).verdict is Verdict.PASSED


def test_what_needs_the_object_is_not_applicable_to_a_driver(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT], needs={"in_process": True}, command=DRIVER)
    assert only(suite).reason == "it needs a registry in Python, named as module:attr"
    assert only(suite).verdict is Verdict.NOT_APPLICABLE


def test_what_needs_the_object_is_tried_on_an_object(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT], needs={"in_process": True})
    assert only(suite).verdict is Verdict.PASSED


@pytest.mark.parametrize("command", [None, DRIVER])
def test_an_argument_that_stays_what_it_was_is_seen_either_way(
    open_suite: Open, command: Any
) -> None:
    named = {"command": command} if command else {}
    suite = open_suite(steps=[{**RIGHT, "keeps_input": True}], **named)
    assert only(suite).verdict is Verdict.PASSED


def test_what_a_driver_does_not_tell_is_not_applicable(open_suite: Open) -> None:
    step = {**RIGHT, "shares_nothing": True}
    result = only(open_suite(steps=[step], command=DRIVER))
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        "the driver does not tell what its value shares",
    )


def test_without_its_control_a_check_is_not_testable(open_suite: Open) -> None:
    result = only(open_suite(FOREVER_WRONG, steps=[{**RIGHT, "expected": CUT}]))
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason.startswith("no plain sanitize_tool_call came out right: ")
    assert result.reproduce == "pytest interop/own/it"


def test_what_an_op_does_wrong_is_seen_without_its_control(open_suite: Open) -> None:
    result = only(open_suite(FOREVER_WRONG, steps=[RIGHT]))
    assert result.verdict is Verdict.FAILED
    assert result.differences == (Difference("/arguments", "{}", "{"),)


def test_what_an_empty_shell_does_is_not_testable(open_suite: Open) -> None:
    shell = f"for op in {OPS!r}: locals()[op] = lambda self, *one, **more: None"
    result = only(open_suite(shell, steps=[RIGHT]))
    assert result.verdict is Verdict.NOT_TESTABLE


def test_each_op_of_a_vector_has_its_own_control(open_suite: Open) -> None:
    broken = "def inspect_call(self, call): return call"
    other = {"op": "inspect_call", "input": {"call": CUT}, "expected": CUT}
    assert only(open_suite(broken, steps=[RIGHT])).verdict is Verdict.PASSED
    result = only(open_suite(broken, steps=[RIGHT, other]))
    assert result.verdict is Verdict.NOT_TESTABLE


PROVIDER = """
def describe(self):
    return {"ops": ["finalize"]}
def finalize(self, final_messages, native_messages, state):
    return {"final_messages": [], "native_messages": [], "state": state["right"]}
"""
FINALIZE: dict[str, Any] = {
    "op": "finalize",
    "input": {"final_messages": [], "native_messages": [], "state": {"right": {}}},
    "expected": {"state": {}},
}


def finalize_setup(expected: Any) -> dict[str, Any]:
    given = {**FINALIZE["input"], "state": {"right": RESPONSES}}
    control = {"input": given, "expected": {"state": expected}}
    return {"controls": {"finalize": {CHAT: [], RESPONSES: [control]}}}


def test_a_vector_of_the_other_providers_format_is_not_applicable(
    open_suite: Open,
) -> None:
    result = only(
        open_suite(
            PROVIDER,
            steps=[FINALIZE],
            needs={"provider": CHAT},
            setup=finalize_setup(RESPONSES),
        )
    )
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        f"it needs a provider of {CHAT}; this one is of {RESPONSES}",
    )


def test_a_vector_of_the_providers_format_is_tried(open_suite: Open) -> None:
    suite = open_suite(
        PROVIDER,
        steps=[FINALIZE],
        needs={"provider": RESPONSES},
        setup=finalize_setup(RESPONSES),
    )
    assert only(suite).verdict is Verdict.PASSED


def test_a_provider_that_does_nothing_is_not_testable(open_suite: Open) -> None:
    suite = open_suite(
        PROVIDER,
        steps=[FINALIZE],
        needs={"provider": CHAT},
        setup=finalize_setup("something else"),
    )
    result = only(suite)
    assert (result.verdict, result.reason) == (
        Verdict.NOT_TESTABLE,
        "no plain op of a provider came out right, in either format",
    )


def test_a_provider_that_ends_the_process_in_its_controls_fails(
    open_suite: Open,
) -> None:
    dying = PROVIDER.replace('return {"final', 'import os; os._exit(3); return {"final')
    suite = open_suite(dying, steps=[FINALIZE], setup=finalize_setup(RESPONSES))
    result = only(suite)
    assert (result.verdict, result.reason) == (
        Verdict.FAILED,
        "the process of the registry ended with status 3 at finalize",
    )


# --- drivers and processes that do not answer


def test_a_registry_that_ends_its_process_fails(open_suite: Open) -> None:
    result = only(open_suite(DIES, steps=[RIGHT]))
    assert (result.verdict, result.reason) == (
        Verdict.FAILED,
        "the process of the registry ended with status 5 at sanitize_tool_call",
    )
    assert result.stderr == "a trace\n"


def test_a_registry_that_hangs_fails(open_suite: Open) -> None:
    result = only(open_suite(HANGS, steps=[RIGHT], timeout=3.0))
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("the process of the registry gave no answer to ")


def test_a_driver_that_dies_says_nothing_of_the_registry(open_suite: Open) -> None:
    result = only(open_suite(DIES, steps=[RIGHT], command=DRIVER))
    assert (result.verdict, result.reason) == (
        Verdict.NOT_TESTABLE,
        (
            "the driver ended with status 5 at sanitize_tool_call: "
            "a fault of the driver, not a wrong answer"
        ),
    )
    assert result.stderr == "a trace\n"


def test_a_driver_that_dies_where_it_has_to_survive_fails(open_suite: Open) -> None:
    step = {**RIGHT, "survives": True}
    result = only(open_suite(DIES, steps=[step], command=DRIVER))
    assert (result.verdict, result.reason) == (
        Verdict.FAILED,
        "the process of the registry ended with status 5 at sanitize_tool_call",
    )


def test_the_next_check_has_a_new_process(open_suite: Open) -> None:
    suite = open_suite(DIES, steps=[RIGHT])
    (check,) = suite.checks
    suite.run(check)
    call = {"call": {"type": "message"}}
    plain = {"op": "sanitize_tool_call", "input": call, "expected": {"type": "message"}}
    assert suite.attempt(check, [plain]).result.verdict is Verdict.PASSED
    assert suite.facts().starts == 2


def test_a_registry_that_ends_its_process_in_the_control_fails(
    open_suite: Open,
) -> None:
    dying = "def sanitize_tool_call(self, call):\n    import os; os._exit(5)"
    assert only(open_suite(dying, steps=[RIGHT])).verdict is Verdict.FAILED
    result = only(open_suite(dying, steps=[RIGHT], command=DRIVER))
    assert result.verdict is Verdict.NOT_TESTABLE


def test_an_object_that_cannot_be_imported_is_not_testable(open_suite: Open) -> None:
    result = only(open_suite(steps=[RIGHT], module="1 / 0"))
    assert (result.verdict, result.reason) == (
        Verdict.NOT_TESTABLE,
        "Unusable: cannot import own: ZeroDivisionError: division by zero",
    )
    assert result.reproduce is None


def test_a_driver_that_does_not_come_up_can_be_tried_by_hand(open_suite: Open) -> None:
    command = (sys.executable, "-c", "raise SystemExit('no configuration')")
    result = only(open_suite(steps=[RIGHT], command=command))
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason == "the driver ended with status 1 at describe"
    assert result.stderr == "no configuration\n"
    assert result.reproduce is not None
    done = subprocess.run(
        ["/bin/sh", "-c", result.reproduce], capture_output=True, check=False, text=True
    )
    assert "no configuration" in done.stderr


def test_an_example_of_the_fuzzer_is_tried_on_a_driver_that_is_up(
    open_suite: Open,
) -> None:
    command = (sys.executable, "-c", "raise SystemExit(1)")
    suite = open_suite(command=command)
    result = suite.attempt(suite.checks[0], [RIGHT]).result
    assert result.verdict is Verdict.NOT_TESTABLE


# --- reproduction


def test_the_line_of_an_object_calls_the_method_itself(
    open_suite: Open, tmp_path: Path
) -> None:
    wrong = (
        "def sanitize_tool_call(self, call):\n"
        "    return call if call.get('name') == 'n' else "
        "super().sanitize_tool_call(call)"
    )
    result = only(open_suite(wrong, steps=[RIGHT]))
    assert result.reproduce is not None
    assert result.reproduce.startswith("python -c 'import own; print(own.Subject().")
    line = result.reproduce.replace("python", sys.executable, 1)
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == f"{CUT}\n"


@pytest.mark.parametrize("parameters", ["one, to", "one, *, target", "*, call, target"])
def test_the_line_of_an_object_calls_the_method_as_the_suite_does(
    open_suite: Open, tmp_path: Path, parameters: str
) -> None:
    wrong = f"def convert_tool_calls(self, {parameters}): return 'wrong'"
    wrong = wrong.replace("call,", "calls,")
    setup = {
        "controls": {
            "convert_tool_calls": [
                {"input": {"calls": [], "target": CHAT}, "expected": "wrong"}
            ]
        }
    }
    step = {
        "op": "convert_tool_calls",
        "input": {"calls": [], "target": CHAT},
        "expected": [],
    }
    result = only(open_suite(wrong, steps=[step], setup=setup))
    assert result.reproduce is not None
    done = subprocess.run(
        ["/bin/sh", "-c", result.reproduce.replace("python", sys.executable, 1)],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "wrong\n"


def test_the_line_of_a_driver_pipes_what_was_sent(
    open_suite: Open, tmp_path: Path
) -> None:
    result = only(open_suite(steps=[RIGHT, WRONG], command=DRIVER))
    assert result.reproduce is not None
    quick = result.reproduce.replace("sleep 1", "true")
    done = subprocess.run(
        ["/bin/sh", "-c", quick],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        text=True,
    )
    described, *values = [
        json.loads(line)["value"] for line in done.stdout.splitlines()
    ]
    assert "sanitize_tool_call" in described["ops"]
    assert values == [WHOLE, WHOLE]


def test_steps_that_rest_on_others_are_shown_by_pytest(open_suite: Open) -> None:
    again = {
        "op": "sanitize_tool_call",
        "input": {"call": {"$use": "it"}},
        "expected": {"arguments": "{"},
    }
    result = only(open_suite(steps=[{**RIGHT, "save": "it"}, again]))
    assert result.reproduce == "pytest interop/own/it"


def test_what_has_to_be_awaited_is_shown_by_pytest(open_suite: Open) -> None:
    slow = "async def inspect_call(self, call): return call"
    result = only(open_suite(slow, steps=[WRONG]))
    assert result.reproduce == "pytest interop/own/it"


def test_an_argument_that_was_changed_is_shown_by_pytest(open_suite: Open) -> None:
    changing = (
        "def sanitize_tool_call(self, call):\n"
        "    found = super().sanitize_tool_call(call)\n"
        "    call.clear()\n"
        "    return found"
    )
    result = only(open_suite(changing, steps=[{**RIGHT, "keeps_input": True}]))
    assert result.reason == "sanitize_tool_call changed what it was given"
    assert result.reproduce == "pytest interop/own/it"


def test_what_is_too_long_for_a_line_is_shown_by_pytest(open_suite: Open) -> None:
    call = {**CUT, "x": {"$repeat": "x", "times": 10_000}}
    step = {**WRONG, "input": {"call": call}}
    options = ("--adapter=own:Subject",)
    result = only(open_suite(steps=[step], reproduce_options=options))
    assert result.reproduce == "pytest interop/own/it --adapter=own:Subject"


# --- scenarios and fuzzing


def test_a_scenario_that_comes_out_as_it_should_passes(open_suite: Open) -> None:
    result = only(open_suite(checks=[scenario("layers-of-call-adapters")]))
    assert result.verdict is Verdict.PASSED
    assert result.evidence["compared"] == [
        "the name by the adapter of config",
        "the name by the adapter of provider",
        "the name by the adapter of provider_extension",
        "the name by the adapter of tool",
        "the name by the default",
    ]


def test_a_scenario_that_needs_more_than_there_is_is_not_applicable(
    open_suite: Open,
) -> None:
    bare = (
        "class Subject:\n    sanitize_tool_call = InteropSubject().sanitize_tool_call"
    )
    module = f"compose_registry = None\n{bare}\n"
    suite = open_suite(checks=[scenario("layers-of-call-adapters")], module=module)
    result = only(suite)
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        "it needs compose_registry, which the registry has not",
    )


def test_a_scenario_that_comes_out_otherwise_is_shown(open_suite: Open) -> None:
    broken = "@staticmethod\ndef compose_registry(**layers):\n    return Subject()"
    result = only(open_suite(broken, checks=[scenario("layers-of-call-adapters")]))
    assert (result.verdict, result.reason) == (
        Verdict.FAILED,
        "the name by the adapter of config is not what it should be",
    )
    assert result.differences == (
        Difference("the name by the adapter of config", "from config", "read_file"),
    )


@pytest.mark.parametrize(
    ("name", "methods"),
    [
        ("accepted-formats", "def accepted_tool_schema_formats(self): return []"),
        ("descriptors", "class ToolDescriptor:\n    def __init__(self, plugin): pass"),
        ("attachments", "class ChatProvider: pass"),
        ("execution-by-kind", "def execute_calls(self, calls): return []"),
        (
            "providers-use-the-context",
            "class provider: initialize_request = lambda *, state: None",
        ),
    ],
)
def test_a_name_that_means_something_else_is_not_the_references(
    open_suite: Open, name: str, methods: str
) -> None:
    module = methods if "provider:" in methods else ""
    suite = open_suite(
        "" if module else methods, module=module, checks=[scenario(name)]
    )
    result = only(suite)
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert "as the reference has it" in result.reason


def test_a_provider_may_give_an_object_as_the_bridge_does(open_suite: Open) -> None:
    provider = (
        "from wireproof_reference.interop.providers import ChatProvider\n"
        "class provider:\n"
        "    @staticmethod\n"
        "    def initialize_request(messages, state, *, context):\n"
        "        made = ChatProvider().initialize_request(\n"
        "            messages, state, context=context)\n"
        "        return {'native_messages': made[0], 'state': made[1]}\n"
        "    @staticmethod\n"
        "    def finalize(final, messages, state, *, context):\n"
        "        made = ChatProvider().finalize(\n"
        "            final, messages, state, context=context)\n"
        "        return {'state': made[2]}"
    )
    suite = open_suite(module=provider, checks=[scenario("providers-use-the-context")])
    assert only(suite).verdict is Verdict.PASSED


OWN_FORMAT = """
def describe(self):
    return {"formats": ["own.tool"]}
def inspect_schema(self, schema):
    if "own" not in schema:
        return super().inspect_schema(schema)
    return {**schema["own"], "payload_kind": "object", "format": "own.tool"}
def convert_schemas(self, schemas, target, target_formats=None):
    if target_formats == ["own.tool"]:
        return [s if "own" in s else {"own": s.get("function", s)} for s in schemas]
    def left(own):
        kept = {k: v for k, v in own.items() if k != LOST}
        return {"type": "function", "function": kept}
    given = [left(s["own"]) if "own" in s else s for s in schemas]
    return super().convert_schemas(given, target, target_formats)
"""


@pytest.mark.parametrize("lost", ["nothing", "description", "parameters"])
def test_what_is_in_a_format_of_its_own_is_taken_along(
    open_suite: Open, lost: str
) -> None:
    check = replace(OWN_FORMATS, needs={"ops": []})
    found = only(open_suite(OWN_FORMAT.replace("LOST", repr(lost)), checks=[check]))
    assert found.verdict is (Verdict.PASSED if lost == "nothing" else Verdict.FAILED)
    assert found.reason.startswith(f"the {lost} is lost" if lost != "nothing" else "")


def test_a_scenario_that_raises_fails(open_suite: Open) -> None:
    broken = "@staticmethod\ndef compose_registry(**layers):\n    raise KeyError('x')"
    result = only(open_suite(broken, checks=[scenario("layers-of-call-adapters")]))
    assert (result.verdict, result.reason) == (
        Verdict.FAILED,
        "the scenario raised KeyError: 'x'",
    )


def test_a_scenario_that_ends_the_process_fails(open_suite: Open) -> None:
    broken = (
        "@staticmethod\ndef compose_registry(**layers):\n    import os; os._exit(4)"
    )
    result = only(open_suite(broken, checks=[scenario("layers-of-call-adapters")]))
    assert (result.verdict, result.reason) == (
        Verdict.FAILED,
        "the process of the registry ended with status 4 at scenario",
    )


def test_a_scenario_is_not_applicable_to_a_driver(open_suite: Open) -> None:
    suite = open_suite(checks=[scenario("layers-of-call-adapters")], command=DRIVER)
    assert only(suite).verdict is Verdict.NOT_APPLICABLE


def test_a_property_is_fuzzed(open_suite: Open) -> None:
    needs = {"ops": ["sanitize_tool_call"]}
    check = replace(
        scenario("it"), id="interop/fuzz/sanitise-raw-input", kind="fuzz", needs=needs
    )
    result = only(open_suite(checks=[check], fuzz=3))
    assert result.verdict is Verdict.PASSED
    assert result.evidence["examples"] == 3
    assert result.evidence["operations"] > 3


# --- the subject


def test_a_registry_with_all_ops_is_at_full_level(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT])
    only(suite)
    facts = suite.facts()
    assert (facts.level, facts.starts) == ("full", 1)
    assert facts.latency_ms > 0


def test_a_registry_that_lacks_an_op_is_at_wire_level(open_suite: Open) -> None:
    fewer = f"def describe(self): return {{'ops': {list(OPS[1:])!r}}}"
    suite = open_suite(fewer, steps=[RIGHT])
    only(suite)
    assert suite.facts().level == "wire"


def test_a_registry_that_nothing_is_known_of_is_at_wire_level(open_suite: Open) -> None:
    assert open_suite().facts().level == "wire"
    assert open_suite().facts().starts == 0


def test_a_registry_that_does_nothing_is_at_wire_level(open_suite: Open) -> None:
    suite = open_suite(FOREVER_WRONG, steps=[RIGHT])
    only(suite)
    assert suite.facts().level == "wire"


def test_the_end_leaves_no_process_and_no_further_results(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT])
    only(suite)
    assert suite.finish() == []
    assert isinstance(suite.bridge.ask_all([]), list)
    assert not isinstance(suite.bridge.ensure_up(), DriverFault)
    assert suite.facts().starts == 2
