"""The vectors of sequences hold every kind of request right before every other."""

from __future__ import annotations

import json
from collections.abc import Collection
from itertools import pairwise, product
from typing import Any

import pytest
from tests.sequences import tool_contract
from tests.sequences.write import FILES, path_of, text_of

from wireproof.protocols.tool_contract._acts import OF_CALLS, Kind
from wireproof_vectors import load_setup, load_vectors

HOST_TOOLS = {
    "conformance_counter": "count",
    "conformance_fail": "failure",
    "conformance_throw": "throw",
    "conformance_stream": "stream",
    "conformance_sleep": "sleep",
    "conformance_no_such_tool": "unknown-tool",
}

HOST_KINDS = {
    *HOST_TOOLS.values(),
    *("success", "no-state", "empty-state", "foreign-state", "arguments-no-object"),
    *("listing", "no-params", "optional-method", "unknown-method", "bad-line"),
}

HOST_STATES = {
    "{}": "empty-state",
    '{"another": 1}': "foreign-state",
    "null": "no-state",
}


def host_kind(step: dict[str, Any]) -> str:
    if "send_raw" in step:
        return "bad-line"
    message = step["send"]
    params = message.get("params")
    match message["method"]:
        case "get_tool_schemas":
            return "listing" if params else "no-params"
        case "get_config_schema":
            return "optional-method"
        case "conformance_no_such_method":
            return "unknown-method"
        case _:
            pass
    if not isinstance(params["arguments"], dict):
        return "arguments-no-object"
    state = json.dumps(params.get("state"))
    return HOST_TOOLS.get(params["tool_name"]) or HOST_STATES.get(state, "success")


def host_pairs(way: str) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for vector in load_vectors("host-v1"):
        if vector.id.startswith(f"host-v1/sequences/{way}-"):
            steps: Any = vector.data["steps"]
            sent = [step for step in steps if "send" in step or "send_raw" in step]
            found.update(pairwise(map(host_kind, sent)))
    return found


@pytest.mark.parametrize("way", ["after", "beside"])
def test_every_kind_of_request_comes_right_before_every_other(way: str) -> None:
    assert set(product(HOST_KINDS, repeat=2)) - host_pairs(way) == set()


@pytest.mark.parametrize("protocol", FILES)
def test_the_file_holds_what_is_written_by_the_model(protocol: str) -> None:
    written = path_of(protocol).read_text(encoding="utf-8")

    assert written == text_of(protocol, FILES[protocol]())


SOCKET_TOOLS = {
    "conformance_counter": "count",
    "conformance_echo": "success",
    "conformance_envelope": "envelope",
    "conformance_no_such_tool": "unknown-tool",
    "conformance_privileged": "privileged",
    "conformance_stream": "stream",
    "conformance_throw": "throw",
}

SOCKET_LINES = {
    '{"type":"list_tools",\n': "bad-line",
    '{"type":"no_such_type","protocol":1}\n': "bad-message",
    '{"type":"list_tools","protocol":2}\n': "other-protocol",
}

SOCKET_KINDS = {
    *SOCKET_TOOLS.values(),
    *SOCKET_LINES.values(),
    *("failure", "failure-with-details", "sleep", "invalid-arguments", "context"),
    "session",
    *("claim", "cancelled", "expired", "connection-gone", "stray-cancel", "listing"),
}


def socket_kind(step: dict[str, Any], cancelled: Collection[str]) -> str:
    if "send_raw" in step:
        return SOCKET_LINES[step["send_raw"][0]["text"]]
    message = step["send"]
    if step.get("on") == message.get("requestId") is not None:
        return "connection-gone"
    if message["type"] == "list_tools":
        return "listing"
    if message["type"] == "cancel_tool_call":
        return "stray-cancel"
    arguments = message["arguments"]
    match message["toolName"]:
        case "conformance_context":
            caller = message.get("clientInfo", {}).get("caller")
            return {"plugin": "claim", "cli": "session"}.get(caller, "context")
        case "conformance_fail":
            return "failure-with-details" if "details" in arguments else "failure"
        case "conformance_sleep" if "timeoutMs" in message:
            return "expired"
        case "conformance_sleep" if message["requestId"] in cancelled:
            return "cancelled"
        case "conformance_sleep":
            return "sleep" if isinstance(arguments["ms"], int) else "invalid-arguments"
        case tool:
            return SOCKET_TOOLS[tool]


def is_cancel_of(step: dict[str, Any], before: dict[str, Any]) -> bool:
    """Tell whether a step cancels the call that is sent right before it."""
    sent, call = step.get("send", {}), before.get("send", {})
    cancels = sent.get("type") == "cancel_tool_call" and before.get("waits") is False
    return cancels and bool(sent["requestId"] == call.get("requestId"))


def socket_pairs(way: str) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for vector in load_vectors("socket-v1"):
        if not vector.id.startswith(f"socket-v1/sequences/{way}-"):
            continue
        steps: Any = vector.data["steps"]
        sent = [step for step in steps if "send" in step or "send_raw" in step]
        own = [one for before, one in pairwise(sent) if is_cancel_of(one, before)]
        cancelled = {step["send"]["requestId"] for step in own}
        acts = [step for step in sent if not any(step is one for one in own)]
        found.update(pairwise(socket_kind(step, cancelled) for step in acts))
    return found


@pytest.mark.parametrize("way", ["after", "beside"])
def test_every_kind_of_frame_comes_right_before_every_other(way: str) -> None:
    assert set(product(SOCKET_KINDS, repeat=2)) - socket_pairs(way) == set()


RUNTIME_TOOLS = {
    "server": {"server", "server-twin", "server-beside", "once"},
    "once": {"once", "once-twin", "once-beside", "server"},
}

NO_PROCESS = {"refused", "missing"}

TWINS = {"server-twin", "once-twin"}
"""Other bindings of a program, of which there is none where no process is reached."""


def runtime_kind(vector: str, tool: str, step: dict[str, Any]) -> str:
    args = step["input"]["args"]
    kind = vector.removeprefix(f"exec-runtime/sequences/after-{tool}-")
    if kind in NO_PROCESS and step["input"]["tool"] == tool:
        return kind
    return str(args.get("do", "answer"))


def runtime_pairs(tool: str) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for vector in load_vectors("exec-runtime"):
        if vector.id.startswith(f"exec-runtime/sequences/after-{tool}-"):
            steps: Any = vector.data["steps"]
            calls = [step for step in steps if step.get("op") == "call"]
            found.update(
                (runtime_kind(vector.id, tool, before), after["input"]["tool"])
                for before, after in pairwise(calls)
            )
    return found


@pytest.mark.parametrize("tool", RUNTIME_TOOLS)
def test_each_tool_is_called_right_after_whatever_a_call_comes_to(tool: str) -> None:
    does: Any = load_setup("exec-runtime")["does"]
    told = set(does["server" if tool == "server" else "exec"]) - {"flood"}
    tools = RUNTIME_TOOLS[tool]
    wanted = {*product(told, tools), *product(NO_PROCESS, tools - TWINS)}

    assert wanted - runtime_pairs(tool) == set()


def test_every_kind_of_turn_comes_right_before_every_other() -> None:
    acts = [tool_contract.around(kind) for kind in Kind]
    found = {pair for kinds in acts for pair in pairwise(kinds)}

    assert set(product(Kind, repeat=2)) - found == set()


def test_a_vector_asks_for_the_kinds_that_it_is_said_to_hold() -> None:
    vectors = {one.id: one.data["steps"] for one in load_vectors("tool-contract")}
    steps: Any = vectors["tool-contract/sequences/around-unknown-tool"]
    names = [
        step["input"]["calls"][0]["name"].removeprefix("around_unknown_tool_")
        for step in steps
        if step.get("op") == "execute_parallel" and step["input"]["calls"]
    ]
    unknown = "no_such_tool"

    # The kind itself, then left-out, available, unavailable, a small budget, a turn
    # without calls and a listing, and the kind after each.
    assert names == [
        *(3 * [unknown]),
        *("answer", unknown, "available", unknown, "available", unknown),
        *("long", *(3 * [unknown])),
    ]


def test_two_calls_of_all_kinds_stand_in_one_batch_in_either_order() -> None:
    vectors = {one.id: one.data["steps"] for one in load_vectors("tool-contract")}
    steps: Any = vectors["tool-contract/sequences/together-plain"]
    batches = [step["input"]["calls"] for step in steps if "calls" in str(step)]
    first, second, _ = ([call["name"] for call in one] for one in batches[:3])

    assert len(first) == len(OF_CALLS)
    assert second == first[::-1]
