from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wireproof.checks import Settings, Target
from wireproof.protocols import all_protocols, protocol_for
from wireproof.protocols.interop._protocol import PROTOCOL
from wireproof.subjects import _in_process, is_in_process

ALL = Settings(Path())
FIRST = "interop/sanitise-items/emptied-fragment"

SERVER = (sys.executable, "-P", _in_process.__file__)


def test_the_registry_knows_it_by_its_option() -> None:
    found: object = protocol_for("adapter")
    assert found is PROTOCOL
    assert "interop" in [entry.name for entry in all_protocols()]
    assert (PROTOCOL.name, PROTOCOL.option) == ("interop", "adapter")


@pytest.mark.parametrize(
    "text", ["own:it", "own.deep:it", "own:it.deeper", "_own1:_it2", "a:b"]
)
def test_a_module_and_an_attribute_are_served_by_the_suite(text: str) -> None:
    assert PROTOCOL.command(text) == (*SERVER, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("./driver", ("./driver",)),
        ("node driver.mjs --own", ("node", "driver.mjs", "--own")),
        ("./my\\ driver 'a b'", ("./my driver", "a b")),
        ("own", ("own",)),
        ("own:it --more", ("own:it", "--more")),
        ("./own:it", ("./own:it",)),
        ("own:it:more", ("own:it:more",)),
        ("1own:it", ("1own:it",)),
        ("C:/driver.exe", ("C:/driver.exe",)),
        ("", ()),
    ],
)
def test_anything_else_is_a_command(text: str, words: tuple[str, ...]) -> None:
    assert PROTOCOL.command(text) == words


def test_unbalanced_quotes_are_an_error() -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        PROTOCOL.command("./driver 'x")


def test_the_reference_is_served_by_the_suite() -> None:
    assert is_in_process((sys.executable, *PROTOCOL.reference))
    assert PROTOCOL.reference[-1] == "wireproof_reference.interop:chat_subject"


def test_each_worker_may_start_a_registry_of_its_own() -> None:
    assert PROTOCOL.for_one_worker(("./driver",)) is False


def test_every_check_is_charged_to_clauses_of_the_catalogue() -> None:
    catalogue = {clause.id for clause in PROTOCOL.clauses()}
    charged = {clause for check in PROTOCOL.checks(ALL) for clause in check.clauses}
    assert charged <= catalogue


def test_every_check_names_itself_by_protocol_and_group() -> None:
    ids = [check.id for check in PROTOCOL.checks(ALL)]
    assert len(ids) == len(set(ids))
    assert {one.split("/")[0] for one in ids} == {"interop"}
    assert {one.count("/") for one in ids} == {2}


def test_vectors_scenarios_and_properties_come_in_this_order() -> None:
    kinds = [check.kind for check in PROTOCOL.checks(ALL)]
    assert list(dict.fromkeys(kinds)) == ["vector", "scenario", "fuzz"]
    assert kinds == sorted(kinds, key=["vector", "scenario", "fuzz"].index)


def test_streams_are_tried_beside_operations() -> None:
    kinds = {one.kind for one in PROTOCOL.vectors(ALL).values()}
    assert kinds == {"operation", "stream"}


def test_opening_a_suite_starts_nothing() -> None:
    target = Target("interop", "./absent", ("./absent",), "./absent")
    suite = PROTOCOL.open(target, ALL)
    assert suite.facts().starts == 0
    assert list(suite.checks) == list(PROTOCOL.checks(ALL))
    assert suite.finish() == []


def test_a_check_is_described_by_its_vector() -> None:
    vector = PROTOCOL.describe(FIRST)
    assert vector is not None
    assert vector["id"] == FIRST
    assert PROTOCOL.describe("interop/fuzz/sanitise-any-text") is None
