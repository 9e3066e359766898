"""The hosts, and how they are tried."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tests.proof.host_v1 import hostile_host, null
from tests.proof.host_v1.table import BROKEN, LEGAL
from tests.proof.proof import Every, Hostiles, Nulls, Proof

from wireproof_vectors import load_clauses

PROTOCOL = "host-v1"

CLAUSES = [one for one in load_clauses(PROTOCOL) if not one.id.startswith("HV1-C")]
"""Those of a host, not those of its client."""

_BEHAVIOUR: Final = ("HV1-R", "HV1-O", "HV1-E")
_BEHAVIOUR_TOO: Final = frozenset(
    {"HV1-M7", "HV1-M8", "HV1-M9", "HV1-M10", "HV1-M12", "HV1-T10"}
)

FRAMES = frozenset(
    clause.id
    for clause in CLAUSES
    if not clause.id.startswith(_BEHAVIOUR) and clause.id not in _BEHAVIOUR_TOO
)
"""Those that say how a host's frames look, not what it does."""

HOSTILE = str(Path(hostile_host.__file__))

SOUND = frozenset(
    {
        "flood-stderr",
        "forks-without-end",
        "ignores-the-end",
        "starts-slowly",
        "stops-reading",
    }
)

PROOF = Proof(
    protocol=PROTOCOL,
    option="host",
    subject="host",
    subjects="hosts",
    clauses=CLAUSES,
    broken=BROKEN,
    legal=LEGAL,
    nulls=Nulls(
        nothing=null.NOTHING,
        almost_nothing=null.ALMOST_NOTHING,
        earned=null.EARNED,
        unearned=FRAMES,
    ),
    hostiles=Hostiles(
        commands={
            name: (sys.executable, "-I", "-S", HOSTILE, name)
            for name in hostile_host.SUBJECTS
        },
        sound=SOUND,
    ),
    every=Every(broken=32, legal=22, hostile=24, must=4),
    answer_seconds=2.0,
    null_text="""\
Hosts that do nothing, or the same whatever is asked. None conforms. The first seven \
pass nothing at all; the others pass what they do as they should, and no more.""",
)
