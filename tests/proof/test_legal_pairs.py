"""Each two legal variants that go together stand in one subject, and it is legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import pytest
import tests.proof.host_client.subject as clients
import tests.proof.host_v1.subject as hosts
import tests.proof.interop.subject as registries
import tests.proof.socket_v1.subject as servers
import tests.proof.tool_contract.subject as tools
from tests.proof.composed import JOINED, changed, covering_array, pairs
from tests.proof.proof import load_proof
from tests.proof.row import Row
from tests.proof.trial import complaints, try_row

EVERY = 16
"""One vector of so many is run on each subject: they are tried on all between them."""

SAMPLE = 60
"""One subject of so many is tried in each run."""

COMPOSE: Mapping[str, Callable[[list[str]], Row]] = {
    "host_v1": hosts.compose_legal,
    "socket_v1": servers.compose_legal,
    "host_client": clients.compose_legal,
    "interop": registries.compose_legal,
    "tool_contract": tools.compose_legal,
}

# The tables are filled by the modules that define the subjects.
PROOFS = {folder: load_proof(folder) for folder in COMPOSE}

ALL = [
    pytest.param(folder, list(names), index, id=f"{folder}-{JOINED.join(names)}")
    for folder, changes in (
        ("host_v1", hosts.changes),
        ("socket_v1", servers.changes),
        ("host_client", clients.changes),
        ("interop", registries.changes),
        ("tool_contract", tools.changes),
    )
    for index, names in enumerate(covering_array(changes()))
]


def assert_nothing_is_charged(folder: str, names: list[str], index: int) -> None:
    row = COMPOSE[folder](names)

    trial = try_row(PROOFS[folder], row, every=EVERY, offset=index % EVERY)

    assert complaints(row, trial.results) == []
    assert trial.conformant


@pytest.mark.parametrize(("folder", "names", "index"), ALL[::SAMPLE])
def test_a_subject_of_several_variants_is_neither_failed_nor_warned(
    folder: str, names: list[str], index: int
) -> None:
    assert_nothing_is_charged(folder, names, index)


@pytest.mark.sweep
@pytest.mark.parametrize(("folder", "names", "index"), ALL)
def test_no_subject_of_several_variants_is_failed_or_warned(
    folder: str, names: list[str], index: int
) -> None:
    assert_nothing_is_charged(folder, names, index)


CHANGES = {
    "a": frozenset({"x"}),
    "b": frozenset({"x", "y"}),
    "c": frozenset({"z"}),
    "d": frozenset({"encode"}),
    "e": frozenset({"encode"}),
}


def test_variants_go_together_that_change_other_methods() -> None:
    assert [
        pair for pair in combinations("abcde", 2) if pair not in pairs(CHANGES)
    ] == [("a", "b")]


def test_every_pair_that_goes_together_stands_in_some_subject() -> None:
    found = [set(names) for names in covering_array(CHANGES)]

    assert [
        pair
        for pair in pairs(CHANGES)
        if not any(set(pair) <= names for names in found)
    ] == []
    assert not any({"a", "b"} <= names for names in found)


class _Reference:
    def say(self) -> str:
        return "a"


class _Variant(_Reference):
    def say(self) -> str:
        return "b"


def test_what_a_variant_changes_is_what_it_and_its_own_bases_define() -> None:
    assert changed(_Variant, _Reference) == {"say"}


def test_a_variant_is_itself_at_once_with_another() -> None:
    row = hosts.compose_legal(["crlf", "reverse-keys"])

    assert row.name == "crlf+reverse-keys"
    assert row.subject.__mro__[1:3] == (
        hosts.LEGAL["crlf"].subject,
        hosts.LEGAL["reverse-keys"].subject,
    )
