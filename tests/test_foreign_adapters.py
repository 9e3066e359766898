"""The adapter registry in JavaScript does what the clauses of interop ask."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from tests.bridge import NODE_DRIVER, Driver

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
}
READ_FILE: dict[str, Any] = {
    "name": "read_file",
    "description": "Read.",
    "parameters": PARAMETERS,
    "strict": True,
}
CHAT_FUNCTION = {"type": "function", "function": READ_FILE}
FUNCTION = {"type": "function", **READ_FILE}
PATCH = {"name": "apply_patch", "description": "Patch."}
GRAMMAR = {"syntax": "lark", "definition": "start: /.+/"}
CHAT_CUSTOM: dict[str, Any] = {
    "type": "custom",
    "custom": {**PATCH, "format": {"type": "grammar", "grammar": GRAMMAR}},
}
CUSTOM: dict[str, Any] = {
    "type": "custom",
    **PATCH,
    "format": {"type": "grammar", **GRAMMAR},
}
PATCH_PARAMETERS = {
    "type": "object",
    "properties": {
        "input": {
            "type": "string",
            "description": "Text that this lark grammar accepts:\nstart: /.+/",
        }
    },
    "required": ["input"],
    "additionalProperties": False,
}
PATCH_FUNCTION = {**PATCH, "parameters": PATCH_PARAMETERS}

ARGUMENTS = '{ "path":"README.md", "n":1.0 }'
CHAT_CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "read_file", "arguments": ARGUMENTS},
}
CALL = {
    "type": "function_call",
    "call_id": "c1",
    "name": "read_file",
    "arguments": ARGUMENTS,
}
INPUT = '{"not": decoded,\n\u2028 '
CHAT_CUSTOM_CALL = {
    "id": "c2",
    "type": "custom",
    "custom": {"name": "apply_patch", "input": INPUT},
}
CUSTOM_CALL = {
    "type": "custom_tool_call",
    "call_id": "c2",
    "name": "apply_patch",
    "input": INPUT,
}


@pytest.fixture(scope="module")
def driver(node: str) -> Iterator[Driver]:
    with Driver(node, str(NODE_DRIVER)) as driver:
        yield driver


def test_it_describes_itself(driver: Driver) -> None:
    described = driver.value("describe")
    assert described["language"].startswith("JavaScript (Node ")
    assert described["ops"] == [
        "convert_schemas",
        "inspect_schema",
        "convert_tool_calls",
        "inspect_call",
        "sanitize_tool_call",
        "inspect_result",
        "convert_results",
        "initialize_request",
        "from_native_messages",
        "finalize",
        "to_native_messages",
        "accumulate",
    ]
    assert described["formats"] == [
        "openai.chat_completions.function",
        "openai.chat_completions.custom",
        "openai.responses.function",
        "openai.responses.custom",
    ]


@pytest.mark.parametrize(
    ("schema", "target", "formats", "expected"),
    [
        (CHAT_FUNCTION, CHAT, None, CHAT_FUNCTION),
        (FUNCTION, RESPONSES, None, FUNCTION),
        (CUSTOM, RESPONSES, None, CUSTOM),
        (CHAT_FUNCTION, RESPONSES, None, FUNCTION),
        (FUNCTION, CHAT, None, CHAT_FUNCTION),
        (CUSTOM, CHAT, None, {"type": "function", "function": PATCH_FUNCTION}),
        (CHAT_CUSTOM, CHAT, None, {"type": "function", "function": PATCH_FUNCTION}),
        (CHAT_CUSTOM, RESPONSES, None, CUSTOM),
        (CUSTOM, CHAT, [f"{CHAT}.custom"], CHAT_CUSTOM),
        (CHAT_CUSTOM, CHAT, [f"{CHAT}.function", f"{CHAT}.custom"], CHAT_CUSTOM),
        (
            CUSTOM,
            RESPONSES,
            [f"{RESPONSES}.function"],
            {"type": "function", **PATCH_FUNCTION, "strict": False},
        ),
        (CUSTOM, CHAT, [f"{RESPONSES}.custom"], CUSTOM),
    ],
)
def test_a_schema_takes_an_accepted_format(
    driver: Driver,
    schema: dict[str, Any],
    target: str,
    formats: list[str] | None,
    expected: dict[str, Any],
) -> None:
    wanted = {} if formats is None else {"target_formats": formats}
    converted = driver.value(
        "convert_schemas", schemas=[schema], target=target, **wanted
    )
    assert converted == [expected]


def test_a_schema_in_an_accepted_format_keeps_what_it_has(driver: Driver) -> None:
    schemas = [
        {"type": "function", "x": 1, "function": {"name": "a", "__proto__": {"y": 2}}},
        {"type": "function", "function": {"name": "a", "strict": None}},
    ]
    assert driver.value("convert_schemas", schemas=schemas, target=CHAT) == schemas


def test_absent_keys_of_a_schema_stay_absent_but_for_strict(driver: Driver) -> None:
    schemas = [{"type": "function", "function": {"name": "a"}}]
    flat = driver.value("convert_schemas", schemas=schemas, target=RESPONSES)
    assert flat == [{"type": "function", "name": "a", "strict": False}]
    nested = [{"type": "function", "function": {"name": "a", "strict": False}}]
    assert driver.value("convert_schemas", schemas=flat, target=CHAT) == nested


@pytest.mark.parametrize(
    ("schema", "mentions"),
    [
        ({"type": "retrieval", "name": "look_up"}, ["retrieval", "look_up"]),
        ({"type": "function", "function": 1}, ["function"]),
        ({"name": "look_up"}, ["look_up", "undefined"]),
    ],
)
def test_a_schema_that_no_accessor_knows_is_named(
    driver: Driver, schema: dict[str, Any], mentions: list[str]
) -> None:
    error = driver.error("convert_schemas", schemas=[schema], target=CHAT)
    assert error["type"] == "UnknownFormat"
    assert all(text in error["detail"] for text in mentions)
    assert driver.error("inspect_schema", schema=schema)["type"] == "UnknownFormat"


@pytest.mark.parametrize("formats", [[f"{RESPONSES}.custom"], ["acme.tool"], []])
def test_a_schema_that_leads_nowhere_is_named(
    driver: Driver, formats: list[str]
) -> None:
    error = driver.error(
        "convert_schemas", schemas=[FUNCTION], target=CHAT, target_formats=formats
    )
    assert error["type"] == "NoAdapter"
    assert "'read_file' of type 'function'" in error["detail"]


@pytest.mark.parametrize(
    ("op", "key"),
    [
        ("convert_schemas", "schemas"),
        ("convert_tool_calls", "calls"),
        ("convert_results", "results"),
    ],
)
def test_a_target_that_is_unknown_is_named(driver: Driver, op: str, key: str) -> None:
    error = driver.error(op, **{key: [], "target": "acme.talk"})
    assert error["type"] == "UnknownTarget"
    assert "acme.talk" in error["detail"]


@pytest.mark.parametrize(
    ("schema", "format_"),
    [(CHAT_FUNCTION, f"{CHAT}.function"), (FUNCTION, f"{RESPONSES}.function")],
)
def test_a_function_schema_is_inspected(
    driver: Driver, schema: dict[str, Any], format_: str
) -> None:
    assert driver.value("inspect_schema", schema=schema) == {
        "name": "read_file",
        "description": "Read.",
        "parameters": PARAMETERS,
        "payload_kind": "object",
        "format": format_,
    }


@pytest.mark.parametrize(
    ("schema", "format_"),
    [(CHAT_CUSTOM, f"{CHAT}.custom"), (CUSTOM, f"{RESPONSES}.custom")],
)
def test_a_custom_schema_is_inspected(
    driver: Driver, schema: dict[str, Any], format_: str
) -> None:
    assert driver.value("inspect_schema", schema=schema) == {
        "name": "apply_patch",
        "description": "Patch.",
        "parameters": None,
        "payload_kind": "text",
        "format": format_,
    }


def test_calls_are_converted_there_and_back(driver: Driver) -> None:
    chat = [CHAT_CALL, CHAT_CUSTOM_CALL, CHAT_CALL]
    items = [CALL, CUSTOM_CALL, CALL]
    assert driver.value("convert_tool_calls", calls=chat, target=RESPONSES) == items
    assert driver.value("convert_tool_calls", calls=items, target=CHAT) == chat


def test_a_call_in_the_format_of_its_target_keeps_what_it_has(driver: Driver) -> None:
    calls = [{**CALL, "id": "fc_1", "status": "completed", "arguments": "{"}]
    assert driver.value("convert_tool_calls", calls=calls, target=RESPONSES) == calls


def test_broken_arguments_are_converted_as_they_are(driver: Driver) -> None:
    calls = [{**CALL, "arguments": '{"path":'}]
    (chat,) = driver.value("convert_tool_calls", calls=calls, target=CHAT)
    assert chat["function"]["arguments"] == '{"path":'


def test_arguments_that_are_an_object_are_understood(driver: Driver) -> None:
    call = {**CALL, "arguments": {"path": "x"}}
    assert driver.value("inspect_call", call=call)["payload"] == {"path": "x"}
    (chat,) = driver.value("convert_tool_calls", calls=[call], target=CHAT)
    assert chat["function"]["arguments"] == '{"path":"x"}'


def test_a_call_that_no_accessor_knows_is_named(driver: Driver) -> None:
    call = {"type": "web_search_call", "id": "w"}
    error = driver.error("convert_tool_calls", calls=[call], target=CHAT)
    assert error["type"] == "UnknownFormat"
    assert "'web_search_call'" in error["detail"]
    assert driver.error("inspect_call", call=call) == error


@pytest.mark.parametrize(
    ("call", "format_", "extras"),
    [
        (CHAT_CALL, f"{CHAT}.function", {}),
        ({**CHAT_CALL, "index": 0}, f"{CHAT}.function", {"index": 0}),
        ({**CALL, "status": "x"}, f"{RESPONSES}.function", {"status": "x"}),
    ],
)
def test_a_function_call_is_inspected(
    driver: Driver, call: dict[str, Any], format_: str, extras: dict[str, Any]
) -> None:
    assert driver.value("inspect_call", call=call) == {
        "call_id": "c1",
        "tool_name": "read_file",
        "payload": {"path": "README.md", "n": 1},
        "payload_kind": "object",
        "payload_format": format_,
        "payload_metadata": extras,
    }


@pytest.mark.parametrize(
    ("call", "format_"),
    [(CHAT_CUSTOM_CALL, f"{CHAT}.custom"), (CUSTOM_CALL, f"{RESPONSES}.custom")],
)
def test_a_custom_call_is_inspected(
    driver: Driver, call: dict[str, Any], format_: str
) -> None:
    assert driver.value("inspect_call", call=call) == {
        "call_id": "c2",
        "tool_name": "apply_patch",
        "payload": INPUT,
        "payload_kind": "text",
        "payload_format": format_,
        "payload_metadata": {},
    }


@pytest.mark.parametrize("arguments", ["{", "", "[1]", None, [1], 3])
def test_broken_arguments_are_inspected_as_an_empty_object(
    driver: Driver, arguments: object
) -> None:
    inspected = driver.value("inspect_call", call={**CALL, "arguments": arguments})
    assert inspected["payload"] == {}


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        ' \t\r\n{ "b": 1.50e+1,\n"a": -0 } ',
        '{"a":1,"a":2}',
        '{"a":"\\ud800"}',
        '{"a":"\u2028\x7f\U0001f600"}',
        '{"n":12345678901234567890,"huge":1e400}',
        '{"a":' + "[" * 100_000 + "]" * 100_000 + "}",
    ],
    ids=lambda text: text[:20],
)
def test_valid_arguments_are_kept_byte_for_byte(driver: Driver, text: str) -> None:
    call = {**CALL, "arguments": text}
    assert driver.value("sanitize_tool_call", call=call) == call
    chat = {"id": "c", "type": "function", "function": {"name": "n", "arguments": text}}
    assert driver.value("sanitize_tool_call", call=chat) == chat


@pytest.mark.parametrize(
    "arguments",
    [
        '{"path":',
        "",
        " ",
        "[1]",
        '"x"',
        "3",
        "null",
        "true",
        '{"a":NaN}',
        '{"a":-Infinity}',
        '{"a":1,}',
        '{"a":1}//',
        "{'a':1}",
        "{}{}",
        "\ufeff{}",
        "{}\x00",
        '{"a":"\t"}',
        '{"a":01}',
        "\xa0{}",
        '{"a":' + "[" * 100_000,
        None,
        3,
        [{}],
        True,
    ],
    ids=lambda arguments: repr(arguments)[:20],
)
def test_other_arguments_become_an_empty_object(
    driver: Driver, arguments: object
) -> None:
    call = {"id": "c", "type": "function", "function": {"arguments": arguments}}
    expected = {"id": "c", "type": "function", "function": {"arguments": "{}"}}
    assert driver.value("sanitize_tool_call", call=call) == expected
    item = {"type": "function_call", "arguments": arguments, "status": "incomplete"}
    expected_item = {**item, "arguments": "{}"}
    assert driver.value("sanitize_tool_call", call=item) == expected_item


def test_half_a_surrogate_pair_becomes_an_empty_object(node: str) -> None:
    line = (
        '{"id":1,"op":"sanitize_tool_call",'
        '"call":{"type":"function_call","arguments":"{\\"a\\":\\"\\ud800\\"}"}}\n'
    )
    done = subprocess.run(
        [node, str(NODE_DRIVER)], input=line.encode(), capture_output=True, check=True
    )
    value = {"type": "function_call", "arguments": "{}"}
    assert json.loads(done.stdout) == {"id": 1, "ok": True, "value": value}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"type": "function"}, {"type": "function", "function": {"arguments": "{}"}}),
        (
            {"type": "function", "function": "x"},
            {"type": "function", "function": {"arguments": "{}"}},
        ),
        ({"function": {"name": "n"}}, {"function": {"name": "n", "arguments": "{}"}}),
        ({"type": "function_call"}, {"type": "function_call", "arguments": "{}"}),
        (
            {"type": "function_call", "arguments": {"a": [1]}},
            {"type": "function_call", "arguments": '{"a":[1]}'},
        ),
    ],
)
def test_a_function_call_gets_arguments_that_are_text(
    driver: Driver, call: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert driver.value("sanitize_tool_call", call=call) == expected
    assert driver.value("sanitize_tool_call", call=expected) == expected


@pytest.mark.parametrize(
    "call",
    [
        {},
        {"arguments": "{"},
        {"type": None, "function": {"arguments": "{"}},
        {"type": "web_search_call", "arguments": "{"},
        {"type": ["function"], "function": {}},
        {"type": "custom"},
        {"type": "custom_tool_call", "input": 3},
        CHAT_CUSTOM_CALL,
        CUSTOM_CALL,
    ],
)
def test_any_other_call_is_left_alone(driver: Driver, call: dict[str, Any]) -> None:
    assert driver.value("sanitize_tool_call", call=call) == call


ENVELOPE: dict[str, Any] = {
    "type": "provider_native_tool_result",
    "format": CHAT,
    "content": [
        {"type": "text", "text": "<image>"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
        {"type": "text", "text": "</image>"},
    ],
}
ENVELOPE_TEXT = "<image>\n[image_url]\n</image>"


def core_message(tool_result: object, **metadata: str) -> dict[str, Any]:
    return {
        "role": "tool",
        "content": "fallback",
        "toolResult": tool_result,
        "metadata": {"tool_call_id": "c2", "tool_name": "t", **metadata},
    }


@pytest.mark.parametrize(
    ("stored", "chat", "item"),
    [
        ({"type": "tool_result", "text": " t\u2028\n"}, " t\u2028\n", " t\u2028\n"),
        (ENVELOPE, ENVELOPE["content"], ENVELOPE_TEXT),
        ({**ENVELOPE, "format": "acme", "content": "as it is"}, *["as it is"] * 2),
        ({"a": [1]}, '{"a":[1]}', '{"a":[1]}'),
        ([1, "é"], '[1,"é"]', '[1,"é"]'),
        (None, "fallback", "fallback"),
    ],
)
def test_a_result_lands_in_its_message(
    driver: Driver, stored: object, chat: object, item: object
) -> None:
    results = [core_message(stored)]
    assert driver.value("convert_results", results=results, target=CHAT) == [
        {"role": "tool", "content": chat, "tool_call_id": "c2"}
    ]
    assert driver.value("convert_results", results=results, target=RESPONSES) == [
        {"type": "function_call_output", "call_id": "c2", "output": item}
    ]


def test_an_envelope_for_responses_stays_structured_there(driver: Driver) -> None:
    content = [{"type": "input_text", "text": "a"}, {"type": "input_image"}]
    envelope = {**ENVELOPE, "format": RESPONSES, "content": content}
    results = [core_message(envelope)]
    (item,) = driver.value("convert_results", results=results, target=RESPONSES)
    (message,) = driver.value("convert_results", results=results, target=CHAT)
    assert item["output"] == content
    assert message["content"] == "a\n[input_image]"


@pytest.mark.parametrize(
    ("metadata", "calls"),
    [
        ({"payload_kind": "text"}, {}),
        ({}, {"calls": [CALL, {"type": "unknown"}, CUSTOM_CALL]}),
        ({}, {"calls": [CHAT_CUSTOM_CALL]}),
    ],
)
def test_the_result_of_a_custom_call_is_known(
    driver: Driver, metadata: dict[str, str], calls: dict[str, Any]
) -> None:
    results = [core_message({"type": "tool_result", "text": "x"}, **metadata)]
    assert driver.value(
        "convert_results", results=results, target=RESPONSES, **calls
    ) == [{"type": "custom_tool_call_output", "call_id": "c2", "output": "x"}]


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (" x\n", " x\n"),
        ({"a": [1.5, None]}, '{"a":[1.5,null]}'),
        ([], "[]"),
        (None, "null"),
        ({"type": "tool_result", "text": "x"}, '{"type":"tool_result","text":"x"}'),
        ({**ENVELOPE, "format": None}, json.dumps({**ENVELOPE, "format": None})),
    ],
)
def test_a_plain_result_is_stored_as_text(
    driver: Driver, result: object, text: str
) -> None:
    given = {"result": result, "tool_call_id": "c1", "tool_name": "t"}
    text = text.replace(": ", ":").replace(", ", ",")
    assert driver.value("convert_results", results=[given], target="core") == [
        {
            "role": "tool",
            "content": text,
            "toolResult": {"type": "tool_result", "text": text},
            "metadata": {"tool_call_id": "c1", "tool_name": "t"},
        }
    ]


def test_an_envelope_is_stored_beside_its_text(driver: Driver) -> None:
    given = {"result": ENVELOPE, "tool_call_id": "c2", "tool_name": "t"}
    assert driver.value(
        "convert_results", results=[given], target="core", calls=[CUSTOM_CALL]
    ) == [
        {
            "role": "tool",
            "content": ENVELOPE_TEXT,
            "toolResult": ENVELOPE,
            "metadata": {
                "tool_call_id": "c2",
                "tool_name": "t",
                "payload_kind": "text",
            },
        }
    ]


def test_results_are_inspected(driver: Driver) -> None:
    stored = {"type": "tool_result", "text": "x", "more": 1}
    assert driver.value("inspect_result", result=stored) == {
        "kind": "text",
        "text": "x",
        "format": None,
        "content": None,
    }
    assert driver.value("inspect_result", result=ENVELOPE) == {
        "kind": "native",
        "text": ENVELOPE_TEXT,
        "format": CHAT,
        "content": ENVELOPE["content"],
    }


@pytest.mark.parametrize(
    ("op", "arguments"),
    [
        (
            "convert_schemas",
            {"schemas": [CUSTOM, CHAT_FUNCTION], "target": RESPONSES},
        ),
        ("convert_tool_calls", {"calls": [CALL, CHAT_CALL], "target": CHAT}),
        ("sanitize_tool_call", {"call": {**CALL, "arguments": "{"}}),
        ("sanitize_tool_call", {"call": {"type": "function", "function": {}}}),
        ("inspect_schema", {"schema": {"type": "unknown"}}),
        ("convert_results", {"results": [core_message(ENVELOPE)], "target": CHAT}),
        ("inspect_call", {"call": CALL}),
        ("inspect_result", {"result": ENVELOPE}),
    ],
)
def test_an_argument_stays_what_it_was(
    driver: Driver, op: str, arguments: dict[str, Any]
) -> None:
    assert driver.ask(op, echo=True, **arguments)["args"] == arguments


def test_tools_are_injected(driver: Driver) -> None:
    state = {"_tools": [CUSTOM, "no schema"], "request": {"payload": {"model": "m"}}}
    value = driver.value(
        "initialize_request",
        native_messages=[{"role": "user", "content": "x"}],
        state=state,
        target_formats=[f"{CHAT}.function"],
    )
    assert value == {
        "native_messages": [{"role": "user", "content": "x"}],
        "state": {
            "_tools": [CUSTOM, "no schema"],
            "request": {
                "payload": {
                    "model": "m",
                    "tools": [{"type": "function", "function": PATCH_FUNCTION}],
                    "tool_choice": "auto",
                }
            },
        },
    }


@pytest.mark.parametrize(
    ("state", "payload"),
    [
        ({}, {}),
        ({"_tools": []}, {}),
        ({"_tools": [CUSTOM], "request": {"payload": {"tools": []}}}, {"tools": []}),
        (
            {
                "_tools": [CHAT_FUNCTION],
                "request": {"payload": {"tool_choice": "none"}},
            },
            {"tools": [CHAT_FUNCTION], "tool_choice": "none"},
        ),
    ],
)
def test_what_a_payload_has_is_left_alone(
    driver: Driver, state: dict[str, Any], payload: dict[str, Any]
) -> None:
    value = driver.value("initialize_request", native_messages=[], state=state)
    assert value["state"]["request"]["payload"] == payload


def test_calls_of_a_stream_are_sanitised(driver: Driver) -> None:
    broken = {"id": "c", "type": "function", "function": {"arguments": "{"}}
    whole = {"id": "c", "type": "function", "function": {"arguments": "{}"}}
    assert driver.value(
        "finalize",
        final_messages=[
            {"role": "assistant", "content": "", "metadata": {"tool_calls": [broken]}}
        ],
        native_messages=[{"role": "assistant", "tool_calls": [broken]}],
        state={"partial": {"tool_calls": [broken, CHAT_CUSTOM_CALL], "text": "x"}},
    ) == {
        "final_messages": [
            {"role": "assistant", "content": "", "metadata": {"tool_calls": [whole]}}
        ],
        "native_messages": [{"role": "assistant", "tool_calls": [whole]}],
        "state": {"partial": {"tool_calls": [whole, CHAT_CUSTOM_CALL], "text": "x"}},
    }


NATIVE = [
    {"role": "system", "content": "s", "name": "n"},
    {"role": "user", "content": [{"type": "text", "text": "u"}]},
    {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL, CHAT_CUSTOM_CALL]},
    {"role": "tool", "content": "r", "tool_call_id": "c1"},
    {"role": "tool", "content": ENVELOPE["content"], "tool_call_id": "c2"},
    {"role": "assistant", "content": "done"},
]


def test_native_messages_become_core_messages(driver: Driver) -> None:
    core = driver.value("from_native_messages", native_messages=NATIVE)
    assert core[2:] == [
        {
            "role": "assistant",
            "content": "",
            "metadata": {
                "tool_calls": [CHAT_CALL, CHAT_CUSTOM_CALL],
                "native_content": None,
            },
        },
        {
            "role": "tool",
            "content": "r",
            "toolResult": {"type": "tool_result", "text": "r"},
            "metadata": {"tool_call_id": "c1", "tool_name": "read_file"},
        },
        {
            "role": "tool",
            "content": ENVELOPE_TEXT,
            "toolResult": ENVELOPE,
            "metadata": {
                "tool_call_id": "c2",
                "tool_name": "apply_patch",
                "payload_kind": "text",
            },
        },
        {"role": "assistant", "content": "done"},
    ]


def test_history_is_rebuilt(driver: Driver) -> None:
    core = driver.value("from_native_messages", native_messages=NATIVE)
    assert driver.value("to_native_messages", messages=core) == NATIVE


def test_a_fragment_is_not_replayed(driver: Driver) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{"}
    message = {"role": "assistant", "content": "", "metadata": {"tool_calls": [call]}}
    (native,) = driver.value("to_native_messages", messages=[message])
    assert native["tool_calls"][0]["function"]["arguments"] == "{}"
