"""What tries each clause, made of the catalogue and of the published tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.proof.matrix import read_matrix
from tests.proof.matrix_table import told, verdicts_by_clause
from tests.proof.proof import Proof, all_proofs
from tests.proof.tables import REPORTS, heading, table
from tests.proof.trial import ROOT

from wireproof.checks import Settings
from wireproof.protocols import protocol_for
from wireproof_vectors import Clause, load_clauses, load_vectors

COVERAGE = REPORTS / "coverage.md"

COLUMNS = (
    *("clause", "level", "source", "vectors", "places", "scenarios", "properties"),
    *("monitor", "broken", "conforming", "why not"),
)


def coverage_rows(proof: Proof) -> Sequence[Sequence[str]]:
    """Return a row for each clause of a protocol's catalogue."""
    vectors: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for vector in load_vectors(proof.protocol):
        (places if "values" in vector.data else vectors).update(vector.clauses)
    kinds: dict[str, Counter[str]] = {"scenario": Counter(), "fuzz": Counter()}
    settings = Settings(ROOT, own=proof.own)
    for check in protocol_for(proof.option).checks(settings):
        if check.kind != "vector":
            kinds[check.kind].update(check.clauses)
    broken = Counter(row.clause for row in proof.broken.values())
    conforming = verdicts_by_clause(proof, read_matrix(proof.protocol))
    return [
        (
            clause.id,
            _levels(clause),
            clause.source,
            _count(vectors[clause.id]),
            _count(places[clause.id]),
            _count(kinds["scenario"][clause.id]),
            _count(kinds["fuzz"][clause.id]),
            "all frames" if clause.monitored else "",
            _count(broken[clause.id]),
            told(
                found[clause.id].verdict
                for found in conforming.values()
                if clause.id in found
            ),
            _why_not(clause),
        )
        for clause in load_clauses(proof.protocol)
    ]


def _levels(clause: Clause) -> str:
    """Return the level of a clause, and those of its parts that have another."""
    return ", ".join(
        dict.fromkeys([clause.level, *(part.level for part in clause.parts)])
    )


def _count(number: int) -> str:
    return str(number) if number else ""


def _why_not(clause: Clause) -> str:
    if clause.withdrawn:
        return "withdrawn"
    return f"{clause.excluded.reason}: {clause.excluded.why}" if clause.excluded else ""


def coverage_text() -> str:
    """Return the table of all clauses."""
    text = """\
What tries each clause: vectors, places (vectors whose steps are carried out with many \
values), scenarios that no vector can tell, properties that are fuzzed, monitors. Then \
how many broken subjects break it and are caught, what the programs and variants that \
have to conform came to, and why nothing tries it. Made by `nox -s reports`."""
    sections = (
        f"## {proof.protocol}\n\n{table(COLUMNS, coverage_rows(proof))}"
        for proof in all_proofs().values()
    )
    return heading("What tries each clause", text) + "\n".join(sections)
