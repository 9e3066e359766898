"""What a suite is made of where a test brings the vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from wireproof.checks import Settings, SuiteInputs, Target, VectorProtocol
from wireproof_vectors import Vector


def inputs_of(
    protocol: VectorProtocol,
    target: Target,
    settings: Settings,
    vectors: Iterable[Vector],
) -> SuiteInputs:
    """Return what a suite that has these vectors, and no other check, is made of."""
    by_id = {one.id: one for one in vectors}
    checks = [protocol.check(one) for one in by_id.values()]
    inputs = protocol.inputs(target, settings)
    return replace(inputs, checks=checks, vectors=by_id)
