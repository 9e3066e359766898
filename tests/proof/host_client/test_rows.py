from __future__ import annotations

from collections import Counter

from tests.proof.host_client.table import BROKEN

from wireproof_vectors import load_clauses


def test_every_clause_has_two_broken_clients_at_its_level() -> None:
    levels = {clause.id: clause.level for clause in load_clauses("host-client")}
    counts = Counter((row.clause, row.level) for row in BROKEN.values())

    assert set(counts) == set(levels.items())
    assert min(counts.values()) >= 2
