"""Entries of a log that are the registry's own are not looked at."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.tool_contract._event_log import without_own_entries

EMITS = {"c1": [{"message": "working"}, {"message": "done soon"}], "c2": []}


def event(message: Any, **more: Any) -> dict[str, Any]:
    told = {} if message is None else {"message": message}
    return {"toolCallId": "c1", "event": {"type": "progress", **told, **more}}


RESULT = {"toolCallId": "c1", "result": True}
BOTH = [event("working"), event("done soon"), RESULT]


@pytest.mark.parametrize(
    "own",
    [
        event("tool started"),
        event("tool started", audience="user"),
        event(None, type="started"),
        {"toolCallId": "c2", "event": {"type": "progress", "message": "refused"}},
        {"event": {"type": "batch"}},
        {"note": "the batch begins"},
    ],
)
def test_what_the_registry_tells_beside_is_left_out(own: Any) -> None:
    assert without_own_entries([own, *BOTH], EMITS) == BOTH
    assert without_own_entries([*BOTH, own], EMITS) == BOTH


def test_what_a_registry_tells_of_a_call_that_did_not_run_is_left_out() -> None:
    log = [event("not available"), RESULT]
    assert without_own_entries(log, EMITS) == [RESULT]


@pytest.mark.parametrize(
    "changed",
    [
        event("work"),
        event("tool says: working"),
        event("WORKING"),
        event(" working "),
        event(""),
        event(None),
        event(5),
        event("working", type="other"),
        event("working", audience="user"),
        {"toolCallId": "another", "event": {"type": "progress", "message": "working"}},
        "working",
    ],
)
def test_what_may_have_become_of_what_a_tool_emitted_stays(changed: Any) -> None:
    log = [changed, event("done soon"), RESULT]
    assert without_own_entries(log, EMITS) == log


def test_an_event_that_comes_twice_stays() -> None:
    log = [event("working"), *BOTH]
    assert without_own_entries(log, EMITS) == log
