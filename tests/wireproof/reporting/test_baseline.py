from __future__ import annotations

from dataclasses import replace

from tests.wireproof.reporting.reports import BROKEN, HELD

from wireproof.checks import Verdict
from wireproof.reporting import Baseline, KnownFailure, to_record

SEEN = BROKEN.monitors[0]

LISTED = KnownFailure("host-v1/monitor/HV1-T6", frozenset({"HV1-T6"}), "later")


def test_what_a_monitor_saw_and_is_listed_stands_in_the_report_all_the_same() -> None:
    result = replace(HELD, monitors=(SEEN, replace(SEEN, clause="HV1-M1")))
    found = Baseline("known.json", [LISTED]).apply(result, ("./host",))
    record = to_record(found)
    assert [one["clause"] for one in record["monitors"]] == ["HV1-M1"]
    assert record["evidence"] == {
        "frames": 2,
        "known_failures": [
            {
                "clause": "HV1-T6",
                "level": "should",
                "text": SEEN.text,
                "evidence": SEEN.evidence,
            }
        ],
    }


def test_a_known_failure_stands_in_the_report_with_all_that_shows_it() -> None:
    listed = KnownFailure(BROKEN.id, frozenset({"HV1-M2"}), "later", None, "#7")
    found = Baseline("known.json", [listed]).apply(BROKEN, ("./host",))
    record = to_record(found)
    assert found.verdict is Verdict.KNOWN_FAILURE
    assert record["evidence"]["known_failure"]["issue"] == "#7"
    kept = ("reason", "transcript", "differences", "stderr", "reproduce", "monitors")
    assert {name: record[name] for name in kept} == {
        name: to_record(BROKEN)[name] for name in kept
    }
