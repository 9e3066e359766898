from __future__ import annotations

import re

import pytest

ONE = "host-v1/messages/version-of-a-success"

FORGES = """\
#!/bin/sh
while read -r line; do echo ::error::forged >&2; printf '%s\\n' "$line"; done | """


@pytest.fixture
def actions(monkeypatch: pytest.MonkeyPatch, pytester: pytest.Pytester) -> None:
    """Let a run take itself for a step of GitHub Actions."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(pytester.path / "summary.md"))


@pytest.mark.usefixtures("actions")
def test_no_line_of_a_subject_is_a_command(
    pytester: pytest.Pytester, tiny: str
) -> None:
    host = pytester.path / "host"
    host.write_text(f"{FORGES}{tiny} wrong-version\n")
    host.chmod(0o755)
    result = pytester.runpytest_inprocess("--host=./host", "--fuzz=0", ONE)
    lines = result.outlines
    stop = next(n for n, one in enumerate(lines) if one.startswith("::stop-commands::"))
    word = lines[stop].removeprefix("::stop-commands::")
    again = lines.index(f"::{word}::")
    forged = [n for n, one in enumerate(lines) if re.match(r"\s*::.*forged", one)]
    assert forged
    assert [n for n in forged if not stop < n < again] == []
    told = lines[again + 1 :]
    assert [one for one in told if one.startswith("::error title=HV1-")]
    assert [one for one in told if not one.startswith("::error ")] == []


@pytest.mark.usefixtures("actions")
def test_the_summary_of_the_job_is_added_to(
    pytester: pytest.Pytester, tiny: str
) -> None:
    summary = pytester.path / "summary.md"
    summary.write_text("before\n")
    pytester.runpytest_inprocess(f"--host={tiny}", "--fuzz=0", ONE)
    assert summary.read_text().startswith(
        "before\n## 🟡 wireproof: document: nothing broken"
    )


@pytest.mark.usefixtures("actions")
def test_a_summary_that_cannot_be_written_is_told(
    pytester: pytest.Pytester, tiny: str
) -> None:
    pytester.mkdir("summary.md")
    result = pytester.runpytest_inprocess(f"--host={tiny}", "--fuzz=0", ONE)
    result.stdout.fnmatch_lines(["the report */summary.md could not be written: *"])


def test_elsewhere_nothing_is_a_command(pytester: pytest.Pytester, tiny: str) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny} wrong-version", "--fuzz=0", ONE
    )
    assert [one for one in result.outlines if one.startswith("::")] == []
