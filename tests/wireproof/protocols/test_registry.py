"""A protocol brings all of its own: the modules of a run name none."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from wireproof import pytest_run
from wireproof.protocols import all_options, all_protocols, options_of, protocol_for
from wireproof.protocols._registry import FOLDERS

RUN = Path(str(pytest_run.__file__)).parent

NAMES = {
    name
    for options, folder in zip(all_options(), FOLDERS, strict=True)
    for option in (options.subject, *options.others)
    for name in (options.protocol, folder, options.fixture, option.name, option.setting)
}

HEAVY = {"anyio", "hypothesis", "jsonschema", "orjson", "wireproof.checks"}


# The words for steps say what a step looks at, which may be a socket.
MODULES = sorted(set(RUN.glob("*.py")) - {RUN / "_step_words.py"})


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_the_modules_of_a_run_name_no_protocol(module: Path) -> None:
    words = re.findall(r"[A-Za-z][\w-]*", module.read_text("utf-8"))
    assert not NAMES.intersection(words)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_options_of_a_protocol_bring_in_nothing_heavy(folder: str) -> None:
    name = f"wireproof.protocols.{folder}._options"
    program = f"import sys, {name}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert name in done.stdout.split()
    assert not HEAVY & set(done.stdout.split())


def test_a_protocol_goes_by_the_names_of_its_options() -> None:
    assert [protocol.name for protocol in all_protocols()] == [
        options.protocol for options in all_options()
    ]
    for options in all_options():
        protocol = protocol_for(options.subject.name)
        assert protocol.option == options.subject.name
        assert options_of(protocol.name) is options


def test_no_two_protocols_share_a_fixture_or_a_name_of_different_options() -> None:
    options = {option for one in all_options() for option in (one.subject, *one.others)}
    subjects = [one.subject.name for one in all_options()]
    fixtures = [one.fixture for one in all_options()]
    assert len({option.name for option in options}) == len(options)
    assert len(set(subjects)) == len(subjects)
    assert len(set(fixtures)) == len(fixtures)


def test_the_files_that_are_said_to_have_the_toolset_are_there() -> None:
    root = Path(__file__).parents[3]
    places = [place for protocol in all_protocols() for place in protocol.toolset]
    files = [place.partition(" ")[0] for place in places]
    assert "reference/hosts/node/toolset.mjs" in files
    assert [name for name in files if not (root / name).is_file()] == []
