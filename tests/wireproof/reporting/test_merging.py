from __future__ import annotations

from wireproof.checks import Result, SubjectFacts, Verdict
from wireproof.reporting import merge_facts, merge_monitors


def facts(missing: tuple[str, ...], starts: int, latency: float) -> SubjectFacts:
    return SubjectFacts(
        "wire" if missing else "full", starts, 3 * len(missing), missing, 7, latency
    )


def monitor(
    clause: str, verdict: str, frames: int | None = None, **more: object
) -> Result:
    evidence = dict(more) if frames is None else {"frames": frames, **more}
    return Result(
        f"host-v1/monitor/{clause}",
        (clause,),
        "must",
        "seed",
        Verdict(verdict),
        evidence=evidence,
    )


def test_no_facts_merge_to_none() -> None:
    assert merge_facts([]) is None


def test_one_process_knows_it_all() -> None:
    alone = facts((), 2, 0.5)
    assert merge_facts([alone]) == alone


def test_the_fullest_level_counts_and_starts_add_up() -> None:
    merged = merge_facts([facts(("a", "b"), 1, 0.25), facts((), 2, 0.75)])
    assert merged == SubjectFacts("full", 3, 0, (), 7, 0.75)


def test_monitors_of_nobody_are_none() -> None:
    assert merge_monitors([]) == []
    assert merge_monitors([[], []]) == []


def test_frames_that_were_seen_add_up() -> None:
    merged = merge_monitors(
        [[monitor("HV1-T1", "passed", 3)], [monitor("HV1-T1", "passed", 4)]]
    )
    assert merged == [monitor("HV1-T1", "passed", 7)]


def test_a_monitor_that_saw_nothing_does_not_weigh() -> None:
    merged = merge_monitors(
        [[monitor("HV1-E1", "not applicable", 0)], [monitor("HV1-E1", "passed", 4)]]
    )
    assert merged == [monitor("HV1-E1", "passed", 4)]


def test_one_broken_monitor_is_enough() -> None:
    merged = merge_monitors(
        [
            [monitor("HV1-M1", "passed", 3)],
            [monitor("HV1-M1", "failed", None, first_in="host-v1/a/b")],
        ]
    )
    assert merged == [monitor("HV1-M1", "failed", None, first_in="host-v1/a/b")]


def test_the_order_is_that_in_which_they_were_found() -> None:
    merged = merge_monitors(
        [
            [monitor("HV1-T1", "passed", 1), monitor("HV1-T2", "passed", 1)],
            [monitor("HV1-M6", "warned"), monitor("HV1-T1", "passed", 1)],
        ]
    )
    assert [result.id for result in merged] == [
        "host-v1/monitor/HV1-T1",
        "host-v1/monitor/HV1-T2",
        "host-v1/monitor/HV1-M6",
    ]


def test_what_was_recorded_stays() -> None:
    merged = merge_monitors(
        [
            [monitor("HV1-M15", "recorded", recorded="none")],
            [monitor("HV1-M15", "recorded")],
        ]
    )
    assert merged == [monitor("HV1-M15", "recorded", recorded="none")]
