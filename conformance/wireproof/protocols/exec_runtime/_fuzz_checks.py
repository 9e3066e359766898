"""The fuzz properties of exec-runtime, by name: what each tries and what it needs.

Kept apart from the strategies so that listing checks does not import Hypothesis.
"""

from __future__ import annotations

from wireproof.checks import Check

PREFIX = "exec-runtime/fuzz/"

FUZZ_CHECKS: tuple[Check, ...] = (
    Check(
        f"{PREFIX}one-shot-output",
        "Whatever a one-shot tool writes comes to what it says or to a failure, and "
        "the next call gets its own answer.",
        ("EXEC-R5", "EXEC-R4"),
        "must",
        "derived",
        "fuzz",
        {"ops": ["bind", "call"], "modes": ["exec"]},
    ),
    Check(
        f"{PREFIX}server-output",
        "Whatever a server tool writes, no call gets another call's answer.",
        ("EXEC-R11",),
        "must",
        "derived",
        "fuzz",
        {"ops": ["bind", "call"], "modes": ["server"]},
    ),
)
