"""The adapter registry in JavaScript does what the operation vectors expect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.bridge import NODE_DRIVER, Driver

from wireproof.patterns import expand, match
from wireproof_vectors import Vector, load_vectors

FORMATS = {"openai.chat_completions.custom"}
PROVIDER = "openai.chat_completions"


def applies(vector: Vector) -> bool:
    """Tell whether a vector can be tried on this registry, through its driver."""
    needs: Any = vector.data.get("needs", {})
    return (
        vector.kind == "operation"
        and "in_process" not in needs
        and needs.get("provider", PROVIDER) == PROVIDER
        and FORMATS.issuperset(needs.get("formats", ()))
    )


VECTORS = [vector for vector in load_vectors("interop") if applies(vector)]


@pytest.fixture(scope="module")
def driver(node: str) -> Iterator[Driver]:
    with Driver(node, str(NODE_DRIVER)) as driver:
        yield driver


def mismatch(step: dict[str, Any], answer: dict[str, Any], names: Any) -> object:
    """Say what is wrong with an answer, None where nothing is."""
    expected = any(key in step for key in ("expected", "error"))
    if not answer["ok"]:
        error = answer["error"]
        mentions = step.get("error", {}).get("mentions", ())
        told = all(text in f"{error['type']} {error['detail']}" for text in mentions)
        refused = "error" in step or not expected
        return None if refused and told else error
    if "expected" in step:
        return match(step["expected"], answer["value"], names, names)
    return answer["value"] if expected else None


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_a_vector_holds(driver: Driver, vector: Vector) -> None:
    names: dict[str, Any] = {}
    data: Any = vector.data
    for step in data["steps"]:
        arguments = expand(step["input"], names)
        answer = driver.ask(step["op"], echo=True, **arguments)
        assert mismatch(step, answer, names) is None
        if "keeps_input" in step:
            assert answer["args"] == arguments
        if "save" in step and answer["ok"]:
            names[step["save"]] = answer["value"]
