"""Reads the configuration and the pack of the proof's runtime."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

FIELDS = {"command", "args", "runtime", "env", "timeout_ms"}

Bound = dict[str, tuple[dict[str, Any], Any]]


def read_config(path: Path, pack: Path | None) -> tuple[Bound, list[str]]:
    """Return what a file binds, with the schemas of the pack, and warnings.

    Raises:
        ValueError: A binding is wrong: the tool and the field are named.
    """
    # By its name: it has no stubs, and only the runtimes that load files need it.
    yaml: Any = import_module("yaml")
    tools: Any = yaml.safe_load(path.read_text("utf-8"))["spec"]["tools"]
    known: Any = json.loads(pack.read_text("utf-8"))["tools"] if pack else None
    bound: Bound = {}
    warnings: list[str] = []
    for name, tool in tools.items():
        given = tool["exec"]
        look_at(name, given)
        if known is not None and name not in known:
            warnings.append(f"the pack defines no tool {name}")
        parameters = (known or {}).get(name, {}).get("parameters")
        bound[name] = (given, parameters)
    return bound, warnings


def look_at(name: str, given: Mapping[str, Any]) -> None:
    """Refuse a binding that is wrong."""
    limit = given.get("timeout_ms", 1)
    wrong = {
        "command": not isinstance(given.get("command"), str),
        "args": not _are_texts(given.get("args", [])),
        "env": not _are_texts(given.get("env", [])),
        "runtime": given.get("runtime", "exec") not in {"exec", "server"},
        "timeout_ms": not isinstance(limit, int) or limit <= 0,
        **dict.fromkeys(given.keys() - FIELDS, True),
    }
    for field, is_wrong in wrong.items():
        if is_wrong:
            raise ValueError(f"spec.tools.{name}.exec.{field} is wrong")


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
