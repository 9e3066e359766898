"""Faults of a driver: they say nothing about its subject."""

from __future__ import annotations

from wireproof.judge import Rule

NO_CLAUSE = Rule("")
"""What a fault of the driver breaks."""

DRIVER_FAULTS: dict[str, Rule | tuple[Rule, ...]] = dict.fromkeys(
    [
        *("not-started", "exited-at-start", "closed-at-start", "silent-at-start"),
        *("held-back", "describe-refused", "misfit"),
    ],
    NO_CLAUSE,
)
"""Kinds of faults by which a driver does not come up."""

OPERATION_FAULTS: dict[str, Rule | tuple[Rule, ...]] = {
    **DRIVER_FAULTS,
    **dict.fromkeys(["no-plain-op", "no-control", "no-plain-format"], NO_CLAUSE),
}
"""Those, and kinds by which ops on data prove nothing: none comes out right.

Which clause is broken else each step of a check says.
"""
