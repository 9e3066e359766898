"""What is done to save round trips with a host that is slow to answer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Check, Settings, SuiteInputs, Verdict
from wireproof.protocols.host_v1._protocol import PROTOCOL
from wireproof.protocols.host_v1._suite import HostSuite
from wireproof_vectors import Vector, load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wireproof.checks import Result, Target

    MakeTarget = Callable[..., Target]
    MakeSuite = Callable[[str], HostSuite]

SERVE = """
import collections
asked = collections.Counter()
while True:
    request = read()
    method = request["method"]
    asked[method] += 1
    if method == "end":
        break
"""

COUNTED = f"{SERVE}    succeed(request, sum(asked.values()))\n"
LOSES = """
import select
while data := os.read(0, 65536):
    # The second of two requests in flight is lost.
    if b"several" in data and select.select([0], [], [], 0.2)[0]:
        os.read(0, 65536)
    succeed(json.loads(data.splitlines()[0]))
"""
TWICE = f"{COUNTED}    if method == 'first': succeed(request)\n"
DIES = f"{COUNTED}    if method == 'first': sys.exit(3)\n"
HANGS = f"{COUNTED}    if method == 'first': time.sleep(600)\n"


def check_of(name: str, clause: str = "HV1-R5", **more: Any) -> tuple[Check, Vector]:
    steps = [
        {"send": {"v": 1, "id": name, "method": name, "params": {}}},
        {"expect": {"v": 1, "id": name, "ok": True, "result": {"$type": "object"}}},
    ]
    check = Check(f"host-v1/own/{name}", "", (clause,), "must", "seed", "vector", {})
    data = {"steps": steps, **more}
    vector = Vector(check.id, "", (clause,), "must", "seed", "exchange", "own", data)
    return check, vector


def several(name: str) -> tuple[Check, Vector]:
    check, vector = check_of(name)
    steps: Any = vector.data["steps"]
    again = json.loads(json.dumps(steps).replace(f'"id": "{name}"', '"id": "again"'))
    return check, replace(vector, data={"steps": [*steps, *again]})


@pytest.fixture
def suite(target: MakeTarget, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeSuite]:
    """Return what binds three checks to a host that counts as slow."""
    monkeypatch.setattr("wireproof.line._session.SLOW_SECONDS", 0.0)
    made: list[HostSuite] = []

    def make(code: str) -> HostSuite:
        pairs = [
            check_of("first"),
            check_of("second"),
            check_of("absent", "HV1-M3"),
            check_of("anew", fresh=True),
            several("several"),
        ]
        inputs = SuiteInputs(
            target(code),
            Settings(Path.cwd(), timeout=0.5),
            [check for check, _ in pairs],
            {check.id: vector for check, vector in pairs},
            load_setup("host-v1"),
            (),
            PROTOCOL.clauses(),
        )
        made.append(HostSuite(inputs))
        return made[-1]

    yield make
    for each in made:
        each.finish()


def own_requests(result: Result) -> int:
    return sum(one.own and one.direction == "sent" for one in result.entries)


def charged(result: Result) -> tuple[Verdict, list[str]]:
    return result.verdict, [one.clause for one in result.monitors]


def test_a_plain_check_sends_no_fence(suite: MakeSuite) -> None:
    bound = suite(COUNTED)
    bound.run(bound.checks[0])
    assert own_requests(bound.run(bound.checks[1])) == 0


def test_a_check_of_what_must_not_come_keeps_its_fence(suite: MakeSuite) -> None:
    bound = suite(COUNTED)
    bound.run(bound.checks[0])
    assert own_requests(bound.run(bound.checks[2])) == 1


def test_a_second_answer_is_charged_in_the_next_check(suite: MakeSuite) -> None:
    bound = suite(TWICE)
    found = [bound.run(bound.checks[0]), bound.run(bound.checks[1])]
    assert sorted(clause for one in found for clause in charged(one)[1]) == ["HV1-M3"]


def test_a_host_that_hangs_after_the_answer_fails_its_check(suite: MakeSuite) -> None:
    bound = suite(HANGS)
    bound.run(bound.checks[0])
    found = bound.run(bound.checks[1])
    assert charged(found) == (Verdict.PASSED, ["HV1-R5"])
    assert "host-v1/own/first" in found.monitors[0].text


def test_one_that_ends_after_the_answer_does_so_too(suite: MakeSuite) -> None:
    bound = suite(DIES)
    first, second = (bound.run(check) for check in bound.checks[:2])
    # It may be seen to have ended before the first check is over.
    assert {first.verdict, *charged(second)[1]} & {Verdict.FAILED, "HV1-R5"}
    assert second.verdict is Verdict.PASSED


def test_a_host_that_hangs_is_found_before_it_is_replaced(suite: MakeSuite) -> None:
    bound = suite(HANGS)
    bound.run(bound.checks[0])
    found = bound.run(bound.checks[3])
    assert charged(found) == (Verdict.PASSED, ["HV1-R5"])


def test_a_host_that_hangs_after_the_last_check_is_found(suite: MakeSuite) -> None:
    bound = suite(HANGS)
    bound.run(bound.checks[0])
    failed = [one.id for one in bound.finish() if one.verdict is Verdict.FAILED]
    assert failed == ["host-v1/monitor/HV1-R5"]


def directions(result: Result) -> list[str]:
    return [one.direction for one in result.entries if not one.own]


def test_requests_of_one_check_are_sent_before_the_first_answer(
    suite: MakeSuite,
) -> None:
    bound = suite(COUNTED)
    bound.run(bound.checks[0])
    found = bound.run(bound.checks[4])
    assert directions(found) == ["sent", "sent", "received", "received"]


def test_they_are_sent_one_by_one_where_that_goes_wrong(suite: MakeSuite) -> None:
    bound = suite(LOSES)
    bound.run(bound.checks[0])
    found = bound.run(bound.checks[4])
    assert charged(found) == (Verdict.PASSED, [])
    assert directions(found) == ["sent", "received", "sent", "received"]
