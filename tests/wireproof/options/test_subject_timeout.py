from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    TryHost = Callable[..., pytest.RunResult]

ONE = "host-v1/messages/version-of-a-success"


def test_a_host_that_says_nothing_is_waited_for_no_longer(
    try_host: TryHost,
) -> None:
    began = time.monotonic()
    result = try_host("--subject-timeout=0.2", ONE, fault="silent")
    assert time.monotonic() - began < 15.0  # the usual limits add up to 35 and more
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*did not answer * within 0.2 s (--subject-timeout)*"])


def test_a_time_that_is_none_is_a_usage_error(try_host: TryHost) -> None:
    result = try_host("--subject-timeout=never")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --subject-timeout: 'never': give seconds *"])
