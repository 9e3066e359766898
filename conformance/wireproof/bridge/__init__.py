"""Subjects behind a driver: how it is started and asked, and what its answers say."""

from __future__ import annotations

from wireproof.bridge._dialect import BridgeDialect
from wireproof.bridge._driver import BridgeDriver, BridgeOps, Told, plain_hands
from wireproof.bridge._reading import NO_CLAUSE, refused, unanswered

__all__ = [
    "NO_CLAUSE",
    "BridgeDialect",
    "BridgeDriver",
    "BridgeOps",
    "Told",
    "plain_hands",
    "refused",
    "unanswered",
]
