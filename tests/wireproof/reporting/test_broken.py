"""How the clauses of one cause are told."""

from __future__ import annotations

import pytest

from wireproof.protocols import protocol_for
from wireproof.reporting._broken import SHOWN_CLAUSE, _whole_sentences


@pytest.mark.parametrize("clause", ["SOCK-C11", "SOCK-M1"])
def test_a_clause_that_speaks_of_what_follows_is_not_cut_before_it(clause: str) -> None:
    texts = {one.id: one.text for one in protocol_for("socket").clauses()}
    assert len(texts[clause]) > SHOWN_CLAUSE
    assert _whole_sentences(texts[clause]) == texts[clause]


def test_any_other_long_clause_is_cut_after_a_sentence() -> None:
    text = f"{'a' * 90}. {'B' * 90}. {'C' * 90}."
    assert _whole_sentences(text) == f"{'a' * 90}. {'B' * 90}."
