"""Is a server that does nothing of use: NAME."""

import json
import os
import signal
import sys
from typing import Any

FAILURE = {"error": {"code": -32601, "message": "not implemented"}}

ANSWERS: dict[str, dict[str, Any]] = {
    "same-failure": {"jsonrpc": "2.0", "id": 1, **FAILURE},
    "same-success": {"jsonrpc": "2.0", "id": 1, "result": {}},
    "same-failure-with-the-id": {"jsonrpc": "2.0", **FAILURE},
    "same-success-with-the-id": {"jsonrpc": "2.0", "result": {}},
}


def main(name: str) -> None:
    """Write the same, whatever is sent."""
    if name == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    for line in sys.stdin:
        if name == "noise":
            sys.stdout.write("these are words, and no JSON\n" * 20)
        else:
            answer: dict[str, Any] = {**ANSWERS[name]}
            if name.endswith("id"):
                answer["id"] = json.loads(line)["id"]
            sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
