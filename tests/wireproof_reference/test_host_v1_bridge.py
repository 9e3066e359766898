from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import anyio
import anyio.lowlevel
import pytest

from wireproof_reference._bridge import serve_bridge
from wireproof_reference._pipes import PipeReader
from wireproof_reference.framing import JSON, JSONObject, encode, loads
from wireproof_reference.host_v1 import _bridge
from wireproof_reference.host_v1._bridge import ClientBridge

REFERENCE: list[JSON] = [sys.executable, "-m", "wireproof_reference", "host"]
STATE: JSON = {"conformance_counter": 0}

pytestmark = pytest.mark.anyio


@pytest.fixture
async def bridge() -> AsyncIterator[ClientBridge]:
    async with AsyncExitStack() as clients:
        yield ClientBridge(clients)


async def value(bridge: ClientBridge, op: str, **arguments: JSON) -> JSON:
    answer = await bridge.answer({"id": 7, "op": op, **arguments})
    assert isinstance(answer, dict)
    assert answer["id"] == 7
    assert answer["ok"] is True
    return answer["value"]


def tool_call(name: str, arguments: JSON, **more: JSON) -> JSONObject:
    return {"tool_name": name, "arguments": arguments, **more}


async def test_the_driver_describes_itself(bridge: ClientBridge) -> None:
    described = await value(bridge, "describe")
    assert isinstance(described, dict)
    assert described["language"] == "Python"
    assert described["ops"] == [
        "start",
        "request",
        "request_many",
        "execute",
        "execute_many",
        "format_result",
        "state",
        "close",
    ]


async def test_a_host_is_started_called_and_closed(bridge: ClientBridge) -> None:
    started = await value(bridge, "start", command=REFERENCE, config={})
    counted = await value(bridge, "execute", **tool_call("conformance_counter", {}))
    state = await value(bridge, "state")
    assert started == {"state": STATE}
    assert counted == {
        "chunks": [],
        "result": {"success": True, "result": {"counter": 1}},
        "state": {"conformance_counter": 1},
    }
    assert state == {"state": {"conformance_counter": 1}}
    assert await value(bridge, "close") is None
    assert await value(bridge, "close") is None


async def test_starting_again_ends_the_host_before(bridge: ClientBridge) -> None:
    await value(bridge, "start", command=REFERENCE)
    await value(bridge, "execute", **tool_call("conformance_counter", {}))
    assert await value(bridge, "start", command=REFERENCE) == {"state": STATE}


async def test_requests_give_value_and_state(bridge: ClientBridge) -> None:
    await value(bridge, "start", command=REFERENCE)
    requests: list[JSON] = [
        {"method": "required_tags", "params": {}},
        {"method": "required_tags", "params": {"state": {"x": 1}}},
        {"method": "nope", "params": {}},
    ]
    assert await value(bridge, "request_many", requests=requests) == [
        {"value": ["conformance"]},
        {"value": ["conformance"], "state": {"x": 1}},
        {"error": {"type": "UnknownMethod", "detail": "unknown method 'nope'"}},
    ]


async def test_many_calls_have_deadlines_of_their_own(bridge: ClientBridge) -> None:
    await value(bridge, "start", command=REFERENCE)
    calls: list[JSON] = [
        tool_call("conformance_sleep", {"ms": 300}, timeout_ms=10),
        tool_call("conformance_stream", {"parts": [{}]}),
    ]
    assert await value(bridge, "execute_many", calls=calls) == [
        {
            "error": {
                "type": "CallTimeout",
                "detail": "execute_tool was not answered within 0.01 s",
            }
        },
        {
            "chunks": [{"part": {}}],
            "result": {"success": True, "result": {"count": 1}},
            "state": STATE,
        },
    ]


async def test_results_are_formatted(bridge: ClientBridge) -> None:
    envelope: JSON = {
        "type": "provider_native_tool_result",
        "format": "openai.responses",
        "content": [],
    }
    await value(bridge, "start", command=REFERENCE)
    assert await value(bridge, "format_result", result="text") == {"text": "text"}
    assert await value(bridge, "format_result", result=envelope) == {
        "envelope": envelope
    }


DEAF: list[JSON] = [sys.executable, "-S", "-E", "-c", "raise SystemExit(9)"]


async def test_a_host_that_dies_is_a_value(bridge: ClientBridge) -> None:
    error: JSON = {"type": "HostLost", "detail": "the host exited with status 9"}
    assert await value(bridge, "start", command=DEAF) == {"error": error}


MUTE = """
import sys
line = sys.stdin.readline()
print(line.split('"id":')[1].split(',')[0].join(
    ('{"v":1,"ok":true,"result":{"value":{}},"id":', '}')), flush=True)
sys.stdin.readline()
sys.exit(9)
"""


async def test_a_formatting_that_fails_is_a_value(bridge: ClientBridge) -> None:
    await value(bridge, "start", command=[sys.executable, "-S", "-E", "-c", MUTE])
    error: JSON = {"type": "HostLost", "detail": "the host exited with status 9"}
    assert await value(bridge, "format_result", result=1) == {"error": error}


@pytest.mark.parametrize(
    ("message", "request_id", "error_type"),
    [
        (None, None, "KeyError"),
        ({"id": 1}, 1, "KeyError"),
        ({"id": 1, "op": "dance"}, 1, "KeyError"),
        ({"id": 1, "op": []}, 1, "TypeError"),
        ({"id": 1, "op": "start"}, 1, "KeyError"),
        ({"id": 1, "op": "state"}, 1, "LocalProtocolError"),
        ({"id": 1, "op": "request_many", "requests": [{}, {}]}, 1, "KeyError"),
        (
            {"id": 1, "op": "execute_many", "calls": [tool_call("t", {})]},
            1,
            "LocalProtocolError",
        ),
    ],
)
async def test_an_op_that_cannot_be_carried_out_is_a_failure(
    bridge: ClientBridge, message: JSON, request_id: JSON, error_type: str
) -> None:
    answer = await bridge.answer(message)
    assert isinstance(answer, dict)
    assert (answer["id"], answer["ok"]) == (request_id, False)
    assert isinstance(answer["error"], dict)
    assert answer["error"]["type"] == error_type


async def test_ops_are_answered_in_order() -> None:
    requests, client_out = os.pipe()
    client_in, replies = os.pipe()
    os.write(client_out, encode({"id": 1, "op": "start", "command": REFERENCE}))
    os.write(client_out, b"junk\n" + encode({"id": 3, "op": "close"}) + b"end")
    os.close(client_out)
    await serve_bridge(requests, replies, ClientBridge)
    answers = (await PipeReader(client_in).receive()).splitlines()
    for fd in (requests, client_in, replies):
        os.close(fd)
    assert [answer[:15] for answer in answers] == [
        b'{"id":1,"ok":tr',
        b'{"id":null,"ok"',
        b'{"id":3,"ok":tr',
        b'{"id":null,"ok"',
    ]


def test_the_bridge_is_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[object, ...]] = []

    async def serve(*arguments: object) -> None:
        await anyio.lowlevel.checkpoint()
        served.append(arguments)

    monkeypatch.setattr(_bridge, "serve_bridge", serve)
    monkeypatch.setattr(_bridge, "take_stdio", lambda: (3, 4))
    assert _bridge.main([]) == 0
    assert served == [(3, 4, ClientBridge)]


def test_the_bridge_serves_its_stdio() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wireproof_reference", "host-client"],
        input=encode({"id": 1, "op": "describe"}),
        capture_output=True,
        check=True,
    )
    answer = loads(done.stdout)
    assert isinstance(answer, dict)
    assert answer["ok"] is True
    assert done.stderr == b""


def test_arguments_that_are_wrong_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _bridge.main(["--backend=curio"]) == 2
    assert "usage: python -m wireproof_reference host-client" in capsys.readouterr().err
