"""The registries, and how they are tried."""

from __future__ import annotations

import sys

from tests.proof import hostile_driver
from tests.proof.interop import hostile_registries, null
from tests.proof.interop.subject import command_for
from tests.proof.interop.table import BROKEN, LEGAL
from tests.proof.proof import Every, Hostiles, Nulls, Proof

from wireproof_vectors import load_clauses

PROTOCOL = "interop"

REGISTRIES = "tests.proof.interop.hostile_registries"

DRIVER = (sys.executable, "-m", "tests.proof.hostile_driver")
SOUND = "wireproof_reference.interop:InteropSubject"

HARMLESS = frozenset(
    {
        "floods-stderr",
        "ignores-the-end",
        "child-holds-the-pipes",
        "FloodsStdout",
        "FloodsStderr",
        "LeavesAChild",
        "IgnoresTheEnd",
    }
)
"""Those whose answers are right for all that."""

PROOF = Proof(
    protocol=PROTOCOL,
    option="adapter",
    subject="registry",
    subjects="registries",
    clauses=load_clauses(PROTOCOL),
    broken=BROKEN,
    legal=LEGAL,
    nulls=Nulls(
        nothing=null.NOTHING, almost_nothing=null.ALMOST_NOTHING, earned=null.EARNED
    ),
    hostiles=Hostiles(
        commands={
            **{name: (*DRIVER, name, SOUND) for name in hostile_driver.SUBJECTS},
            **{
                kind.__name__: command_for(f"{REGISTRIES}:{kind.__name__}")
                for kind in hostile_registries.ONE_BY_ONE
            },
            "no-object": command_for(f"{REGISTRIES}:NO_OBJECT"),
            "no-attribute": command_for(f"{REGISTRIES}:Nobody"),
            "no-module": command_for("tests.proof.interop.nowhere:registry"),
            "broken-module": command_for("tests.proof.interop.hostile_module:registry"),
        },
        sound=HARMLESS,
        most_mebibytes=600,
    ),
    every=Every(broken=44, legal=24, nothing=20, hostile=18, must=6),
    # A driver may start beside seven others.
    answer_seconds=4.0,
    null_text="""\
Drivers and registries that do nothing, or the same whatever is asked; the last ones \
know the answers to the controls, and do one thing for all else.""",
)
