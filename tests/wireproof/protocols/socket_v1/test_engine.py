"""socket-v1 as a whole: a server with several connections, and its process."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import AGAINST, Settings, Target, Verdict
from wireproof.judge import Case, judge
from wireproof.protocols.socket_v1._connection import is_gone
from wireproof.protocols.socket_v1._protocol import PROTOCOL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wireproof.run import EngineSuite

CHOSEN = (
    "audit/denied",
    "audit/connection-closed",
    "audit/secret-keys",
    "cancel/one-of-three",
    "concurrency/closing-with-an-id-in-flight-twice",
    "concurrency/fifty-connections",
    "concurrency/fifty-listings-closed",
    "concurrency/unread-results",
    "concurrency/write-side-closed",
    "discovery/config-beside-a-second-server",
    "discovery/end-beside-another-socket",
    "discovery/instance-removed",
    "discovery/live-socket",
    "discovery/some-record-beside-a-neighbour",
    "discovery/stale-socket",
    "framing/line-without-end-grows",
    "framing/nine-mebibytes",
    "identity/socket-file-is-its-owners",
    "timeout/two-to-the-31st",
)
"""Vectors that hold each kind of step between them."""


@pytest.fixture(scope="module")
def suite() -> Iterator[EngineSuite]:
    command = (sys.executable, *PROTOCOL.reference)
    target = Target(PROTOCOL.name, "reference", command, "reference")
    suite = PROTOCOL.open(target, Settings(Path.cwd(), fuzz=0))
    yield suite
    assert not [one.id for one in suite.finish() if one.verdict in AGAINST]


@pytest.mark.parametrize("name", CHOSEN)
def test_the_reference_server_passes(suite: EngineSuite, name: str) -> None:
    (check,) = (one for one in suite.checks if one.id == f"socket-v1/{name}")
    result = suite.run(check)
    assert result.verdict in {Verdict.PASSED, Verdict.RECORDED}, result.reason


def test_one_vector_in_nine_passes_and_is_judged_the_same_again(
    suite: EngineSuite,
) -> None:
    for check in [one for one in suite.checks if one.kind == "vector"][::9]:
        result = suite.run(check)
        assert result.verdict not in AGAINST, (check.id, result.reason)
        data: Any = suite.vectors[check.id].data
        if "values" not in data and result.verdict is not Verdict.NOT_APPLICABLE:
            seen, rules = suite.runner.seen, PROTOCOL.rules()
            again = judge(Case(check, data["steps"]), seen, rules)
            assert again.verdict is result.verdict, check.id


def test_a_server_that_runs_is_reached_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s"
    command = [sys.executable, "-m", "wireproof_reference", "socket", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            while is_gone(str(path)):
                assert server.poll() is None
            target = Target(PROTOCOL.name, str(path), (str(path),), "it")
            suite = PROTOCOL.open(target, Settings(Path.cwd(), fuzz=0))
            checks = {one.id: one for one in suite.checks}
            held = suite.run(checks["socket-v1/concurrency/fifty-connections"])
            needs = suite.run(checks["socket-v1/discovery/stale-socket"])
            suite.finish()
            assert held.verdict is Verdict.PASSED
            assert needs.verdict is Verdict.NOT_APPLICABLE
            assert needs.reason.startswith("it needs a server that the suite launches")
            with socket.socket(socket.AF_UNIX) as other:
                other.connect(str(path))
        finally:
            server.terminate()


def test_a_server_that_does_not_come_up_is_not_testable(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "import sys; sys.exit(3)", "{socket}")
    target = Target(PROTOCOL.name, "it", command, "it")
    settings = Settings(tmp_path, fuzz=0)
    suite = PROTOCOL.open(target, settings)
    check = next(one for one in suite.checks if "SOCK-L1" not in one.clauses)
    result = suite.run(check)
    suite.finish()
    assert result.verdict is Verdict.NOT_TESTABLE
    assert "the subject exited with status 3 before" in result.reason
