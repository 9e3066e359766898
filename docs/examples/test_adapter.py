import pytest

from wireproof import AdapterHandle, NoAnswer

CUT = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "read_file", "arguments": '{"path":'},
}


def test_a_cut_call_is_mended(adapter: AdapterHandle) -> None:
    mended = adapter.ask("sanitize_tool_call", call=CUT)
    assert mended["function"]["arguments"] == "{}"


def test_a_refusal_is_an_error(adapter: AdapterHandle) -> None:
    with pytest.raises(NoAnswer, match="convert_schemas"):
        adapter.ask("convert_schemas", schemas=[{"type": "x"}], target="nowhere")
