"""How what was expected and what came are shown beside each other."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from wireproof.checks import Words
from wireproof.patterns import in_line, in_lines
from wireproof.reporting._escape import safe_line
from wireproof.reporting._layout import SHOWN_LINE

if TYPE_CHECKING:
    from wireproof.checks import Difference
    from wireproof.reporting._layout import Layout

SHOWN_BEFORE = 20
"""Characters shown of two long texts before the first that differs."""

SHOWN_DIFF = 24
"""Most lines of a diff."""


def difference_lines(difference: Difference, layout: Layout) -> list[str]:
    """Return what tells a difference: where it is, and both values, or their diff."""
    where = difference.where or "the whole frame"
    lines = [f"expected (-) and got (+), at {safe_line(where)}"]
    wanted, found = difference.expected, difference.actual
    if _is_long_text(wanted) and _is_long_text(found) and not layout.cuts_nothing:
        return [*lines, *_where_texts_part(wanted, found, layout)]
    width = layout.text_width - 4
    left, right = in_lines(wanted, width), in_lines(found, width)
    if len(left) == 1 and len(right) == 1:
        return [*lines, *_pair(left[0], right[0], layout)]
    if isinstance(wanted, Words) and len(left) == 1 and not layout.cuts_nothing:
        # What kind of value is due says all: no line of what came is the wrong one.
        return [*lines, *_pair(left[0], in_line(found, SHOWN_LINE - 1), layout)]
    diff = difflib.unified_diff(left, right, n=2, lineterm="")
    shown = [line for line in diff if not line.startswith(("---", "+++", "@@"))]
    most = len(shown) if layout.cuts_nothing else SHOWN_DIFF
    for line in shown[:most]:
        lines += _shown(line[1:], line[0], layout)
    if len(shown) > most:
        lines.append(f"  … {len(shown) - most} more lines")
    return lines


def _pair(wanted: str, found: str, layout: Layout) -> list[str]:
    left, right = layout.cut(wanted), layout.cut(found)
    if normalize("NFKC", left) == normalize("NFKC", right):
        # What differs looks alike, as é of one character and é of two.
        wanted, found = ascii(wanted)[1:-1], ascii(found)[1:-1]
    return [*_shown(wanted, "-", layout), *_shown(found, "+", layout)]


def _shown(text: str, sign: str, layout: Layout) -> list[str]:
    return layout.rows(text.replace("\n", "\\n"), f"  {sign} ", "    ")


def _is_long_text(value: Any) -> bool:
    return (
        isinstance(value, str)
        and not isinstance(value, Words)
        and len(value) > SHOWN_LINE // 2
    )


def _where_texts_part(wanted: str, found: str, layout: Layout) -> list[str]:
    """Show two long texts around the first place at which they differ."""
    pairs = enumerate(zip(wanted, found, strict=False))
    same = next((n for n, (a, b) in pairs if a != b), min(len(wanted), len(found)))
    start = max(0, same - SHOWN_BEFORE)
    left, right = (
        in_line(text[start : start + SHOWN_LINE // 2], SHOWN_LINE)
        for text in (wanted, found)
    )
    place = f"  they differ from character {same} on; from character {start}:"
    sizes = f"  {len(wanted)} characters were expected, {len(found)} came"
    return [place, *_pair(left, right, layout), sizes]
