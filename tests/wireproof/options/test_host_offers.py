from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    TryHost = Callable[..., pytest.RunResult]

TAGS = "host-v1/optional-methods/tags"
OTHER = "host-v1/messages/version-of-a-success"


def test_a_method_that_is_not_offered_is_not_applicable(try_host: TryHost) -> None:
    result = try_host(TAGS, OTHER)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*= 1 passed, 1 not applicable in *"])


def test_the_reason_is_shown_where_it_was_asked_for(try_host: TryHost) -> None:
    result = try_host(TAGS, OTHER, "-rs")
    result.stdout.fnmatch_lines(["*the host does not offer get_tags*"])


def test_a_method_that_is_said_to_be_offered_has_to_work(try_host: TryHost) -> None:
    result = try_host(TAGS, "--host-offers=required_tags,get_tags")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["HV1-O3 MUST *"])


def test_a_method_that_does_not_exist_is_a_usage_error(try_host: TryHost) -> None:
    result = try_host("--host-offers=get_tag")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --host-offers: 'get_tag': no such optional method; there are *"]
    )
