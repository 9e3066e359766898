from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from wireproof_reference.exec._bridge import RuntimeBridge
from wireproof_reference.framing import JSON, encode, loads

ONE: JSON = {"command": "/bin/sh", "args": ["-c", """echo '{"result":1}'"""]}
ECHO: JSON = {
    "command": "/bin/sh",
    "args": ["-c", """printf '{"result":"%s"}' "$WP_A" """],
    "env": ["WP_A"],
}

pytestmark = pytest.mark.anyio


@pytest.fixture
async def bridge() -> AsyncIterator[RuntimeBridge]:
    async with AsyncExitStack() as runtimes:
        yield RuntimeBridge(runtimes)


async def value(bridge: RuntimeBridge, op: str, **arguments: JSON) -> JSON:
    answer = await bridge.answer({"id": 7, "op": op, **arguments})
    assert isinstance(answer, dict)
    assert answer["ok"] is True, answer
    return answer["value"]


async def refusal(bridge: RuntimeBridge, op: str, **arguments: JSON) -> JSON:
    answer = await bridge.answer({"id": 7, "op": op, **arguments})
    assert isinstance(answer, dict)
    assert answer["ok"] is False
    return answer["error"]


async def test_the_driver_describes_itself(bridge: RuntimeBridge) -> None:
    described = await value(bridge, "describe")
    assert isinstance(described, dict)
    assert described["default_timeout_ms"] == 30_000
    assert described["ops"] == [
        "bind",
        "load",
        "setenv",
        "set_default_timeout",
        "call",
        "call_many",
        "close",
    ]


async def test_a_tool_is_bound_and_called(bridge: RuntimeBridge) -> None:
    assert await value(bridge, "bind", name="one", exec=ONE) is None
    assert await value(bridge, "call", tool="one", args={}) == {"result": 1}


async def test_a_call_that_fails_is_a_value(bridge: RuntimeBridge) -> None:
    error: JSON = {"type": "UnknownTool", "detail": "one is bound to nothing"}
    call: JSON = {"tool": "one", "args": {}, "call_id": "c"}
    assert await value(bridge, "call", tool="one", args={}) == {"error": error}
    assert await value(bridge, "call_many", calls=[call]) == [{"error": error}]


async def test_the_schema_of_a_binding_holds(bridge: RuntimeBridge) -> None:
    await value(bridge, "bind", name="one", exec=ONE, parameters={"type": "object"})
    assert await value(bridge, "call", tool="one", args=[]) == {
        "error": {
            "type": "BadArguments",
            "detail": 'one was not called: arguments must satisfy {"type":"object"}',
        }
    }


async def test_a_binding_that_is_wrong_is_refused(bridge: RuntimeBridge) -> None:
    assert await refusal(bridge, "bind", name="one", exec={"runtime": "x"}) == {
        "type": "ConfigError",
        "detail": "exec: command is missing",
    }


async def test_a_configuration_is_loaded(bridge: RuntimeBridge, tmp_path: Path) -> None:
    config, pack = tmp_path / "config.json", tmp_path / "pack.json"
    config.write_bytes(encode({"spec": {"tools": {"one": {"exec": ONE}}}}))
    pack.write_text("{}")
    assert await value(bridge, "load", config=str(config)) == {
        "bound": ["one"],
        "warnings": [],
    }
    assert await value(bridge, "load", config=str(config), pack=str(pack)) == {
        "bound": ["one"],
        "warnings": [f"{config}:1: spec.tools.one: {pack} defines no such tool"],
    }
    assert await value(bridge, "call", tool="one", args={}) == {"result": 1}


async def test_the_environment_is_that_of_the_driver(
    bridge: RuntimeBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "WP_A", "1")
    await value(bridge, "bind", name="echo", exec=ECHO)
    assert await value(bridge, "setenv", name="WP_A", value="2") is None
    assert await value(bridge, "call", tool="echo", args={}) == {"result": "2"}
    await value(bridge, "setenv", name="WP_A", value=None)
    await value(bridge, "setenv", name="WP_A", value=None)
    assert await value(bridge, "call", tool="echo", args={}) == {"result": ""}


async def test_the_default_limit_is_set(bridge: RuntimeBridge) -> None:
    slow: JSON = {"command": "/bin/sleep", "args": ["100"]}
    await value(bridge, "bind", name="slow", exec=slow)
    await value(bridge, "set_default_timeout", timeout_ms=100)
    assert await value(bridge, "call", tool="slow", args={}) == {
        "error": {"type": "CallTimeout", "detail": "slow timed out after 100 ms"}
    }


async def test_a_runtime_that_is_closed_is_opened_anew(bridge: RuntimeBridge) -> None:
    await value(bridge, "bind", name="one", exec=ONE)
    assert await value(bridge, "close") is None
    assert await value(bridge, "close") is None
    assert await value(bridge, "call", tool="one", args={}) == {
        "error": {"type": "UnknownTool", "detail": "one is bound to nothing"}
    }


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_the_driver_ends_its_tools_with_its_input(backend: str) -> None:
    tool: JSON = {"command": "/bin/cat", "runtime": "server", "timeout_ms": 100}
    ops: list[JSON] = [
        {"id": 1, "op": "bind", "name": "tool", "exec": tool},
        {"id": 2, "op": "call", "tool": "tool", "args": {}},
    ]
    # Stderr is a pipe that its tools would hold open.
    done = subprocess.run(
        [
            *(sys.executable, "-m", "wireproof_reference", "exec", "runtime"),
            f"--backend={backend}",
        ],
        input=b"".join(map(encode, ops)),
        capture_output=True,
        check=True,
    )
    bound, called = map(loads, done.stdout.splitlines())
    assert bound == {"id": 1, "ok": True, "value": None}
    assert called == {
        "id": 2,
        "ok": True,
        "value": {
            "error": {"type": "CallTimeout", "detail": "tool timed out after 100 ms"}
        },
    }
    assert done.stderr == b""
