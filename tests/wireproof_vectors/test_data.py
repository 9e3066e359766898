"""The loader hands out what the data files hold."""

import hashlib
import json
import os
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import wireproof_vectors
from wireproof_vectors import ClausePart

DATA = Path(str(files(wireproof_vectors)))


def test_the_protocols_are_named() -> None:
    assert wireproof_vectors.protocols() == (
        "exec-oneshot",
        "exec-runtime",
        "exec-server",
        "host-client",
        "host-v1",
        "interop",
        "socket-v1",
        "tool-contract",
    )


def test_a_clause_has_its_level_source_and_text() -> None:
    first = wireproof_vectors.load_clauses("host-v1")[0]
    assert (first.id, first.level, first.source) == ("HV1-T1", "must", "seed")
    assert first.text.startswith("every line on stdout is one JSON object")
    assert first.monitored
    assert not first.withdrawn
    assert first.excluded is None


def test_a_part_without_a_source_has_that_of_its_clause() -> None:
    clauses = {c.id: c for c in wireproof_vectors.load_clauses("host-v1")}
    assert clauses["HV1-T10"].parts == (
        ClausePart(
            "may",
            "derived",
            "one of 16 MiB (record: handled, refused, unanswered, or the host ended).",
        ),
    )


def test_a_part_with_a_source_keeps_it() -> None:
    clauses = {c.id: c for c in wireproof_vectors.load_clauses("host-client")}
    assert clauses["HV1-C1"].source == "seed"
    assert clauses["HV1-C1"].parts[0].source == "derived"


def test_a_vector_has_the_level_and_source_of_its_clause() -> None:
    vectors = {v.id: v for v in wireproof_vectors.load_vectors("host-v1")}
    vector = vectors["host-v1/execute-tool/echo-unicode"]
    assert (vector.level, vector.source) == ("must", "derived")
    assert (vector.kind, vector.group) == ("exchange", "execute-tool")
    assert vector.clauses == ("HV1-M10",)
    assert vector.data["needs"] == {"tools": ["conformance_echo"]}


def test_a_vector_keeps_a_level_and_source_of_its_own() -> None:
    vectors = {v.id: v for v in wireproof_vectors.load_vectors("host-v1")}
    vector = vectors["host-v1/execute-tool/arguments-null"]
    assert (vector.clauses, vector.level, vector.source) == (
        ("HV1-R9",),
        "should",
        "derived",
    )


def test_a_property_says_what_it_is_charged_to_and_what_it_needs() -> None:
    properties = {one.id: one for one in wireproof_vectors.load_properties("host-v1")}
    cuts = properties["host-v1/fuzz/cuts"]
    assert (cuts.kind, cuts.clauses, cuts.level) == ("fuzz", ("HV1-T4",), "must")
    assert cuts.needs == {"joined": ["two"], "answers": ["unknown_tool"]}
    assert properties["host-v1/scenarios/three-seconds"].kind == "scenario"


def test_a_protocol_may_have_no_properties() -> None:
    assert wireproof_vectors.load_properties("host-client") == ()


def test_the_setup_says_how_a_subject_is_started() -> None:
    assert wireproof_vectors.load_setup("host-v1")["start"] == {"config": {}}


def test_the_setup_of_a_socket_has_its_controls() -> None:
    setup: Any = wireproof_vectors.load_setup("socket-v1")
    assert setup["controls"][0] == {"type": "list_tools", "protocol": 1}


def test_the_setup_of_interop_has_three_controls_for_each_op() -> None:
    setup: Any = wireproof_vectors.load_setup("interop")
    assert len(setup["controls"]["convert_schemas"]) == 3
    assert len(setup["controls"]["finalize"]["openai.responses"]) == 3


def test_a_clause_that_a_scenario_tries_says_so() -> None:
    clauses = {c.id: c for c in wireproof_vectors.load_clauses("interop")}
    assert clauses["INT-G1"].scenario
    assert not clauses["INT-S1"].scenario


def test_a_withdrawn_clause_keeps_its_id() -> None:
    clauses = {c.id: c for c in wireproof_vectors.load_clauses("interop")}
    assert clauses["INT-C11"].withdrawn


def test_the_toolset_has_all_tools_in_order() -> None:
    names = [tool.name for tool in wireproof_vectors.load_toolset()]
    assert len(names) == 19
    assert names[:2] == ["conformance_echo", "conformance_fail"]


def test_a_tool_has_its_parameters_and_protocols() -> None:
    echo, *_, freeform = wireproof_vectors.load_toolset()
    assert echo.protocols == ("host-v1", "socket-v1", "exec")
    assert echo.capabilities == ("read-only",)
    assert echo.parameters is not None
    assert echo.parameters["required"] == ["value"]
    assert freeform.parameters is None


@pytest.mark.parametrize(
    "name",
    [
        "clauses",
        "host_v1/event",
        "host_v1/request",
        "host_v1/response",
        "host_v1/setup",
        "host_v1/vectors",
        "interop/chat_call",
        "interop/chat_custom",
        "interop/chat_function",
        "interop/chat_result",
        "interop/core_assistant_message",
        "interop/core_tool_message",
        "interop/responses_call",
        "interop/responses_custom",
        "interop/responses_function",
        "interop/responses_result",
        "interop/setup",
        "interop/stored_result",
        "interop/vectors",
        "model",
        "report",
        "socket_v1/cancel_tool_call",
        "socket_v1/error",
        "socket_v1/list_tools",
        "socket_v1/setup",
        "socket_v1/tool_call",
        "socket_v1/tool_event",
        "socket_v1/tool_result",
        "socket_v1/tools_list",
        "socket_v1/vectors",
        "toolset",
        "vectors",
    ],
)
def test_a_schema_is_found_by_its_name(name: str) -> None:
    schema = wireproof_vectors.load_schema(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_an_unknown_schema_is_an_error() -> None:
    with pytest.raises(LookupError, match="no schema 'nothing'"):
        wireproof_vectors.load_schema("nothing")


def test_an_unknown_protocol_is_an_error_that_names_those_known() -> None:
    with pytest.raises(LookupError, match=r"'host-v9'; there is .*host-v1, "):
        wireproof_vectors.load_vectors("host-v9")


def test_the_hash_is_that_of_all_data_files() -> None:
    digest = hashlib.sha256()
    for file in sorted(
        DATA.rglob("*.json"), key=lambda f: f.relative_to(DATA).as_posix()
    ):
        content = file.read_bytes()
        name = file.relative_to(DATA).as_posix()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    assert wireproof_vectors.vectors_sha256() == digest.hexdigest()


def test_the_hash_is_64_hexadecimal_digits() -> None:
    assert re.fullmatch("[0-9a-f]{64}", wireproof_vectors.vectors_sha256())


TOOL_ROW = r"^\| `(\w+)`(?: \(optional\))? \| (?:\(.*\)|(.*?)) \| (.*?) \| .* \|$"


@pytest.fixture
def tool_rows() -> dict[str, tuple[list[str], str]]:
    if (folder := os.environ.get("WIREPROOF_SPEC")) is None:
        pytest.skip("WIREPROOF_SPEC does not name the folder of the specification")
    text = (Path(folder) / "toolset.md").read_text(encoding="utf-8")
    return {
        row[1]: ((row[2] or "").split(", "), row[3])
        for row in re.finditer(TOOL_ROW, text, re.MULTILINE)
    }


def test_the_toolset_of_a_protocol_is_its_column(
    tool_rows: dict[str, tuple[list[str], str]],
) -> None:
    short = {"host-v1": "host", "socket-v1": "socket", "exec": "exec"}
    columns = {
        tool.name: [short[name] for name in tool.protocols if name in short]
        for tool in wireproof_vectors.load_toolset()
        if tool.parameters is not None
    }
    assert columns == {
        name: columns for name, (columns, _) in tool_rows.items() if columns != [""]
    }


def test_the_arguments_of_a_tool_are_those_of_its_row(
    tool_rows: dict[str, tuple[list[str], str]],
) -> None:
    for tool in wireproof_vectors.load_toolset():
        if tool.parameters is not None:
            parameters: Any = tool.parameters
            named = re.findall(r"`(\w+)`: (\w+)", tool_rows[tool.name][1])
            assert named == [
                (name, argument.get("type", "any"))
                for name, argument in parameters["properties"].items()
            ], tool.name


@pytest.mark.parametrize("file", sorted(DATA.rglob("*.json")), ids=lambda f: f.name)
def test_a_data_file_is_plain_readable_text(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert re.search(r"[ \t]\n|\t", text) is None
    # What cannot be seen is written as an escape.
    invisible = [c for c in text if not c.isprintable() and c != "\n"]
    assert invisible == []
    json.loads(text)
