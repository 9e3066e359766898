"""A run is split over machines: every check in one shard, and the whole in all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from wireproof.checks import totals
from wireproof.reporting import combine
from wireproof.reporting import read_report as read
from wireproof_vectors import load_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    ReadReport = Callable[..., dict[str, Any]]
    TryHost = Callable[..., pytest.RunResult]

GROUP = ("host-v1/init", "host-v1/messages")
REPORT = "--compat-report=report.json"


def verdicts(report: dict[str, Any]) -> dict[str, str]:
    (subject,) = report["subjects"]
    return {
        result["id"]: result["verdict"]
        for result in subject["results"]
        if not result.get("by_monitor")
    }


def test_every_check_is_in_one_shard_and_all_come_to_what_the_whole_does(
    pytester: pytest.Pytester, try_host: TryHost, read_report: ReadReport
) -> None:
    try_host(*GROUP, "--compat-report=whole.json")
    found: list[dict[str, str]] = []
    for number, arguments in (1, []), (2, ["-n2"]):
        report = f"--compat-report={number}.json"
        result = try_host(*GROUP, report, f"--shard={number}/2", *arguments)
        assert result.ret == pytest.ExitCode.OK
        found.append(verdicts(read_report(f"{number}.json")))
    first, second = found
    assert not first.keys() & second.keys()
    assert first | second == verdicts(read_report("whole.json"))
    assert abs(len(first) - len(second)) <= 5
    whole, *parts = (read(pytester.path / f"{name}.json") for name in ("whole", 1, 2))
    (merged,) = combine({part.shard: part for part in parts}).subjects
    (subject,) = whole.subjects
    assert (merged.ran, merged.available) == (subject.ran, subject.available)
    assert totals(merged.results) == totals(subject.results)
    order = [one.id for one in subject.results]
    assert [one.id for one in merged.results] == order
    other = combine({part.shard: part for part in reversed(parts)}).subjects[0]
    assert [one.id for one in other.results] == order


def test_its_report_says_which_part_it_is(
    try_host: TryHost, read_report: ReadReport
) -> None:
    result = try_host("host-v1/init", REPORT, "--shard=2/3")
    result.stdout.fnmatch_lines(["wireproof: shard 2/3", "*deselected*"])
    report = read_report()
    assert report["shard"] == "2/3"
    assert report["subjects"][0]["partial"] is True
    schema: Any = load_schema("report")
    jsonschema.validate(report, schema, jsonschema.Draft202012Validator)


def test_what_is_selected_by_name_is_split(
    try_host: TryHost, read_report: ReadReport
) -> None:
    found: list[int] = []
    for shard in ("1/2", "2/2"):
        try_host("-k", "first-init or version-of-a-success", f"--shard={shard}", REPORT)
        found.append(len(verdicts(read_report())))
    assert sorted(found) == [1, 2]


def test_own_tests_are_in_the_first(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    pytester.makepyfile(test_own="def test_own(): pass")
    one = "host-v1/init/first-init"
    try_host(one, "test_own.py", "--shard=1/2").assert_outcomes(passed=2)
    assert try_host(one, "test_own.py", "--shard=2/2").ret == (
        pytest.ExitCode.NO_TESTS_COLLECTED
    )


def test_what_is_no_shard_is_refused(try_host: TryHost) -> None:
    result = try_host("--shard=3/2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --shard: '3/2': give K/N, *"])
