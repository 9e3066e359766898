from __future__ import annotations

import re

import pytest
from tests.proof.fuzzed import FUZZED, covered, fuzz_report, outcomes
from tests.proof.proof import load_proof

LEAST_SHARE = 0.6
"""Of the broken subjects whose clause some property tries."""

EVERY = 3
"""One subject of so many is fuzzed: all of them take half an hour."""


@pytest.mark.sweep
@pytest.mark.parametrize("folder", FUZZED)
def test_fuzzing_alone_convicts_most_of_the_subjects_that_it_can(folder: str) -> None:
    found = outcomes(folder, covered(load_proof(folder))[::EVERY])

    assert sum(found.values()) / len(found) >= LEAST_SHARE


@pytest.mark.parametrize("folder", FUZZED)
def test_the_share_that_is_published_is_that_of_the_table(folder: str) -> None:
    text = fuzz_report(load_proof(folder).protocol).read_text()
    [(caught, tried)] = re.findall(r"vector: (\d+) of (\d+) [a-z]+ that", text)
    rows = [line.strip("| ").split(" | ") for line in text.splitlines()]
    counts = [row for row in rows if re.match(r"[A-Z0-9]+-[A-Z]+\d+$", row[0])]

    assert int(tried) == sum(int(row[1]) for row in counts)
    assert int(caught) == sum(int(row[2]) for row in counts)
    assert int(caught) / int(tried) >= LEAST_SHARE
