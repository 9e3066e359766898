from __future__ import annotations

from pathlib import Path

from wireproof.protocols.exec_runtime._first_environment import (
    inherited,
    listed_by_env,
    shown_by_system,
)


def test_what_the_system_shows_is_read_entry_by_entry(tmp_path: Path) -> None:
    path = tmp_path / "environ"
    path.write_bytes(b"A=1\0B=two\nlines=x\0EMPTY=\0odd\0")
    assert shown_by_system(path) == {"A": "1", "B": "two\nlines=x", "EMPTY": ""}


def test_a_process_that_is_gone_shows_nothing(tmp_path: Path) -> None:
    assert shown_by_system(tmp_path / "environ") == {}


def test_what_env_lists_has_values_of_several_lines_and_none_of_the_shells(
    tmp_path: Path,
) -> None:
    path = tmp_path / "0.env"
    path.write_bytes(b"A=1\nB=two\n lines\nPWD=/x\nSHLVL=1\n_=/usr/bin/env\n")
    assert listed_by_env(path) == {"A": "1", "B": "two\n lines"}


def test_what_a_shell_inherits_is_beyond_stderr_and_not_its_script(
    tmp_path: Path,
) -> None:
    program, other = tmp_path / "tool", tmp_path / "other"
    program.touch()
    other.touch()
    folder = tmp_path / "fd"
    folder.mkdir()
    for number, opened in {0: other, 1: other, 2: other, 5: other, 10: program}.items():
        (folder / str(number)).symlink_to(opened)
    numbers = ["0", "1", "2", "5", "10", "11"]
    assert inherited(folder, numbers, program) == [5]
