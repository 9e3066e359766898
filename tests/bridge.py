"""Talks to a driver over its pipes, as the bridge protocol says."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Self

ADAPTERS = Path(__file__).parent.parent / "reference" / "adapters"
NODE_DRIVER = ADAPTERS / "node" / "driver.mjs"
PYTHON_DRIVER = ADAPTERS / "python" / "driver.py"


class Driver:
    """A running driver; each op waits for its answer."""

    def __init__(
        self, *command: str, cwd: Path | None = None, stderr: int = subprocess.PIPE
    ) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=cwd,
        )
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=10)

    def ask(self, op: str, **arguments: Any) -> dict[str, Any]:
        """Send an op, and give the answer to it."""
        self._asked += 1
        return self.send({"id": self._asked, "op": op, **arguments})

    def send(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request as it is, and give the answer to it."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
        stdin.flush()
        answer: dict[str, Any] = json.loads(stdout.readline())
        assert answer["id"] == request["id"]
        return answer

    def value(self, op: str, **arguments: Any) -> Any:
        """Send an op that succeeds, and give its value."""
        answer = self.ask(op, **arguments)
        assert answer["ok"] is True, answer
        return answer["value"]

    def error(self, op: str, **arguments: Any) -> dict[str, str]:
        """Send an op that fails, and give its error."""
        answer = self.ask(op, **arguments)
        assert answer["ok"] is False, answer
        error: dict[str, str] = answer["error"]
        return error
