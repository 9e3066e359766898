"""What the fuzzer draws means what the clauses say, and catches who breaks them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from wireproof.checks import Check, Result, Verdict
from wireproof.fuzzing import OperationPlan
from wireproof.fuzzing._search import save_vector
from wireproof.protocols.interop._fuzz_plans import STRATEGIES
from wireproof.protocols.interop._protocol import PROTOCOL
from wireproof.run import EngineSuite
from wireproof_vectors import check_vectors, load_vector_file

FUZZ_CHECKS = PROTOCOL.properties("fuzz")

GROWTH = "interop/fuzz/sanitise-growth"

pytestmark = pytest.mark.usefixtures("unhurried")

Open = Callable[..., EngineSuite]


def property_of(name: str) -> Check:
    (check,) = (one for one in FUZZ_CHECKS if one.name == name)
    return check


OF_A_PROVIDER = [check for check in FUZZ_CHECKS if "provider" in check.needs]


# --- plans


def test_every_property_has_a_strategy_but_the_one_of_time() -> None:
    names = {check.name for check in FUZZ_CHECKS}
    assert names - {"sanitise-growth"} == set(STRATEGIES)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_plans_are_vectors(name: str, tmp_path: Path) -> None:
    check = property_of(name)
    failed = Result(
        check.id, ("INT-Z1",), "must", "seed", Verdict.FAILED, reason="it is wrong"
    )

    @settings(max_examples=3, database=None, deadline=None)
    @given(STRATEGIES[name])
    def plans_validate(plan: OperationPlan) -> None:
        assert plan.steps("x")
        steps = plan.steps("x")[:6]
        saved = save_vector(tmp_path, "interop", "operation", check, steps, failed)
        check_vectors(json.loads(saved.read_text()))

    plans_validate()


# --- properties


BROKEN = """
import json

def text_of(call):
    function = call.get("function")
    found = function if isinstance(function, dict) else call
    return found.get("arguments")

def with_text(call, text):
    if isinstance(call.get("function"), dict):
        return {**call, "function": {**call["function"], "arguments": text}}
    return {**call, "arguments": text}

def parsed(text):
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return None

class Broken(InteropSubject):
"""

KEEPS = """
    def sanitize_tool_call(self, call):
        text = text_of(call)
        if isinstance(text, str) and {condition}:
            return call
        return super().sanitize_tool_call(call)
"""

REWRITES = """
    def sanitize_tool_call(self, call):
        text = text_of(call)
        found = super().sanitize_tool_call(call)
        if isinstance(parsed(text), dict):
            return with_text(found, json.dumps(json.loads(text)))
        return found
"""

METHODS = {
    "sanitise-any-text": KEEPS.format(condition="text[:1] == '{' and len(text) > 2"),
    "sanitise-broken-texts": KEEPS.format(condition="text.endswith(':')"),
    "sanitise-valid-texts": REWRITES,
    "sanitise-names": """
    def sanitize_tool_call(self, call):
        found = super().sanitize_tool_call(call)
        return {**found, "id": call["id"].strip()} if "id" in call else found
""",
    "sanitise-any-object": """
    def sanitize_tool_call(self, call):
        call.get("type", "").strip()
        return super().sanitize_tool_call(call)
""",
    "sanitise-other-values": KEEPS.format(condition="text == 'null'"),
    "sanitise-lenient-json": KEEPS.format(condition="'//' in text"),
    "sanitise-repairs": KEEPS.format(condition="'NaN' in text"),
    "streams-chat": """
    def accumulate(self, target, events, ends):
        pieces = [event["choices"][0]["delta"]["tool_calls"][0] for event in events]
        empty = any(piece.get("function") is None for piece in pieces)
        return [] if empty else super().accumulate(target, events, ends)
""",
    "streams-responses": """
    def accumulate(self, target, events, ends):
        done = [event for event in events if event["type"].endswith("arguments.done")]
        return [] if done else super().accumulate(target, events, ends)
""",
    "sanitise-raw-input": """
    def sanitize_tool_call(self, call):
        found = super().sanitize_tool_call(call)
        return {**found, "input": call["input"].strip()} if "input" in call else found
""",
    "sanitise-items": KEEPS.format(
        condition="call['type'] == 'function_call' and text[:1] == '{'"
    ),
    "sanitise-nesting": """
    def sanitize_tool_call(self, call):
        if text_of(call).count("[") > 500 or text_of(call).count("{") > 500:
            raise RecursionError
        return super().sanitize_tool_call(call)
""",
    "sanitise-duplicate-keys": REWRITES,
    "sanitise-other-types": """
    def sanitize_tool_call(self, call):
        return {"arguments": "{}", **super().sanitize_tool_call(call)}
""",
    "schemas-unchanged": """
    def convert_schemas(self, schemas, target, target_formats=None):
        found = super().convert_schemas(schemas, target, target_formats)
        known = ("type", "name", "function", "description", "parameters", "strict")
        return [{key: one[key] for key in one if key in known} for one in found]
""",
    "schemas-there-and-back": """
    def convert_schemas(self, schemas, target, target_formats=None):
        found = super().convert_schemas(schemas, target, target_formats)
        return [{key: one[key] for key in one if one[key] is not True} for one in found]
""",
    "schemas-in-order": """
    def convert_schemas(self, schemas, target, target_formats=None):
        found = super().convert_schemas(schemas, target, target_formats)
        return list({json.dumps(one): one for one in found}.values())
""",
    "custom-inputs": """
    def inspect_call(self, call):
        found = super().inspect_call(call)
        if isinstance(found["payload"], str):
            found["payload"] = found["payload"].strip()
        return found
""",
    "calls-there-and-back": """
    def convert_tool_calls(self, calls, target):
        found = super().convert_tool_calls(calls, target)
        return [with_text(call, text_of(call).strip()) for call in found]
""",
    "calls-in-order": """
    def convert_tool_calls(self, calls, target):
        found = super().convert_tool_calls(calls, target)
        return list({json.dumps(call): call for call in found}.values())
""",
    "result-texts": """
    def convert_results(self, results, target, calls=None):
        found = super().convert_results(results, target, calls)
        for one in found:
            key = "content" if "content" in one else "output"
            one[key] = one[key].strip()
        return found
""",
    "core-results": """
    def convert_results(self, results, target, calls=None):
        found = super().convert_results(results, target, calls)
        for one in found:
            if one.get("content") == "[]":
                one["content"] = ""
        return found
""",
}


def run(open_suite: Open, name: str, methods: str, **options: Any) -> Result:
    """Fuzz one property of the reference, some of its methods replaced."""
    broken = f"{BROKEN}{methods}\n    pass\n\nSubject = Broken\n"
    suite = open_suite(module=broken, checks=[property_of(name)], **options)
    return suite.run(suite.checks[0])


@pytest.mark.parametrize("provider", ["chat", "responses"])
def test_every_property_holds_for_the_reference(
    open_suite: Open, provider: str
) -> None:
    made = f"from wireproof_reference.interop import {provider}_subject as Subject"
    mine = [check for check in FUZZ_CHECKS if check.id != GROWTH]
    suite = open_suite(module=made, checks=mine, fuzz=3, fuzz_seed=1)
    results = [suite.run(check) for check in suite.checks]
    tried = [one for one in results if one.verdict is not Verdict.NOT_APPLICABLE]

    assert {one.verdict for one in tried} == {Verdict.PASSED}
    assert len(results) - len(tried) == len(OF_A_PROVIDER) // 2
    assert all(one.evidence["frames"] for one in tried)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_a_property_fails_on_a_registry_that_breaks_it(
    open_suite: Open, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "found"
    options = {"fuzz": 400, "fuzz_seed": 1, "save_vectors": folder}
    result = run(open_suite, name, METHODS[name], **options)
    bad = {"must": Verdict.FAILED, "should": Verdict.WARNED}
    assert result.verdict is bad[property_of(name).level], result.reason
    assert len(result.evidence["steps"]) == 1
    (vector,) = load_vector_file(folder / f"interop-fuzz-{name}.json")
    assert set(vector.clauses) <= set(property_of(name).clauses)
    assert vector.data["steps"] == result.evidence["steps"]


def test_a_failing_text_is_made_small(open_suite: Open) -> None:
    name = "sanitise-raw-input"
    result = run(open_suite, name, METHODS[name], fuzz=400, fuzz_seed=1)
    (step,) = result.evidence["steps"]
    (call,) = step["input"]["call"].values()
    assert len(call["input"]) == 1


def test_what_a_failing_step_rests_on_is_left_beside_it(open_suite: Open) -> None:
    again = """
    def sanitize_tool_call(self, call):
        found = super().sanitize_tool_call(call)
        return {**found, "seen": "seen" in call}
"""
    result = run(open_suite, "sanitise-any-object", again, fuzz=400, fuzz_seed=1)
    assert result.verdict is Verdict.FAILED
    first, second = result.evidence["steps"]
    assert second["input"] == {"call": {"$use": first["save"]}}


def test_the_same_seed_finds_the_same(open_suite: Open) -> None:
    name = "sanitise-broken-texts"
    one = run(open_suite, name, METHODS[name], fuzz=40, fuzz_seed=7)
    two = run(open_suite, name, METHODS[name], fuzz=40, fuzz_seed=7)
    assert one.evidence["steps"] == two.evidence["steps"]


def test_a_property_without_its_control_is_not_fuzzed(open_suite: Open) -> None:
    nothing = "    def sanitize_tool_call(self, call): return call"
    result = run(open_suite, "sanitise-raw-input", nothing, fuzz=5)
    assert result.verdict is Verdict.NOT_TESTABLE


def test_a_registry_that_dies_of_a_text_is_caught_with_it(open_suite: Open) -> None:
    dies = """
    def sanitize_tool_call(self, call):
        if text_of(call) == "{":
            import os; os._exit(1)
        return super().sanitize_tool_call(call)
"""
    result = run(open_suite, "sanitise-broken-texts", dies, fuzz=5, fuzz_seed=1)
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("the subject exited with status 1")
    (step,) = result.evidence["steps"]
    assert step["input"]["call"]["$literal"]["function"]["arguments"] == "{"
