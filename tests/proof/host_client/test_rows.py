from __future__ import annotations

from collections import Counter

from tests.proof.host_client.proof import PROOF
from tests.proof.host_client.table import BROKEN
from tests.proof.trial import try_row

from wireproof_vectors import load_clauses


def test_every_clause_has_two_broken_clients_at_its_level() -> None:
    levels = {clause.id: clause.level for clause in load_clauses("host-client")}
    counts = Counter[tuple[str, str]](
        (row.clause, row.level) for row in BROKEN.values()
    )

    assert {one for one in levels.items() if counts[one] < 2} == set()
    assert set(counts) - set(levels.items()) == {("HV1-C7", "should")}


def test_a_place_names_the_value_that_a_client_changes() -> None:
    trial = try_row(PROOF, BROKEN["results-unescaped"], every=10_000)
    [found] = [
        result for result in trial.results if result.id == "host-client/places/result"
    ]

    assert found.reason.startswith("with the value html-entities")
