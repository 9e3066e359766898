"""A baseline's own faults are told by file, line, entry and key, with the remedy."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.reporting import BaselineError, read_baseline, require_current

if TYPE_CHECKING:
    from pathlib import Path

ENTRY = {"id": "host-v1/init/first-init", "clauses": ["HV1-R1"], "reason": "later"}
TODAY = date(2026, 3, 1)
KNOWN = {"host-v1": {"host-v1/init/first-init", "host-v1/init/second-init"}}


def written(path: Path, *entries: Any) -> Path:
    """Write entries, each in a line of its own from the second line on."""
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    file = path / "known.json"
    file.write_text(f'{{"schema": "wireproof-baseline/1", "entries": [\n{lines}]}}')
    return file


def fault(file: Path) -> str:
    with pytest.raises(BaselineError) as raised:
        read_baseline(file, "known.json")
    return str(raised.value)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {"reson": "later"},
            (
                "'reson': there is no key 'reson'; write 'reason' (known: id, subject, "
                "clauses, reason, issue, expires)"
            ),
        ),
        (
            {"reason": " "},
            "'reason': it is empty; say why the failure is left as it is",
        ),
        (
            {"clauses": []},
            "'clauses': it is empty; list the clauses that fail, such as [\"HV1-M2\"]",
        ),
        (
            {"expires": "soon"},
            (
                "'expires': 'soon' will not do; write a day as YYYY-MM-DD, or leave "
                "the key out"
            ),
        ),
        (
            {"expires": "2026-02-30"},
            "'expires': there is no day '2026-02-30'; write a day as YYYY-MM-DD",
        ),
        (
            {"id": 5},
            (
                "'id': 5 is not of type 'string'; write the id of a check, such as "
                "host-v1/init/first-init"
            ),
        ),
    ],
)
def test_a_wrong_entry_is_told_by_line_and_key(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    file = written(tmp_path, ENTRY, {**ENTRY, **changed})
    assert fault(file) == f"known.json, line 3, entry 2, {told}"


def test_a_key_that_is_missing_is_named(tmp_path: Path) -> None:
    file = written(tmp_path, {"id": ENTRY["id"], "clauses": ["HV1-R1"]})
    assert fault(file) == (
        "known.json, line 2, entry 1, 'reason': the key 'reason' is missing; say why "
        "the failure is left as it is"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '{"schema": "wireproof-baseline/1",\n "entries": [{]}',
            (
                "known.json, line 2: Expecting property name enclosed in double quotes "
                "(column 15); mend the JSON there"
            ),
        ),
        ("[]", "known.json, line 1: [] is not of type 'object'; write it so"),
        (
            '{"schema": "x", "entries": []}',
            (
                "known.json, line 1, 'schema': 'wireproof-baseline/1' was expected; "
                "write it so"
            ),
        ),
        (
            '{"schema": "x", "schema": "x"}',
            "known.json: an object has the key 'schema' twice; keep one",
        ),
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "known.json").write_text(text)
    assert fault(tmp_path / "known.json") == told


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "known.json").write_bytes(b"\xff")
    assert fault(tmp_path / "known.json") == "known.json: it is not UTF-8; save it so"


@pytest.mark.parametrize("day", ["2026-03-01", "2026-03-02"])
def test_an_entry_holds_up_to_its_last_day(tmp_path: Path, day: str) -> None:
    file = written(tmp_path, {**ENTRY, "expires": day})
    require_current(read_baseline(file, "known.json"), TODAY, KNOWN)


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        (
            [{**ENTRY, "expires": "2026-02-28"}],
            (
                "known.json, line 2, entry 1: host-v1/init/first-init: it has expired "
                "on 2026-02-28; mend what fails and remove the entry, or set a later "
                "day"
            ),
        ),
        (
            [{**ENTRY, "id": "host-v1/init/first-int"}],
            (
                "known.json, line 2, entry 1: host-v1/init/first-int: no check has "
                "this id; did you mean host-v1/init/first-init?; mend or remove the "
                "entry, or name the vector file that it stands in as well"
            ),
        ),
        (
            [ENTRY, ENTRY],
            (
                "known.json, line 3, entry 2: host-v1/init/first-init: it is listed "
                "twice; remove one of the entries"
            ),
        ),
    ],
)
def test_what_is_out_of_date_is_refused(
    tmp_path: Path, entries: list[Any], told: str
) -> None:
    baseline = read_baseline(written(tmp_path, *entries), "known.json")
    with pytest.raises(BaselineError) as raised:
        require_current(baseline, TODAY, KNOWN)
    assert str(raised.value) == told


def test_what_no_check_of_the_run_can_tell_is_left_alone(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        {**ENTRY, "id": "socket-v1/calls/no-such"},
        {**ENTRY, "id": "host-v1/monitor/HV1-M1"},
        ENTRY,
        {**ENTRY, "subject": "./another"},
    )
    require_current(read_baseline(file, "known.json"), TODAY, KNOWN)
