from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    TryHost = Callable[..., pytest.RunResult]

# Taken for a request by a tiny host that does not look at the version.
WARNED = "host-v1/messages/version-2"


def test_a_broken_should_is_a_warning(try_host: TryHost) -> None:
    result = try_host(WARNED, fault="any-version")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "conforms to the full profile: no MUST broken *; warned in 1 check",
            "    should 1 warned",
            "HV1-M7 SHOULD *",
            "  warned: a request whose v is not 1 was not refused: *",
            f"    {WARNED}",
            "*→ {*",
            "*← {*",
            "    reproduce: (printf *",
            f"next: see {WARNED} again: (printf *",
            "*= 1 warned in *",
        ]
    )


def test_a_warning_is_a_letter_of_its_own(try_host: TryHost) -> None:
    result = try_host(WARNED, fault="any-version")
    result.stdout.fnmatch_lines(["host-v1/messages w*"])


def test_a_warning_has_a_word_of_its_own(try_host: TryHost) -> None:
    result = try_host(WARNED, "-v", fault="any-version")
    result.stdout.fnmatch_lines([f"{WARNED} WARNED*"])


def test_a_broken_should_fails_where_it_was_asked_for(try_host: TryHost) -> None:
    result = try_host(WARNED, "--fail-on=should", fault="any-version")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["HV1-M7 SHOULD *", "warned: *", "*= 1 failed in *"])


def test_a_broken_must_fails_either_way(try_host: TryHost) -> None:
    one = "host-v1/messages/version-of-a-success"
    for level in ("must", "should"):
        result = try_host(one, f"--fail-on={level}", fault="wrong-version")
        assert result.ret == pytest.ExitCode.TESTS_FAILED
