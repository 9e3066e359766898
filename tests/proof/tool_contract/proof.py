"""The registries, and how they are tried."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.proof import hostile_driver, null_driver
from tests.proof.proof import Every, Hostiles, Nulls, Proof
from tests.proof.tool_contract import null_registries
from tests.proof.tool_contract.table import BROKEN, LEGAL

from wireproof.protocols import protocol_for
from wireproof.protocols.tool_contract._ops import OPS
from wireproof_vectors import load_clauses

PROTOCOL = "tool-contract"

CLAUSES = load_clauses(PROTOCOL)

NULL = (sys.executable, "-I", "-S", str(Path(null_driver.__file__)))

NAMED = ",".join(OPS)

HOSTILE = (sys.executable, "-m", "tests.proof.hostile_driver")

SOUND = "wireproof_reference.tool_contract:subject"

REGISTRIES = null_registries.__name__

ALMOST_NOTHING = ("ControlledOrNothing", "ControlledOrEmpty", "ControlledOrRefuses")

PROOF = Proof(
    protocol=PROTOCOL,
    option="tools",
    subject="registry",
    subjects="registries",
    clauses=CLAUSES,
    broken=BROKEN,
    legal=LEGAL,
    nulls=Nulls(
        nothing={
            **{name: (name,) for name in ("true", "false", "cat", "yes")},
            "sleep": ("sleep", "60"),
            "no-such-program": ("/nowhere/driver",),
            **{name: (*NULL, name, NAMED) for name in null_driver.REGISTRIES},
        },
        almost_nothing={
            name: protocol_for("tools").command(f"{REGISTRIES}:{name}")
            for name in ALMOST_NOTHING
        },
        earned={
            "ControlledOrNothing": frozenset({"TOOL-P4", "TOOL-X12"}),
            "ControlledOrEmpty": frozenset(
                {"TOOL-P3", "TOOL-P4", "TOOL-U6", "TOOL-X10", "TOOL-X12"}
            ),
            "ControlledOrRefuses": frozenset(
                {
                    *("TOOL-P4", "TOOL-R3", "TOOL-X4", "TOOL-X5"),
                    *("TOOL-X8", "TOOL-X10", "TOOL-X12"),
                }
            ),
        },
    ),
    hostiles=Hostiles(
        commands={name: (*HOSTILE, name, SOUND) for name in hostile_driver.SUBJECTS},
        sound=frozenset({"floods-stderr", "ignores-the-end", "child-holds-the-pipes"}),
        most_mebibytes=600,
    ),
    every=Every(broken=56, legal=26, nothing=24, almost_nothing=9, hostile=22, must=8),
    # A driver may start beside seven others.
    answer_seconds=4.0,
    null_text="""\
Drivers and registries that do nothing, or the same whatever is asked; the last ones \
know the answers to the controls, and do one thing for all else.""",
)
