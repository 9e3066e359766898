from __future__ import annotations

from typing import Any

import pytest

from wireproof.checks import VectorDefect
from wireproof.protocols.host_client._ops import perform

pytestmark = pytest.mark.anyio


class Recorder:
    """A client that gives back what it was asked to do."""

    def __getattr__(self, name: str) -> Any:
        async def op(*arguments: Any) -> Any:
            return [name, *arguments]

        return op


RECORDER: Any = Recorder()

CALL = {"tool_name": "t", "arguments": {"text": {"$repeat": "x", "times": 3}}}
GIVEN = {"text": "xxx"}


@pytest.mark.parametrize(
    ("op", "asked"),
    [
        ({"op": "start", "config": {"a": 1}}, ["start", ["host"], {"a": 1}]),
        ({"op": "start"}, ["start", ["host"], {}]),
        ({"op": "request", "method": "m", "params": {}}, ["request", "m", {}]),
        ({"op": "execute", **CALL}, ["execute", "t", GIVEN, None]),
        ({"op": "execute", "timeout_ms": 5, **CALL}, ["execute", "t", GIVEN, 5]),
        ({"op": "request_many", "requests": [{}]}, ["request_many", [{}]]),
        (
            {"op": "execute_many", "calls": [CALL]},
            ["execute_many", [{"tool_name": "t", "arguments": GIVEN}]],
        ),
        ({"op": "format_result", "result": None}, ["format_result", None]),
        ({"op": "state"}, ["state"]),
    ],
)
async def test_an_op_is_asked_for_by_its_name(op: Any, asked: list[Any]) -> None:
    assert await perform(RECORDER, {**op, "expect": {}}, ["host"]) == asked


@pytest.mark.parametrize("op", [{"op": "dance"}, {"op": "request", "params": {}}])
async def test_an_op_that_no_client_has_is_a_defect(op: Any) -> None:
    with pytest.raises(VectorDefect, match="no client has an op such as"):
        await perform(RECORDER, op, ["host"])
