"""Where bytes are cut, so that a subject reads them piece by piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

Cut = Literal["every-byte"] | Sequence[int] | None


SENDING = frozenset({"send", "send_many", "send_raw"})
"""Steps that send what is not the suite's own."""


def writes_in_order(
    sent: Sequence[bytes], steps: Sequence[Mapping[str, Any]]
) -> list[bytes]:
    """Join what steps sent one after the other, where nothing was awaited between.

    What a step sent in pieces stays in pieces.

    Args:
        sent: What each sending step that was carried out has sent.
        steps: The steps.

    Returns:
        The bytes, apart where they were cut, or where an answer was awaited before the
        next were sent.
    """
    left = list(sent)
    found: list[bytes] = []
    joins = False
    for step in steps:
        if SENDING.isdisjoint(step):
            joins = False
        elif left:
            first, *more = pieces(left.pop(0), step.get("cut")) or [b""]
            found[-1:] = [found[-1] + first] if joins else [*found[-1:], first]
            found += more
            joins = True
    return [*found, b"".join(left)] if left else found


def sends_at_once(steps: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether steps send something behind something else without waiting.

    A subject may get both in one read. A fence asks before it waits, the one that comes
    behind all steps too; what need not come is not waited for.
    """
    sends = waits = False
    for step in (*steps, {"fence": True}):
        if "expect_optional" in step:
            continue
        asks = "fence" in step or not SENDING.isdisjoint(step)
        if _has_lines(step) or (asks and sends and not waits):
            return True
        sends, waits = asks, "fence" in step
    return False


def _has_lines(step: Mapping[str, Any]) -> bool:
    """Tell whether a step sends more than one line."""
    raw = step.get("send_raw", ())
    ends = sum(one.get("text", "").count("\n") * one.get("times", 1) for one in raw)
    return "send_many" in step or ends > 1


def pieces(data: bytes, cut: Cut) -> list[bytes]:
    """Return bytes in the pieces in which they are to be written, none of them empty.

    Args:
        data: The bytes.
        cut: The places between the pieces; None for one piece.
    """
    if cut is None:
        return [data]
    if cut == "every-byte":
        return [data[i : i + 1] for i in range(len(data))]
    edges = [0, *sorted(cut), len(data)]
    return [data[a:b] for a, b in pairwise(edges) if a < b]
