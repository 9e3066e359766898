from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from typing import Any

import pytest
from tests.wireproof.reporting.reports import BAD, GOOD, HELD, HOSTILE, report_of

from wireproof.checks import Entry, Verdict
from wireproof.reporting._html import LETTERS, dump_html, embedded


def part(page: str, tag: str) -> str:
    """Return what an element of the page holds."""
    found = re.search(f"<{tag}>(.*?)</{tag.partition(' ')[0]}>", page, re.DOTALL)
    assert found is not None
    return found[1]


def data_of(page: str) -> Any:
    return json.loads(part(page, 'script type="application/json" id="report"'))


def test_each_verdict_has_a_letter_that_the_script_knows() -> None:
    assert set(LETTERS) == {verdict.value for verdict in Verdict}
    for name, letter in LETTERS.items():
        assert re.search(rf'{letter}: \["[^"]+", "{name}"\]', dump_html(report_of()))


def test_the_matrix_is_in_the_data() -> None:
    data = data_of(dump_html(report_of(GOOD, BAD)))
    assert [one["answer"] for one in data["subjects"]] == [
        "document: yes, full profile: yes",
        "document: no, full profile: no",
    ]
    rows = {row["id"]: row["verdicts"] for row in data["clauses"]}
    assert rows == {"HV1-M1": "pt", "HV1-M2": "nf", "HV1-T6": "nw"}
    assert [row["verdicts"] for row in data["checks"]] == ["pp", "nf", "nt", "nw"]
    clause = data["clauses"][1]
    assert [data["checks"][place]["id"] for place in clause["checks"]] == [
        "host-v1/request-ids/one-space"
    ]


def test_the_details_of_a_check_are_packed_by_subject() -> None:
    check = data_of(dump_html(report_of(GOOD, BAD)))["checks"][0]
    details = json.loads(zlib.decompress(base64.b64decode(check["detail"])))
    assert set(details) == {"0", "1"}
    assert details["0"]["verdict"] == "passed"
    assert details["0"]["transcript"][0]["dir"] == "sent"


def test_bytes_that_are_no_text_are_kept() -> None:
    entry = Entry(0.0, "received", b"\xff\n", 2)
    assert entry.as_json() == {
        "t_ms": 0.0,
        "dir": "received",
        "data": "\\xff\n",
        "bytes": base64.b64encode(b"\xff\n").decode(),
    }


def test_the_policy_allows_the_pages_own_script_and_style_alone() -> None:
    page = dump_html(report_of(GOOD))
    for tag, directive in (
        ("style", "style-src"),
        ('script type="module"', "script-src"),
    ):
        digest = hashlib.sha256(part(page, tag).encode()).digest()
        assert f"{directive} 'sha256-{base64.b64encode(digest).decode()}'" in page
    assert "default-src 'none'" in page


def test_the_page_names_nothing_elsewhere() -> None:
    assert re.findall(r"https?:|src=|@import|url\(", dump_html(report_of())) == []


@pytest.mark.parametrize("text", [HOSTILE, "<!--", "]]>", "</SCRIPT>", "\u2028&\u2029"])
def test_data_cannot_end_the_element_in_which_it_stands(text: str) -> None:
    found = embedded({"text": text})
    assert json.loads(found) == {"text": text}
    assert re.findall("[<>&\u2028\u2029]", found) == []


def test_a_hostile_subject_adds_no_element() -> None:
    named = replace(GOOD, name=HOSTILE, target=HOSTILE)
    plain, hostile = dump_html(report_of(GOOD)), dump_html(report_of(named))
    tags = re.compile(r"<[!/a-z][^>]*>", re.IGNORECASE)
    assert tags.findall(hostile) == tags.findall(plain)


def test_twenty_subjects_and_1500_checks_would_take_less_than_ten_megabytes() -> None:
    # A tenth of the checks, for what grows with their number alone.
    results = [replace(HELD, id=f"host-v1/many/check-{n}") for n in range(150)]
    subjects = [replace(GOOD, name=f"./host-{n}", results=results) for n in range(20)]
    assert len(dump_html(report_of(*subjects))) < 1_000_000
