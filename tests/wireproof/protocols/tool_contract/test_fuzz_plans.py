"""What the fuzzer draws means what the clauses say, and catches who breaks them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from wireproof.checks import Result, Settings, Target, Verdict
from wireproof.fuzzing import Example
from wireproof.protocols.tool_contract._fuzz_plans import STRATEGIES
from wireproof.protocols.tool_contract._protocol import PROTOCOL
from wireproof.subjects import driver_command
from wireproof_vectors import check_vectors, load_vector_file

FUZZ_CHECKS = PROTOCOL.properties("fuzz")

pytestmark = pytest.mark.usefixtures("unhurried")

ROOT = Path(__file__).parents[4]
REFERENCE = "wireproof_reference.tool_contract:subject"
BROKEN = "tests.proof.tool_contract.table:SUBJECTS."


def test_every_property_has_a_strategy() -> None:
    names = {check.name for check in FUZZ_CHECKS}
    assert names == set(STRATEGIES)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_plans_are_vectors(name: str) -> None:
    @settings(max_examples=5, database=None, deadline=None)
    @given(STRATEGIES[name])
    def plans_validate(plan: Example) -> None:
        vector = {
            "id": "tool-contract/fuzz-found/x",
            "title": "A plan.",
            "clauses": ["TOOL-X3"],
            "steps": plan.steps("x"),
        }
        content = {
            "schema": "wireproof-vectors/1",
            "protocol": "tool-contract",
            "group": "fuzz-found",
            "kind": "operation",
            "vectors": [vector],
        }
        check_vectors(json.loads(json.dumps(content)))

    plans_validate()


def run(name: str, subject: str, folder: Path) -> Result:
    """Fuzz one property of a registry."""
    chosen = Settings(
        ROOT, timeout=4.0, fuzz=100, fuzz_seed=1, save_vectors=folder, environment={}
    )
    target = Target("tool-contract", subject, driver_command(subject), subject)
    suite = PROTOCOL.open(target, chosen)
    (check,) = (one for one in suite.checks if one.id == f"tool-contract/fuzz/{name}")
    try:
        return suite.run(check)
    finally:
        suite.finish()


@pytest.mark.parametrize(
    ("name", "subject", "clauses"),
    [
        ("untrusted-content", "exact_closing_tag_only", {"TOOL-U3"}),
        ("untrusted-tokens", "tokens_in_small_letters", {"TOOL-U2"}),
        ("untrusted-and-cut", "wrapper_cut_off", {"TOOL-U8"}),
        ("untrusted-attributes", "attributes_as_they_are", {"TOOL-U4"}),
        ("cuts", "cut_one_long", {"TOOL-B3"}),
        ("budgets", "share_of_at_least_100", {"TOOL-B1"}),
        ("names", "names_by_their_letters", {"TOOL-X4"}),
        ("shown", "trusted_text_sanitised", {"TOOL-U9"}),
        ("batches", "fails_after_a_failure", {"TOOL-X3"}),
        ("filters", "no_servers_is_no_filter", {"TOOL-X7"}),
        ("values", "drops_falsy", {"TOOL-R4"}),
        ("arguments", "turns_counted_by_the_registry", {"TOOL-D5"}),
        ("sequences", "removes_the_successor", {"TOOL-D1", "TOOL-D3", "TOOL-D4"}),
        ("file-sequences", "never_stale", {"TOOL-C2"}),
    ],
)
def test_a_property_fails_on_a_registry_that_breaks_it(
    name: str,
    subject: str,
    clauses: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wireproof.fuzzing._search.SHRINK_RUNS", 0)
    result = run(name, BROKEN + subject, tmp_path)

    assert result.verdict is Verdict.FAILED, result.reason
    assert set(result.clauses) <= clauses
    (vector,) = load_vector_file(tmp_path / f"tool-contract-fuzz-{name}.json")
    assert vector.data["steps"] == result.evidence["steps"]
