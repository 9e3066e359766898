from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wireproof.checks import SubjectStartError
from wireproof.subjects import SubjectProcess, missing_program, subject_environment

if TYPE_CHECKING:
    from pathlib import Path


def test_a_variable_that_the_user_gives_replaces_the_usual_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANG", "C")
    assert subject_environment({"LANG": "fr_FR"})["LANG"] == "fr_FR"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("sh", None),
        ("/bin/sh", None),
        ("./program", None),
        ("program", None),
        ("./text", "cannot start './text': permission denied; is the file executable?"),
        (
            "text",
            (
                "cannot start 'text': no such file on PATH; for the one in its folder "
                "give ./text"
            ),
        ),
        ("./nothing", "cannot start './nothing': no such file in '{folder}'"),
        *(
            (
                name,
                (
                    f"cannot start '{name}': it is a folder; "
                    "give the command line of a program"
                ),
            )
            for name in ("./below", "below")
        ),
    ],
)
def test_a_program_is_looked_for_where_the_system_does(
    tmp_path: Path, name: str, problem: str | None
) -> None:
    (tmp_path / "text").touch()
    (tmp_path / "below").mkdir()
    for place in (tmp_path / "program", tmp_path / "below" / "program"):
        place.touch(mode=0o700)
    path = {"PATH": "below:/usr/bin:/bin"}
    expected = problem and problem.format(folder=tmp_path)
    assert missing_program((name,), tmp_path, path) == expected


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (
            ("wireproof-no-such-program",),
            "cannot start 'wireproof-no-such-program': no such file on PATH (/nowhere)",
        ),
        (
            ("./nothing",),
            "cannot start './nothing': no such file in '{folder}'",
        ),
        (
            ("text",),
            (
                "cannot start 'text': no such file on PATH; for the one in its folder "
                "give ./text"
            ),
        ),
        (
            ("./folder",),
            (
                "cannot start './folder': it is a folder; give the command line of a "
                "program"
            ),
        ),
        (
            ("./text",),
            "cannot start './text': permission denied; is the file executable?",
        ),
        (
            ("./binary",),
            (
                "cannot start './binary': not a program; a script needs a first line "
                "such as #!/usr/bin/env node"
            ),
        ),
        (
            ("nul\0",),
            "cannot start 'nul\\x00': embedded null byte",
        ),
    ],
)
def test_what_cannot_be_started_is_told_with_the_reason(
    tmp_path: Path, command: tuple[str, ...], problem: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("no program")
    (tmp_path / "binary").write_text("no program")
    (tmp_path / "binary").chmod(0o755)
    with pytest.raises(SubjectStartError) as raised:
        SubjectProcess(
            command,
            environment={"PATH": "/nowhere"},
            folder=tmp_path,
            on_stdout=print,
            on_stderr=print,
        )
    assert str(raised.value) == problem.format(folder=tmp_path)
    assert raised.value.command == command


def test_a_script_whose_interpreter_is_missing_is_not_taken_for_missing_itself(
    tmp_path: Path,
) -> None:
    script = tmp_path / "host"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(SubjectStartError, match="interpreter"):
        SubjectProcess(
            ("./host",),
            environment={},
            folder=tmp_path,
            on_stdout=print,
            on_stderr=print,
        )


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "away"
    with pytest.raises(SubjectStartError, match=r"its folder '.*away' does not exist"):
        SubjectProcess(
            ("true",), environment={}, folder=folder, on_stdout=print, on_stderr=print
        )
