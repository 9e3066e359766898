"""Where a core is left, examples are drawn while the vectors are carried out."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof.checks import Settings, Target, Verdict
from wireproof.fuzzing import DrawnAhead
from wireproof.protocols import protocol_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wireproof.checks import Check, Suite

CHEAP = ("blank-lines", "bad-lines", "request-ids")
"""Properties of which an example is carried out in a moment."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for what is drawn however busy the machine is."""
    monkeypatch.setattr("wireproof.fuzzing._ahead.LONGEST_WAIT", 120.0)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[DrawnAhead]:
    """Return what has drawn ahead, from when it was started."""
    found: list[DrawnAhead] = []
    start = DrawnAhead.__init__

    def starting(self: DrawnAhead, *given: object, **named: object) -> None:
        found.append(self)
        start(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(DrawnAhead, "__init__", starting)
    return found


@contextmanager
def opened(
    *, spare_core: bool, count: int = 3
) -> Iterator[tuple[Suite, Sequence[Check]]]:
    """Open the suite of a reference, with the properties that were announced."""
    protocol = protocol_for("host")
    command = (sys.executable, *protocol.reference)
    settings = Settings(Path.cwd(), fuzz=3, fuzz_seed=5, spare_core=spare_core)
    suite = protocol.open(Target(protocol.name, "reference", command, "it"), settings)
    wanted = CHEAP[:count]
    checks = [one for one in suite.checks if one.kind == "fuzz" and one.name in wanted]
    suite.announce(checks)
    try:
        yield suite, checks
    finally:
        suite.finish()


def test_what_is_drawn_ahead_is_carried_out_as_what_is_not(
    started: list[DrawnAhead], monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(spare_core=False) as (suite, checks):
        without = [suite.run(check) for check in checks]
    assert started == []
    drawn: list[object] = []
    monkeypatch.setattr("wireproof.fuzzing._search._draw", lambda *_: drawn.append(_))
    with opened(spare_core=True) as (suite, checks):
        ahead = [suite.run(check) for check in checks]
    assert len(started) == 1
    assert drawn == []
    assert [one.verdict for one in ahead] == [Verdict.PASSED] * 3
    assert [one.evidence["examples"] for one in ahead] == [3] * 3
    assert [one.evidence for one in ahead] == [one.evidence for one in without]


def test_no_process_is_started_for_few_properties(started: list[DrawnAhead]) -> None:
    with opened(spare_core=True, count=2) as (suite, checks):
        assert [suite.run(check).verdict for check in checks] == [Verdict.PASSED] * 2
    assert started == []


def test_where_there_is_room_for_no_process_each_property_is_drawn_in_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object, **__: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr("wireproof.fuzzing._ahead.subprocess.Popen", full)
    with opened(spare_core=True) as (suite, checks):
        monkeypatch.undo()
        assert [suite.run(check).verdict for check in checks] == [Verdict.PASSED] * 3


def test_the_process_ends_with_the_suite(started: list[DrawnAhead]) -> None:
    with opened(spare_core=True):
        (one,) = started
    assert one._process.returncode is not None
