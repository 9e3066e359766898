from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    TryHost = Callable[..., pytest.RunResult]


@pytest.mark.parametrize(
    ("level", "kinds"),
    [
        ("must", {"must"}),
        ("should", {"must", "should"}),
        ("may", {"must", "should", "may"}),
    ],
)
def test_checks_up_to_the_level_are_run(
    try_host: TryHost,
    level: str,
    kinds: set[str],
) -> None:
    result = try_host(f"--level={level}", "-k", "optional or beyond or print-a-line")
    shown = result.stdout.str()
    summary = shown[shown.index("conforms to the full profile") :]
    assert {kind for kind in ("must", "should", "may") if f"  {kind} " in summary} >= (
        kinds - {"may"}
    )


def test_without_the_option_everything_is_collected(try_host: TryHost) -> None:
    result = try_host("--collect-only", "-q")
    everything = result.stdout.str().count("host-v1/")
    result = try_host("--collect-only", "-q", "--level=should")
    should = result.stdout.str().count("host-v1/")
    result = try_host("--collect-only", "-q", "--level=must")
    must = result.stdout.str().count("host-v1/")
    assert everything > should > must > 0


def test_a_level_that_does_not_exist_is_a_usage_error(try_host: TryHost) -> None:
    result = try_host("--level=strict")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --level: 'strict': give one of must, should, may"]
    )
