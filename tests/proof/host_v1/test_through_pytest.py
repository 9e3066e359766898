from __future__ import annotations

import pytest
from tests.proof.host_v1.subject import Subject
from tests.proof.host_v1.table import BROKEN, LEGAL
from tests.proof.trial import ROOT

AS_THEY_HAPPEN = "host-v1/events/events-as-they-happen"

GROUP = "host-v1/messages"


def run(pytester: pytest.Pytester, command: str, *options: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess(
        f"--host={command}",
        "--fuzz=0",
        "--subject-timeout=2",
        f"--subject-cwd={ROOT}",
        *options,
    )


def typed(subject: Subject) -> str:
    return " ".join(subject.command)


def test_a_broken_must_fails_the_run(pytester: pytest.Pytester) -> None:
    outcome = run(pytester, typed(BROKEN["loses-nulls"]), "host-v1/values/null")

    assert outcome.ret == pytest.ExitCode.TESTS_FAILED
    outcome.stdout.fnmatch_lines(["*HV1-M10*"])


def test_a_broken_should_is_a_warning(pytester: pytest.Pytester) -> None:
    outcome = run(pytester, typed(BROKEN["holds-events-back"]), AS_THEY_HAPPEN)

    assert outcome.ret == pytest.ExitCode.OK
    outcome.stdout.fnmatch_lines(["*HV1-E5*"])


def test_a_broken_should_fails_the_run_that_asks_for_it(
    pytester: pytest.Pytester,
) -> None:
    command = typed(BROKEN["holds-events-back"])

    outcome = run(pytester, command, AS_THEY_HAPPEN, "--fail-on=should")

    assert outcome.ret == pytest.ExitCode.TESTS_FAILED


def test_a_legal_host_passes_the_run(pytester: pytest.Pytester) -> None:
    outcome = run(pytester, typed(LEGAL["own-keys"]), GROUP)

    assert outcome.ret == pytest.ExitCode.OK


def test_a_subject_that_does_nothing_fails_the_run(pytester: pytest.Pytester) -> None:
    outcome = run(pytester, "true", GROUP)

    assert outcome.ret == pytest.ExitCode.TESTS_FAILED


def test_control_codes_of_a_subject_do_not_reach_the_terminal(
    pytester: pytest.Pytester,
) -> None:
    host = f"python3 {ROOT}/tests/proof/host_v1/hostile_host.py control-codes"

    outcome = run(pytester, host, GROUP)

    assert outcome.ret == pytest.ExitCode.TESTS_FAILED
    text = outcome.stdout.str()
    assert [code for code in "\x07\x1b\x9b\u202e\r" if code in text] == []
