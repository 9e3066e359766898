"""What the project ships conforms in full, however it is started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.bridge import NODE_DRIVER

REFERENCE = Path(__file__).parent.parent / "reference"

HOST = f"{sys.executable} -m wireproof_reference host"
SERVER = f"{sys.executable} -m wireproof_reference socket {{socket}}"
SERVER += " --home {home}/.meith"

PASSED = frozenset({"passed", "recorded"})

LARGEST_REPORT = 1_000_000
"""Bytes of a report of one subject that passes."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A subject that the whole suite is run on.

    Attributes:
        option: What names it to the suite.
        command: What starts it, once Node and Go are known.
        options: What else the suite is told.
        verdicts: The verdicts that it may have.
        needs: The fixture that gives the path of what it is run with.
        level: The level that it is tried at.
        fail_on: The level of the clauses of which it breaks none.
    """

    option: str
    command: str
    options: tuple[str, ...] = ()
    verdicts: frozenset[str] = PASSED
    needs: str = ""
    level: str = "full"
    fail_on: str = "should"


VECTORS = ("--fuzz=0",)

TOOLSET = ("--exec-toolset", "--fuzz=0")

ONE_TOOL = PASSED | {"not applicable"}
"""Those of a tool that is no binding of a runtime configuration."""

FEW_EXAMPLES = ("--fuzz=3",)

SUBJECTS = {
    "the reference host": Subject(
        option="host", command="reference", options=FEW_EXAMPLES
    ),
    "the host on Node": Subject(
        option="host",
        command=f"@ {REFERENCE}/hosts/node/host.mjs",
        options=VECTORS,
        needs="node",
    ),
    "the reference tool registry": Subject(
        option="tools", command="reference", options=FEW_EXAMPLES
    ),
    "the tool registry on Node": Subject(
        option="tools",
        command=f"@ {REFERENCE}/registries/node/driver.mjs",
        options=VECTORS,
        needs="node",
    ),
    "the reference server": Subject(
        option="socket", command="reference", options=FEW_EXAMPLES
    ),
    "the server on Node": Subject(
        option="socket",
        command=f"env MEITH_HOME={{home}}/.meith @ {REFERENCE}/servers/node/server.mjs"
        " {socket}",
        options=FEW_EXAMPLES,
        needs="node",
    ),
    "the registry on Node": Subject(
        option="adapter",
        command=f"@ {NODE_DRIVER}",
        options=VECTORS,
        # It has one provider, and is no object in Python.
        verdicts=PASSED | {"not applicable"},
        needs="node",
    ),
    "the reference client": Subject(option="host-client", command="reference"),
    "the client on Node": Subject(
        option="host-client",
        command=f"@ {REFERENCE}/clients/node/driver.mjs",
        options=VECTORS,
        needs="node",
    ),
}
"""Those that every run of the tests tries."""

RUNTIMES = {
    "the runtime on Node": Subject(
        option="exec-runtime",
        command=f"@ {REFERENCE}/runtimes/node/driver.mjs",
        options=VECTORS,
        # It reads no files and no schemas, and has doubles for numbers before Node 22.
        verdicts=PASSED | {"not applicable", "warned"},
        needs="node",
        level="wire",
        fail_on="must",
    ),
    "the runtime behind the driver in Python": Subject(
        option="exec-runtime",
        command=f"{sys.executable} {REFERENCE}/runtimes/python/driver.py",
        options=VECTORS,
    ),
}
"""Example runtimes: the sweep tries them on all scenarios, every run on a few."""

FEW_SCENARIOS = (*VECTORS, "-k", "requests or environment/one-shot")

FURTHER = {
    **{
        f"{name}, fuzzed in full": replace(subject, options=())
        for name, subject in SUBJECTS.items()
        if subject.options in (FEW_EXAMPLES, VECTORS)
    },
    "the host on trio": Subject(
        option="host", command=f"{HOST} --backend=trio", options=VECTORS
    ),
    "the client on trio": Subject(
        option="host-client",
        command=f"{sys.executable} -m wireproof_reference host-client --backend=trio",
    ),
    "the client behind the driver in Python": Subject(
        option="host-client",
        command=f"{sys.executable} {REFERENCE}/clients/python/driver.py",
    ),
    # Go compiles its standard library for them.
    "the host in Go": Subject(option="host", command="@", needs="go_host"),
    "the one-shot tool in Go": Subject(
        option="exec", command="@", options=TOOLSET, verdicts=ONE_TOOL, needs="go_tool"
    ),
    "the server tool in Go": Subject(
        option="exec-server", command="@ --server", options=TOOLSET, needs="go_tool"
    ),
    "the one-shot tool on Node": Subject(
        option="exec",
        command=f"@ {REFERENCE}/tools/node/toolset.mjs",
        options=TOOLSET,
        verdicts=ONE_TOOL,
        needs="node",
    ),
    "the server tool on Node": Subject(
        option="exec-server",
        command=f"@ {REFERENCE}/tools/node/toolset.mjs --server",
        options=TOOLSET,
        needs="node",
    ),
    "the one-shot tool in Python": Subject(
        option="exec",
        command=f"{sys.executable} {REFERENCE}/tools/python/toolset.py",
        options=TOOLSET,
        verdicts=ONE_TOOL,
    ),
    "the server tool in Python": Subject(
        option="exec-server",
        command=f"{sys.executable} {REFERENCE}/tools/python/toolset.py --server",
        options=TOOLSET,
    ),
    "the one-shot tool in sh": Subject(
        option="exec",
        command=f"sh {REFERENCE}/tools/sh/toolset.sh",
        options=TOOLSET,
        verdicts=ONE_TOOL,
        needs="jq",
    ),
    "the runtime on trio": Subject(
        option="exec-runtime",
        command=f"{sys.executable} -m wireproof_reference exec runtime --backend=trio",
        options=VECTORS,
    ),
    **RUNTIMES,
    "a host as the child of sh, in front of a cat": Subject(
        option="host", command=f"sh -c '{HOST} | cat'", options=VECTORS
    ),
    "a host that sh becomes": Subject(
        option="host", command=f"sh -c 'exec {HOST}'", options=VECTORS
    ),
    "a host that sh waits for": Subject(
        option="host", command=f"sh -c '{HOST}; exit $?'", options=VECTORS
    ),
    "the server on trio": Subject(
        option="socket", command=f"{SERVER} --backend=trio", options=VECTORS
    ),
    "a server that sh becomes": Subject(
        option="socket", command=f"sh -c 'exec {SERVER}'", options=VECTORS
    ),
    "a server that sh waits for": Subject(
        option="socket", command=f"sh -c '{SERVER}; exit $?'", options=VECTORS
    ),
}
"""Those that the sweep tries."""


@pytest.fixture(scope="session")
def go_host(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Path of the Go host."""
    return built("hosts", tmp_path_factory.mktemp("go"))


@pytest.fixture(scope="session")
def go_tool(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Path of the exec tool in Go."""
    return built("tools", tmp_path_factory.mktemp("go"))


def built(programs: str, folder: Path) -> str:
    """Build a program with the Go toolchain of the test group."""
    beside = Path(sys.executable).parent / "go"
    go = str(beside) if beside.exists() else shutil.which("go")
    assert go is not None
    program = folder / "program"
    subprocess.run(
        [go, "build", "-o", str(program), "."],
        cwd=REFERENCE / programs / "go",
        env={
            **os.environ,
            "CGO_ENABLED": "0",
            "GOCACHE": str(folder / "cache"),
            "GOFLAGS": "-buildvcs=false",
            "GOPATH": str(folder / "path"),
            "GOTOOLCHAIN": "local",
        },
        check=True,
        capture_output=True,
    )
    return str(program)


@pytest.fixture
def jq() -> str:
    """Path of jq, which no test group can install."""
    path = shutil.which("jq")
    if path is None:
        pytest.skip("there is no jq")
    return path


Conforms = Callable[[Subject], None]


@pytest.fixture
def assert_conforms(request: pytest.FixtureRequest, tmp_path: Path) -> Conforms:
    """Run the whole suite on a subject, and look at the report."""

    def check(one: Subject) -> None:
        path = str(request.getfixturevalue(one.needs)) if one.needs else ""
        report = tmp_path / "report.json"
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0"),
                f"--{one.option}={one.command.replace('@', path)}",
                *(f"--fail-on={one.fail_on}", f"--compat-report={report}"),
                *one.options,
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-6000:]
        assert report.stat().st_size <= LARGEST_REPORT
        subject: dict[str, Any]
        (subject,) = json.loads(report.read_text())["subjects"]
        assert subject["conformant"] is not subject.get("partial", False)
        assert subject["level"] == one.level
        assert {result["verdict"] for result in subject["results"]} <= one.verdicts

    return check


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_it_conforms_in_full(subject: Subject, assert_conforms: Conforms) -> None:
    assert_conforms(subject)


@pytest.mark.sweep
@pytest.mark.parametrize("subject", FURTHER.values(), ids=FURTHER)
def test_it_conforms_in_full_as_well(
    subject: Subject, assert_conforms: Conforms
) -> None:
    assert_conforms(subject)


@pytest.mark.parametrize("subject", RUNTIMES.values(), ids=RUNTIMES)
def test_an_example_runtime_holds_what_a_few_scenarios_try(
    subject: Subject, assert_conforms: Conforms
) -> None:
    assert_conforms(replace(subject, options=FEW_SCENARIOS, verdicts=PASSED))
