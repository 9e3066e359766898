"""What a check of interop comes to, for registries and drivers of all kinds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.wireproof.protocols.interop.conftest import DRIVER

from wireproof.checks import Check, Difference, Result, Verdict
from wireproof.protocols.interop._ops import OPS, PROVIDER_OPS
from wireproof.protocols.interop._protocol import PROTOCOL
from wireproof.run import EngineSuite
from wireproof_vectors import load_setup

Open = Callable[..., EngineSuite]

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"

CUT = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{"}

SANITISE: dict[str, Any] = {"op": "sanitize_tool_call", "input": {"call": CUT}}

RIGHT = {**SANITISE, "expected": {"arguments": "{}"}}


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


def own_formats() -> Check:
    scenarios = PROTOCOL.properties("scenario")
    return next(one for one in scenarios if one.name == "declared-formats")


def only(suite: EngineSuite) -> Result:
    (check,) = suite.checks
    return suite.run(check)


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
        (
            "no plain op of a provider comes out right, in either format: "
            'in what `finalize` came to, state is "openai.responses", not '
            '"something else"'
        ),
    )


def test_a_provider_that_ends_the_process_in_its_controls_is_not_testable(
    open_suite: Open,
) -> None:
    dying = PROVIDER.replace('return {"final', 'import os; os._exit(3); return {"final')
    suite = open_suite(dying, steps=[FINALIZE], setup=finalize_setup(RESPONSES))
    result = only(suite)
    assert (result.verdict, result.reason) == (
        Verdict.NOT_TESTABLE,
        (
            "no plain op of a provider comes out right, in either format: "
            "the subject exited with status 3 and did not answer `finalize`"
        ),
    )


def test_an_op_that_ends_the_process_does_not_hide_the_format(open_suite: Open) -> None:
    dying = "def from_native_messages(self, messages):\n    import os; os._exit(1)"
    controls = finalize_setup(RESPONSES)["controls"]
    other = {"input": {"native_messages": []}, "expected": 1}
    setup = {"controls": {"from_native_messages": {CHAT: [other]}, **controls}}
    provider = PROVIDER.replace('["finalize"]', '["finalize", "from_native_messages"]')
    suite = open_suite(provider + dying, steps=[FINALIZE], setup=setup)
    assert only(suite).verdict is Verdict.PASSED
    assert suite.facts().starts == 2


SETUP: Any = load_setup("interop")


@pytest.mark.parametrize("op", OPS)
def test_there_are_three_controls_or_more_of_each_op(op: str) -> None:
    assert len(SETUP["controls"][op]) >= 3


@pytest.mark.parametrize("op", PROVIDER_OPS)
@pytest.mark.parametrize("provider", [CHAT, RESPONSES])
def test_there_are_controls_of_each_op_for_each_provider(
    op: str, provider: str
) -> None:
    assert len(SETUP["controls"][op][provider]) == 3


@pytest.mark.parametrize(
    "answer", ["[]", "{}", "None", "''", "'{}'", "[{}]", "True", "one"]
)
@pytest.mark.parametrize("op", OPS)
def test_one_value_for_all_or_what_was_given_is_no_control(
    open_suite: Open, op: str, answer: str
) -> None:
    check = replace(scenario("descriptors"), needs={"ops": [op]})
    suite = open_suite(
        f"def {op}(self, one, *more, **others): return {answer}", checks=[check]
    )
    result = only(suite)
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason.startswith(f"`{op}` comes to nothing right: ")


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
    check = replace(own_formats(), needs={"ops": []})
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
        "the subject exited with status 4 and did not answer `scenario`",
    )


def test_a_scenario_is_not_applicable_to_a_driver(open_suite: Open) -> None:
    suite = open_suite(checks=[scenario("layers-of-call-adapters")], command=DRIVER)
    assert only(suite).verdict is Verdict.NOT_APPLICABLE


@pytest.mark.usefixtures("unhurried")
def test_a_property_is_fuzzed(open_suite: Open) -> None:
    needs = {"ops": ["sanitize_tool_call"]}
    check = replace(
        scenario("it"), id="interop/fuzz/sanitise-raw-input", kind="fuzz", needs=needs
    )
    result = only(open_suite(checks=[check], fuzz=3))
    assert result.verdict is Verdict.PASSED
    assert result.evidence["examples"] == 3
    assert result.evidence["frames"] > 3


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
