"""The conformance toolset as an exec tool: `python toolset.py [--server]`."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any, NoReturn

from exec_tool import ToolError, serve

if TYPE_CHECKING:
    from collections.abc import Callable

# That of this process: each one-shot call begins anew.
state = {"counter": 0}


def echo(value: Any) -> Any:
    """Give the value back in an object."""
    return {"value": value}


def give(value: Any) -> Any:
    """Give the value back."""
    return value


def count(by: int = 1) -> Any:
    """Count on."""
    state["counter"] += by
    return {"counter": state["counter"]}


def fail(message: str) -> NoReturn:
    """Report failure."""
    raise ToolError(message)


def throw(message: str) -> NoReturn:
    """Fail without a report."""
    raise RuntimeError(message)


def sleep(ms: float) -> Any:
    """Sleep."""
    time.sleep(ms / 1000)
    return {"slept_ms": ms}


def fill(size: int) -> str:
    """Give a long string."""
    return "x" * size


def show(text: str) -> Any:
    """Print in the ordinary way."""
    print(text)
    return {"printed": True}


def write_stderr(size: int) -> Any:
    """Write bytes to stderr."""
    sys.stderr.write("x" * size)
    sys.stderr.flush()
    return {"written": size}


def environment(names: list[str]) -> Any:
    """Give variables of the environment."""
    return {name: os.environ.get(name) for name in names}


TOOLS: dict[Any, Callable[..., Any]] = {
    "conformance_echo": echo,
    "conformance_return": give,
    "conformance_fail": fail,
    "conformance_throw": throw,
    "conformance_counter": count,
    "conformance_sleep": sleep,
    "conformance_blob": fill,
    "conformance_print": show,
    "conformance_stderr": write_stderr,
    "conformance_env": environment,
}


def conformance(args: dict[str, Any]) -> Any:
    """Carry out `{"tool": name, "arguments": {…}}`."""
    tool = TOOLS.get(args.get("tool"))
    if tool is None:
        raise ToolError(f"there is no tool {args.get('tool')!r}")
    return tool(**args.get("arguments", {}))


if __name__ == "__main__":
    serve(conformance)
