"""How long a subject takes that is slower than a brief wait and correct."""

from __future__ import annotations


def longer_than_brief() -> float:
    """Return seconds that are a little more than the briefest of the first waits.

    The suite is loaded where they are asked for: hundreds of subjects that do not ask
    would load it at each start.
    """
    from wireproof.run import LIMITS  # noqa: PLC0415

    return LIMITS["nudge"].floor + 0.03
