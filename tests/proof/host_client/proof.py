"""The clients, and how they are tried."""

from __future__ import annotations

import sys

from tests.proof.host_client import hostile_driver, null
from tests.proof.host_client.table import BROKEN, LEGAL
from tests.proof.proof import Every, Hostiles, Nulls, Proof

from wireproof_vectors import load_clauses

PROTOCOL = "host-client"

HOSTILE = (sys.executable, "-m", hostile_driver.__name__)

PROOF = Proof(
    protocol=PROTOCOL,
    option="host-client",
    subject="client",
    subjects="clients",
    clauses=load_clauses(PROTOCOL),
    broken=BROKEN,
    legal=LEGAL,
    nulls=Nulls(
        nothing=null.NOTHING, almost_nothing=null.ALMOST_NOTHING, earned=null.EARNED
    ),
    hostiles=Hostiles(
        commands={name: (*HOSTILE, name) for name in hostile_driver.SUBJECTS},
    ),
    every=Every(broken=44, legal=30, nothing=22, almost_nothing=88, hostile=22, must=6),
    slow=("no-deadline",),
    # A driver and a host may start beside seven others.
    answer_seconds=4.0,
    null_text="""\
Drivers that do nothing, or the same whatever is asked; the last ones start a host and \
take its answer to init.""",
)
