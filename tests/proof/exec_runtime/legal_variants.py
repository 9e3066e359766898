"""Runtimes that use the freedoms of the clauses; none may fail anything."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.proof.exec_runtime.byte_faults import replaced
from tests.proof.exec_runtime.changes import LEFT_OUT, saying
from tests.proof.exec_runtime.runtime import Driver, Runtime
from tests.proof.exec_runtime.schema_faults import HEAD, refusing
from tests.proof.exec_runtime.subject import TABLES
from tests.proof.row import around

variant = TABLES.variants(__name__, Runtime)


def _passed_on(_: Any, read: Any, found: Any) -> Any:
    is_bare = isinstance(found, dict) and not found.keys() & {"result", "error"}
    return found if is_bare else read(found)


variant(
    "passes-objects-on",
    "gives an object without result and error as the result, in both modes",
    around("read_result", _passed_on),
    around("read_answer", _passed_on),
    warns={"EXEC-R5": "neither result nor error should be a failure"},
)
variant(
    "replaces-odd-bytes",
    "replaces bytes of output that are not UTF-8",
    replaced("replace"),
    warns={"EXEC-R5": "output that is not UTF-8 should be a failure"},
)


def _coerced(value: Any, schema: Any) -> Any:
    """Return what satisfies a schema where a value can be made to, else the value."""
    wanted = schema.get("type") if isinstance(schema, dict) else None
    match wanted, value:
        case "integer" | "number", bool():
            return int(value)
        case "integer", str() if re.fullmatch(r"-?\d+", value):
            return int(value)
        case "string", bool() | int() | float():
            return str(value)
        case "object", dict():
            known = schema.get("properties", {})
            return {key: _coerced(one, known.get(key)) for key, one in value.items()}
        case _:
            return value


def _called(self: Any, call: Any, tool: str, args: Any) -> Any:
    schema = {"type": "object", **(self.bindings[tool].parameters or {})}
    return call(tool, _coerced(args, schema))


variant(
    "coerces",
    "coerces arguments to what the schema wants, and then calls the tool",
    around("call", _called),
)
variant(
    "requires-the-head",
    "refuses a file without apiVersion, kind and metadata",
    driver=refusing(lambda config: HEAD - config.keys()),
)


class LineDriver(Driver):
    """Names the line where a file is wrong, and nothing else."""

    def load(self, config: Path, pack: str | None) -> dict[str, Any]:
        try:
            return super().load(config, pack)
        except ValueError as error:
            place = re.search(r"spec\.tools\.([^.]+)", str(error))
            name = place[1] if place else "spec"
            lines = config.read_text("utf-8").splitlines()
            line = next(n for n, one in enumerate(lines, 1) if name in one)
            raise ValueError(f"invalid block at line {line}") from None


variant("names-the-line", "names the line where a file is wrong", driver=LineDriver)


def without(*ops: str, **told: Any) -> type[Driver]:
    """Return a driver that offers less, and says something else of its runtime."""
    kept = [op for op in Driver.ops if op not in ops]
    return type("LessDriver", (saying(**told),), {"ops": kept})


variant(
    "says-nothing",
    "does not say which default limit it has",
    driver=without("set_default_timeout", default_timeout_ms=LEFT_OUT),
)
variant(
    "default-stated",
    "states a default limit that cannot be changed",
    driver=without("set_default_timeout"),
)
