from __future__ import annotations

from pathlib import Path

import pytest

from wireproof.checks import Check
from wireproof.pytest_run._selection import Selection, split_arguments


def check(name: str) -> Check:
    return Check(name, "It holds.", ("HV1-R1",), "must", "seed", "vector")


KNOWN = (
    check("host-v1/init/first-init"),
    check("host-v1/init/second-init"),
    check("host-v1/state/chain"),
)


def split(*arguments: str, folder: Path | None = None) -> Selection:
    return split_arguments(arguments, folder or Path("/nowhere"), KNOWN)


def test_no_arguments_ask_for_everything_and_no_files() -> None:
    assert split() == Selection((), ())


@pytest.mark.parametrize(
    "argument",
    [
        "host-v1/init/first-init",
        "host-v1/init",
        "host-v1/init/",
        "host-v1",
        "host-v1/",
    ],
)
def test_an_id_and_the_beginning_of_one_are_checks(argument: str) -> None:
    assert split(argument) == Selection((argument,), ())


@pytest.mark.parametrize(
    "argument",
    [
        "tests",
        "tests/test_a.py::test_b",
        "host-v10/a",
        "./host-v1/init",
        "/host-v1",
        "",
    ],
)
def test_anything_else_is_for_pytest_to_find(argument: str) -> None:
    assert split(argument) == Selection((), (argument,))


def test_checks_and_files_are_told_apart() -> None:
    assert split("tests/a.py", "host-v1/state", "b.py::c", "host-v1/init") == Selection(
        ("host-v1/state", "host-v1/init"), ("tests/a.py", "b.py::c")
    )


def test_a_file_of_the_users_goes_before_a_check(tmp_path: Path) -> None:
    (tmp_path / "host-v1" / "init").mkdir(parents=True)
    (tmp_path / "host-v1" / "test_a.py").touch()
    assert split("host-v1/init", "host-v1/state", folder=tmp_path) == Selection(
        ("host-v1/state",), ("host-v1/init",)
    )
    assert split("host-v1/test_a.py::test_b", folder=tmp_path) == Selection(
        (), ("host-v1/test_a.py::test_b",)
    )


def test_an_id_that_no_check_has_is_refused_with_what_is_near() -> None:
    with pytest.raises(pytest.UsageError) as raised:
        split("host-v1/init/frist-init")
    assert str(raised.value) == (
        "no check has the id 'host-v1/init/frist-init'; did you mean "
        "host-v1/init/first-init or host-v1/init/second-init? "
        "(--list-vectors shows all)"
    )


def test_an_id_like_nothing_is_refused_without_a_guess() -> None:
    with pytest.raises(pytest.UsageError) as raised:
        split("host-v1/0123456789abcdefghijk")
    assert str(raised.value) == (
        "no check has the id 'host-v1/0123456789abcdefghijk' (--list-vectors shows all)"
    )


def test_part_of_a_word_is_no_beginning_of_an_id() -> None:
    with pytest.raises(pytest.UsageError, match="no check has the id"):
        split("host-v1/ini")


@pytest.mark.parametrize("name", ["host-v1/a/b", "host-v1/a/b[./host x]"])
def test_everything_is_held_where_nothing_was_asked_for(name: str) -> None:
    assert Selection((), ()).holds(name)


@pytest.mark.parametrize(
    ("wanted", "name", "held"),
    [
        ("host-v1/a/b", "host-v1/a/b", True),
        ("host-v1/a/b", "host-v1/a/bc", False),
        ("host-v1/a/b", "host-v1/a/b[one]", True),
        ("host-v1/a/b[one]", "host-v1/a/b[one]", True),
        ("host-v1/a/b[one]", "host-v1/a/b[two]", False),
        ("host-v1/a", "host-v1/a/b[one]", True),
        ("host-v1/a/", "host-v1/a/b", True),
        ("host-v1/b", "host-v1/a/b", False),
    ],
)
def test_an_item_is_held_by_its_id_its_name_or_its_beginning(
    wanted: str, name: str, *, held: bool
) -> None:
    assert Selection((wanted,), ()).holds(name) is held


def test_the_name_of_an_item_of_one_of_several_subjects_is_a_check() -> None:
    argument = "host-v1/init/first-init[./host]"
    known = [*KNOWN, check(argument)]
    assert split_arguments([argument], Path("/nowhere"), known) == (
        Selection((argument,), ())
    )
