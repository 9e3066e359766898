"""What a program speaks is found out by a few lines to it."""

from __future__ import annotations

import shlex
import sys
import time
from typing import TYPE_CHECKING

import pytest
from tests.proof.trial import ROOT

from wireproof.checks import NoAnswer, SubjectStartError
from wireproof.command import _probe
from wireproof.command._probe import Found, Unknown, find_protocol

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = shlex.quote(sys.executable)


def option(text: str, folder: Path) -> str | None:
    found = find_protocol(text, tuple(shlex.split(text)), folder)
    return found.option if isinstance(found, Found) else None


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("host", "host"),
        ("exec tool", "exec"),
        ("exec server", "exec-server"),
        ("host-client", "host-client"),
        ("exec runtime", "exec-runtime"),
    ],
)
def test_a_reference_is_told_by_its_answers(
    tmp_path: Path, arguments: str, expected: str
) -> None:
    assert option(f"{PYTHON} -m wireproof_reference {arguments}", tmp_path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("./server {socket}", "socket"),
        ("tests.tiny_registry:made", "adapter"),
        ("tests.tiny_registry:make", "adapter"),
        ("wireproof_reference.tool_contract:subject", "tools"),
    ],
)
def test_some_are_told_by_their_name_or_their_methods(text: str, expected: str) -> None:
    assert option(text, ROOT) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no_such_module:registry", "cannot import no_such_module"),
        ("json:JSONDecoder", "a JSONDecoder with none of the methods"),
    ],
)
def test_an_object_without_the_methods_of_a_registry_is_refused(
    tmp_path: Path, text: str, reason: str
) -> None:
    with pytest.raises(NoAnswer, match=reason):
        option(text, tmp_path)


@pytest.mark.parametrize("text", ["true", "cat", "yes", "sleep 600", "echo {}"])
def test_a_program_that_speaks_nothing_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(_probe, "QUIET_SECONDS", 0.1)
    monkeypatch.setattr(_probe, "LONGEST_SECONDS", 0.3)
    assert option(text, tmp_path) is None


@pytest.mark.parametrize("fault", ["banner", "wrong-version", "answers-twice"])
def test_a_broken_host_is_told_as_well(tmp_path: Path, tiny: str, fault: str) -> None:
    assert option(f"{tiny} {fault}", tmp_path) == "host"


def test_a_program_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    with pytest.raises(SubjectStartError, match="no-such-program"):
        option("./no-such-program", tmp_path)


def test_a_program_that_answers_nothing_is_waited_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_probe, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(_probe, "LONGEST_SECONDS", 0.5)
    began = time.monotonic()
    assert option("sleep 600", tmp_path) is None
    # Each of the four requests had its turn before the time was over for all.
    assert time.monotonic() - began < 4 * 0.5


def test_what_a_program_wrote_instead_is_kept(tmp_path: Path) -> None:
    script = "echo hello; echo 'no such module' >&2"
    found = find_protocol("it", ("sh", "-c", script), tmp_path)
    assert found == Unknown("hello\n", "no such module\n")


NEEDS_TEXT = """
import json, sys
text = json.load(sys.stdin)["args"]["text"]
print(json.dumps({"result": len(text)}))
"""


def test_a_tool_that_dies_of_a_missing_key_is_called_with_the_args_that_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_probe, "QUIET_SECONDS", 0.1)
    command = (sys.executable, "-c", NEEDS_TEXT)
    found = find_protocol("tool", command, tmp_path, {"text": "abc"})
    assert isinstance(found, Found)
    assert found.option == "exec"
    assert isinstance(find_protocol("tool", command, tmp_path), Unknown)
