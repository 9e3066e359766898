"""What the documentation shows runs, and is what stands in the files it names."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from tests.bridge import Driver

from wireproof.checks import Settings
from wireproof.protocols import all_protocols
from wireproof.pytest_run._options import OPTIONS
from wireproof.reporting import read_baseline, require_current
from wireproof_vectors import load_clauses, load_toolset, load_vectors, protocols

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
PAGES = {page.name: page.read_text() for page in DOCS.glob("*.md")}


def blocks(page: str, language: str) -> list[str]:
    """Return the code of a language that a page shows."""
    return re.findall(rf"```{language}\n(.*?)```", PAGES[page], re.DOTALL)


# --- the examples


@pytest.mark.parametrize(
    ("option", "example"),
    [
        ("host", "test_host.py"),
        ("socket", "test_socket.py"),
        ("adapter", "test_adapter.py"),
    ],
)
def test_an_example_runs_on_the_reference(option: str, example: str) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0"]
    done = subprocess.run(
        [*command, f"--{option}=reference", f"docs/examples/{example}", "-k", example],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("language", "ending"), [("python", "py"), ("js", "mjs")])
def test_the_code_that_is_shown_stands_in_the_examples(
    page: str, language: str, ending: str
) -> None:
    files = [file.read_text() for file in EXAMPLES.rglob(f"*.{ending}")]
    shown = blocks(page, language)
    assert [code for code in shown if not any(code in file for file in files)] == []


def test_the_baseline_that_is_shown_can_be_used() -> None:
    (shown,) = blocks("baselines.md", "json")
    file = EXAMPLES / "known-failures.json"
    assert file.read_text() == shown
    baseline = read_baseline(file, file.name)
    ids = {vector.id for vector in load_vectors("host-v1")}
    require_current(baseline, date(2026, 1, 1), {"host-v1": ids})


@pytest.mark.parametrize("name", ["driver.py", "driver.mjs"])
def test_the_exchange_that_is_shown_is_that_of_each_driver(
    node: str, name: str
) -> None:
    exchange = blocks("bridge.md", "text")[0]
    asked = [
        json.loads(line) for line in re.findall(r"^> (.*)$", exchange, re.MULTILINE)
    ]
    told = [
        json.loads(line) for line in re.findall(r"^< (.*)$", exchange, re.MULTILINE)
    ]
    language = {"driver.py": "Python", "driver.mjs": "JavaScript"}[name]
    told[0]["value"]["language"] = language
    program = sys.executable if name.endswith(".py") else node
    with Driver(program, str(EXAMPLES / "bridge" / name)) as driver:
        assert [driver.send(one) for one in asked] == told


def test_a_library_conforms_that_says_what_it_lacks(
    pytester: pytest.Pytester,
) -> None:
    example = EXAMPLES / "bridge" / "one_way.py"
    (pytester.path / "one_way.py").write_text(example.read_text())
    result = pytester.runpytest_subprocess("--adapter=one_way:OneWay", "--fuzz=1")
    (level,) = re.findall('"(level wire; .*)"', PAGES["bridge.md"])
    assert f"conforms to the full profile: yes ({level})" in result.stdout.str()


def test_the_exchange_of_a_runtime_is_that_of_its_own_page() -> None:
    own = (ROOT / "reference" / "runtimes" / "README.md").read_text()
    shown = blocks("bridge.md", "text")[1].splitlines()
    assert [line for line in shown if f"    {line}\n" not in own] == []


def test_the_vectors_are_read_in_another_language(node: str) -> None:
    file = ROOT / "vectors" / "wireproof_vectors" / "host_v1" / "request-lines.json"
    done = subprocess.run(
        [node, EXAMPLES / "request-lines.mjs", file],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    ids = [line.split(" ")[1] for line in done.stdout.splitlines()]
    assert ids == [one["id"] for one in json.loads(file.read_text())["vectors"]]


@pytest.mark.parametrize("given", [[], ["no-such-file.json"], [str(ROOT / "LICENSE")]])
def test_an_example_that_gets_no_vectors_says_its_usage(
    node: str, given: list[str]
) -> None:
    done = subprocess.run(
        [node, EXAMPLES / "request-lines.mjs", *given],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("usage: node request-lines.mjs FILE, ")


# --- the commands

ONE = {
    "adapter": "interop/sanitise-calls/twice-object",
    "exec": "exec-oneshot/input/no-newline",
    "exec-runtime": "exec-runtime/arguments/one-shot-numbers",
    "exec-server": "exec-server/bad-lines/text",
    "host": "host-v1/request-ids/one-space",
    "host-client": "host-client/calls/call-request",
    "socket": "socket-v1/calls/id-constructor",
    "tools": "tool-contract/arguments/plain",
}
"""A check of each protocol, by its option: a command is tried, not a subject."""


def commands(page: str) -> list[str]:
    """Return the lines that a page shows behind a prompt, as they are typed here."""
    lines = "".join(blocks(page, "console")).splitlines()
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [line.replace("CLONE", str(ROOT)) for line in typed]


RUNS = [
    pytest.param(page, line, id=f"{page}-{number}")
    for page in PAGES
    for number, line in enumerate(commands(page))
    if line.startswith("pytest ") and page != "failures.md"
]


@pytest.fixture
def empty_folder(
    pytester: pytest.Pytester, node: str, monkeypatch: pytest.MonkeyPatch
) -> pytest.Pytester:
    """Give an empty folder, in which Python and Node are found by their names."""
    monkeypatch.setenv("COLUMNS", "80")  # what is shown follows the terminal's width
    own = [str(Path(program).parent) for program in (sys.executable, node)]
    monkeypatch.setenv("PATH", os.pathsep.join([*own, os.environ["PATH"]]))
    return pytester


def prepare(page: str) -> None:
    """Do what a page says before its pytest commands."""
    for line in commands(page):
        if line.startswith(("cp ", "sed ")):
            subprocess.run(["/bin/sh", "-c", line], check=True)


@pytest.mark.parametrize(("page", "line"), RUNS)
def test_a_command_runs_in_an_empty_folder(
    empty_folder: pytest.Pytester, page: str, line: str
) -> None:
    prepare(page)
    words = shlex.split(line)[1:]
    option = words[0].removeprefix("--").partition("=")[0]
    result = empty_folder.runpytest_inprocess("--fuzz=0", *words, ONE[option])
    result.assert_outcomes(passed=1)


def without_times(text: str) -> str:
    return re.sub(r"(?m)^ *[\d.]+ ([→←])", r"\1", text)


def test_the_failure_that_is_explained_is_what_is_printed(
    empty_folder: pytest.Pytester,
) -> None:
    prepare("failures.md")
    (line,) = [one for one in commands("failures.md") if one.startswith("pytest ")]
    result = empty_folder.runpytest_inprocess(*shlex.split(line)[1:])
    (shown,) = blocks("failures.md", "text")
    assert without_times(shown) in without_times(result.stdout.str())


@pytest.mark.usefixtures("empty_folder")
def test_a_broken_subject_is_tried_as_the_page_says() -> None:
    (line,) = commands("proof.md")
    words = [*shlex.split(line), "-p", "no:cacheprovider", "-n", "0"]
    done = subprocess.run(
        words,
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert "FAILED host-v1/request-ids/one-space" in done.stdout
    # The README shows it too, its last line cut.
    readme = (ROOT / "README.md").read_text()
    (shown,) = re.findall(r"```text\n(.*?)…\n```", readme, re.DOTALL)
    assert without_times(shown) in without_times(done.stdout)


# --- what the pages name


@pytest.mark.parametrize("page", PAGES)
def test_every_clause_and_check_that_is_named_is_there(page: str) -> None:
    clauses = {one.id for name in protocols() for one in load_clauses(name)}
    checks = {
        check.id for entry in all_protocols() for check in entry.checks(Settings(ROOT))
    }
    watched = {f"{name}/monitor/{one}" for name in protocols() for one in clauses}
    names = "|".join(protocols())
    found = set(re.findall(rf"\b(?:{names})/[a-z-]+/[\w-]+", PAGES[page]))
    named = set(re.findall(r"\b(?:HV1|SOCK|INT|EXEC|TOOL)-[A-Z]\d+\b", PAGES[page]))
    assert (found - checks - watched, named - clauses) == (set(), set())


@pytest.mark.parametrize("page", PAGES)
def test_every_option_that_is_named_is_there(page: str) -> None:
    own = {option.flag for option in OPTIONS}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGES[page]))
    assert named - own - OTHERS == set()


OTHERS = {
    *("--cov", "--junitxml", "--lf", "--runxfail"),
    *("--help", "--server", "--strict", "--rm", "--user", "--version"),
}
"""Options of pytest and of other programs."""


def test_the_page_of_the_toolset_has_its_tools() -> None:
    rows = re.findall(
        r"^\| `(conformance_\w+)` \| (.*) \| (.*) \|$", TOOLSET, re.MULTILINE
    )
    assert rows == [
        (tool.name, ", ".join(tool.protocols), tool.description)
        for tool in load_toolset()
    ]


TOOLSET = PAGES["toolset.md"]
