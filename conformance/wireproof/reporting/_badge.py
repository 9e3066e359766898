"""The badge of a report: as a picture, and as what the endpoint of shields.io reads."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

from wireproof.reporting._answers import Standing, answer_of_all

if TYPE_CHECKING:
    from wireproof.reporting._report import Report

COLOURS = {Standing.GOOD: "#2a7d34", Standing.OPEN: "#8a6100", Standing.BAD: "#b3261e"}
"""Backgrounds on which white text can be read."""

CHARACTER = 6.6
"""Width of a character of 11 pixels in most fonts; the text is made to fit."""

PADDING = 7

_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" \
aria-label="{label}: {message}">
<title>{label}: {message}</title>
<clipPath id="edge"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#edge)">
<rect width="{left}" height="20" fill="#444"/>
<rect x="{left}" width="{right}" height="20" fill="{colour}"/>
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" \
text-anchor="middle">
<text x="{left_middle}" y="14" textLength="{left_text}" \
lengthAdjust="spacingAndGlyphs">{label}</text>
<text x="{right_middle}" y="14" textLength="{right_text}" \
lengthAdjust="spacingAndGlyphs">{message}</text>
</g>
</svg>
"""


def dump_svg(report: Report) -> str:
    """Return the badge of a report as an SVG picture."""
    label, message = label_of(report), answer_of_all(report)
    left_text, right_text = (
        round(len(text) * CHARACTER) for text in (label, message.text)
    )
    left, right = left_text + 2 * PADDING, right_text + 2 * PADDING
    return _SVG.format(
        label=escape(label),
        message=escape(message.text),
        colour=COLOURS[message.standing],
        width=left + right,
        left=left,
        right=right,
        left_text=left_text,
        right_text=right_text,
        left_middle=left / 2,
        right_middle=left + right / 2,
    )


def dump_shields(report: Report) -> str:
    """Return the badge as JSON for ``https://img.shields.io/endpoint``."""
    message = answer_of_all(report)
    badge = {
        "schemaVersion": 1,
        "label": label_of(report),
        "message": message.text,
        "color": COLOURS[message.standing],
    }
    return json.dumps(badge, indent=1) + "\n"


def label_of(report: Report) -> str:
    """Return what is on the left of a badge: the suite, and one protocol by name."""
    protocols = {subject.protocol for subject in report.subjects}
    return " ".join(["wireproof", *protocols]) if len(protocols) == 1 else "wireproof"
