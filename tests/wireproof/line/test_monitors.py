from __future__ import annotations

from collections import Counter

import pytest

from wireproof.checks import Deviation, Level, Verdict
from wireproof.line._monitors import Monitors

LEVELS: tuple[Level, Level] = ("should", "must")


@pytest.mark.parametrize("levels", [LEVELS, LEVELS[::-1]])
def test_a_breach_of_a_must_stands_before_one_of_a_should(
    levels: tuple[Level, Level],
) -> None:
    monitors = Monitors("socket-v1", ("SOCK-E1",), {}, ())
    for level in levels:
        monitors.report([Deviation("SOCK-E1", level, f"a {level}")], "check")

    (result,) = monitors.results(Counter(frames=2), controlled=True)

    assert (result.verdict, result.reason) == (Verdict.FAILED, "a must")
