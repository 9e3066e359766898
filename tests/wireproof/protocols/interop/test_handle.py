from __future__ import annotations

from pathlib import Path

from wireproof.checks import Settings, Target
from wireproof.protocols.interop._protocol import PROTOCOL
from wireproof.subjects import driver_command

REFERENCE = "wireproof_reference.interop:chat_subject"


def test_a_registry_carries_out_the_ops_of_interop(tmp_path: Path) -> None:
    target = Target("interop", REFERENCE, driver_command(REFERENCE), REFERENCE)
    call = {"type": "function_call", "call_id": "1", "name": "n", "arguments": "{"}
    with PROTOCOL.handle(target, Settings(tmp_path)) as handle:
        assert "finalize" in handle.description.ops
        found = handle.ask("sanitize_tool_call", call=call)
    assert found == {**call, "arguments": "{}"}
