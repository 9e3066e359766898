from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from wireproof.protocols.exec_runtime._config_files import with_command, write_config
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
