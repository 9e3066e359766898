"""The example programs say how they are called, and show no stack trace."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from wireproof_vectors import load_toolset

REFERENCE = Path(__file__).parent.parent / "reference"


@pytest.mark.parametrize(
    ("program", "arguments", "usage"),
    [
        ("hosts/python/host.py", ["--help"], "usage: python host.py"),
        ("hosts/node/host.mjs", ["--help"], "usage: node host.mjs"),
        ("servers/node/server.mjs", [], "usage: node server.mjs SOCKET_PATH"),
        ("servers/node/server.mjs", ["--help"], "usage: node server.mjs SOCKET_PATH"),
        ("adapters/node/driver.mjs", ["--help"], "usage: node driver.mjs"),
        ("clients/node/driver.mjs", ["--help"], "usage: node driver.mjs"),
        ("adapters/python/driver.py", [], "usage: python driver.py MODULE:ATTR"),
        ("adapters/python/driver.py", ["x"], "usage: python driver.py MODULE:ATTR"),
        (
            "adapters/python/driver.py",
            ["json:no_such_name"],
            (
                "json:no_such_name cannot be loaded: "
                "module 'json' has no attribute 'no_such_name'"
            ),
        ),
        ("clients/python/driver.py", ["--help"], "usage: python driver.py"),
        ("runtimes/node/driver.mjs", ["--help"], "usage: node driver.mjs"),
        ("runtimes/python/driver.py", ["--help"], "usage: python driver.py"),
        ("tools/node/toolset.mjs", ["-h"], "usage: node toolset.mjs [--server]"),
        ("tools/python/toolset.py", ["-h"], "usage: toolset.py [--server]"),
    ],
)
def test_a_program_that_is_called_wrongly_says_how(
    node: str, program: str, arguments: list[str], usage: str
) -> None:
    interpreter = node if program.endswith(".mjs") else sys.executable
    ended = subprocess.run(
        [interpreter, REFERENCE / program, *arguments],
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode > 0
    assert ended.stderr == f"{usage}\n"
    assert ended.stdout == ""


def test_the_toolset_to_copy_lists_what_a_host_is_asked_for() -> None:
    path = REFERENCE / "hosts/python/conformance_tools.py"
    spec = spec_from_file_location("copied_tools", path)
    assert spec is not None
    assert spec.loader is not None
    copied = module_from_spec(spec)
    spec.loader.exec_module(copied)
    listed = {
        one["function"]["name"]: one["function"]["parameters"]["required"]
        for one in copied.SCHEMAS
    }
    assert listed == {
        tool.name: (tool.parameters or {}).get("required", [])
        for tool in load_toolset()
        if "host-v1" in tool.protocols
    }
