"""What legal registries change is seen, and put back."""

from __future__ import annotations

from tests.proof.proof import load_proof
from tests.proof.tool_contract.subject import changes, compose_legal, registry

# The table is filled by the modules that define the registries.
load_proof("tool_contract")


def test_what_a_variant_changes_is_what_it_puts_something_else_for() -> None:
    found = changes()

    assert found["plain"] == frozenset()
    assert found["escapes-everything"] == {"sanitize_untrusted", "wrap_untrusted"}
    assert found["further-keys"] == {"given"}
    assert found["preemptive"] == {"__init__"}


def test_what_was_changed_to_see_it_is_put_back() -> None:
    before = dict(vars(registry))

    changes()

    assert vars(registry) == before


def test_a_registry_of_two_variants_has_both() -> None:
    row = compose_legal(["em-dash", "cooperative"])

    assert row.target.endswith(":SUBJECTS.em_dash__cooperative")
    assert set(row.warns) == {"TOOL-X9"}
