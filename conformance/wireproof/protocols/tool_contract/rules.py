"""Which clause of the tool contract an observed fault breaks.

None by itself: each step of a check says what it is about.
"""

from __future__ import annotations

from wireproof.bridge import DRIVER_FAULTS
from wireproof.judge import Rule

FAULTS: dict[str, Rule | tuple[Rule, ...]] = {
    **DRIVER_FAULTS,
    # A registry of which an op comes to nothing right.
    "no-plain-op": Rule(""),
    "no-control": Rule(""),
}
