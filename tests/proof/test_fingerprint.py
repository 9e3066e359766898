from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.proof.fingerprint import RowName, chosen_rows, main, write

ROW = "exec_server/broken/ids-as-text"

OLD = {
    ROW: {
        "exec-server/ids/one": ["failed", "EXEC-S2", "", 0.1],
        "exec-server/ids/two": ["failed", "EXEC-S2", "", 0.1],
        "exec-server/ids/three": ["passed", "", "", 0.1],
    },
    "exec_server/legal/slow": {"exec-server/ids/one": ["passed", "", "", 0.1]},
}
NEW = {
    ROW: {
        "exec-server/ids/one": ["passed", "", "", 0.5],
        "exec-server/ids/two": ["failed", "EXEC-S5", "mismatch EXEC-S5 /id", 0.1],
        "exec-server/ids/three": ["passed", "", "", 0.1],
    },
}


def compared(
    folder: Path, old: object, new: object, capsys: pytest.CaptureFixture[str]
) -> str:
    for name, record in (("old", old), ("new", new)):
        (folder / name).write_text(json.dumps(record))
    main(["compare", str(folder / "old"), str(folder / "new")])
    return capsys.readouterr().out


def test_compare_prints_changed_verdicts_changed_clauses_and_slow_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        compared(tmp_path, OLD, NEW, capsys)
        == f"""\
3 verdicts of 1 rows compared
only in the old record: exec_server/legal/slow
verdicts changed: 1
      1 failed -> passed
  {ROW} exec-server/ids/one: failed -> passed ( -> )
clauses changed: 1
      1 EXEC-S2 -> EXEC-S5
  {ROW} exec-server/ids/two: EXEC-S2 -> EXEC-S5 ( -> mismatch EXEC-S5 /id)
rows slower than 2 times: 1
  {ROW}: 0.3 s -> 0.7 s
"""
    )


def test_compare_prints_at_most_fifty_lines_of_one_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = {ROW: {str(number): ["passed", "", "", 0.1] for number in range(60)}}
    new = {ROW: {str(number): ["failed", "X", "", 0.1] for number in range(60)}}

    lines = compared(tmp_path, old, new, capsys).splitlines()

    assert sum(line.startswith(f"  {ROW}") for line in lines) == 50
    assert "  and 10 more" in lines


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "cannot read"),
        ("{", "is not JSON"),
        ("[1]", "is not a record"),
        ('{"row": {"check": ["failed"]}}', "is not a record"),
    ],
)
def test_compare_names_a_file_that_is_not_a_record(
    tmp_path: Path, text: str | None, problem: str
) -> None:
    path = tmp_path / "record"
    if text is not None:
        path.write_text(text)

    with pytest.raises(SystemExit, match=problem):
        main(["compare", str(path), str(path)])


def test_write_rejects_an_unknown_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["write", str(tmp_path / "record"), "no_such_folder"])

    error = capsys.readouterr().err
    assert "no proof in no_such_folder; the folders are exec_oneshot, " in error


def test_write_records_the_verdict_clause_reason_and_seconds_of_each_check(
    tmp_path: Path,
) -> None:
    path = tmp_path / "record"
    check = "exec-server/ids/one"

    write(path, [RowName("exec_server", "broken", "ids-as-text")], only={check})

    verdict, clause, key, seconds = json.loads(path.read_text())[ROW][check]
    assert (verdict, clause) == ("failed", "EXEC-S2")
    assert key.startswith("wrong-id EXEC-S2")
    assert 0 < seconds < 60


def test_the_choice_of_a_row_does_not_depend_on_other_folders() -> None:
    both = chosen_rows(["exec_server", "host_v1"], 20)

    assert [one for one in both if one.folder == "exec_server"] == chosen_rows(
        ["exec_server"], 20
    )
    assert {one.kind for one in chosen_rows(["exec_server"], 1)} == {
        "broken",
        "legal",
        "null",
    }
