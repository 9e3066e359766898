"""Ops and features that a registry offers, or may leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.bridge import Offers
from wireproof.patterns import is_object
from wireproof.protocols.interop._ops import ACCUMULATE, OPS, PROVIDER_OPS
from wireproof.protocols.interop._shapes import TARGETS, is_of, objects_in

if TYPE_CHECKING:
    from collections.abc import Mapping


def _uses(feature: str, step: Mapping[str, Any]) -> bool:
    """Return whether a step uses a feature that a registry may lack."""
    given: Any = step.get("input")
    if feature == "target_formats":
        return is_object(given) and feature in given
    return any(is_of(feature, one) for one in objects_in(given))


OFFERS = Offers(
    OPS,
    TARGETS,
    _uses,
    optional_ops=(*PROVIDER_OPS, ACCUMULATE),
    by_format=PROVIDER_OPS,
)
"""Ops and features that a registry offers, or may leave out."""
