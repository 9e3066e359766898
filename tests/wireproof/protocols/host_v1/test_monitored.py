from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import pytest

from wireproof.checks import ClauseText, Deviation, Entry, Level, Result, Verdict
from wireproof.line import Monitors
from wireproof.protocols.host_v1._monitored import MONITORED, NEEDS_SEEN, recorded

if TYPE_CHECKING:
    from wireproof.protocols.host_v1._session import HostSession

M1 = Deviation("HV1-M1", "must", "v is 2", '{"v":2}')
T11 = Deviation("HV1-T11", "should", "what a tool printed reached stdout", "hello")
SOURCES = {"HV1-M1": "seed", "HV1-T11": "seed"}
LEVELS: dict[str, Level] = {"HV1-M6": "should"}
SEEN = Counter(frames=9, events=3, parts=2, successes=4, failures=2, stateful=3)


@dataclass
class FakeSession:
    """What the monitors ask of a session."""

    seen: Counter[str] = field(default_factory=lambda: Counter(SEEN))
    extra_keys: frozenset[str] = frozenset()
    nulls: frozenset[str] = frozenset()
    stateless: frozenset[str] = frozenset()


def watching() -> Monitors:
    clauses = [
        ClauseText(clause, LEVELS.get(clause, "must"), "seed", "It holds.")
        for clause in MONITORED
    ]
    return Monitors("host-v1", MONITORED, NEEDS_SEEN, clauses)


def conclude(
    monitors: Monitors, session: FakeSession | None = None, *, controlled: bool = True
) -> dict[str, Result]:
    session = session or FakeSession()
    found = monitors.results(session.seen, controlled=controlled)
    if controlled:
        found += recorded(cast("HostSession", session), SOURCES)
    return {result.id.removeprefix("host-v1/monitor/"): result for result in found}


def test_monitors_that_saw_frames_and_no_fault_pass() -> None:
    found = conclude(watching())
    assert set(found) == {*MONITORED, "HV1-M15", "HV1-M16"}
    assert {found[clause].verdict for clause in MONITORED} == {Verdict.PASSED}
    assert {clause: found[clause].evidence["frames"] for clause in MONITORED} == {
        "HV1-T1": 9,
        "HV1-T2": 9,
        "HV1-T3": 9,
        "HV1-M1": 9,
        "HV1-M2": 9,
        "HV1-M3": 9,
        "HV1-M4": 4,
        "HV1-M5": 2,
        "HV1-M6": 3,
        "HV1-E1": 3,
        "HV1-E2": 3,
        "HV1-E4": 2,
    }


def test_each_monitor_has_the_level_and_source_of_its_clause() -> None:
    found = conclude(watching())
    assert found["HV1-M1"].level == "must"
    assert found["HV1-M1"].source == "seed"
    assert found["HV1-M6"].level == "should"
    assert found["HV1-M15"].level == "may"


def test_a_monitor_that_saw_nothing_of_its_kind_is_not_applicable() -> None:
    found = conclude(watching(), FakeSession(Counter(frames=2, successes=2)))
    assert found["HV1-T1"].verdict is Verdict.PASSED
    assert found["HV1-E1"].verdict is Verdict.NOT_APPLICABLE
    assert found["HV1-E1"].reason == "no events came"
    assert found["HV1-E4"].reason == "no parts came"
    assert found["HV1-M5"].reason == "no failures came"


def test_without_a_control_nothing_is_said() -> None:
    found = conclude(watching(), controlled=False)
    assert set(found) == set(MONITORED)
    assert {result.verdict for result in found.values()} == {Verdict.NOT_TESTABLE}


def test_a_monitor_that_fired_failed() -> None:
    monitors = watching()
    assert monitors.report([M1], "host-v1/a/one") == [M1]
    assert monitors.report([M1, M1], "host-v1/a/two") == []
    result = conclude(monitors)["HV1-M1"]
    assert result.verdict is Verdict.FAILED
    assert result.clauses == ("HV1-M1",)
    assert result.reason == "v is 2"
    assert result.first_in == "host-v1/a/one"
    assert result.evidence == {
        "frame": '{"v":2}',
        "times": 3,
        "checks": ["host-v1/a/one", "host-v1/a/two"],
    }


def test_only_the_first_deviation_of_a_clause_is_new() -> None:
    later = Deviation("HV1-M1", "must", "v is 3", '{"v":3}')
    assert watching().report([M1, later, T11], "host-v1/a/one") == [M1, T11]


def test_a_clause_without_a_monitor_has_a_result_once_it_was_broken() -> None:
    monitors = watching()
    monitors.report([T11], "host-v1/a/one")
    result = conclude(monitors)["HV1-T11"]
    assert (result.verdict, result.level) == (Verdict.WARNED, "should")


def test_a_fault_counts_where_there_was_no_control_too() -> None:
    monitors = watching()
    monitors.report([M1], "host-v1/a/one")
    assert conclude(monitors, controlled=False)["HV1-M1"].verdict is Verdict.FAILED


def test_the_check_in_which_it_fired_lends_its_evidence() -> None:
    monitors = watching()
    new = monitors.report([M1], "host-v1/a/one")
    entries = [Entry(0.001, "received", b'{"v":2}', 7)]
    shown = Result(
        "host-v1/a/one",
        ("HV1-R5",),
        "must",
        "seed",
        Verdict.PASSED,
        entries=entries,
        stderr="oops",
        reproduce="printf x | ./host",
    )
    monitors.attach(new, shown)
    result = conclude(monitors)["HV1-M1"]
    assert result.entries == entries
    assert result.stderr == "oops"
    assert result.reproduce == "printf x | ./host"


@pytest.mark.parametrize(
    ("session", "keys", "state"),
    [
        (FakeSession(), "none", "no such response"),
        (
            FakeSession(nulls=frozenset({"error.stack", "error"})),
            "none; null read as absent: error, error.stack",
            "no such response",
        ),
        (
            FakeSession(
                extra_keys=frozenset({"trace", "at"}),
                stateless=frozenset({"null", "absent"}),
            ),
            "keys of its own: at, trace",
            "state: absent, null",
        ),
    ],
)
def test_what_is_left_to_the_host_is_recorded(
    session: FakeSession, keys: str, state: str
) -> None:
    found = conclude(watching(), session)
    assert found["HV1-M15"].verdict is Verdict.RECORDED
    assert found["HV1-M15"].evidence == {"recorded": keys}
    assert found["HV1-M16"].evidence == {"recorded": state}
