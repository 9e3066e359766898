"""Conformance checks of the NDJSON tool socket, protocol 1."""

from __future__ import annotations

from wireproof.protocols.socket_v1._protocol import PROTOCOL

__all__ = ["PROTOCOL"]
