from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from tests.wireproof_reference.exec.shell_tools import Presence, shell

from wireproof_reference.exec import (
    BadAnswer,
    BadArguments,
    Binding,
    CallTimeout,
    ExecRuntime,
    RuntimeClosed,
    ToolExited,
    ToolNotStarted,
    ToolReported,
    UnknownTool,
)
from wireproof_reference.framing import JSON

pytestmark = pytest.mark.anyio

ECHO = """printf '{"result":'; cat; printf '}'"""
ENVIRONMENT = """printf '{"result":"%s"}' "$(tr '\\0' ' ' </proc/$$/environ)" """


async def call(runtime: ExecRuntime, binding: Binding, args: JSON = None) -> JSON:
    await runtime.bind(binding)
    return await runtime.call(binding.name, args)


async def failure(
    runtime: ExecRuntime, script: str, kind: type[Exception], **more: Any
) -> str:
    with pytest.raises(kind) as caught:
        await call(runtime, shell("tool", script, **more))
    return str(caught.value)


@pytest.mark.parametrize(
    "args",
    [{}, {"n": 12345678901234567890, "": [None, False, "\u2028\ud800"]}, "x" * 2**20],
    ids=["empty", "odd", "long"],
)
async def test_the_tool_gets_one_object_with_args(
    runtime: ExecRuntime, args: JSON
) -> None:
    assert await call(runtime, shell("echo", ECHO), args) == {"args": args}


@pytest.mark.parametrize(
    ("written", "result"), [("null", None), ("false", False), ("[0]", [0])]
)
async def test_the_result_is_that_of_the_tool(
    runtime: ExecRuntime, written: str, result: JSON
) -> None:
    script = f"""echo; echo '{{"result":{written}}}'"""
    assert await call(runtime, shell("tool", script)) == result


@pytest.mark.parametrize("script", ["", "exec <&-;"], ids=["unread", "closed"])
async def test_a_tool_may_leave_its_input_unread(
    runtime: ExecRuntime, script: str
) -> None:
    tool = shell("tool", f"""{script} echo '{{"result":1}}'""")
    assert await call(runtime, tool, "x" * 2**20) == 1


async def test_a_reported_error_keeps_its_words(runtime: ExecRuntime) -> None:
    text = await failure(runtime, """echo '{"error":"no model"}'""", ToolReported)
    assert text == "tool failed: no model"


async def test_a_reported_error_may_be_empty(runtime: ExecRuntime) -> None:
    assert await failure(runtime, """echo '{"error":""}'""", ToolReported) == (
        "tool failed"
    )


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (":", "tool wrote nothing to stdout"),
        ("echo nope", "tool wrote no JSON object to stdout: not-json"),
        ("""echo '{"result":1}{}'""", "tool wrote no JSON object to stdout: not-json"),
        ("echo [1]", "tool wrote JSON to stdout that is no object"),
        ("echo {}", "tool wrote neither result nor error"),
        ("""echo '{"result":1,"error":"x"}'""", "tool wrote both result and error"),
        ("""echo '{"error":5}'""", "tool wrote an error that is no string"),
    ],
)
async def test_what_is_no_answer_is_a_failure(
    runtime: ExecRuntime, script: str, text: str
) -> None:
    assert text in await failure(runtime, script, BadAnswer)


async def test_another_status_is_a_failure_and_the_end_of_stderr_is_quoted(
    runtime: ExecRuntime,
) -> None:
    script = """echo '{"result":1}'; yes | head -c 300000 >&2; echo last >&2; exit 3"""
    text = await failure(runtime, script, ToolExited)
    assert text.startswith("tool exited with status 3; its stderr ends with: ")
    assert text.endswith("\nlast")


async def test_a_signal_is_a_failure_that_names_it(runtime: ExecRuntime) -> None:
    text = await failure(runtime, "kill -SEGV $$", ToolExited)
    assert text == "tool was ended by SIGSEGV"


async def test_a_real_time_signal_has_a_number(runtime: ExecRuntime) -> None:
    text = await failure(runtime, "kill -40 $$", ToolExited)
    assert text == "tool was ended by signal 40"


async def test_output_without_end_is_a_failure(presence: Presence) -> None:
    async with ExecRuntime(max_output_bytes=100_000) as runtime:
        text = await failure(runtime, f"{presence.script} yes", BadAnswer)
    assert text == "tool wrote more than 100000 bytes to stdout"
    assert presence.wait_for_all_gone() == b"\n"


async def test_a_call_that_takes_too_long_is_ended_with_all_its_children(
    runtime: ExecRuntime, presence: Presence
) -> None:
    script = f"{presence.script} trap '' TERM; sleep 100 & sleep 100"
    text = await failure(runtime, script, CallTimeout, timeout_ms=500)
    assert text == "tool timed out after 500 ms"
    assert presence.wait_for_all_gone() == b"\n"


async def test_the_default_limit_holds_where_there_is_no_other(
    runtime: ExecRuntime,
) -> None:
    runtime.default_timeout_ms = 100
    text = await failure(runtime, "sleep 100", CallTimeout)
    assert text == "tool timed out after 100 ms"


async def test_a_child_that_holds_the_pipes_is_not_waited_for(
    runtime: ExecRuntime, presence: Presence
) -> None:
    tool = shell("tool", f"""{presence.script} sleep 100 & echo '{{"result":1}}'""")
    assert await call(runtime, tool) == 1
    assert presence.wait_for_all_gone() == b"\n"


async def test_a_cancelled_call_is_ended(
    runtime: ExecRuntime, presence: Presence
) -> None:
    await runtime.bind(shell("tool", f"{presence.script} exec sleep 100"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(runtime.call, "tool", None)
        await anyio.lowlevel.checkpoint()
        await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    assert presence.wait_for_all_gone() in {b"", b"\n"}


async def test_only_the_listed_variables_are_handed_on() -> None:
    environ = {"WP_A": "1", "WP_SECRET": "2", "PATH": "/bin"}
    async with ExecRuntime(environ=environ) as runtime:
        tool = shell("tool", ENVIRONMENT, env=("WP_A", "WP_UNSET"))
        assert await call(runtime, tool) == "WP_A=1 "


async def test_a_variable_is_read_when_the_process_is_started() -> None:
    environ = {"WP_A": "1"}
    async with ExecRuntime(environ=environ) as runtime:
        tool = shell("tool", ENVIRONMENT, env=("WP_A",))
        await runtime.bind(tool)
        environ["WP_A"] = "2"
        assert await runtime.call("tool", {}) == "WP_A=2 "
        del environ["WP_A"]
        assert await runtime.call("tool", {}) == ""


async def test_arguments_are_handed_on_as_they_are(runtime: ExecRuntime) -> None:
    script = """printf '{"result":"'; printf '<%s>' "$0" "$@"; printf '"}'"""
    tool = shell("tool", script, "a b", "$HOME", "*", ";ls", "")
    assert await call(runtime, tool) == "<a b><$HOME><*><;ls><>"


async def test_a_name_is_looked_for_in_our_own_path(tmp_path: Path) -> None:
    tool = tmp_path / "wp-tool"
    tool.write_text("#!/bin/sh\necho '{\"result\":1}'\n")
    tool.chmod(0o755)
    async with ExecRuntime(environ={"PATH": str(tmp_path)}) as runtime:
        assert await call(runtime, Binding("tool", "wp-tool")) == 1


@pytest.mark.parametrize(
    ("command", "args", "why"),
    [
        ("wp-no-such", (), "'wp-no-such': there is no such command"),
        ("/no/such", (), "'/no/such': there is no such command"),
        ("/etc/passwd", (), "'/etc/passwd': it may not be executed"),
        ("/", (), "'/': it may not be executed"),
        ("/bin/sh", ("\0",), "'/bin/sh': embedded null byte"),
        ("/bin/sh", ("x" * 2**20,), "'/bin/sh': Argument list too long"),
    ],
)
async def test_a_command_that_cannot_be_started_is_named(
    runtime: ExecRuntime, command: str, args: tuple[str, ...], why: str
) -> None:
    with pytest.raises(ToolNotStarted) as caught:
        await call(runtime, Binding("tool", command, args))
    assert str(caught.value) == f"tool cannot be started: {why}"


async def test_calls_run_beside_each_other(
    runtime: ExecRuntime, tmp_path: Path
) -> None:
    # Each waits for the other: in turns, neither would answer.
    meet = tmp_path / "meet"
    first = f"mkfifo {meet}.1; cat <{meet}.1 >/dev/null"
    second = f"until [ -p {meet}.1 ]; do :; done; : >{meet}.1"
    await runtime.bind(shell("first", f"""{first}; echo '{{"result":1}}'"""))
    await runtime.bind(shell("second", f"""{second}; echo '{{"result":2}}'"""))
    calls: list[tuple[str, JSON]] = [("first", {}), ("nope", {}), ("second", {})]
    one, unknown, two = await runtime.call_many(calls)
    assert (one, two) == (1, 2)
    assert isinstance(unknown, UnknownTool)
    assert str(unknown) == "nope is bound to nothing"


async def test_arguments_that_break_the_schema_start_nothing(
    runtime: ExecRuntime, tmp_path: Path
) -> None:
    schema: Any = {"type": "object", "properties": {"n": {"type": "integer"}}}
    touched = tmp_path / "touched"
    script = f"""touch {touched}; echo '{{"result":1}}'"""
    with pytest.raises(BadArguments) as caught:
        await call(runtime, shell("tool", script, parameters=schema), {"n": "x"})
    assert str(caught.value) == 'tool was not called: n must satisfy {"type":"integer"}'
    assert not touched.exists()
    assert await runtime.call("tool", {"n": 5.0}) == 1


async def test_a_schema_that_refers_to_nothing_fetches_nothing(
    runtime: ExecRuntime,
) -> None:
    schema: Any = {"$ref": "https://example.invalid/schema.json"}
    with pytest.raises(BadArguments) as caught:
        await call(runtime, shell("tool", ":", parameters=schema), {})
    assert str(caught.value) == (
        "tool was not called: the schema refers to what it has not: "
        "https://example.invalid/schema.json"
    )


async def test_arguments_that_json_cannot_hold_start_nothing(
    runtime: ExecRuntime,
) -> None:
    with pytest.raises(BadArguments, match="tool was not called: nan has no JSON"):
        await call(runtime, shell("tool", ":"), float("nan"))


async def test_a_tool_that_is_bound_anew_is_the_new_one(runtime: ExecRuntime) -> None:
    await runtime.bind(shell("tool", "exit 1"))
    assert await call(runtime, shell("tool", """echo '{"result":1}'""")) == 1
    assert [binding.name for binding in runtime.bindings] == ["tool"]


async def test_a_closed_runtime_calls_nothing() -> None:
    async with ExecRuntime([shell("tool", "exit 1")]) as runtime:
        await runtime.close()
        await runtime.close()
    with pytest.raises(RuntimeClosed, match="tool was closed before it answered"):
        await runtime.call("tool", {})


async def test_leaving_the_runtime_ends_the_calls_in_flight(
    presence: Presence,
) -> None:
    outcomes: list[Any] = []

    async def keep() -> None:
        outcomes.extend(await runtime.call_many([("tool", {})]))

    script = f"{presence.script} exec sleep 100"
    async with (
        anyio.create_task_group() as tasks,
        ExecRuntime([shell("tool", script)]) as runtime,
    ):
        tasks.start_soon(keep)
        await anyio.lowlevel.checkpoint()
        await anyio.lowlevel.checkpoint()
    assert [type(outcome) for outcome in outcomes] == [RuntimeClosed]
    assert presence.wait_for_all_gone() in {b"", b"\n"}
