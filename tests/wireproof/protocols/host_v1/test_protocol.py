from __future__ import annotations

from pathlib import Path

import pytest

from wireproof.checks import Settings, Target
from wireproof.protocols import all_protocols, protocol_for
from wireproof.protocols.host_v1._protocol import PROTOCOL

ALL = Settings(Path())
FIRST = "host-v1/messages/version-of-a-success"


def test_the_registry_knows_it_by_its_option() -> None:
    found: object = protocol_for("host")
    assert found is PROTOCOL
    assert "host-v1" in [entry.name for entry in all_protocols()]
    assert PROTOCOL.name == "host-v1"
    assert PROTOCOL.option == "host"


def test_every_check_is_charged_to_clauses_of_the_catalogue() -> None:
    catalogue = {clause.id for clause in PROTOCOL.clauses()}
    assert {
        clause for check in PROTOCOL.checks(ALL) for clause in check.clauses
    } <= catalogue


def test_no_two_checks_share_an_id() -> None:
    ids = [check.id for check in PROTOCOL.checks(ALL)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("settings", "levels"),
    [
        (Settings(Path(), level="must"), {"must"}),
        (Settings(Path(), level="should"), {"must", "should"}),
        (Settings(Path(), level="may"), {"must", "should", "may"}),
    ],
)
def test_checks_go_up_to_the_level(settings: Settings, levels: set[str]) -> None:
    assert {check.level for check in PROTOCOL.checks(settings)} == levels


def test_fuzzing_comes_last_and_can_be_turned_off() -> None:
    kinds = [check.kind for check in PROTOCOL.checks(ALL)]
    assert kinds == sorted(kinds, key=["vector", "scenario", "fuzz"].index)
    assert kinds[-1] == "fuzz"
    without = PROTOCOL.checks(Settings(Path(), fuzz=0))
    assert {check.kind for check in without} == {"vector", "scenario"}


def test_a_check_is_described_by_its_vector() -> None:
    vector = PROTOCOL.describe(FIRST)
    assert vector is not None
    assert vector["id"] == FIRST
    assert PROTOCOL.describe("host-v1/fuzz/cuts") is None


def test_a_check_belongs_to_its_group() -> None:
    (check,) = (c for c in PROTOCOL.checks(ALL) if c.id == FIRST)
    assert check.group == "host-v1/messages"


def test_opening_a_suite_starts_nothing() -> None:
    target = Target("host-v1", "./absent", ("./absent",), "./absent")
    suite = PROTOCOL.open(target, ALL)
    assert suite.facts().starts == 0
    assert list(suite.checks) == list(PROTOCOL.checks(ALL))
    assert {result.verdict for result in suite.finish()} == {"not testable"}
