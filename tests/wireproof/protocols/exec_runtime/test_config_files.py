from __future__ import annotations

import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from wireproof.protocols.exec_runtime._config_files import (
    LAUNCHER,
    lay_launcher,
    with_command,
    without_head,
    write_config,
)
from wireproof.protocols.exec_runtime._tool import Tool

YAML: Any = import_module("yaml")  # it has no stubs


def test_a_command_goes_before_the_arguments_of_a_binding() -> None:
    bound = with_command({"args": ["-x"], "timeout_ms": 5}, ["/bin/sh", "/t/tool"])
    assert bound == {"command": "/bin/sh", "args": ["/t/tool", "-x"], "timeout_ms": 5}


def test_a_binding_without_arguments_gets_none_from_a_single_word() -> None:
    assert with_command({}, ["/t/tool"]) == {"command": "/t/tool"}


def test_a_configuration_is_written_as_yaml_with_the_commands_of_tools(
    tmp_path: Path,
) -> None:
    config = {"spec": {"tools": {"t": {"exec": {"env": ["A"], "timeout_ms": 5}}}}}
    tool = Tool(tmp_path / "t", server=False, plays=())
    path = write_config(tmp_path, config, {"t": tool})
    assert path.name == "runtimeconfig.yaml"
    assert YAML.safe_load(path.read_text()) == {
        "spec": {
            "tools": {
                "t": {
                    "exec": {
                        "command": "/bin/sh",
                        "env": ["A"],
                        "timeout_ms": 5,
                        "args": [str(tmp_path / "t" / "tool")],
                    }
                }
            }
        }
    }


def test_a_text_is_written_as_it_is(tmp_path: Path) -> None:
    assert write_config(tmp_path, "spec: {}\n", {}).read_text() == "spec: {}\n"


@pytest.mark.parametrize(
    ("config", "plain"),
    [
        ({"kind": "RuntimeConfig", "spec": {"tools": {}}}, {"spec": {"tools": {}}}),
        ({"spec": {"tools": {}}}, None),
        ("apiVersion: v1\nmetadata:\n  name: x\nspec: {}\n", "spec: {}\n"),
        ("spec: {}\n", None),
    ],
)
def test_a_configuration_is_had_without_its_head(config: Any, plain: Any) -> None:
    assert without_head(config) == plain


def test_the_launcher_starts_a_script_by_its_path(tmp_path: Path) -> None:
    lay_launcher(tmp_path)
    script = tmp_path / "a script"
    script.write_text('printf %s "$0 $1"')
    done = subprocess.run(
        [str(tmp_path / LAUNCHER), str(script), "two words"],
        capture_output=True,
        check=True,
        env={},
    )
    assert done.stdout.decode() == f"{script} two words"
