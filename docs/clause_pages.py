"""A page for each clause: text, checks, subjects that break it or are free in it."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.proof.proof import all_proofs
from tests.proof.tables import read_table

from wireproof.checks import Settings
from wireproof.protocols import all_protocols
from wireproof.pytest_run._requirements import minor_version
from wireproof.reporting import clause_page, safe_line
from wireproof_vectors import load_clauses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tests.proof.row import Row

    from wireproof.checks import Check, ProtocolEntry
    from wireproof_vectors import Clause

ROOT = Path(__file__).parents[1]
FROZEN = ROOT / "vectors" / "wireproof_vectors" / "requirements"

INTRODUCTION = """\
What the protocols ask for, clause by clause. The page of a clause has its checks, the \
broken subjects that they catch, and what the changelog says of it."""


PAGE = "reports.html"
"""The page that joins the published reports, by its path in the site."""

JOINED = (
    f"[All protocols on one page](../{PAGE}): the matrix of what each check says of "
    "each subject, and every table beside it."
)


def clause_pages() -> Iterator[tuple[str, str]]:
    """Yield a page for each clause, and one that lists them: path, and text."""
    index = ["# Clauses", "", INTRODUCTION, "", JOINED, ""]
    for protocol in all_protocols():
        checks = protocol.checks(Settings(ROOT))
        legal = f"[Subjects that conform in their own way]({protocol.name}/legal.md)"
        index += [f"## {protocol.name}", "", legal, ""]
        index += ["| clause | level | text |", "| --- | --- | --- |"]
        for clause in load_clauses(protocol.name):
            path = f"{clause_page(protocol.name, clause.id)}.md"
            own = [one for one in checks if clause.id in one.clauses]
            yield path, "\n".join(_page(protocol, clause, own)) + "\n"
            text = _cell(clause.full_text)
            link = path.removeprefix("clauses/")
            index.append(f"| [{clause.id}]({link}) | {clause.level} | {text} |")
        index.append("")
        yield f"clauses/{protocol.name}/legal.md", "\n".join(_legal(protocol.name))
    yield "clauses/README.md", "\n".join(index)


def _page(
    protocol: ProtocolEntry, clause: Clause, checks: Sequence[Check]
) -> Iterator[str]:
    yield f"# {clause.id}"
    yield ""
    yield f"{clause.level.upper()}, of {protocol.name}; source: {clause.source}."
    yield ""
    yield f"> {_text(clause.full_text)}"
    for part in clause.parts:
        yield ""
        yield f"**{part.level.upper()}** ({part.source}): {_text(part.text)}"
    if clause.excluded:
        yield ""
        yield f"It is not tested: {_text(clause.excluded.why)}"
    if clause.withdrawn:
        yield ""
        yield "It is withdrawn; its id is not used again."
    yield ""
    yield "## Checks"
    yield ""
    if clause.monitored:
        yield f"`{protocol.name}/monitor/{clause.id}` watches it in every frame."
        yield ""
    if checks:
        yield "| check | kind | level | since | what holds |"
        yield "| --- | --- | --- | --- | --- |"
    for one in checks:
        cells = (
            f"`{one.id}`",
            _kind(protocol, one),
            one.level,
            _since(protocol.name, one.id),
            _cell(one.title),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield f"`wireproof explain {clause.id} -v` shows their steps."
    yield ""
    yield from _proof(protocol.name, clause.id)
    if told := [entry for entry in _changes() if _names_clause(entry, clause.id)]:
        yield ""
        yield "## In the changelog"
        yield ""
        yield from (f"- {_text(entry)}" for entry in told)


@cache
def _changes() -> Sequence[str]:
    """Return the entries of the changelog, each behind its version, without links."""
    entries: list[str] = []
    version = ""
    for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            version = line.removeprefix("## ")
        elif line.startswith("- "):
            entries.append(f"{version}: {line.removeprefix('- ')}")
        elif line.startswith("  ") and entries:
            entries[-1] += f" {line.strip()}"
    return [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", entry) for entry in entries]


def _names_clause(entry: str, clause_id: str) -> bool:
    return re.search(rf"\b{clause_id}\b", entry) is not None


def _kind(protocol: ProtocolEntry, check: Check) -> str:
    """Say what a check is: a vector with values of the corpus is a place."""
    vector = protocol.describe(check.id) or {}
    return "place" if "values" in vector else check.kind


def _proof(protocol: str, clause_id: str) -> Iterator[str]:
    """Say which subjects of the proof break a clause, and which need not keep it."""
    proofs = {one.protocol: one for one in all_proofs().values()}
    proof = proofs[protocol]
    rows = [row for row in proof.broken.values() if row.clause == clause_id]
    table = ROOT / "reports" / f"{protocol}-broken.md"
    too = [row[2] for row in read_table(table) if clause_id in row[5].split(", ")]
    yield "## Subjects of the proof"
    yield ""
    if rows:
        yield f"These {proof.subjects} break it, and are caught:"
        yield ""
        yield from _table(rows)
        if found := _found_by_fuzzing(protocol, clause_id):
            yield ""
            yield f"Fuzzing without any vector finds {found} that a property tries."
    else:
        yield f"None of the {proof.subjects} of the proof is there to break it."
    yield ""
    if too:
        yield "These break another clause, and a check of this one fails too:"
        yield f"{', '.join(too)}."
        yield ""
    free = [row for row in proof.legal.values() if clause_id in row.warns]
    if free:
        yield "These conform, and are warned of it:"
        yield ""
        yield from _table(free)
        yield ""
    yield (
        f"[{len(proof.legal)} {proof.subjects}](legal.md) conform in ways of their "
        "own, and no check of any clause may fail on them."
    )


def _found_by_fuzzing(protocol: str, clause_id: str) -> str:
    """Say how many subjects that break a clause fuzzing alone finds; empty: unknown."""
    table = ROOT / "reports" / f"{protocol}-fuzz.md"
    for line in (
        table.read_text(encoding="utf-8").splitlines() if table.exists() else ()
    ):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == clause_id:
            return f"{cells[2]} of the {cells[1]}"
    return ""


def _legal(protocol: str) -> Iterator[str]:
    (proof,) = (one for one in all_proofs().values() if one.protocol == protocol)
    yield f"# {protocol}: {proof.subjects} that conform in their own way"
    yield ""
    yield "A check that failed on one of them would be a fault of the suite."
    yield ""
    yield from _table(proof.legal.values())
    yield ""


def _table(rows: Iterable[Row]) -> Iterator[str]:
    yield "| name | what it does |"
    yield "| --- | --- |"
    for row in rows:
        yield f"| `{row.name}` | {_cell(row.does)} |"


def _since(protocol: str, check_id: str) -> str:
    """Return the first minor version that has a check."""
    versions = (v for v, checks in _frozen().items() if check_id in checks[protocol])
    return next(versions, minor_version())


@cache
def _frozen() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return the checks of each version that was released, the oldest first."""
    found = {
        file.stem: json.loads(file.read_bytes())["checks"]
        for file in FROZEN.glob("*.json")
    }
    oldest_first = sorted(found, key=lambda name: [int(n) for n in name.split(".")])
    return {
        version: {name: frozenset(ids) for name, ids in found[version].items()}
        for version in oldest_first
    }


def _text(text: str) -> str:
    """Return a text so that none of it is taken for HTML; code is none anyway."""
    pieces = safe_line(text).split("`")
    # What stands between two backticks is code.
    pieces[::2] = [piece.replace("<", "&lt;") for piece in pieces[::2]]
    return "`".join(pieces)


def _cell(text: str) -> str:
    return _text(text).replace("|", "\\|")
