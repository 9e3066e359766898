"""Writes the vectors of sequences: ``python -m tests.sequences.write``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.sequences import (
    exec_runtime,
    exec_server,
    host_v1,
    socket_v1,
    tool_contract,
)

import wireproof_vectors
from wireproof_vectors import load_clauses

FOLDER = Path(wireproof_vectors.__file__).parent

Vector = dict[str, Any]

KINDS: Mapping[str, str] = {"exec-runtime": "runtime", "tool-contract": "operation"}
"""The kind of the vectors of a protocol, where they are no exchanges."""

FILES: Mapping[str, Callable[[], list[Vector]]] = {
    "exec-runtime": exec_runtime.vectors,
    "exec-server": exec_server.vectors,
    "host-v1": host_v1.vectors,
    "socket-v1": socket_v1.vectors,
    "tool-contract": tool_contract.vectors,
}
"""What the file ``sequences.json`` of a protocol holds."""


def path_of(protocol: str) -> Path:
    """Return where the file of a protocol is."""
    return FOLDER / protocol.replace("-", "_") / "sequences.json"


def text_of(protocol: str, vectors: Iterable[Vector]) -> str:
    """Return a vector file, a step a line."""
    head = {
        "schema": "wireproof-vectors/1",
        "protocol": protocol,
        "group": "sequences",
        "kind": KINDS.get(protocol, "exchange"),
    }
    lines = [f"  {_line(key)}: {_line(head[key])}," for key in head]
    order = [clause.id for clause in load_clauses(protocol)]
    listed = sorted(vectors, key=lambda vector: order.index(vector["clauses"][0]))
    shown = ",\n".join(map(_shown, listed))
    return "{\n" + "\n".join(lines) + f'\n  "vectors": [\n{shown}\n  ]\n}}\n'


def _shown(vector: Vector) -> str:
    others = [key for key in vector if key != "steps"]
    lines = [f"      {_line(key)}: {_line(vector[key])}," for key in others]
    steps = [f"        {_line(step)}" for step in vector["steps"]]
    body = ",\n".join(steps)
    return "    {\n" + "\n".join(lines) + f'\n      "steps": [\n{body}\n      ]\n    }}'


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    for protocol, vectors in FILES.items():
        path_of(protocol).write_text(text_of(protocol, vectors()), encoding="utf-8")
