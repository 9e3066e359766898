"""Pack files: the tools that they define, and arguments made from their schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_object
from wireproof.protocols._exec_tools._instances import instances

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def load_pack(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """Load the tools that a pack file defines: the schema of each, by its name.

    Raises:
        ValueError: Saying what is wrong, and where.
    """
    try:
        document: Any = json.loads(path.read_bytes())
    except OSError as error:
        raise ValueError(f"it cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"it is not JSON: {where}: {error.msg}") from error
    tools = document.get("tools") if is_object(document) else None
    if not is_object(tools) or not tools:
        raise ValueError("it defines no tools; give a file with an object tools")
    return {name: _parameters(name, tool) for name, tool in tools.items()}


def _parameters(name: str, tool: Any) -> Mapping[str, Any]:
    if not is_object(tool):
        raise ValueError(f"/tools/{name} is no object")
    schema = tool.get("parameters", {"type": "object"})
    if not is_object(schema):
        raise ValueError(f"/tools/{name}/parameters is no object")
    return schema


def arguments_for(name: str, schema: Mapping[str, Any]) -> Sequence[Any]:
    """Return arguments for a tool that a pack defines.

    Raises:
        ValueError: If none could be made, saying what to do.
    """
    try:
        found = [one for one in instances(schema) if is_object(one)]
    except ValueError as error:
        raise ValueError(f"/tools/{name}/parameters: {error}") from error
    if not found:
        raise ValueError(
            f"no arguments could be made from the schema of {name}; "
            "give them with --exec-args"
        )
    return found
