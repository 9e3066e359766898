from __future__ import annotations

import re

import pytest
from tests.proof.fuzzed import covered, fuzz_report, outcomes
from tests.proof.interop.proof import PROOF

LEAST_SHARE = 0.6
"""Of the registries that break what a property tries."""


@pytest.mark.sweep
def test_fuzzing_alone_convicts_most_of_the_registries_that_it_can() -> None:
    found = outcomes("interop", covered(PROOF))

    assert sum(found.values()) / len(found) >= LEAST_SHARE


def test_the_share_that_is_published_is_that_of_the_table() -> None:
    text = fuzz_report("interop").read_text()
    [(caught, tried)] = re.findall(r"vector: (\d+) of (\d+) registries", text)
    rows = [line.strip("| ").split(" | ") for line in text.splitlines()]
    counts = [row for row in rows if row[0].startswith("INT-")]

    assert int(tried) == sum(int(row[1]) for row in counts)
    assert int(caught) == sum(int(row[2]) for row in counts)
    assert int(caught) / int(tried) >= LEAST_SHARE
