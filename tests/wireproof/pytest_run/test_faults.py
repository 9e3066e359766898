"""A fault of the suite: it names the check, and keeps what was seen."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from wireproof.judge import Case, Observation
from wireproof.run import Runner

ONE = "host-v1/messages/version-of-a-success"


def test_a_fault_names_the_check_and_the_file_of_what_was_seen(
    pytester: pytest.Pytester, tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Runner.run

    def fails_at_the_end(runner: Runner, case: Case, *, brief: bool = False) -> None:
        run(runner, case, brief=brief)
        raise RuntimeError("no such thing")

    monkeypatch.setattr(Runner, "run", fails_at_the_end)
    monkeypatch.setenv("API_TOKEN", "value-of-it")
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", "--fuzz=0", "--subject-env=API_TOKEN", ONE
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "this is a fault of wireproof, not of the subject:",
            f"in {ONE}: Traceback *",
            "RuntimeError: no such thing",
            "what the check saw is in *",
        ]
    )
    (name,) = re.findall(r"saw is in (\S+);", result.stdout.str())
    path = Path(name)
    try:
        seen = Observation.load(json.loads(path.read_text()))
    finally:
        path.unlink()
    assert seen.check == ONE
    assert seen.events
