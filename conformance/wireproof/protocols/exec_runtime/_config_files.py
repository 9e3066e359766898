"""The files that a runtime is given to load: its configuration and a pack of tools."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from wireproof.protocols.exec_runtime._tool import Tool

SHELL = "/bin/sh"

LAUNCHER = "wireproof-tool"
"""A command that stands on the runtime's PATH and nowhere else (EXEC-R17)."""

HEAD = ("apiVersion", "kind", "metadata")
"""What files in use begin with, and a runtime may refuse (EXEC-Y6)."""


def command_of(tool: Tool) -> list[str]:
    """Return the words that start a tool; its own arguments come after them."""
    # By its interpreter: the folder for temporary files may forbid programs.
    return [SHELL, str(tool.program)]


def with_command(bound: Mapping[str, Any], words: list[str]) -> dict[str, Any]:
    """Return a binding with its command, arguments of its own behind it."""
    args = [*words[1:], *bound.get("args", ())]
    given: dict[str, Any] = {"command": words[0], **bound}
    return {**given, "args": args} if args or "args" in bound else given


def lay_launcher(folder: Path) -> None:
    """Put a command into a folder on PATH that starts a tool by its path."""
    path = folder / LAUNCHER
    path.write_text(f'#!{SHELL}\nexec {SHELL} "$@"\n')
    path.chmod(0o755)


def without_head(config: Any) -> Any:
    """Return a configuration without its head; None where it has none."""
    if isinstance(config, str):
        start = config.find("spec:")
        return config[start:] if start > 0 and config.startswith(HEAD) else None
    plain = {key: one for key, one in config.items() if key not in HEAD}
    return plain if len(plain) < len(config) else None


def write_config(
    folder: Path,
    config: Any,
    tools: Mapping[str, Tool],
    *,
    relative: bool = False,
) -> Path:
    """Write a configuration as YAML, the commands of tools filled in.

    Args:
        folder: Where to.
        config: A text, which is written as it is, or a value.
        tools: The tools whose commands the suite supplies.
        relative: Whether their paths are relative to the folder.
    """
    path = folder / "runtimeconfig.yaml"
    if isinstance(config, str):
        path.write_text(config, encoding="utf-8")
        return path
    bound: dict[str, Any] = config["spec"]["tools"]
    for name, tool in tools.items():
        words = command_of(tool)
        if relative:
            words = [SHELL, os.path.relpath(tool.program, folder)]
        bound[name]["exec"] = with_command(bound[name]["exec"], words)
    path.write_text(_yaml(config, 0), encoding="utf-8")
    return path


def write_pack(folder: Path, pack: Any) -> Path:
    """Write a pack file."""
    path = folder / "tools.pack.json"
    path.write_text(json.dumps(pack, indent=2), encoding="utf-8")
    return path


def _yaml(value: Any, depth: int) -> str:
    """Return an object as YAML in blocks, as people write it; all else as JSON."""
    lines: list[str] = []
    indent = "  " * depth
    for key, inner in value.items():
        if is_object(inner) and inner:
            lines.append(f"{indent}{key}:\n{_yaml(inner, depth + 1)}")
        elif is_array(inner):
            lines.append(f"{indent}{key}: [{', '.join(map(json.dumps, inner))}]\n")
        else:
            lines.append(f"{indent}{key}: {json.dumps(inner)}\n")
    return "".join(lines)
