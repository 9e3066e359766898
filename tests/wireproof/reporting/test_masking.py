from __future__ import annotations

import json
from pathlib import Path

import pytest

from wireproof.checks import Deviation, Difference, Entry, Result, Verdict, Words
from wireproof.reporting import Mask, is_secret

MASK = Mask({"TOKEN": 'a"b/c é', "KEY": "s3cr3t-value", "MODE": "1"})


@pytest.mark.parametrize(
    "value",
    [
        *("", "1", "abc", "true", "TRUE", "production", "8080", "1234567", "0.25"),
        *("/", "/tmp:/usr"),  # noqa: S108 - only looked at
    ],
)
def test_settings_small_numbers_and_folders_are_no_secrets(value: str) -> None:
    assert not is_secret(value)


@pytest.mark.parametrize("value", ["abcd", "12345678", "/no/such/place", "tmp:/usr"])
def test_other_values_may_be_secrets(value: str) -> None:
    assert is_secret(value)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("key s3cr3t-value, mode 1", "key ***KEY***, mode 1"),
        (json.dumps('a"b/c é'), '"***TOKEN***"'),
        (json.dumps('a"b/c é', ensure_ascii=False), '"***TOKEN***"'),
        (json.dumps(json.dumps('a"b/c é')), '"\\"***TOKEN***\\""'),
        (r'"a\"b\/c é"', '"***TOKEN***"'),
        ("?q=a%22b%2Fc%20%C3%A9", "?q=***TOKEN***"),
        ("?q=a%22b%2Fc+%C3%A9", "?q=***TOKEN***"),
        ("nothing of it", "nothing of it"),
    ],
)
def test_a_value_is_masked_in_the_forms_that_formats_give_it(
    text: str, masked: str
) -> None:
    assert MASK.text(text) == masked


def test_the_longer_of_two_values_is_masked_first() -> None:
    mask = Mask({"SHORT": "open", "LONG": "open-sesame"})
    assert mask.text("open open-sesame") == "***SHORT*** ***LONG***"


def test_a_result_is_masked_in_all_its_fields() -> None:
    value = "s3cr3t-value"
    found = MASK.result(
        Result(
            "host-v1/a/b",
            ("HV1-T1",),
            "must",
            "seed",
            Verdict.FAILED,
            f"got {value}",
            {"frame": [{value: value}, 3, None]},
            entries=[Entry(0.0, "received", f"\xff{value}".encode("latin-1"), 13)],
            differences=[Difference(f"/{value}", value, Words(f"<{value}>"))],
            stderr=f"x\n{value}",
            reproduce=f"./host {value}",
            monitors=[Deviation("HV1-T6", "should", value, value)],
            ended=f"it said {value}",
        )
    )
    assert value not in repr(found)
    assert found.evidence == {"frame": [{"***KEY***": "***KEY***"}, 3, None]}
    assert found.entries[0].data == b"\xff***KEY***"
    assert found.entries[0].size == 10
    assert isinstance(found.differences[0].actual, Words)


def test_a_value_that_was_cut_off_is_masked_as_far_as_it_is_there() -> None:
    whole = Result("host-v1/a/b", ("HV1-T1",), "must", "seed", Verdict.PASSED)
    entries = [Entry(0.0, "received", b"it is s3cr3t-v", 5_000)]
    found = MASK.result(
        Result(
            whole.id,
            whole.clauses,
            "must",
            "seed",
            whole.verdict,
            entries=entries,
            stderr="r3t-value is it",
        )
    )
    assert found.entries[0].data == b"it is ***KEY***"
    assert found.stderr == "***KEY*** is it"


def test_without_secrets_a_result_is_left_as_it_is(tmp_path: Path) -> None:
    plain = Result("host-v1/a/b", ("HV1-T1",), "must", "seed", Verdict.PASSED, "1")
    assert Mask({"MODE": "1", "HOME": str(tmp_path)}).result(plain) is plain
