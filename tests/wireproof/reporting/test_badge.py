from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from tests.wireproof.reporting.reports import BAD, GOOD, HELD, report_of, subject_of

from wireproof.reporting import SubjectReport
from wireproof.reporting._badge import dump_shields, dump_svg

PART = subject_of("./part", [HELD], ran=1, available=9)
SOCKET = replace(GOOD, protocol="socket-v1")
GREEN, AMBER, RED = "#2a7d34", "#8a6100", "#b3261e"


@pytest.mark.parametrize(
    ("subjects", "label", "message", "colour"),
    [
        (
            [GOOD],
            "wireproof host-v1",
            "document: yes, full profile: yes (wire)",
            GREEN,
        ),
        (
            [BAD],
            "wireproof host-v1",
            "document: no, full profile: no (wire)",
            RED,
        ),
        (
            [PART],
            "wireproof host-v1",
            "document: nothing broken, full profile: nothing broken (1 of 9 checks)",
            AMBER,
        ),
        (
            [GOOD, BAD],
            "wireproof host-v1",
            "document: 1 of 2, full profile: 1 of 2",
            RED,
        ),
        (
            [GOOD, PART],
            "wireproof host-v1",
            "document: 1 of 2, full profile: 1 of 2",
            AMBER,
        ),
        ([GOOD, SOCKET], "wireproof", "document: 2 of 2, full profile: 2 of 2", GREEN),
        ([], "wireproof", "nothing was tried", RED),
    ],
)
def test_a_badge_says_what_the_report_comes_to(
    subjects: Sequence[SubjectReport], label: str, message: str, colour: str
) -> None:
    report = report_of(*subjects)
    assert json.loads(dump_shields(report)) == {
        "schemaVersion": 1,
        "label": label,
        "message": message,
        "color": colour,
    }
    picture = ET.fromstring(dump_svg(report))  # noqa: S314 - our own
    space = "{http://www.w3.org/2000/svg}"
    assert picture.attrib["aria-label"] == f"{label}: {message}"
    assert [one.text for one in picture.iter(f"{space}text")] == [label, message]
    *_, last = picture.iter(f"{space}rect")
    assert last.attrib["fill"] == colour


def test_a_badge_asks_for_nothing_from_elsewhere() -> None:
    text = dump_svg(report_of(GOOD)).replace("http://www.w3.org/2000/svg", "")
    assert "http" not in text
    assert "<script" not in text
