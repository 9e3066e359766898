"""The servers, and how they are tried."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.proof.proof import Every, Hostiles, Nulls, Proof
from tests.proof.socket_v1 import hostile_server, null
from tests.proof.socket_v1.table import BROKEN, LEGAL

from wireproof_vectors import load_clauses

PROTOCOL = "socket-v1"

HOSTILE = str(Path(hostile_server.__file__))

PROOF = Proof(
    protocol=PROTOCOL,
    option="socket",
    subject="server",
    subjects="servers",
    clauses=load_clauses(PROTOCOL),
    broken=BROKEN,
    legal=LEGAL,
    nulls=Nulls(
        nothing=null.NOTHING, almost_nothing=null.ALMOST_NOTHING, earned=null.EARNED
    ),
    hostiles=Hostiles(
        commands={
            name: (sys.executable, "-I", "-S", HOSTILE, name, "{socket}")
            for name in hostile_server.SUBJECTS
        },
        timeouts={"starts-slowly": 5.0},
    ),
    every=Every(broken=60, legal=48, almost_nothing=16, hostile=36, must=8),
    slow=("pretty-failures", "loses-throws", "no-log"),
    # A server may start beside seven others.
    answer_seconds=4.0,
    null_text="Servers that do nothing, or the same whatever is asked.",
)
