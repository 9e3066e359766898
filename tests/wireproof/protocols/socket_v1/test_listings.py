"""Sequences without their listings, for a server to which each takes a second."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wireproof.checks import Check
from wireproof.protocols.socket_v1._listings import spares_listings, without_listings
from wireproof_vectors import load_vectors

SEQUENCES = [one for one in load_vectors("socket-v1") if one.group == "sequences"]


def check(name: str) -> Check:
    return Check(f"socket-v1/{name}", "", ("SOCK-L1",), "must", "derived", "vector")


@pytest.mark.parametrize(
    ("name", "spares"),
    [
        ("sequences/after-echo", True),
        ("sequences/after-listing", False),
        ("sequences/beside-listing", False),
        ("listing/twice-running", False),
    ],
)
def test_what_is_about_listings_keeps_them(name: str, *, spares: bool) -> None:
    assert spares_listings(check(name)) is spares


def test_a_sequence_loses_its_listings_and_nothing_else() -> None:
    spared = 0
    for vector in SEQUENCES:
        steps: Any = vector.data["steps"]
        kept = without_listings(steps)
        left = [step for step in steps if step not in kept]
        asked = [step for step in left if step.get("send", {}).get("type")]
        came = [step for step in left if "expect" in step]
        assert len(asked) == len(came), vector.id
        spared += len(asked)
        assert len(left) == len(asked) + len(came), vector.id
        assert "tools_list" not in json.dumps(kept), vector.id
    assert spared > len(SEQUENCES) / 2
