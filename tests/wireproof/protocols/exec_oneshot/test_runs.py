"""How many runs of a tool go on beside each other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wireproof.protocols.exec_oneshot._runs import KNOWN_RUNS, Pool, RunInput
from wireproof.subjects import Patience, cores

MANY = 100


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Pool:
    """Return a pool of a quick tool, of which any run counts as a slow one."""
    monkeypatch.setattr("wireproof.protocols.exec_oneshot._runs.SLOW_RUN_SECONDS", 0.0)
    monkeypatch.setattr("wireproof.protocols.exec_oneshot._runs.MOST_WAITING", MANY)
    return Pool(("cat",), {"PATH": os.environ["PATH"]}, Path.cwd(), Patience(None))


def carry_out(pool: Pool, count: int) -> None:
    for _ in range(count):
        pool.alone(RunInput(b"{}"))


def test_more_go_on_at_once_where_they_keep_no_core_busy(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "wireproof.protocols.exec_oneshot._runs.IDLE_SHARE", float("inf")
    )
    carry_out(pool, KNOWN_RUNS - 1)
    assert pool.limit == cores()
    carry_out(pool, 1)
    assert pool.limit == MANY


def test_there_are_as_many_as_cores_where_they_do(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.protocols.exec_oneshot._runs.IDLE_SHARE", 0.0)
    carry_out(pool, KNOWN_RUNS + 1)
    assert pool.limit == cores()


def test_a_limit_that_was_set_for_a_reason_stays(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "wireproof.protocols.exec_oneshot._runs.IDLE_SHARE", float("inf")
    )
    pool.limit = cores() + 1
    carry_out(pool, KNOWN_RUNS + 1)
    assert pool.limit == cores() + 1


@pytest.mark.parametrize(
    ("script", "held"),
    [
        ("echo {}; sleep 60 &", True),
        ("echo {}; sleep 60 > /dev/null &", False),
        ("echo {}; sleep 0.01 &", False),
    ],
    ids=["holds", "lets-go", "ends-soon"],
)
def test_a_child_that_holds_stdout_is_seen_after_the_exit(
    script: str, *, held: bool
) -> None:
    variables = {"PATH": os.environ["PATH"]}
    pool = Pool(("sh", "-c", script), variables, Path.cwd(), Patience(None))
    run = pool.alone(RunInput(b"{}", ending=0.2))
    pool.end()
    assert (run.status, bytes(run.output), run.held) == (0, b"{}\n", held)
