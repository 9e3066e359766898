"""The figures of the proof, taken from the tables in ``reports/``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.proof.proof import all_proofs

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACE = "<!-- the figures of reports/, made with the site -->"
"""Stands in the page where the table goes."""

REPORTS = Path(__file__).parents[1] / "reports"


def figures() -> str:
    """Return a table of how each protocol is proved."""
    head = (
        "protocol",
        "broken subjects",
        "caught",
        "legal variants",
        "that do nothing",
        "of these conformant",
        "hostile",
        "found by fuzzing alone",
    )
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    for proof in all_proofs().values():
        broken = _rows(f"{proof.protocol}-broken.md")
        nulls = _rows(f"{proof.protocol}-null.md")
        cells = (
            proof.protocol,
            str(len(broken)),
            str(sum(row[4] in {"failed", "warned"} for row in broken)),
            str(len(proof.legal)),
            str(len(nulls)),
            str(sum(row[1] == "yes" for row in nulls)),
            str(len(proof.hostiles.commands)),
            _alone(f"{proof.protocol}-fuzz.md"),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _alone(name: str) -> str:
    """Say how many of those that a property could find were found by it."""
    if not (REPORTS / name).exists():
        return "not measured"
    rows = _rows(name)
    found, tried = (sum(int(row[column]) for row in rows) for column in (2, 1))
    return f"{found} of {tried}"


def found_by_fuzzing(protocol: str, clause_id: str) -> str:
    """Say how many subjects that break a clause fuzzing alone finds; empty: unknown."""
    name = f"{protocol}-fuzz.md"
    rows = _rows(name) if (REPORTS / name).exists() else ()
    found = [row for row in rows if row[0] == clause_id]
    return f"{found[0][2]} of the {found[0][1]}" if found else ""


def _rows(name: str) -> Sequence[Sequence[str]]:
    """Return the cells of a table, without its head."""
    lines = (REPORTS / name).read_text(encoding="utf-8").splitlines()
    cells = [line.strip("|").split("|") for line in lines if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in cells[2:]]
