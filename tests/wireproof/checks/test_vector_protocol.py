"""What protocols have alike: vectors, the user's own among them, and a catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wireproof.checks import Check, Level, Settings, Target, VectorProtocol
from wireproof_vectors import Vector, load_properties, load_vectors


class Tried(VectorProtocol):
    """A protocol with the vectors of interop."""

    name = "interop"
    option = "tried"
    reference = ("tried",)
    kind = "operation"

    def command(self, text: str) -> tuple[str, ...]:
        return (text,)

    def open(self, target: Target, settings: Settings) -> Any:
        raise NotImplementedError

    def start_problem(self, target: Target, settings: Settings) -> str | None:
        return None

    def handle(self, target: Target, settings: Settings) -> Any:
        raise NotImplementedError


PROTOCOL = Tried()

BESIDE = load_properties("interop")

FIRST = "interop/sanitise-items/emptied-fragment"


def vector(
    name: str = "interop/own/it", kind: str = "operation", level: Level = "must"
) -> Vector:
    data: Any = {"id": name, "steps": [], "needs": {"formats": ["own.format"]}}
    return Vector(name, "It holds.", ("INT-S1",), level, "seed", kind, "own", data)


def ids(settings: Settings) -> list[str]:
    return [check.id for check in PROTOCOL.checks(settings)]


def test_a_vector_is_a_check() -> None:
    assert PROTOCOL.check(vector()) == Check(
        "interop/own/it",
        "It holds.",
        ("INT-S1",),
        "must",
        "seed",
        "vector",
        {"formats": ["own.format"]},
    )


def test_a_vector_that_needs_nothing_is_a_check_that_needs_nothing() -> None:
    bare = Vector("i/o/v", "It.", ("C",), "may", "seed", "operation", "own", {})
    assert PROTOCOL.check(bare).needs == {}


def test_vectors_come_in_the_order_of_their_files_then_scenarios_then_fuzzing() -> None:
    shipped = [one.id for one in load_vectors("interop") if one.kind == "operation"]
    scenarios = [one.id for one in BESIDE if one.kind == "scenario"]
    fuzzed = [one.id for one in BESIDE if one.kind == "fuzz"]
    assert ids(Settings(Path())) == [*shipped, *scenarios, *fuzzed]


def test_vectors_of_another_kind_are_not_tried() -> None:
    kinds = {one.kind for one in load_vectors("interop")}
    assert kinds == {"operation", "stream"}
    assert {one.kind for one in PROTOCOL.vectors(Settings(Path())).values()} == {
        "operation"
    }


@pytest.mark.parametrize(
    ("level", "tried"),
    [
        ("must", {"must"}),
        ("should", {"must", "should"}),
        ("may", {"must", "should", "may"}),
    ],
)
def test_checks_go_up_to_the_level(level: Level, tried: set[str]) -> None:
    found = PROTOCOL.checks(Settings(Path(), level=level))
    assert {check.level for check in found} == tried
    beside = {one.id for one in BESIDE if one.level in tried}
    assert {check.id for check in found if check.kind != "vector"} == beside


def test_fuzzing_can_be_turned_off() -> None:
    found = PROTOCOL.checks(Settings(Path(), fuzz=0))
    assert {check.kind for check in found} == {"vector", "scenario"}


def test_vectors_of_the_users_own_are_tried_with_their_file() -> None:
    settings = Settings(Path(), vectors={"own.json": [vector()]})
    (check,) = (one for one in PROTOCOL.checks(settings) if one.id == "interop/own/it")
    assert check.file == "own.json"
    assert PROTOCOL.vectors(settings)["interop/own/it"] == vector()


@pytest.mark.parametrize(
    "other",
    [vector("socket-v1/own/it"), vector(kind="stream"), vector("interopes/a/b")],
)
def test_vectors_of_the_users_own_for_another_protocol_are_left_alone(
    other: Vector,
) -> None:
    settings = Settings(Path(), vectors={"own.json": [other]})
    assert ids(settings) == ids(Settings(Path()))


def test_vectors_of_the_users_own_go_up_to_the_level_too() -> None:
    own = {"own.json": [vector(level="may")]}
    assert "interop/own/it" not in ids(Settings(Path(), vectors=own, level="should"))


def test_the_catalogue_says_why_a_clause_is_not_tested() -> None:
    clauses = {clause.id: clause for clause in PROTOCOL.clauses()}
    assert clauses["INT-Z2"].level == "must"
    assert clauses["INT-Z2"].source == "seed"
    assert clauses["INT-Z2"].text.startswith("a text that breaks off")
    assert clauses["INT-Z2"].excluded == ""


def test_a_check_is_described_by_its_vector() -> None:
    found = PROTOCOL.describe(FIRST)
    assert found is not None
    assert found["id"] == FIRST
    assert PROTOCOL.describe("interop/s/must") is None


def test_a_subject_is_started_anew_in_each_worker() -> None:
    assert PROTOCOL.for_one_worker(("x",)) is False
