"""The fuzz properties of interop, in the order in which they are tried.

They are kept apart from the strategies (the ``_plans``) so that listing checks does not
import Hypothesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.protocols.interop._conversion_checks import CONVERSION_CHECKS
from wireproof.protocols.interop._provider_checks import PROVIDER_CHECKS
from wireproof.protocols.interop._sanitise_checks import SANITISE_CHECKS

if TYPE_CHECKING:
    from wireproof.checks import Check

FUZZ_CHECKS: tuple[Check, ...] = (
    *SANITISE_CHECKS,
    *CONVERSION_CHECKS,
    *PROVIDER_CHECKS,
)
