"""A user who waits is told for what, and how long it may take."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wireproof.protocols import all_protocols
from wireproof.pytest_run._terminal import (
    _repository,
    options_beside,
)

ONE = "host-v1/messages/unknown-method"


@pytest.fixture(autouse=True)
def _told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wireproof.subjects._notice.QUIET_SECONDS", 0.0)


def test_a_long_wait_is_told_while_it_goes_on(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny}", "--fuzz=0", ONE)

    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "host-v1/messages *",
            "wireproof: waiting up to 20 s for the first answer of the subject (*)",
            ". *",
        ]
    )


def test_a_server_that_does_not_listen_yet_is_waited_for_with_a_word(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    one = "socket-v1/listing/descriptors"
    result = pytester.runpytest_inprocess(f"--socket={tiny_socket}", one)

    result.stdout.fnmatch_lines(["wireproof: waiting up to ?? s for the first *"])


def test_a_driver_that_starts_slowly_is_waited_for_with_a_word(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--adapter=cat", "--fuzz=0", "-k", "name")

    result.stdout.fnmatch_lines(
        ["wireproof: waiting up to 20 s for the first answer *"]
    )


def test_what_is_ready_to_copy_lies_in_the_folder_that_a_run_names() -> None:
    named = [place.split()[0] for one in all_protocols() for place in one.toolset]
    assert named
    assert [one for one in named if not Path(_repository(), one).exists()] == []


def test_a_wait_that_cannot_be_long_is_not_told(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", "--fuzz=0", "--subject-timeout=5", ONE
    )

    result.stdout.no_fnmatch_line("*waiting up to*")


@pytest.mark.parametrize("option", ["-q", "-n1"])
def test_a_quiet_run_and_its_workers_tell_of_no_wait(
    pytester: pytest.Pytester, tiny: str, option: str
) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny}", "--fuzz=0", option, ONE)

    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("*waiting up to*")


@pytest.mark.parametrize("prefix", ["", "wireproof-"])
def test_of_the_options_of_a_run_those_of_fuzzing_and_the_subject_are_left_out(
    prefix: str,
) -> None:
    given = (
        f"--{prefix}exec-server=./tool --server",
        "--exec-toolset",
        "--subject-env=EXEC_SERVER=./tool",
        f"--{prefix}fuzz=0",
        f"--{prefix}fuzz-seed=5",
    )
    subject: Any = SimpleNamespace(
        protocol=SimpleNamespace(option="exec-server"),
        target=SimpleNamespace(text="./tool --server"),
        settings=SimpleNamespace(reproduce_options=given),
    )
    assert options_beside(subject) == [given[1], given[2]]
