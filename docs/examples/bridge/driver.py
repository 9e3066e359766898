"""A driver: one op a line on stdin, one answer a line on stdout."""

import json
import os
import sys
from typing import Any

from mending import mend

OPS = {"sanitize_tool_call": mend}
ABOUT = {"name": "mending", "version": "1", "language": "Python", "ops": list(OPS)}


def perform(op: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if op == "describe":
        return {"ok": True, "value": ABOUT}
    try:
        return {"ok": True, "value": OPS[op](**arguments)}
    except Exception as error:
        detail = {"type": type(error).__name__, "detail": str(error)}
        return {"ok": False, "error": detail}


# Descriptor 1 belongs to the answers: what the library or its child processes print
# goes to stderr.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin.buffer:
    arguments = json.loads(line)
    head, op = {"id": arguments.pop("id")}, arguments.pop("op")
    echo = arguments.pop("echo", False)
    told = head | perform(op, arguments) | ({"args": arguments} if echo else {})
    try:
        text = json.dumps(told, allow_nan=False)
    except ValueError as error:  # NaN and Infinity are not JSON
        refusal = {"type": "ValueError", "detail": str(error)}
        text = json.dumps(head | {"ok": False, "error": refusal})
    print(text, file=answers, flush=True)
