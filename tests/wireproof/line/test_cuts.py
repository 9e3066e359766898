from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wireproof.line import pieces

if TYPE_CHECKING:
    from wireproof.line import Cut


@pytest.mark.parametrize(
    ("cut", "wanted"),
    [
        (None, [b"abc"]),
        ("every-byte", [b"a", b"b", b"c"]),
        ([1], [b"a", b"bc"]),
        ([2, 1], [b"a", b"b", b"c"]),
        ([0, 3], [b"abc"]),
    ],
)
def test_bytes_are_cut_where_it_is_asked(cut: Cut, wanted: list[bytes]) -> None:
    assert pieces(b"abc", cut) == wanted
