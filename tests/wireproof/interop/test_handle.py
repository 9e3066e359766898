from __future__ import annotations

from pathlib import Path

import pytest

from wireproof._errors import NoAnswer
from wireproof._settings import Settings, Target
from wireproof.interop._handle import AdapterHandle
from wireproof.interop._protocol import PROTOCOL

SETTINGS = Settings(Path.cwd(), timeout=10.0)


def named(text: str) -> Target:
    return Target("interop", text, PROTOCOL.command(text), text)


REGISTRY = named("wireproof_reference.interop:InteropSubject")
BROKEN = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "read_file", "arguments": '{"path":'},
}


def test_a_handle_carries_out_ops() -> None:
    with AdapterHandle(REGISTRY, SETTINGS) as handle:
        call = handle.ask("sanitize_tool_call", call=BROKEN)
        assert call["function"] == {"name": "read_file", "arguments": "{}"}


def test_a_handle_says_what_is_offered() -> None:
    with AdapterHandle(REGISTRY, SETTINGS) as handle:
        assert "convert_schemas" in handle.description.ops
        assert "openai.responses.custom" in handle.description.formats


def test_a_refusal_is_told() -> None:
    with (
        AdapterHandle(REGISTRY, SETTINGS) as handle,
        pytest.raises(NoAnswer, match=r"^inspect_schema: .*odd"),
    ):
        handle.ask("inspect_schema", schema={"type": "odd", "name": "x"})


def test_a_registry_that_cannot_be_imported_is_told() -> None:
    handle = AdapterHandle(named("no_such_module:registry"), SETTINGS)
    with pytest.raises(NoAnswer, match="cannot import no_such_module"):
        handle.__enter__()


def test_a_driver_that_died_is_started_again(tmp_path: Path) -> None:
    module = tmp_path / "leaving.py"
    module.write_text(
        "import os\n"
        "class Registry:\n"
        "    def inspect_call(self, call):\n"
        "        os._exit(3)\n"
        "    def sanitize_tool_call(self, call):\n"
        "        return call\n"
    )
    settings = Settings(tmp_path, timeout=10.0)
    with AdapterHandle(named("leaving:Registry"), settings) as handle:
        with pytest.raises(NoAnswer, match=r"^inspect_call: .*status 3"):
            handle.ask("inspect_call", call={})
        assert handle.ask("sanitize_tool_call", call={"type": "x"}) == {"type": "x"}
