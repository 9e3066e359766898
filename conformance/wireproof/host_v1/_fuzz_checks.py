"""The fuzz properties of host-v1, by name: what each tries and what it needs."""

from __future__ import annotations

from wireproof._suite import Check

FUZZ_CHECKS: tuple[Check, ...] = ()
