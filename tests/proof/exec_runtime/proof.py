"""The runtimes, and how they are tried."""

from __future__ import annotations

import sys

from tests.proof.exec_runtime import hostile_driver, null
from tests.proof.exec_runtime.table import BROKEN, LEGAL
from tests.proof.proof import Every, Hostiles, Nulls, Proof

from wireproof_vectors import load_clauses

PROTOCOL = "exec-runtime"

HOSTILE = (sys.executable, "-m", hostile_driver.__name__)

PROOF = Proof(
    protocol=PROTOCOL,
    option="exec-runtime",
    subject="runtime",
    subjects="runtimes",
    clauses=load_clauses(PROTOCOL),
    broken=BROKEN,
    legal=LEGAL,
    nulls=Nulls(nothing=null.NOTHING, almost_nothing={}, earned={}),
    hostiles=Hostiles(
        commands={name: (*HOSTILE, name) for name in hostile_driver.SUBJECTS},
        # One that reads a flood without end has half of it in its pipes.
        most_mebibytes=300,
    ),
    every=Every(
        broken=128, legal=96, nothing=128, almost_nothing=128, hostile=128, must=32
    ),
    # A tool may start beside seven others.
    answer_seconds=4.0,
    null_text="""\
Drivers that do nothing, or the same whatever is asked; the last one starts tools and \
says nothing to them.""",
)
