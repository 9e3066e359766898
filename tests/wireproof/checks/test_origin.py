from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import folder_of_origin, requirement_of_origin

if TYPE_CHECKING:
    from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"
GIT = {"vcs": "git", "commit_id": COMMIT, "requested_revision": "main"}


def requirement(**record: Any) -> str:
    return requirement_of_origin(json.dumps(record), "1.2.3")


def test_from_an_index_it_is_the_version() -> None:
    assert requirement_of_origin(None, "1.2.3") == "wireproof==1.2.3"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.org/it", "https://example.org/it"),
        ("https://me:token@example.org/it", "https://example.org/it"),
        ("ssh://git@example.org/it", "ssh://git@example.org/it"),
    ],
)
def test_from_a_repository_it_is_its_address_and_commit(url: str, shown: str) -> None:
    assert requirement(url=url, vcs_info=GIT) == f"wireproof @ git+{shown}@{COMMIT}"


def test_a_folder_of_a_repository_is_named() -> None:
    told = requirement(url="https://example.org/it", vcs_info=GIT, subdirectory="a/b")

    assert told == f"wireproof @ git+https://example.org/it@{COMMIT}#subdirectory=a/b"


def test_from_an_archive_it_is_its_address() -> None:
    url = "https://example.org/wireproof-1.2.3.tar.gz"

    assert requirement(url=url, archive_info={}) == f"wireproof @ {url}"


def test_a_folder_without_a_remote_is_nowhere_else(tmp_path: Path) -> None:
    record = {"url": tmp_path.as_uri(), "dir_info": {"editable": True}}

    assert requirement(**record) == ""
    assert folder_of_origin(json.dumps(record)) == tmp_path


@pytest.mark.parametrize(
    ("remote", "shown"),
    [
        ("https://example.org/it.git", "https://example.org/it.git"),
        ("git@example.org:group/it.git", "ssh://git@example.org/group/it.git"),
        ("/srv/it.git", None),
    ],
)
def test_a_clone_is_known_by_its_remote_and_commit(
    tmp_path: Path, remote: str, shown: str | None
) -> None:
    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    git("remote", "add", "origin", remote)
    expected = f"wireproof @ git+{shown}@{git('rev-parse', 'HEAD')}" if shown else ""

    assert requirement(url=tmp_path.as_uri(), dir_info={}) == expected


@pytest.mark.parametrize("text", ["{}", "[]", "no JSON", '{"url": ""}'])
def test_a_record_that_says_nothing_is_that_of_an_index(text: str) -> None:
    assert requirement_of_origin(text, "1.2.3") == "wireproof==1.2.3"
    assert folder_of_origin(text) is None
