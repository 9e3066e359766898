"""The plans that the fuzzer draws become vectors that mean what they should."""

import base64
import json

import pytest
from hypothesis import given, settings

from wireproof.fuzzing import Example
from wireproof.patterns import raw_bytes
from wireproof.protocols.host_v1._fuzz_plans import STRATEGIES
from wireproof.protocols.host_v1._plan import ID_HERE, Move, Plan
from wireproof.protocols.host_v1._protocol import PROTOCOL
from wireproof_vectors import check_vectors

FUZZ_CHECKS = PROTOCOL.properties("fuzz")

pytestmark = pytest.mark.usefixtures("unhurried")


def test_every_property_has_a_strategy() -> None:
    names = {check.name for check in FUZZ_CHECKS}
    assert names == set(STRATEGIES)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_plans_are_vectors(name: str) -> None:
    @settings(max_examples=5, database=None, deadline=None)
    @given(STRATEGIES[name])
    def plans_validate(plan: Example) -> None:
        steps = plan.steps("x")
        vector = {
            "id": "host-v1/fuzz-found/x",
            "title": "A plan.",
            "clauses": ["HV1-T4"],
            "steps": steps,
        }
        content = {
            "schema": "wireproof-vectors/1",
            "protocol": "host-v1",
            "group": "fuzz-found",
            "kind": "exchange",
            "vectors": [vector],
        }
        check_vectors(json.loads(json.dumps(content)))

    plans_validate()


def test_moves_are_asked_and_answered_in_turn() -> None:
    one = Move({"method": "a", "params": {}}, ({"ok": True},))
    two = Move({"method": "b", "params": {}}, ({"ok": False},), clause="HV1-R6")
    assert Plan((one, two)).steps("p") == [
        {"send": {"v": 1, "id": "p-0", "method": "a", "params": {}}},
        {"expect": {"id": "p-0", "ok": True}},
        {"send": {"v": 1, "id": "p-1", "method": "b", "params": {}}},
        {"expect": {"id": "p-1", "ok": False}, "clause": "HV1-R6"},
    ]


def test_moves_together_are_all_sent_before_the_first_answer() -> None:
    one = Move({"method": "a", "params": {}}, ({"ok": True},))
    steps = Plan((one, one), together=True).steps("p")
    assert [next(iter(step)) for step in steps] == ["send", "send", "expect", "expect"]


def test_moves_as_one_are_one_write_with_cuts() -> None:
    one = Move({"method": "a", "params": {}}, ({"ok": True},))
    first, *rest = Plan((one, one), as_one=True, cuts=(3, 9)).steps("p")
    assert first["cut"] == [3, 9]
    assert raw_bytes(first["send_raw"]) == (
        b'{"v":1,"id":"p-0","method":"a","params":{}}\n'
        b'{"v":1,"id":"p-1","method":"a","params":{}}\n'
    )
    assert [step["expect"]["id"] for step in rest] == ["p-0", "p-1"]


def test_raw_bytes_that_are_not_utf_8_are_written_in_base64() -> None:
    (step,) = Plan((Move(raw=b"\xff\n"),)).steps("p")
    assert base64.b64decode(step["send_raw"][0]["base64"]) == b"\xff\n"


def test_raw_lines_get_ids_of_their_own() -> None:
    line = Move(raw=b'{"id":"' + ID_HERE + b'"}\n')
    steps = Plan((line, line)).steps("p")
    sent = [raw_bytes(step["send_raw"]) for step in steps]
    assert sent == [b'{"id":"p-0"}\n', b'{"id":"p-1"}\n']
