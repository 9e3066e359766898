"""Where bytes are cut, so that a subject reads them piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

Cut = Literal["every-byte"] | Sequence[int] | None


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
