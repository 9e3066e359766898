"""The fuzz properties of exec-runtime, by name: what each tries and what it needs.

Kept apart from the strategies so that listing checks does not import Hypothesis.
"""

from __future__ import annotations

from wireproof.checks import Check
from wireproof.protocols.exec_runtime._sequences import CLAUSES

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
    Check(
        f"{PREFIX}sequences",
        "Whatever calls come to, one after the other or together, each call gets its "
        "own answer, or fails where its server has gone wrong.",
        CLAUSES,
        "must",
        "derived",
        "fuzz",
        {"ops": ["bind", "call", "call_many"], "modes": ["exec", "server"]},
    ),
    Check(
        f"{PREFIX}places",
        "Values survive wherever they may stand, at two places at a time.",
        ("EXEC-R3", "EXEC-R4"),
        "must",
        "derived",
        "fuzz",
        {"ops": ["bind", "call"], "modes": ["exec", "server"]},
    ),
    Check(
        f"{PREFIX}served-again",
        "Whatever fault of a server follows another, the calls after it are served.",
        ("EXEC-R11", "EXEC-R12"),
        "should",
        "derived",
        "fuzz",
        {"ops": ["bind", "call", "call_many"], "modes": ["server"]},
    ),
)
