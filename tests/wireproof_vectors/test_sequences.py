"""The vectors of sequences hold every kind of request right before every other."""

from __future__ import annotations

import json
from itertools import pairwise, product
from typing import Any

import pytest
from tests.write_sequences import FILES, path_of, text_of

from wireproof_vectors import load_vectors

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
