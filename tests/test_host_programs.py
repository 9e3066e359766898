"""Hosts live through tools that print from a child process, or that exit.

Each host of ``reference/`` is started with two tools more, as an author would write
them, and is asked for both.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.conforming_subjects import built

HOSTS = Path(__file__).parents[1] / "reference" / "hosts"

CHILD = "print('a child prints this')"
"""What a child process of a tool carries out."""

REFERENCE = f"""
import subprocess, sys
from dataclasses import replace
from wireproof_reference.host_v1 import Tool, conformance_toolset, run_stdio

async def child(arguments, context):
    subprocess.run([sys.executable, "-c", {CHILD!r}], check=True)
    return "done"

async def leave(arguments, context):
    sys.exit("the tool has left")

plugin = conformance_toolset()
extra = [Tool("child", "", {{}}, child), Tool("leave", "", {{}}, leave)]
sys.exit(run_stdio(replace(plugin, tools=[*plugin.tools, *extra])))
"""

PYTHON = f"""
import subprocess

def _child(*_):
    subprocess.run([sys.executable, "-c", {CHILD!r}], check=True)
    return _success("done")

def _leave(*_):
    sys.exit("the tool has left")

TOOLS["child"] = (_child, "", {{}})
TOOLS["leave"] = (_leave, "", {{}})
"""

NODE = f"""
import {{ exec }} from 'node:child_process';
import {{ promisify }} from 'node:util';

tools.push(
  {{
    name: 'child',
    async run() {{
      const command = `{sys.executable} -c "{CHILD}"`;
      console.log((await promisify(exec)(command)).stdout);
      return success('done');
    }},
  }},
  {{
    name: 'leave',
    run() {{
      process.exit(3);
    }},
  }},
);
"""


GO = f"""
package main

import (
	"os"
	"os/exec"
	"runtime"
)

func extraTools() []Tool {{
	child := func(Object, *Context) (any, error) {{
		command := exec.Command({json.dumps(sys.executable)}, "-c", {json.dumps(CHILD)})
		command.Stdout = os.Stdout
		return "done", command.Run()
	}}
	leave := func(Object, *Context) (any, error) {{
		runtime.Goexit()
		return nil, nil
	}}
	return []Tool{{{{Name: "child", Run: child}}, {{Name: "leave", Run: leave}}}}
}}
"""


def reference(folder: Path) -> list[str]:
    (folder / "host.py").write_text(REFERENCE)
    return [sys.executable, str(folder / "host.py")]


def python(folder: Path) -> list[str]:
    shutil.copy(HOSTS / "python" / "host.py", folder)
    tools = (HOSTS / "python" / "conformance_tools.py").read_text(encoding="utf-8")
    (folder / "conformance_tools.py").write_text(tools + PYTHON, encoding="utf-8")
    return [sys.executable, str(folder / "host.py")]


def node(folder: Path) -> list[str]:
    if (found := shutil.which("node")) is None:
        pytest.skip("node is not installed")
    shutil.copy(HOSTS / "node" / "host.mjs", folder)
    tools = (HOSTS / "node" / "toolset.mjs").read_text(encoding="utf-8")
    (folder / "toolset.mjs").write_text(tools + NODE, encoding="utf-8")
    return [found, str(folder / "host.mjs")]


def go(folder: Path) -> list[str]:
    source = folder / "source"
    shutil.copytree(HOSTS / "go", source)
    main = (source / "main.go").read_text(encoding="utf-8")
    more = main.replace(
        "conformanceToolset()}", "append(conformanceToolset(), extraTools()...)}"
    )
    assert more != main
    (source / "main.go").write_text(more, encoding="utf-8")
    (source / "extra.go").write_text(GO, encoding="utf-8")
    return [built("hosts", folder, source)]


def asked(command: list[str], *calls: str) -> tuple[list[dict[str, Any]], str]:
    """Return what a host answers to an init and to calls, in order, and its stderr."""
    lines = [{"v": 1, "id": "init", "method": "init", "params": {"config": {}}}] + [
        {
            "v": 1,
            "id": f"{number}",
            "method": "execute_tool",
            "params": {"tool_name": name, "arguments": {"value": "x"}, "state": {}},
        }
        for number, name in enumerate(calls)
    ]
    ended = subprocess.run(
        command,
        input="".join(f"{json.dumps(line)}\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = {one["id"]: one for one in map(json.loads, ended.stdout.splitlines())}
    assert len(answers) == len(ended.stdout.splitlines()) == len(lines)
    return [answers[f"{number}"] for number in range(len(calls))], ended.stderr


@pytest.fixture(
    scope="module",
    params=[reference, python, node, go],
)
def host(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """What starts a host with the two tools."""
    command: list[str] = request.param(tmp_path_factory.mktemp("host"))
    return command


def test_what_a_tools_child_prints_does_not_reach_the_client(host: list[str]) -> None:
    answers, stderr = asked(host, "child", "conformance_echo")
    values = [one["result"]["value"] for one in answers]
    assert values[0] == {"success": True, "result": "done"}
    assert values[1] == {"success": True, "result": {"value": "x"}}
    assert "a child prints this" in stderr


def test_a_tool_that_exits_has_failed_and_the_host_lives_on(host: list[str]) -> None:
    answers, _ = asked(host, "leave", "conformance_echo")
    assert answers[0]["ok"] is False
    assert answers[0]["error"]["detail"] in {
        "the tool has left",
        "process.exit(3) was called",
        "the tool ended without a result",
    }
    assert answers[1]["result"]["value"]["result"] == {"value": "x"}


def test_the_python_host_refuses_a_line_that_is_too_long_as_one(tmp_path: Path) -> None:
    command = python(tmp_path)
    host = tmp_path / "host.py"
    text = host.read_text(encoding="utf-8")
    limited = text.replace("MOST_BYTES = 128 << 20", "MOST_BYTES = 4096")
    assert limited != text
    host.write_text(limited, encoding="utf-8")
    tail = '{"v":1,"id":"tail","method":"get_tool_schemas","params":{}}'
    next_ = '{"v":1,"id":"next","method":"init","params":{}}'
    ended = subprocess.run(
        command,
        input=f"{'x' * 4096}{' ' * 8192}{tail}\n{next_}\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert sorted((str(one["id"]), one["ok"]) for one in answers) == [
        ("None", False),
        ("next", True),
    ]
