from __future__ import annotations

import pytest

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.toolset import ToolFailure, conformance_tools
from wireproof_vectors import load_toolset

pytestmark = pytest.mark.anyio

TOOLS = {tool.name: tool for tool in conformance_tools()}


class Context:
    def __init__(self, **state: JSON) -> None:
        self.state: JSONObject = state
        self.emitted: list[JSON] = []

    async def emit(self, payload: JSON) -> None:
        self.emitted.append(payload)


async def run(name: str, arguments: JSONObject, context: Context | None = None) -> JSON:
    return await TOOLS[name].run(arguments, context or Context())


def test_the_tools_are_those_of_the_toolset() -> None:
    specified = [
        (spec.name, spec.description, spec.parameters)
        for spec in load_toolset()
        if "host-v1" in spec.protocols
    ]
    assert [(t.name, t.description, t.parameters) for t in TOOLS.values()] == specified


async def test_echo_gives_its_value() -> None:
    assert await run("conformance_echo", {"value": [1, None]}) == {"value": [1, None]}


async def test_fail_reports_its_message() -> None:
    with pytest.raises(ToolFailure) as caught:
        await run(
            "conformance_fail", {"message": "no", "code": "E", "details": {"a": 1}}
        )
    assert caught.value.message == "no"
    assert caught.value.code == "E"
    assert caught.value.details == {"a": 1}


async def test_fail_has_a_code_of_its_own() -> None:
    with pytest.raises(ToolFailure) as caught:
        await run("conformance_fail", {"message": ""})
    assert caught.value.code == "TOOL_FAILED"


async def test_throw_raises_its_message() -> None:
    with pytest.raises(RuntimeError, match=r"^boom$"):
        await run("conformance_throw", {"message": "boom"})


async def test_stream_emits_its_parts_in_order() -> None:
    context = Context()
    parts: list[JSON] = [{"n": 1}, {}, {"n": 3}]
    result = await run("conformance_stream", {"parts": parts, "delay_ms": 1}, context)
    assert result == {"count": 3}
    assert context.emitted == parts


async def test_counter_adds_to_the_state() -> None:
    context = Context(conformance_counter=40, other=True)
    assert await run("conformance_counter", {}, context) == {"counter": 41}
    assert await run("conformance_counter", {"by": -1.0}, context) == {"counter": 40}
    assert context.state == {"conformance_counter": 40, "other": True}


async def test_counter_starts_at_nothing() -> None:
    assert await run("conformance_counter", {"by": 5}) == {"counter": 5}


async def test_sleep_gives_its_time() -> None:
    assert await run("conformance_sleep", {"ms": 1}) == {"slept_ms": 1}


async def test_blob_has_its_size() -> None:
    assert await run("conformance_blob", {"size": 3}) == "xxx"


async def test_print_prints_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert await run("conformance_print", {"text": "hello"}) == {"printed": True}
    assert capsys.readouterr().out == "hello\n"


async def test_stderr_writes_its_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert await run("conformance_stderr", {"size": 5}) == {"written": 5}
    assert capsys.readouterr().err == "xxxxx"


async def test_env_gives_values_or_null(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIREPROOF_THERE", "yes")
    monkeypatch.delenv("WIREPROOF_MISSING", raising=False)
    names: list[JSON] = ["WIREPROOF_THERE", "WIREPROOF_MISSING"]
    assert await run("conformance_env", {"names": names}) == {
        "WIREPROOF_THERE": "yes",
        "WIREPROOF_MISSING": None,
    }


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("conformance_fail", {}, "message must be a string"),
        ("conformance_throw", {"message": 5}, "message must be a string"),
        ("conformance_sleep", {}, "ms must be an integer"),
        ("conformance_sleep", {"ms": True}, "ms must be an integer"),
        ("conformance_blob", {"size": 1.5}, "size must be an integer"),
        ("conformance_counter", {"by": "1"}, "by must be an integer"),
        ("conformance_stream", {"parts": {}}, "parts must be an array"),
        ("conformance_stream", {"parts": [1]}, "parts must be an array of objects"),
        ("conformance_env", {"names": "HOME"}, "names must be an array"),
        ("conformance_env", {"names": [1]}, "names must be an array of strings"),
    ],
)
async def test_a_wrong_argument_is_a_reported_failure(
    name: str, arguments: JSONObject, message: str
) -> None:
    with pytest.raises(ToolFailure) as caught:
        await run(name, arguments)
    assert caught.value.message == message
    assert caught.value.code == "INVALID_ARGUMENTS"
