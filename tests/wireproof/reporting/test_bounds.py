from __future__ import annotations

import pytest

from wireproof.checks import Deviation, Entry, Result, Verdict
from wireproof.reporting._bounds import bounded


def result(verdict: Verdict, *entries: Entry, prelude: int = 0) -> Result:
    return Result(
        "host-v1/a/b",
        ("HV1-T1",),
        "must",
        "seed",
        verdict,
        entries=entries,
        prelude=prelude,
        stderr="x" * 1_000,
    )


def sent(text: str, *, own: bool = False) -> Entry:
    return Entry(0.0, "sent", text.encode(), len(text), own)


def texts(found: Result) -> list[str]:
    return [entry.text() for entry in found.entries]


def test_what_failed_is_kept_as_it_was_recorded() -> None:
    found = result(Verdict.FAILED, *[sent("y" * 2_000)] * 121)
    assert bounded(found).entries == found.entries
    assert bounded(found).stderr == "x" * 1_000


@pytest.mark.parametrize("verdict", [Verdict.PASSED, Verdict.RECORDED])
def test_long_entries_of_what_passed_are_cut(verdict: Verdict) -> None:
    found = bounded(result(verdict, sent("z" * 300), sent("y" * 301)))
    assert texts(found) == ["z" * 300, "y" * 300 + "… (1 more bytes)"]
    assert found.stderr == "x" * 600


def test_a_pass_in_which_a_monitor_fired_is_kept_whole() -> None:
    found = result(Verdict.PASSED, sent("y" * 2_000))
    shown = Result(
        found.id,
        found.clauses,
        "must",
        "seed",
        Verdict.PASSED,
        entries=found.entries,
        monitors=[Deviation("HV1-T6", "must", "a blank line")],
    )
    assert texts(bounded(shown)) == ["y" * 2_000]


def test_requests_of_the_suites_own_are_cut_in_a_failure_too() -> None:
    found = bounded(result(Verdict.FAILED, sent("y" * 301, own=True), sent("y" * 301)))
    assert texts(found) == ["y" * 300 + "… (1 more bytes)", "y" * 301]


def test_much_traffic_of_a_pass_loses_the_suites_own_requests_first() -> None:
    own = [sent("o" * 300, own=True)] * 6
    found = bounded(
        result(Verdict.PASSED, *own[:4], sent("a"), sent("b"), *own[4:], prelude=4)
    )
    assert texts(found) == [
        "… 4 entries left out …",
        "a",
        "b",
        "… 2 entries left out …",
    ]
    assert found.prelude == 0


def test_much_traffic_of_a_pass_keeps_its_ends() -> None:
    found = bounded(
        result(Verdict.PASSED, *[sent(str(number) * 40) for number in range(1, 100)])
    )
    assert texts(found)[0] == "1" * 40
    assert texts(found)[-1] == "99" * 40
    # Half of 1,400 bytes at each end: of 100 each at the first, of 140 at the last.
    left_out = 99 - 7 - 5
    assert [entry.left_out for entry in found.entries if entry.left_out] == [left_out]
    assert sum(entry.left_out or 1 for entry in found.entries) == 99


def test_entries_left_out_before_are_counted_on() -> None:
    first = [sent("y" * 300) for _ in range(10)]
    gap = Entry.gap(first[-1], 880)
    found = bounded(result(Verdict.PASSED, *first, gap, *first))
    assert sum(entry.left_out for entry in found.entries) == 880 + 18
    assert "… 898 entries left out …" in texts(found)


def test_requests_of_the_suites_own_are_kept_where_there_are_no_others() -> None:
    found = bounded(result(Verdict.PASSED, *[sent("o" * 250, own=True)] * 9))
    assert len([one for one in found.entries if not one.left_out]) == 4
