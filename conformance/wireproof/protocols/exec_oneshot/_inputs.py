"""From the steps of a vector to the bytes that runs are given on stdin."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from wireproof.patterns import asked_delay, expand, raw_bytes
from wireproof.protocols.exec_oneshot._runs import RunInput
from wireproof_reference.framing import dumps

if TYPE_CHECKING:
    from collections.abc import Mapping

_IN_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def inputs_of(step: Mapping[str, Any], names: Mapping[str, Any]) -> list[RunInput]:
    """Return what the runs of one step are given.

    Args:
        step: The step as the vector has it.
        names: What ``$use`` may name, and under ``written`` how the JSON text is
            written where the step does not say.

    Raises:
        VectorDefect: If a message cannot be made as it is written.
    """
    cut = step.get("cut", ())
    usual: Mapping[str, Any] = names.get("written", {})
    if "run_raw" in step:
        return [RunInput(raw_bytes(step["run_raw"], names), cut)]
    if "run_each" in step:
        # Arguments are the user's, or made of a schema: no forms stand in them.
        given = names["candidates"]
        return [RunInput(written({"args": args}, usual)) for args in given]
    messages = step["run_many"] if "run_many" in step else [step["run"]]
    found: list[RunInput] = []
    ending = step["stdout_ends_ms"] / 1000 if "stdout_ends_ms" in step else None
    for template in messages:
        message = expand(template, names)
        way = {**usual, **expand(step.get("written", {}), names)}
        data = written(message, way)
        found.append(RunInput(data, cut, asked_delay(message), ending))
    return found


def written(value: Any, way: Mapping[str, Any]) -> bytes:
    """Return a value as JSON text, compact where no other way is asked for.

    Args:
        value: A JSON value.
        way: ``indent``, ``spaced`` or ``escaped``; ``before`` and ``after``, white
            space around it; ``line_end``, how its lines end.
    """
    if "indent" in way:
        text = json.dumps(value, indent=way["indent"], ensure_ascii=False)
    elif way.get("spaced"):
        text = json.dumps(value, separators=(" , ", " : "), ensure_ascii=False)
    elif way.get("escaped"):
        text = _IN_STRING.sub(_escaped, dumps(value).decode())
    else:
        text = dumps(value).decode()
    text = f"{way.get('before', '')}{text}{way.get('after', '')}"
    if "line_end" in way:
        text = text.replace("\n", way["line_end"])
    return text.encode(errors="surrogatepass")


def _escaped(found: re.Match[str]) -> str:
    """Write each character of a string as the escape of its UTF-16 code units."""
    units = json.loads(found[0]).encode("utf-16-be", errors="surrogatepass")
    pairs = (units[at : at + 2].hex() for at in range(0, len(units), 2))
    return '"' + "".join(f"\\u{pair}" for pair in pairs) + '"'
