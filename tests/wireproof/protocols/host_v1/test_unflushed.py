"""A host in Python that never flushes: it is charged once, and tried in all else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from wireproof.checks import Result, Settings, Target, Verdict
from wireproof.protocols.host_v1._protocol import HostProtocol
from wireproof.protocols.host_v1._suite import HostSuite

HOST = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    reply = {"v": 1, "id": request["id"], "ok": False,
             "error": {"type": "Unknown", "detail": request["method"]}}
    if request["method"] in ("init", "get_tool_schemas"):
        value = {} if request["method"] == "init" else []
        reply = {"v": 1, "id": request["id"], "ok": True,
                 "result": {"value": value, "state": {}}}
    print(json.dumps(reply))
"""

TOLD = (
    "the answer came only when stdin was closed: it was not flushed (flush stdout "
    "after each line); all else is tried with PYTHONUNBUFFERED=1, to see more than this"
)


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> Iterator[HostSuite]:
    """Return the checks, bound to such a host, which is soon taken for silent."""
    monkeypatch.setattr("wireproof.subjects._unflushed.SILENT_SECONDS", 0.1)
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    target = Target("host-v1", "naive", (sys.executable, "-S", "-c", HOST), "naive")
    made = HostProtocol().open(target, Settings(Path.cwd(), fuzz=0))
    assert isinstance(made, HostSuite)
    yield made
    made.finish()


def run(suite: HostSuite, name: str) -> Result:
    return suite.run(next(one for one in suite.checks if one.id == f"host-v1/{name}"))


def test_its_own_checks_fail_and_show_what_came_when_its_input_ended(
    suite: HostSuite,
) -> None:
    result = run(suite, "transport/failure-while-stdin-is-open")
    assert (result.verdict, result.clauses) == (Verdict.FAILED, ("HV1-T5",))
    assert result.reason == TOLD
    assert b"its stdin was closed" in b"".join(one.data for one in result.entries)
    assert result.reproduce is not None
    assert "PYTHONUNBUFFERED" not in result.reproduce
    assert "stdin ends only now" in result.reproduce


def test_all_else_is_tried_on_one_that_was_told_to_flush(suite: HostSuite) -> None:
    assert run(suite, "request-ids/one-space").verdict is Verdict.PASSED
    result = run(suite, "bad-input/plain-text")
    assert (result.verdict, result.clauses) == (Verdict.WARNED, ("HV1-T7",))
    assert result.reproduce is not None
    assert "| PYTHONUNBUFFERED=1 " in result.reproduce


def test_a_monitor_tells_it_where_none_of_its_checks_is_run(suite: HostSuite) -> None:
    run(suite, "request-ids/one-space")
    found = {one.id: one for one in suite.finish()}
    result = found["host-v1/monitor/HV1-T5"]
    assert (result.verdict, result.reason) == (Verdict.FAILED, TOLD)


def test_a_line_of_shell_takes_the_variable_away_where_the_user_has_it(
    suite: HostSuite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    result = run(suite, "transport/failure-while-stdin-is-open")
    assert result.reproduce is not None
    assert "| env -u PYTHONUNBUFFERED " in result.reproduce


def test_what_it_lists_is_known_where_it_comes_only_when_its_input_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wireproof.subjects._unflushed.SILENT_SECONDS", 0.1)
    monkeypatch.setattr("wireproof.subjects._unflushed.FLOOR_SECONDS", 0.2)
    host = HOST.replace("else []", 'else [{"name": "add"}]')
    # Told so by -E, Python takes no notice of the variable.
    command = (sys.executable, "-E", "-S", "-c", host)
    made = HostProtocol().open(
        Target("host-v1", "naive", command, "naive"), Settings(Path.cwd(), fuzz=0)
    )
    assert isinstance(made, HostSuite)
    result = run(made, "request-ids/one-space")
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, "HV1-T5")
    assert list(made.session.tools) == ["add"]
    assert "conformance_echo" in made.facts().missing_tools
    made.finish()
