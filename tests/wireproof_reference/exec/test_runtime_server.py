from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from tests.wireproof_reference.exec.shell_tools import Presence, server

from wireproof_reference.exec import (
    BadAnswer,
    Binding,
    CallTimeout,
    ExecError,
    ExecRuntime,
    RuntimeClosed,
    ToolExited,
    ToolNotStarted,
    ToolReported,
)
from wireproof_reference.framing import JSON, loads

pytestmark = pytest.mark.anyio

REFERENCE = Binding(
    "tool",
    sys.executable,
    ("-m", "wireproof_reference", "exec", "server"),
    runtime="server",
)
COUNT: JSON = {"tool": "conformance_counter"}
# The id of the request that was read last, for servers that are killed and come back.
ID = """id=${r#*'"id":'}; id=${id%%,*};"""


async def call(runtime: ExecRuntime, script: str, **more: Any) -> JSON:
    await runtime.bind(server("tool", script, **more))
    return await runtime.call("tool", {})


async def failure(runtime: ExecRuntime, kind: type[ExecError]) -> str:
    with pytest.raises(kind) as caught:
        await runtime.call("tool", {})
    return str(caught.value)


async def test_one_process_serves_many_calls(runtime: ExecRuntime) -> None:
    await runtime.bind(REFERENCE)
    assert await runtime.call("tool", COUNT) == {"counter": 1}
    assert await runtime.call("tool", COUNT) == {"counter": 2}


async def test_a_request_is_one_line_with_a_fresh_id(
    runtime: ExecRuntime, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    script = f"""while read -r r; do echo "$r" >>{seen}; {ID} respond $id 1; done"""
    await runtime.bind(server("tool", script))
    await runtime.call("tool", {"a": [1.5, "x y"]})
    await runtime.call("tool", None)
    assert [loads(line) for line in seen.read_bytes().splitlines()] == [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "execute",
            "params": {"args": {"a": [1.5, "x y"]}},
        },
        {"jsonrpc": "2.0", "id": 2, "method": "execute", "params": {"args": None}},
    ]


async def test_an_error_keeps_its_words_and_the_process_lives(
    runtime: ExecRuntime,
) -> None:
    await runtime.bind(REFERENCE)
    await runtime.call("tool", COUNT)
    fail: JSON = {"tool": "conformance_fail", "arguments": {"message": "no"}}
    with pytest.raises(ToolReported) as caught:
        await runtime.call("tool", fail)
    assert (str(caught.value), caught.value.code) == ("tool failed: no", -32000)
    assert await runtime.call("tool", COUNT) == {"counter": 2}


async def test_what_stands_in_front_of_an_answer_is_skipped(
    runtime: ExecRuntime,
) -> None:
    script = """echo banner; read r; echo; respond 99 1; respond '"1"' 2;
        echo '{"jsonrpc":"2.0","method":"log"}'; echo '[]'; respond true 3;
        respond 1.0 null; read r; respond 1 4; respond 2 false; read r"""
    assert await call(runtime, script) is None
    assert await runtime.call("tool", {}) is False


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ('echo \'{"jsonrpc":"2.0","id":1}\'', "wrote neither result nor error"),
        ('echo \'{"id":1,"result":1}\'', 'wrote a response without jsonrpc "2.0"'),
        (
            """echo '{"jsonrpc":"2.0","id":1,"error":"text"}'""",
            "wrote an error that has no code and message",
        ),
        (
            """echo '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}'""",
            "could not read the call: m",
        ),
        ("exec >&-; exec sleep 100", "closed its stdout"),
        ("head -c 200000 /dev/zero", "wrote more than 100000 bytes to stdout"),
        ("yes '' | head -n 20000", "wrote 10000 lines, and no answer"),
    ],
)
async def test_after_a_fault_a_fresh_process_serves_the_next_call(
    script: str, text: str, tmp_path: Path
) -> None:
    first = tmp_path / "first"
    fault = f"if [ ! -e {first} ]; then : >{first}; read r; {script}; cat; fi; read r;"
    async with ExecRuntime(
        [server("tool", f"{fault} {ID} respond $id 5; read r")],
        max_output_bytes=100_000,
    ) as runtime:
        assert await failure(runtime, BadAnswer) == f"tool {text}"
        assert await runtime.call("tool", {}) == 5


async def test_a_process_that_exits_fails_its_call_and_is_started_anew(
    runtime: ExecRuntime, tmp_path: Path
) -> None:
    first = tmp_path / "first"
    script = f"""read r; if [ ! -e {first} ]; then : >{first}; echo boom >&2; exit 3; fi
        {ID} respond $id 5; read r"""
    await runtime.bind(server("tool", script))
    assert await failure(runtime, ToolExited) == (
        "tool exited with status 3; its stderr ends with: boom"
    )
    assert await runtime.call("tool", {}) == 5


async def test_a_process_that_exits_after_each_answer_fails_no_call(
    runtime: ExecRuntime,
) -> None:
    await runtime.bind(server("tool", f"read r; {ID} respond $id $id"))
    # Some exits are seen before the next call, and some after it was written.
    results = {str(await runtime.call("tool", {})) for _ in range(8)}
    assert len(results) == 8


async def test_a_process_that_stops_reading_is_started_anew(
    runtime: ExecRuntime,
) -> None:
    script = f"read r; {ID} exec <&-; respond $id $id; exec sleep 100"
    await runtime.bind(server("tool", script, timeout_ms=5000))
    assert await runtime.call("tool", {}) == 1
    assert await runtime.call("tool", {}) == 3


async def test_an_answer_without_reading_counts(runtime: ExecRuntime) -> None:
    await runtime.bind(server("tool", "exec <&-; respond 1 7; exec sleep 100"))
    assert await runtime.call("tool", "x" * 2**20) == 7


async def test_a_process_that_only_exits_is_not_started_for_ever(
    runtime: ExecRuntime,
) -> None:
    await runtime.bind(server("tool", "exit 4"))
    assert await failure(runtime, ToolExited) == "tool exited with status 4"


async def test_a_call_that_takes_too_long_ends_the_process_and_its_children(
    runtime: ExecRuntime, presence: Presence
) -> None:
    script = f"{presence.script} read r; echo busy >&2; sleep 100 & sleep 100"
    await runtime.bind(server("tool", script, timeout_ms=500))
    assert await failure(runtime, CallTimeout) == (
        "tool timed out after 500 ms; its stderr ends with: busy"
    )
    assert presence.wait_for_all_gone() == b"\n"


async def test_a_late_answer_is_nobodys(runtime: ExecRuntime, tmp_path: Path) -> None:
    first = tmp_path / "first"
    script = f"""while read r; do {ID}
        if [ ! -e {first} ]; then : >{first}; sleep 2; fi; respond $id $id; done"""
    await runtime.bind(server("tool", script, timeout_ms=500))
    await failure(runtime, CallTimeout)
    assert await runtime.call("tool", {}) == 2


async def test_a_cancelled_call_ends_the_process(
    runtime: ExecRuntime, presence: Presence
) -> None:
    await runtime.bind(server("tool", f"{presence.script} exec sleep 100"))
    with anyio.move_on_after(0.05):
        await runtime.call("tool", {})
    assert presence.wait_for_all_gone() in {b"", b"\n"}


async def test_a_flood_on_stderr_blocks_nothing(runtime: ExecRuntime) -> None:
    script = "read r; yes | head -c 3000000 >&2; respond 1 7; read r"
    assert await call(runtime, script) == 7


async def test_calls_take_turns_and_each_gets_its_own_answer(
    runtime: ExecRuntime,
) -> None:
    await runtime.bind(REFERENCE)
    calls: list[tuple[str, JSON]] = [
        ("tool", {"tool": "conformance_return", "arguments": {"value": value}})
        for value in range(20)
    ]
    assert await runtime.call_many(calls) == list(range(20))


async def test_a_command_that_cannot_be_started_is_named(runtime: ExecRuntime) -> None:
    await runtime.bind(Binding("tool", "/no/such", runtime="server"))
    assert await failure(runtime, ToolNotStarted) == (
        "tool cannot be started: '/no/such': there is no such command"
    )


async def test_the_environment_is_read_when_the_process_is_started() -> None:
    environ = {"WP_A": "1", "WP_SECRET": "2"}
    script = f"""while read r; do {ID}
        respond $id '"'"$(tr '\\0' ' ' </proc/$$/environ)"'"'; done"""
    binding = server("tool", script, env=("WP_A",))
    async with ExecRuntime([binding], environ=environ) as runtime:
        assert await runtime.call("tool", {}) == "WP_A=1 "
        environ["WP_A"] = "2"
        assert await runtime.call("tool", {}) == "WP_A=1 "
        await runtime.bind(binding)
        assert await runtime.call("tool", {}) == "WP_A=2 "


async def test_closing_lets_a_process_end_by_itself(tmp_path: Path) -> None:
    left = tmp_path / "left"
    script = f"read r; respond 1 7; read r; echo left >{left}"
    async with ExecRuntime(grace=30) as runtime:
        assert await call(runtime, script) == 7
    assert left.read_text() == "left\n"


async def test_closing_ends_who_stays(presence: Presence) -> None:
    script = f"{presence.script} trap '' TERM; read r; respond 1 7; sleep 100 & sleep 1"
    async with ExecRuntime(grace=0.1) as runtime:
        assert await call(runtime, script) == 7
    assert presence.wait_for_all_gone() == b"\n"


async def test_closing_fails_the_calls_in_flight_and_in_turn() -> None:
    outcomes: list[Any] = []

    async def keep() -> None:
        outcomes.extend(await runtime.call_many([("tool", {})] * 3))

    async with (
        anyio.create_task_group() as tasks,
        ExecRuntime([server("tool", "exec cat >/dev/null")]) as runtime,
    ):
        tasks.start_soon(keep)
        await anyio.lowlevel.checkpoint()
        await anyio.lowlevel.checkpoint()
    assert [type(outcome) for outcome in outcomes] == [RuntimeClosed] * 3
