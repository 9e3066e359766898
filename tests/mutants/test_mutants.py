from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.mutants.accounts import Account, load_accounts
from tests.mutants.cosmic_ray import read_dump
from tests.mutants.mutant import Mutant
from tests.mutants.scores import REPORT, Score, load_scores, report, unaccounted
from tests.mutants.stryker import read_report

ROOT = Path(__file__).parents[2]

ACCOUNTS = load_accounts()
SCORES = load_scores()

AND = Mutant("a.mjs", "if (a || b) {", "if (a && b) {", caught=False)
NONE = Mutant("a.mjs", "return a", "return null", caught=False)
CAUGHT = Mutant("a.mjs", "return b", "return null", caught=True)


def test_a_score_counts_what_was_tried_and_keeps_what_lives() -> None:
    assert Score.of([AND, CAUGHT]) == Score(2, [AND])


def test_a_mutant_is_accounted_for_by_its_file_and_line() -> None:
    accounts = {("a.mjs", "return a"): Account("a.mjs", "return a", "why")}

    assert unaccounted(Score(3, [AND, NONE]), accounts) == [AND]


def test_a_report_has_both_shares_and_a_line_for_each_place() -> None:
    accounts = {("a.mjs", "return a"): Account("a.mjs", "return a", "a reason")}

    text = report({"one": Score(4, [AND, NONE, NONE])}, accounts)

    assert "| one | all | 4 | 1 | 3 | 25 % | 50 % |" in text
    assert "| a.mjs: `return a` | 2 | a reason |" in text
    assert "| a.mjs: `if (a \\|\\| b) {` | 1 | **not accounted for** |" in text


def test_a_mutant_of_stryker_is_shown_as_the_line_that_it_makes() -> None:
    mutant = {
        "id": "0",
        "replacement": "a && b",
        "status": "Survived",
        "location": {
            "start": {"line": 2, "column": 7},
            "end": {"line": 2, "column": 13},
        },
    }
    found = {"files": {"x.mjs": {"source": "\n  if (a || b) {\n", "mutants": [mutant]}}}

    assert list(read_report(found, "src")) == [
        Mutant("src/x.mjs", "if (a || b) {", "if (a && b) {", caught=False)
    ]


def test_a_mutant_of_cosmic_ray_is_shown_by_what_it_adds(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("if a:\n    b = not c\n")
    mutation = {"module_path": str(tmp_path / "x.py"), "start_pos": [2, 8]}
    diff = "--- x\n+++ x\n@@ -1,2 +1,2 @@\n if a:\n-    b = not c\n+    b = c"
    tried = {"worker_outcome": "normal", "test_outcome": "survived", "diff": diff}
    passed_over = {"worker_outcome": "skipped"}
    dump = "\n".join(
        json.dumps([{"mutations": [mutation]}, result])
        for result in (tried, passed_over, None)
    )

    assert list(read_dump(dump, "src", tmp_path)) == [
        Mutant("src/x.py", "b = not c", "b = c", caught=False)
    ]


def test_of_a_sample_only_the_mutants_that_were_tried_count() -> None:
    place = {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 2}}
    made = {"replacement": "b", "status": "Survived", "location": place}
    mutants = [made | {"id": str(number)} for number in range(5)]
    found = {"files": {"x.mjs": {"source": "a\n", "mutants": mutants}}}

    assert len(list(read_report(found, "src", every=2))) == 3


def test_a_sample_is_called_one() -> None:
    text = report({"one": Score(4, [], every=3)}, {})

    assert "| one | sampled, one of 3 | 4 | 4 | 0 | 100 % | 100 % |" in text


def test_a_subject_without_a_score_is_called_not_tried() -> None:
    assert "Not tried yet: framing-python, host-node," in report({}, {})


def test_the_report_is_that_of_the_scores_and_accounts_there_are() -> None:
    assert REPORT.read_text() == report(SCORES, ACCOUNTS)


@pytest.mark.parametrize("name", SCORES)
def test_each_mutant_of_a_subject_is_caught_or_accounted_for(name: str) -> None:
    assert unaccounted(SCORES[name], ACCOUNTS) == []


def test_a_place_that_is_accounted_for_stands_in_its_file() -> None:
    files = {file for file, _ in ACCOUNTS}
    lines = {file: (ROOT / file).read_text().splitlines() for file in files}
    places = {(file, row.strip()) for file in files for row in lines[file]}

    assert ACCOUNTS.keys() - places == set()


def test_where_nothing_lives_nothing_is_accounted_for() -> None:
    alive = {(one.file, one.line) for score in SCORES.values() for one in score.alive}

    assert ACCOUNTS.keys() - alive == set()
