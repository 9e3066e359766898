"""host-v1: NDJSON tool hosts under test (``--host``)."""

from __future__ import annotations

from wireproof.protocols.host_v1._protocol import PROTOCOL

__all__ = ["PROTOCOL"]
