"""Every conforming subject works with the reference of the other side.

Each legal row and each program under `reference/` is started as its users start it, and
the reference that plays the other side makes the ordinary calls of the toolset. If the
suite calls a subject conformant and the reference cannot use it, one of the two is
wrong.
"""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import anyio
import pytest
from tests.bridge import Driver
from tests.conforming_subjects import SHIPPED, built, node
from tests.proof.proof import load_proof
from tests.proof.registry_row import DRIVER, RegistryRow
from tests.proof.row import Row

from wireproof_reference.exec import Binding, ExecRuntime, Mode, ToolReported
from wireproof_reference.host_v1 import HostClient, HostFailure
from wireproof_reference.interop import (
    DEFAULT_TOOL_INTEROP_REGISTRY,
    CallInspection,
    ToolInteropTarget,
)
from wireproof_reference.interop.providers import (
    ChatProvider,
    ResponsesProvider,
    execute_calls,
)
from wireproof_reference.socket_v1 import SocketClient, ToolCallFailed

ROOT = Path(__file__).parents[2]

WITHIN = 30.0
"""Seconds that a start, or a call, may take on a busy machine."""

REFERENCE = (sys.executable, "-m", "wireproof_reference")

VALUE: Any = {
    "text": "ä\u2028😀",
    "list": [1, 0.5, None, True, {}],
    "": {"__proto__": []},
}

PARTS: Any = [{"n": 1}, {"n": 2}, {}]

WORDS = 'no "such" file'

RESULTS: Sequence[tuple[str, Any, Any]] = (
    ("conformance_echo", {"value": VALUE}, {"value": VALUE}),
    ("conformance_echo", {"value": None}, {"value": None}),
    ("conformance_echo", {"value": "x" * 100_000}, {"value": "x" * 100_000}),
    ("conformance_return", {"value": None}, None),
    ("conformance_return", {"value": False}, False),
    ("conformance_return", {"value": {"error": WORDS}}, {"error": WORDS}),
    ("conformance_counter", {"by": 2}, {"counter": 2}),
    ("conformance_sleep", {"ms": 1}, {"slept_ms": 1}),
    ("conformance_blob", {"size": 70_000}, "x" * 70_000),
    ("conformance_print", {"text": "{}"}, {"printed": True}),
    ("conformance_stderr", {"size": 70_000}, {"written": 70_000}),
    ("conformance_env", {"names": ["WIREPROOF_NO"]}, {"WIREPROOF_NO": None}),
)
"""Calls that succeed: the tool, its arguments, its result."""

FAILURES = ("conformance_fail", "conformance_throw")

Command = Sequence[str]
Meeting = Callable[[Command, Path], Awaitable[None]]


async def host_meets_client(command: Command, folder: Path) -> None:
    async with HostClient(command, config={}, within=WITHIN, cwd=ROOT) as client:
        schemas: Any = (await client.request("get_tool_schemas", {})).value
        offered = {schema.get("function", schema).get("name") for schema in schemas}
        for tool, arguments, result in RESULTS:
            if tool in offered:
                done = await client.execute(tool, arguments)
                assert done.result == {"success": True, "result": result}, tool
        if "conformance_counter" in offered:
            counted: Any = (await client.execute("conformance_counter", {})).result
            assert counted["result"] == {"counter": 3}
        if "conformance_stream" in offered:
            done = await client.execute("conformance_stream", {"parts": PARTS})
            assert [chunk["part"] for chunk in done.chunks] == PARTS
        for tool in offered.intersection(FAILURES):
            failed = await _failure_of(client, tool)
            assert WORDS in failed


async def _failure_of(client: HostClient, tool: str) -> str:
    """Return the words of a failure, which a host may report in a value too."""
    try:
        done: Any = await client.execute(tool, {"message": WORDS})
    except HostFailure as failure:
        return str(failure)
    assert done.result["success"] is False
    return str(done.result["error"])


async def client_meets_host(command: Command, folder: Path) -> None:
    with Driver(*command, cwd=ROOT, stderr=DEVNULL) as client:
        started = client.value("start", command=[*REFERENCE, "host"], config={})
        assert "error" not in started
        for tool, arguments, result in RESULTS:
            if tool == "conformance_return":
                continue
            done = client.value("execute", tool_name=tool, arguments=arguments)
            assert done["result"] == {"success": True, "result": result}, tool
        done = client.value(
            "execute", tool_name="conformance_stream", arguments={"parts": PARTS}
        )
        assert [chunk["part"] for chunk in done["chunks"]] == PARTS
        for tool in FAILURES:
            failed = client.value(
                "execute", tool_name=tool, arguments={"message": WORDS}
            )
            assert WORDS.partition('"')[0] in str(failed)
        client.value("close")


async def server_meets_client(command: Command, folder: Path) -> None:
    places = {"socket": str(folder / "s"), "home": str(folder)}
    variables = {**os.environ, "HOME": str(folder), "MEITH_HOME": f"{folder}/.meith"}
    filled = [part.format(**places) if "{" in part else part for part in command]
    server = await anyio.open_process(
        filled, cwd=ROOT, env=variables, stdout=None, stderr=None
    )
    try:
        with anyio.fail_after(WITHIN):
            while not _listens(places["socket"]):
                assert server.returncode is None
                await anyio.sleep(0.01)
        async with SocketClient(places["socket"], within=WITHIN) as client:
            await _call_server(client)
    finally:
        server.kill()
        await server.aclose()


def _listens(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


async def _call_server(client: SocketClient) -> None:
    listed: Any = await client.list_tools()
    offered: set[str] = {tool["name"] for tool in listed}
    for tool, arguments, result in RESULTS:
        if tool in offered:
            assert (await client.call(tool, arguments)).content == result, tool
    if "conformance_stream" in offered:
        events: list[Any] = []
        await client.call(
            "conformance_stream", {"parts": PARTS}, on_event=events.append
        )
        wanted = ['{"n":1}', '{"n":2}', "{}"]
        # A server may have events of its own.
        assert [one["message"] for one in events if one.get("message") in wanted] == (
            wanted
        )
    for tool in offered.intersection(FAILURES):
        with pytest.raises(ToolCallFailed):
            await client.call(tool, {"message": WORDS})
    with pytest.raises(ToolCallFailed) as caught:
        await client.call("conformance_no_such")
    assert caught.value.code == "UNKNOWN_TOOL"


async def _tool_meets_runtime(command: Command, mode: Mode) -> None:
    program, *args = command
    binding = Binding("tool", program, tuple(args), mode, env=("PYTHONPATH",))
    async with ExecRuntime([binding], grace=WITHIN) as runtime:
        for tool, arguments, result in RESULTS:
            made = await runtime.call("tool", {"tool": tool, "arguments": arguments})
            assert made == result, tool
        for tool in FAILURES:
            call: Any = {"tool": tool, "arguments": {"message": WORDS}}
            with pytest.raises(ToolReported) as caught:
                await runtime.call("tool", call)
            assert WORDS in str(caught.value)
        call = {"tool": "conformance_counter", "arguments": {}}
        counted = await runtime.call("tool", call)
        assert counted == {"counter": 3 if mode == "server" else 1}


async def oneshot_meets_runtime(command: Command, folder: Path) -> None:
    await _tool_meets_runtime(command, "exec")


async def exec_server_meets_runtime(command: Command, folder: Path) -> None:
    await _tool_meets_runtime(command, "server")


async def runtime_meets_tools(command: Command, folder: Path) -> None:
    with Driver(*command, cwd=ROOT, stderr=DEVNULL) as runtime:
        for mode, program in (("exec", "tool"), ("server", "server")):
            start, *args = REFERENCE
            runs: dict[str, Any] = {
                "command": start,
                "args": [*args, "exec", program],
                "runtime": mode,
                "env": ["PYTHONPATH"],
            }
            runtime.value("bind", name=mode, exec=runs)
            for tool, arguments, result in RESULTS:
                call = {"tool": tool, "arguments": arguments}
                made = runtime.value("call", tool=mode, args=call)
                assert made.get("error") is None, tool
                assert made["result"] == result, tool
            for tool in FAILURES:
                call = {"tool": tool, "arguments": {"message": WORDS}}
                assert runtime.value("call", tool=mode, args=call)["error"]
        runtime.value("close")


class BridgedRegistry:
    """A registry behind the bridge, as a provider has it in its context."""

    def __init__(self, driver: Driver, ops: Sequence[str]) -> None:
        self._driver = driver
        self._ops = ops

    def convert_schemas(
        self,
        schemas: list[Any],
        target: ToolInteropTarget | str,
        target_formats: list[str] | None = None,
    ) -> Any:
        return self._value(
            "convert_schemas",
            schemas=schemas,
            target=_name(target),
            target_formats=target_formats,
        )

    def convert_tool_calls(
        self, calls: list[Any], target: ToolInteropTarget | str
    ) -> Any:
        return self._value("convert_tool_calls", calls=calls, target=_name(target))

    def sanitize_tool_call(self, call: Any) -> Any:
        return self._value("sanitize_tool_call", call=call)

    def inspect_call(self, call: Any) -> CallInspection:
        return CallInspection(**self._value("inspect_call", call=call))

    def convert_results(
        self,
        results: list[Any],
        target: ToolInteropTarget | str,
        calls: list[Any] | None = None,
    ) -> Any:
        if "convert_results" not in self._ops:
            # It has schemas and calls alone.
            name = _name(target)
            return DEFAULT_TOOL_INTEROP_REGISTRY.convert_results(results, name, calls)
        return self._value(
            "convert_results", results=results, target=_name(target), calls=calls
        )

    def _value(self, op: str, **arguments: Any) -> Any:
        given = {key: one for key, one in arguments.items() if one is not None}
        return self._driver.value(op, **given)


def _name(target: ToolInteropTarget | str) -> str:
    return target if isinstance(target, str) else target.provider


PARAMETERS: Any = {"type": "object", "properties": {"path": {"type": "string"}}}

SCHEMA: Any = {
    "type": "function",
    "function": {"name": "read", "description": "Reads.", "parameters": PARAMETERS},
}

CALL: Any = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "read", "arguments": '{"path":"README.md"}'},
}

SAID: Any = {"ok": True, "value": "# README.md"}

PROVIDERS: Mapping[str, type[ChatProvider | ResponsesProvider]] = {
    "openai.chat_completions": ChatProvider,
    "openai.responses": ResponsesProvider,
}


async def registry_meets_provider(command: Command, folder: Path) -> None:
    with Driver(*command, cwd=ROOT, stderr=DEVNULL) as driver:
        about = driver.value("describe")
        context = {"tool_interop": {"registry": BridgedRegistry(driver, about["ops"])}}
        for target in about.get("targets", PROVIDERS):
            _flow(PROVIDERS[target](), context, lambda given: f"# {given['path']}")


def _flow(
    provider: ChatProvider | ResponsesProvider,
    context: Mapping[str, object],
    tool: Callable[[Any], Any],
) -> None:
    """Carry a tool, its call and its result through a provider, there and back."""
    asked: Any = {"role": "user", "content": "What does it say?"}
    state: Any = {"_tools": [SCHEMA], "request": {"payload": {"model": "m"}}}
    prepared: Any
    _, prepared = provider.initialize_request([asked], state, context=context)
    (sent,) = prepared["request"]["payload"]["tools"]
    assert sent.get("function", sent)["name"] == "read"
    (message,) = execute_calls([CALL], {"read": tool}, context=context)
    called: Any = {
        "role": "assistant",
        "content": "",
        "metadata": {"tool_calls": [CALL]},
    }
    (kept,), _, _ = provider.finalize([called], [], state, context=context)
    assert kept == called
    native = provider.to_native_messages([asked, kept, message], context=context)
    result: Any = native[-1]
    assert result.get("tool_call_id", result.get("call_id")) == "call_1"
    assert "# README.md" in str(result.get("content", result.get("output")))


async def tools_meet_provider(command: Command, folder: Path) -> None:
    told = {"name": "read", "description": "Reads.", "schema": PARAMETERS}
    with Driver(*command, cwd=ROOT, stderr=DEVNULL) as driver:
        driver.value("register", tools=[{**told, "steps": [{"return": SAID}]}])
        (listed,) = [
            one for one in driver.value("definitions") if one["name"] == "read"
        ]
        assert listed["parameters"]["properties"] == PARAMETERS["properties"]

        def run(payload: Any) -> Any:
            call = {"toolCallId": "call_1", "name": "read", "args": payload}
            (done,) = driver.value("execute_parallel", calls=[call])["results"]
            assert done["result"]["ok"] is True
            return done["result"]["value"]

        for provider in PROVIDERS.values():
            _flow(provider(), {}, run)


MEETINGS: Mapping[str, tuple[str, Meeting]] = {
    "host_v1": ("host", host_meets_client),
    "host_client": ("host-client", client_meets_host),
    "socket_v1": ("socket", server_meets_client),
    "exec_oneshot": ("exec", oneshot_meets_runtime),
    "exec_server": ("exec-server", exec_server_meets_runtime),
    "exec_runtime": ("exec-runtime", runtime_meets_tools),
    "interop": ("adapter", registry_meets_provider),
    "tool_contract": ("tools", tools_meet_provider),
}
"""For each folder the option of its subjects, and who they meet."""

PROGRAMS: Mapping[str, Sequence[str]] = {
    "host": (*REFERENCE, "host"),
    "host-client": (*REFERENCE, "host-client"),
    "socket": (*REFERENCE, "socket", "{socket}", "--home", "{home}/.meith"),
    "exec": (*REFERENCE, "exec", "tool"),
    "exec-server": (*REFERENCE, "exec", "server"),
    "exec-runtime": (*REFERENCE, "exec", "runtime"),
    "adapter": (*DRIVER, "wireproof_reference.interop:chat_subject"),
    "tools": (*DRIVER, "wireproof_reference.tool_contract:subject"),
}
"""What starts the reference of each option."""


def command_of(row: Row) -> Command:
    """Return what starts a row as its users do."""
    return row.driver if isinstance(row, RegistryRow) else row.command


BEYOND = {"odd-state": "the reference reads no number that a double cannot hold"}
"""Legal rows that the reference cannot use, and why."""


def marks_of(name: str) -> Sequence[pytest.MarkDecorator]:
    """Return the mark of a row that the reference cannot use."""
    return [pytest.mark.xfail(reason=BEYOND[name])] if name in BEYOND else []


ROWS = {
    folder: [
        pytest.param(
            folder, command_of(row), id=f"{folder}-{name}", marks=marks_of(name)
        )
        for name, row in load_proof(folder).legal.items()
        # A few registries show what they do in process only.
        if getattr(row, "bridged", True)
    ]
    for folder in MEETINGS
}

SHARE = 40
"""One row of so many of a protocol is tried in each run of the tests."""


@pytest.mark.parametrize(
    ("folder", "command"), [one for rows in ROWS.values() for one in rows[1::SHARE]]
)
def test_a_legal_subject_works_with_the_reference_of_the_other_side(
    folder: str, command: Command, tmp_path: Path
) -> None:
    anyio.run(MEETINGS[folder][1], command, tmp_path)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("folder", "command"), [one for rows in ROWS.values() for one in rows]
)
def test_each_legal_subject_works_with_the_reference_of_the_other_side(
    folder: str, command: Command, tmp_path: Path
) -> None:
    anyio.run(MEETINGS[folder][1], command, tmp_path)


@pytest.mark.sweep
@pytest.mark.parametrize("name", SHIPPED)
def test_each_program_works_with_the_reference_of_the_other_side(
    name: str, tmp_path: Path
) -> None:
    program = SHIPPED[name]
    command = _started(program.option, program.command, program.needs, tmp_path)
    (meeting,) = (m for option, m in MEETINGS.values() if option == program.option)
    anyio.run(meeting, command, tmp_path)


def _started(option: str, text: str, needs: str, folder: Path) -> Command:
    """Return what starts a program under `reference/`."""
    if text == "reference":
        return PROGRAMS[option]
    if needs == "jq" and shutil.which("jq") is None:
        pytest.skip("there is no jq")
    if needs.startswith("go_"):
        text = text.replace("@", built(f"{needs.removeprefix('go_')}s", folder))
    elif needs == "node":
        text = text.replace("@", node())
    if ":" in text and " " not in text:
        return (*DRIVER, text)
    return tuple(shlex.split(text))
