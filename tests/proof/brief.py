"""How long a subject takes that is slower than a brief wait and correct."""

from __future__ import annotations


def longer_than_brief() -> float:
    """Return seconds that are a little more than the briefest of the first waits.

    The suite is loaded where they are asked for: hundreds of subjects that do not ask
    would load it at each start.
    """
    from wireproof.line._silences import BRIEF_SECONDS  # noqa: PLC0415

    return BRIEF_SECONDS + 0.03
