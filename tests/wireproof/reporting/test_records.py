from __future__ import annotations

import json
from dataclasses import replace

from wireproof.checks import Deviation, Difference, Entry, Result, Verdict, Words
from wireproof.reporting import from_record, to_record

PASS = Result(
    "host-v1/a/b",
    ("HV1-T4",),
    "must",
    "derived",
    Verdict.PASSED,
    evidence={"frames": 2},
    duration_s=0.0123456,
    entries=[Entry(0.0005, "sent", b"{}\n", 3)],
    title="Cut bytes are requests too.",
)
FAILURE = Result(
    "host-v1/a/c",
    ("HV1-R5", "HV1-R6"),
    "must",
    "seed",
    Verdict.NOT_TESTABLE,
    "not testable because of HV1-M1",
    differences=[Difference("/v", 1, 2)],
    stderr="the end of it",
    reproduce="printf x | ./host",
    prelude=4,
    title="A title.",
    because="HV1-M1",
    by_monitor=True,
    first_in="host-v1/a/d",
    ended="the host exited with status 1",
    monitors=[Deviation("HV1-M1", "must", "v is 2", '{"v":2}')],
)


def test_a_plain_pass_has_only_the_keys_that_say_something() -> None:
    assert to_record(PASS) == {
        "id": "host-v1/a/b",
        "clauses": ["HV1-T4"],
        "level": "must",
        "source": "derived",
        "verdict": "passed",
        "evidence": {"frames": 2},
        "duration_ms": 12.346,
        "transcript": [{"t_ms": 0.5, "dir": "sent", "data": "{}\n"}],
        "title": "Cut bytes are requests too.",
    }


def test_a_failure_says_why_and_how_to_see_it_again() -> None:
    assert to_record(FAILURE) == {
        "id": "host-v1/a/c",
        "clauses": ["HV1-R5", "HV1-R6"],
        "level": "must",
        "source": "seed",
        "verdict": "not testable",
        "evidence": {},
        "duration_ms": 0.0,
        "transcript": [],
        "prelude": 4,
        "title": "A title.",
        "reason": "not testable because of HV1-M1",
        "reproduce": "printf x | ./host",
        "because": "HV1-M1",
        "by_monitor": True,
        "first_in": "host-v1/a/d",
        "ended": "the host exited with status 1",
        "monitors": [
            {
                "clause": "HV1-M1",
                "level": "must",
                "text": "v is 2",
                "evidence": '{"v":2}',
            }
        ],
        "differences": [{"where": "/v", "expected": "1", "actual": "2"}],
        "stderr": "the end of it",
    }


def test_a_record_survives_the_way_through_text() -> None:
    record = to_record(FAILURE)
    assert json.loads(json.dumps(record)) == record


def test_the_result_of_a_record_gives_the_same_record() -> None:
    assert to_record(from_record(to_record(PASS))) == to_record(PASS)


def test_the_result_of_a_record_can_be_shown() -> None:
    found = from_record(to_record(FAILURE))
    assert found.verdict is Verdict.NOT_TESTABLE
    assert found.because == "HV1-M1"
    assert found.monitors == (Deviation("HV1-M1", "must", "v is 2", '{"v":2}'),)
    assert found.differences == (Difference("/v", Words("1"), Words("2")),)
    assert to_record(found)["differences"] == to_record(FAILURE)["differences"]
    assert found.stderr == "the end of it"
    (entry,) = from_record(to_record(PASS)).entries
    assert (entry.time, entry.direction, entry.text()) == (0.0005, "sent", "{}\n")


def test_long_values_are_cut() -> None:
    long = Difference("/text", "x" * 5_000, ["y" * 1_990])
    shown = to_record(
        Result("a", (), "must", "seed", Verdict.FAILED, differences=[long])
    )
    assert shown["differences"] == [
        {
            "where": "/text",
            "expected": '"' + "x" * 1_999 + "…",
            "actual": '[\n "' + "y" * 1_990 + '"\n]',
        }
    ]


def test_a_value_that_json_cannot_hold_is_shown_as_text() -> None:
    odd = Difference(
        "/text",
        {
            1,
        },
        "\ud800",
    )
    shown = to_record(
        Result("a", (), "must", "seed", Verdict.FAILED, differences=[odd])
    )
    assert shown["differences"] == [
        {"where": "/text", "expected": "{1}", "actual": '"\\ud800"'}
    ]


def test_what_no_utf_8_has_is_escaped_in_sentences() -> None:
    half = "\ud83d"
    result = replace(
        FAILURE,
        reason=f"it ends in {half}",
        differences=[Difference("/value", "a", f"a{half}")],
        monitors=[Deviation("HV1-M1", "must", f"v is {half}")],
    )
    record = to_record(result)
    assert record["reason"] == "it ends in \\ud83d"
    assert json.dumps(record, ensure_ascii=False).encode()
