"""The exec servers, and how they are tried."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.proof.exec_server import hostile_server, null
from tests.proof.exec_server.table import BROKEN, LEGAL
from tests.proof.proof import Every, Hostiles, Nulls, Proof

from wireproof.protocols._exec_tools import ExecSettings
from wireproof_vectors import load_clauses

PROTOCOL = "exec-server"

HOSTILE = str(Path(hostile_server.__file__))

PROOF = Proof(
    protocol=PROTOCOL,
    option="exec-server",
    subject="server",
    subjects="servers",
    clauses=load_clauses(PROTOCOL),
    broken=BROKEN,
    legal=LEGAL,
    nulls=Nulls(nothing=null.NOTHING, almost_nothing={}, earned={}),
    hostiles=Hostiles(
        commands={
            name: (sys.executable, "-I", "-S", HOSTILE, name)
            for name in hostile_server.SUBJECTS
        },
    ),
    every=Every(broken=30, legal=30, nothing=30, hostile=30, must=4),
    slow=("waits-for-stderr",),
    answer_seconds=3.0,
    null_text="""\
Servers that do nothing, or the same whatever they are sent: none conforms, and none \
passes anything.""",
    own=ExecSettings(toolset=True),
)
