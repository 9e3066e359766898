"""A driver for the bridge: one operation a line on stdin, one answer a line on stdout.

    python driver.py MODULE:ATTR    (try wireproof_reference.interop:chat_subject)

ATTR is an object, or a class or function that makes one, whose methods have the names
and arguments of the ops, plain or async. A template for authors: let `ops_of` give the
ops of your own library. `../README.md` explains the bridge.
"""

import asyncio
import inspect
import json
import sys
from importlib import import_module
from typing import Any

OPS = (
    *("convert_schemas", "inspect_schema", "convert_tool_calls", "inspect_call"),
    *("sanitize_tool_call", "inspect_result", "convert_results"),
    *("initialize_request", "from_native_messages", "finalize", "to_native_messages"),
    "accumulate",
)


def load(spec: str) -> Any:
    """Find the subject, or have it made."""
    module, _, attribute = spec.partition(":")
    try:
        found: Any = import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except (ImportError, AttributeError) as error:
        sys.exit(f"{spec} cannot be loaded: {error}")
    return found() if inspect.isclass(found) or inspect.isroutine(found) else found


def ops_of(subject: Any, name: str) -> dict[str, Any]:
    """Collect the ops that a subject offers; one that describes itself names them."""
    describe = getattr(subject, "describe", None)
    names = OPS if describe is None else describe()["ops"]
    ops = {op: getattr(subject, op) for op in names if hasattr(subject, op)}
    language = f"Python {sys.version.split()[0]}"
    about = {
        "name": name,
        "version": "?",
        "language": language,
        "ops": list(ops),
        "halfPairs": True,
    }
    return ops | {"describe": describe or (lambda: about)}


async def perform(op: str, args: dict[str, Any], ops: dict[str, Any]) -> dict[str, Any]:
    """Carry out one op."""
    if op not in ops:
        return failure(LookupError(f"there is no op {op}"))
    try:
        value = ops[op](**args)
        value = await value if inspect.isawaitable(value) else value
    except Exception as error:  # noqa: BLE001 - whatever the subject raises
        return failure(error)
    return {"ok": True, "value": value}


def failure(error: Exception) -> dict[str, Any]:
    """Describe why an op failed."""
    return {"ok": False, "error": {"type": type(error).__name__, "detail": str(error)}}


async def main(spec: str) -> None:
    """Answer one line after the other."""
    # Stdout belongs to the answers: what the subject prints goes to stderr.
    answers, sys.stdout = sys.stdout, sys.stderr
    ops = ops_of(load(spec), spec)
    for line in sys.stdin.buffer:
        try:
            args = json.loads(line)
        except (ValueError, RecursionError) as error:
            # It has no id that could be answered, so the rest would be out of step.
            sys.exit(f"the driver stops at a line that is not JSON: {error}")
        head, op, echo = {"id": args.pop("id")}, args.pop("op"), args.pop("echo", False)
        answer = head | await perform(op, args, ops) | ({"args": args} if echo else {})
        try:
            # NaN and Infinity are no JSON, though json would write them.
            text = json.dumps(answer, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            text = json.dumps(head | failure(error))
        print(text, file=answers, flush=True)


if len(sys.argv) != 2 or ":" not in sys.argv[1]:  # noqa: PLR2004 - itself and one word
    sys.exit("usage: python driver.py MODULE:ATTR")
asyncio.run(main(sys.argv[1]))
