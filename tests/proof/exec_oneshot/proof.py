"""The one-shot tools, and how they are tried."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.proof.exec_oneshot import hostile_tool, null
from tests.proof.exec_oneshot.table import BROKEN, LEGAL
from tests.proof.proof import Every, Hostiles, Nulls, Proof

from wireproof.protocols._exec_tools import ExecSettings
from wireproof_vectors import load_clauses

PROTOCOL = "exec-oneshot"

HOSTILE = str(Path(hostile_tool.__file__))

PROOF = Proof(
    protocol=PROTOCOL,
    option="exec",
    subject="tool",
    subjects="tools",
    clauses=load_clauses(PROTOCOL),
    broken=BROKEN,
    legal=LEGAL,
    nulls=Nulls(nothing=null.NOTHING, almost_nothing={}, earned={}),
    hostiles=Hostiles(
        commands={
            name: (sys.executable, "-I", "-S", HOSTILE, name)
            for name in hostile_tool.SUBJECTS
        },
    ),
    every=Every(broken=28, legal=28, nothing=28, hostile=28, must=4),
    answer_seconds=3.0,
    null_text="""\
Tools that do nothing, or the same whatever they are given: none conforms, and none \
passes anything.""",
    own=ExecSettings(toolset=True),
)
