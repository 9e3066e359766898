"""The plans that the fuzzer draws become vectors that mean what they should."""

import base64
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

import wireproof_reference
import wireproof_vectors
from wireproof.checks import Result, Settings, Target, Verdict
from wireproof.fuzzing import Example
from wireproof.patterns import raw_bytes
from wireproof.protocols.socket_v1._fuzz_plans import STRATEGIES
from wireproof.protocols.socket_v1._plan import ID_HERE, Move, Plan
from wireproof.protocols.socket_v1._protocol import PROTOCOL
from wireproof_vectors import check_vectors, load_vector_file

FUZZ_CHECKS = PROTOCOL.properties("fuzz")

pytestmark = pytest.mark.usefixtures("unhurried")

SERVER = Path(__file__).with_name("broken_server.py")

ROOTS = [
    Path(str(one.__file__)).parents[1]
    for one in (wireproof_reference, wireproof_vectors)
]

ONE = Move(
    {"type": "tool_call", "toolName": "a", "arguments": {}}, ({"type": "tool_result"},)
)
LIST = Move({"type": "list_tools"}, ({"type": "tools_list"},))


def test_every_property_has_a_strategy() -> None:
    names = {check.name for check in FUZZ_CHECKS}
    assert names == set(STRATEGIES)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_plans_are_vectors(name: str) -> None:
    @settings(max_examples=5, database=None, deadline=None)
    @given(STRATEGIES[name])
    def plans_validate(plan: Example) -> None:
        vector = {
            "id": "socket-v1/fuzz-found/x",
            "title": "A plan.",
            "clauses": ["SOCK-F2"],
            "steps": plan.steps("x"),
        }
        content = {
            "schema": "wireproof-vectors/1",
            "protocol": "socket-v1",
            "group": "fuzz-found",
            "kind": "exchange",
            "vectors": [vector],
        }
        check_vectors(json.loads(json.dumps(content)))

    plans_validate()


def test_moves_are_asked_and_answered_in_turn() -> None:
    two = replace(ONE, on="second", clause="SOCK-C6")
    call = {"type": "tool_call", "toolName": "a", "arguments": {}}
    assert Plan((ONE, two)).steps("p") == [
        {"send": {**call, "requestId": "p-0"}},
        {"expect": {"requestId": "p-0", "type": "tool_result"}},
        {"send": {**call, "requestId": "p-1"}, "on": "second"},
        {
            "expect": {"requestId": "p-1", "type": "tool_result"},
            "clause": "SOCK-C6",
            "on": "second",
        },
    ]


def test_a_listing_has_no_id() -> None:
    assert Plan((LIST,)).steps("p") == [
        {"send": {"type": "list_tools"}},
        {"expect": {"type": "tools_list"}},
    ]


def test_moves_together_are_all_sent_before_the_first_answer() -> None:
    steps = Plan((ONE, ONE), together=True).steps("p")
    assert [next(iter(step)) for step in steps] == ["send", "send", "expect", "expect"]


def test_the_stream_of_one_connection_is_one_write_with_cuts() -> None:
    first, *rest = Plan((LIST, LIST), cuts=(3, 9, 400)).steps("p")
    assert first["cut"] == [3, 9]
    assert raw_bytes(first["send_raw"]) == b'{"type":"list_tools"}\n' * 2
    assert len(rest) == 2


def test_the_streams_of_several_connections_are_written_by_turns() -> None:
    steps = Plan((LIST, replace(LIST, on="second")), cuts=(5,)).steps("p")
    sent = [(step.get("on"), raw_bytes(step["send_raw"])) for step in steps[:4]]
    assert sent == [
        (None, b'{"typ'),
        ("second", b'{"typ'),
        (None, b'e":"list_tools"}\n'),
        ("second", b'e":"list_tools"}\n'),
    ]


def test_calls_can_be_numbered_alike_on_every_connection() -> None:
    moves = (ONE, replace(ONE, on="second"), ONE)
    sends = Plan(moves, together=True, same_ids=True).steps("p")[:3]
    assert [step["send"]["requestId"] for step in sends] == ["p-0", "p-0", "p-1"]


def test_a_cancelled_call_is_cancelled_at_once_and_not_waited_for() -> None:
    call, cancel, _ = Plan((replace(ONE, cancelled=True),)).steps("p")
    assert call["waits"] is False
    assert cancel["send"] == {
        "type": "cancel_tool_call",
        "protocol": 1,
        "requestId": "p-0",
    }


def test_what_else_comes_is_looked_at_on_every_connection() -> None:
    moves = (ONE, replace(ONE, on="second"))
    *_, first, second = Plan(moves, others={"type": "error"}).steps("p")
    assert first == {"expect_optional": {"type": "error"}}
    assert second == {"expect_optional": {"type": "error"}, "on": "second"}


def test_raw_bytes_that_are_not_utf_8_are_written_in_base64() -> None:
    (step,) = Plan((Move(raw=b"\xff\n"),)).steps("p")
    assert base64.b64decode(step["send_raw"][0]["base64"]) == b"\xff\n"


def test_raw_lines_and_their_patterns_get_the_id() -> None:
    move = Move(
        raw=ID_HERE.encode() + b"\n",
        answers=({"requestId": {"$one_of": [ID_HERE, None]}},),
        may_close=True,
    )
    sent, expected = Plan((move,)).steps("p")
    assert raw_bytes(sent["send_raw"]) == b"p-0\n"
    assert expected == {
        "expect": {"requestId": {"$one_of": ["p-0", None]}},
        "or": "closed",
    }


def test_the_line_of_a_message_can_end_in_crlf() -> None:
    (step, _) = Plan((replace(LIST, ending=b"\r\n"),)).steps("p")
    assert raw_bytes(step["send_raw"]) == b'{"type":"list_tools"}\r\n'


def run(name: str, folder: Path, fault: str) -> Result:
    """Fuzz one property of a server with one fault."""
    roots = os.pathsep.join(map(str, ROOTS))
    environment = {"PYTHONPATH": roots}
    # What a seed draws is another thing with each version of Hypothesis.
    chosen = Settings(
        Path.cwd(),
        environment,
        timeout=2.0,
        fuzz=200,
        fuzz_seed=1,
        save_vectors=folder,
    )
    words = (sys.executable, str(SERVER), "{socket}", "{home}", fault)
    suite = PROTOCOL.open(Target("socket-v1", "it", words, "it"), chosen)
    (check,) = (check for check in suite.checks if check.id == f"socket-v1/fuzz/{name}")
    try:
        return suite.run(check)
    finally:
        suite.finish()


@pytest.mark.parametrize(
    ("name", "clause", "verdict"),
    [
        ("cuts", "SOCK-F2", Verdict.FAILED),
        ("blank-lines", "SOCK-F3", Verdict.WARNED),
        ("bad-lines", "SOCK-F4", Verdict.FAILED),
        ("bad-messages", "SOCK-M5", Verdict.FAILED),
        ("bad-bytes", "SOCK-F7", Verdict.WARNED),
        ("deep-nesting", "SOCK-C1", Verdict.FAILED),
        ("request-ids", "SOCK-C1", Verdict.FAILED),
        ("values", "SOCK-C11", Verdict.FAILED),
        ("sequences", "SOCK-E2", Verdict.FAILED),
        ("same-ids", "SOCK-C9", Verdict.FAILED),
        # A call that it cancels in vain may be one with a deadline, and the id one of
        # another connection's.
        ("cancels", "SOCK-X3 SOCK-X4 SOCK-X5", Verdict.FAILED),
    ],
)
def test_a_property_fails_on_a_server_that_breaks_it(
    tmp_path: Path,
    name: str,
    clause: str,
    verdict: Verdict,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wireproof.fuzzing._search.SHRINK_RUNS", 0)
    result = run(name, tmp_path, fault=name)
    assert result.verdict is verdict, result.reason
    assert result.clauses[0] in clause.split()
    (vector,) = load_vector_file(tmp_path / f"socket-v1-fuzz-{name}.json")
    assert vector.clauses[0] == result.clauses[0]
    assert vector.data["steps"] == result.evidence["steps"]


def test_a_failing_example_is_made_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.fuzzing._search.SHRINK_RUNS", 10_000)
    monkeypatch.setattr("wireproof.fuzzing._property.SHRINK_SECONDS", float("inf"))
    result = run("values", tmp_path, fault="values")
    sent = [step for step in result.evidence["steps"] if "send" in step]
    assert len(sent) == 1
