"""The suite of interop: adapter registries, in process or through the bridge."""

from __future__ import annotations

from wireproof.protocols.interop._protocol import PROTOCOL

__all__ = ["PROTOCOL"]
