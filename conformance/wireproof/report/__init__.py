"""Reasons in words."""

from __future__ import annotations

from wireproof.report._sentences import sentence

__all__ = ["sentence"]
