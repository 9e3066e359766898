"""``wireproof report``, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.wireproof.reporting.reports import BAD, GOOD, report_of

from wireproof.command import USAGE_ERROR, main
from wireproof.reporting import write_report


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand beside the reports of a good and of a bad subject."""
    monkeypatch.chdir(tmp_path)
    write_report(tmp_path / "good.json", report_of(GOOD))
    write_report(tmp_path / "bad.json", report_of(BAD))


def names_in(path: str) -> list[str]:
    return [one["name"] for one in json.loads(Path(path).read_text())["subjects"]]


def test_reports_are_merged_into_one() -> None:
    assert main(["report", "merge", "good.json", "bad.json", "-o", "all.json"]) == 0
    assert names_in("all.json") == ["./good", "./bad"]


def test_versions_are_called_as_is_said() -> None:
    words = ["merge", "1.0=good.json", "1.1=./good.json", "-o", "all.json"]
    assert main(["report", *words]) == 0
    assert names_in("all.json") == ["./good (1.0)", "./good (1.1)"]


@pytest.mark.parametrize("name", ["all.html", "all.md"])
def test_the_ending_says_what_is_written(name: str) -> None:
    assert main(["report", "merge", "good.json", "bad.json", "-o", name]) == 0
    assert "document: 1 of 2, full profile: 1 of 2" in Path(name).read_text()


def test_regressions_are_told_by_clause_and_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["report", "diff", "good.json", "bad.json"]) == 0
    assert main(["report", "diff", "bad.json", "good.json"]) == 0
    worse = Path("bad.json").read_text().replace('"passed"', '"failed"')
    Path("worse.json").write_text(worse)
    capsys.readouterr()
    assert main(["report", "diff", "good.json", "worse.json"]) == 1
    assert "    HV1-M1 MUST [document] " in capsys.readouterr().out


@pytest.mark.parametrize("name", ["x.svg", "x.shields.json"])
def test_a_badge_is_made(name: str) -> None:
    assert main(["report", "badge", "bad.json", "-o", name]) == 0
    assert "document: no, full profile: no (wire)" in Path(name).read_text()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("merge good.json -o all.txt", "all.txt: the ending says which kind"),
        ("merge good.json -o away/all.json", "the folder away does not exist"),
        ("merge gone.json -o all.json", "gone.json: No such file or directory; give"),
        ("merge good.json good.json -o a.json", "two reports are called good; give"),
        ("diff good.json all.html", "all.html: No such file"),
        ("badge good.json -o x.html", "x.html: a badge is an .svg or a .shields.json"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_remedy(
    capsys: pytest.CaptureFixture[str], words: str, problem: str
) -> None:
    assert main(["report", *words.split()]) == USAGE_ERROR
    assert problem in capsys.readouterr().err
