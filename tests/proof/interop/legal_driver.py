"""Drivers that have their own ways with a sound registry: ``NAME``."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from tests.proof.brief import longer_than_brief
from tests.proof.hostile_driver import sound

from wireproof_reference.interop import InteropSubject

OPS = (
    "purr",
    "convert_schemas",
    "inspect_schema",
    "convert_tool_calls",
    "inspect_call",
    "sanitize_tool_call",
    "inspect_result",
    "convert_results",
)

SECONDS = 0.05
"""How long the slow one takes for an op."""


def main(name: str) -> None:
    """Be the driver of that name; all but two tell the arguments afterwards."""
    subject = InteropSubject()
    for count, line in enumerate(sys.stdin.buffer):
        request: Any = json.loads(line)
        echo = request.get("echo", False) and name not in ("no-echo", "slow")
        arguments = {k: v for k, v in request.items() if k not in ("id", "op", "echo")}
        if name == "more" and request["op"] == "describe":
            said = {"name": "ü", "version": "1", "language": "?", "ops": OPS, "more": 1}
            answer: Any = {"id": request["id"], "ok": True, "value": said, "took": 0.1}
        else:
            answer = json.loads(sound(subject, dict(request)))
        if echo:
            answer["args"] = arguments
        if name == "slow":
            time.sleep(SECONDS)
        if name == "one-in-ten-is-slow" and count % 10 == 9:
            time.sleep(longer_than_brief())
        if name == "chatty":
            sys.stderr.write(f"{request['op']}\n" * 50)
            sys.stderr.flush()
        if name == "backwards":
            answer = dict(reversed(answer.items()))
        text = json.dumps(answer, indent=None, ensure_ascii=name != "backwards")
        # Half a surrogate pair has no bytes in UTF-8: it is written as an escape.
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
