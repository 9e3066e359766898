from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.mutants.accounts import Account, load_accounts
from tests.mutants.cosmic_ray import difference
from tests.mutants.mutant import Change, Mutant
from tests.mutants.scores import REPORT, Score, load_scores, report, unaccounted
from tests.mutants.stryker import read_report

ROOT = Path(__file__).parents[2]

ACCOUNTS = load_accounts()
SCORES = load_scores()

AND = Mutant("a.mjs", "if (a || b) {", "if (a && b) {", caught=False)
NONE = Mutant("a.mjs", "return a", "return null", caught=False)
HOST = """\
from wireproof_reference.host_v1 import conformance_toolset, run_stdio

run_stdio(conformance_toolset())
"""

TRYING = """\
import sys
from pathlib import Path
from tests.mutants.mutant import Change
from tests.mutants.trying import Place, try_out
option = "--host=" + sys.executable + " {folder}/host.py"
place = Place(Path({folder!r}), [option, "-k", "shape-of-an-event or one-event"])
change = Change("host.py", "", "", files={{"host.py": {text!r}}})
print(*[one.caught for one in try_out([change], [place])])
"""

CAUGHT = Mutant("a.mjs", "return b", "return null", caught=True)


def test_a_score_counts_what_was_tried_and_keeps_what_lives() -> None:
    assert Score.of([AND, CAUGHT]) == Score(2, [AND])


def test_those_that_lived_are_tried_again_and_the_others_count_as_before() -> None:
    score = Score(4, [AND, NONE], 2)
    assert score.after([AND, replace(NONE, caught=True)]) == Score(4, [AND], 2)


def test_a_mutant_is_accounted_for_by_its_file_and_line() -> None:
    accounts = {("a.mjs", "return a"): Account("a.mjs", "return a", "why")}

    assert unaccounted(Score(3, [AND, NONE]), accounts) == [AND]


def test_a_report_has_both_shares_and_a_line_for_each_place() -> None:
    accounts = {("a.mjs", "return a"): Account("a.mjs", "return a", "a reason")}

    text = report({"one": Score(4, [AND, NONE, NONE])}, accounts)

    assert "| one | all | 4 | 1 | 3 | 25 % | 50 % |" in text
    assert "| a.mjs: `return a` | 2 | a reason |" in text
    assert "| a.mjs: `if (a \\|\\| b) {` | 1 | **not accounted for** |" in text


def test_a_change_of_stryker_is_shown_as_the_line_that_it_makes() -> None:
    mutant = {
        "id": "7",
        "replacement": "a && b",
        "location": {
            "start": {"line": 2, "column": 7},
            "end": {"line": 2, "column": 13},
        },
    }
    found = {"files": {"x.mjs": {"source": "\n  if (a || b) {\n", "mutants": [mutant]}}}

    assert list(read_report(found, "src")) == [
        Change(
            "src/x.mjs",
            "if (a || b) {",
            "if (a && b) {",
            environment={"__STRYKER_ACTIVE_MUTANT__": "7"},
        )
    ]


def test_a_change_of_cosmic_ray_is_shown_by_what_differs() -> None:
    before, after = "if a:\n    b = not c\n", "if a:\n    b = c\n"

    assert difference(before, after) == ("b = not c", "b = c")


def test_a_change_is_caught_where_a_check_fails(tmp_path: Path) -> None:
    assert verdicts(tmp_path, "print('no frame', flush=True)") == [True]


def test_a_change_that_no_check_sees_lives(tmp_path: Path) -> None:
    assert verdicts(tmp_path, "pass") == [False]


def verdicts(folder: Path, line: str) -> list[bool]:
    """Try a reference host that does a line of Python first; say whether it is caught.

    In a process of its own: pytest runs in it, and is copied.
    """
    (folder / "host.py").write_text(HOST)
    script = TRYING.format(folder=str(folder), text=f"{line}\n{HOST}")
    words = [sys.executable, "-c", script]
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, check=True, text=True)
    return [word == "True" for word in ended.stdout.splitlines()[-1].split()]


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
