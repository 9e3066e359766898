"""The provider's published types, as the openai package has them, judge the vectors.

Code of another hand says what a schema, a call, a result and a stream may be. Where it
disagrees with a vector, the vector is wrong.
"""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.published import published

from wireproof.patterns import expand, match
from wireproof_vectors import Vector, load_schema, load_vectors

pytestmark = pytest.mark.usefixtures("openai")

# The values of a place stand in the corpus.
PLAIN = [v for v in load_vectors("interop") if "values" not in v.data]
OPERATIONS = [v for v in PLAIN if v.kind == "operation"]
STREAMS = [v for v in PLAIN if v.kind == "stream"]

# The published types of each object, by how the project's own schemas call it.
PUBLISHED = {
    "chat_function": ["chat function"],
    "chat_custom": ["chat custom"],
    "responses_function": ["responses function"],
    "responses_custom": ["responses custom"],
    "chat_call": ["chat function call", "chat custom call"],
    "responses_call": ["responses function call", "responses custom call"],
    "chat_result": ["chat result"],
    "responses_result": ["responses result", "responses custom result"],
}

# Not in the published types, and sent all the same: the image in the seed's tool
# message, an event that only keeps a stream alive, and pieces without an index.
UNPUBLISHED_PARTS = {"image_url"}
UNPUBLISHED_EVENTS = {"keepalive"}
WITHOUT_INDEX = "INT-Q16"

CONVERSIONS = {
    "convert_schemas": "schemas",
    "convert_tool_calls": "calls",
    "convert_results": "calls",
    "to_native_messages": "",
}


def kind_of(value: dict[str, Any]) -> str | None:
    match value:
        case {"type": "function" | "custom", "id": _}:
            return "chat_call"
        case {"type": "function", "function": _}:
            return "chat_function"
        case {"type": "function"}:
            return "responses_function"
        case {"type": "custom", "custom": _}:
            return "chat_custom"
        case {"type": "custom"}:
            return "responses_custom"
        case {"type": "function_call" | "custom_tool_call"}:
            return "responses_call"
        case {"type": "function_call_output" | "custom_tool_call_output"}:
            return "responses_result"
        case {"role": "tool", "tool_call_id": _}:
            return "chat_result"
        case _:
            return None


def refusals(kind: str, value: dict[str, Any]) -> list[str]:
    """Say why none of the published types accepts a value: nothing where one does."""
    found: list[str] = []
    for one in PUBLISHED[kind]:
        try:
            accepted = published(one).validate_python(value, strict=True)
            # An Iterable is checked only while it is read.
            for key in ("content", "output"):
                list(accepted.get(key, ()))
        except ValueError as error:
            found.append(str(error))
        else:
            return []
    return found


def completed(value: dict[str, Any]) -> dict[str, Any]:
    """A value with what the published types ask for beyond the clauses."""
    if kind_of(value) == "responses_function":
        # Required, and absent where the source does not have them (INT-S9).
        return {"parameters": None, "strict": None, **value}
    if isinstance(value.get("content"), list):
        kept = [p for p in value["content"] if p["type"] not in UNPUBLISHED_PARTS]
        return {**value, "content": kept}
    return value


def walk(vector: Vector) -> Iterator[tuple[dict[str, Any], dict[str, Any], Any]]:
    """Each step with the names that it may use, and its right answer or None."""
    names: dict[str, Any] = {}
    steps: Any = vector.data["steps"]
    for step in steps:
        expected = step.get("expected")
        if "example" in step:
            answer = expand(step["example"], names)
        elif isinstance(expected, dict) and "$equals" in expected:
            answer = expand(expected["$equals"], names)
        else:
            answer = None
        yield step, names, answer
        if answer is not None:
            match(expected, answer, names, names)
        if "save" in step:
            names[step["save"]] = answer


def judged(vector: Vector) -> Iterator[dict[str, Any]]:
    """The objects of a provider that a vector gives and wants."""
    for step, names, answer in walk(vector):
        if step["op"] in CONVERSIONS and step["input"].get("target") != "core":
            yield from answer or ()
            given = step["input"].get(CONVERSIONS[step["op"]], [])
            yield from expand(given, names) or ()


# What these give is not of the published form: that is what they try.
UNPUBLISHED = {
    "interop/calls/source-kept-with-object-arguments",
    *(f"interop/calls/{one}-arguments-to-chat" for one in ("absent", "null")),
    *(f"interop/mixed-calls/no-id-to-{one}" for one in ("chat", "responses")),
}

# Each object once, however often it is given or wanted.
JUDGED = {
    json.dumps(value, sort_keys=True): (f"{vector.id}-{index}", value)
    for vector in OPERATIONS
    if vector.clauses[0] != "INT-C10" and vector.id not in UNPUBLISHED
    for index, value in enumerate(judged(vector))
    if not str(value.get("type")).startswith("example") and kind_of(value) is not None
}


def test_many_objects_are_judged() -> None:
    assert len(JUDGED) > 500
    assert {kind_of(value) for _, value in JUDGED.values()} == set(PUBLISHED)


def test_the_published_type_accepts_what_a_vector_gives_and_wants() -> None:
    refused = [
        (name, refusal)
        for name, value in JUDGED.values()
        for refusal in refusals(str(kind_of(value)), completed(value))
    ]
    assert refused == []


def test_the_schema_of_this_project_accepts_the_same() -> None:
    validators = {
        kind: Draft202012Validator(load_schema(f"interop/{kind}")) for kind in PUBLISHED
    }
    refused = [
        (name, error.message)
        for name, value in JUDGED.values()
        for error in validators[str(kind_of(value))].iter_errors(value)
    ]
    assert refused == []


FUNCTION = {"name": "f", "description": "F.", "parameters": {}, "strict": True}
CALL = {"name": "f", "arguments": "{}"}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("chat_function", {"type": "function"}),
        ("chat_function", {"type": "function", "function": None}),
        ("chat_function", {"type": "function", **FUNCTION}),
        ("chat_function", {"type": "custom", "function": FUNCTION}),
        ("chat_function", {"type": "function", "function": {"parameters": {}}}),
        ("chat_function", {"type": "function", "function": {**FUNCTION, "name": 5}}),
        (
            "chat_function",
            {"type": "function", "function": {**FUNCTION, "parameters": None}},
        ),
        (
            "chat_function",
            {"type": "function", "function": {**FUNCTION, "parameters": []}},
        ),
        (
            "chat_function",
            {"type": "function", "function": {**FUNCTION, "description": None}},
        ),
        (
            "chat_function",
            {"type": "function", "function": {**FUNCTION, "strict": "true"}},
        ),
        ("responses_function", {"type": "function", "function": FUNCTION}),
        ("responses_function", {**FUNCTION, "type": "tool"}),
        ("responses_function", {**FUNCTION, "type": "function", "name": None}),
        ("responses_function", {**FUNCTION, "type": "function", "parameters": "{}"}),
        ("responses_function", {**FUNCTION, "type": "function", "strict": 1}),
        ("chat_custom", {"type": "custom", "name": "f"}),
        ("chat_custom", {"type": "custom", "custom": {"description": "F."}}),
        (
            "chat_custom",
            {"type": "custom", "custom": {"name": "f", "format": {"type": "grammar"}}},
        ),
        (
            "chat_custom",
            {
                "type": "custom",
                "custom": {
                    "name": "f",
                    "format": {"type": "grammar", "syntax": "lark", "definition": "a"},
                },
            },
        ),
        ("responses_custom", {"type": "custom", "custom": {"name": "f"}}),
        ("responses_custom", {"type": "custom", "name": "f", "format": "text"}),
        (
            "responses_custom",
            {
                "type": "custom",
                "name": "f",
                "format": {"type": "grammar", "syntax": "ebnf", "definition": "a"},
            },
        ),
        (
            "responses_custom",
            {
                "type": "custom",
                "name": "f",
                "format": {
                    "type": "grammar",
                    "grammar": {"syntax": "lark", "definition": "a"},
                },
            },
        ),
        ("chat_call", {"type": "function", "function": CALL}),
        ("chat_call", {"id": "a", "type": "function", **CALL}),
        ("chat_call", {"id": "a", "type": "function", "function": {"name": "f"}}),
        ("chat_call", {"id": 5, "type": "function", "function": CALL}),
        (
            "chat_call",
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": {}}},
        ),
        ("chat_call", {"id": "a", "type": "custom", "custom": {"name": "f"}}),
        (
            "chat_call",
            {"id": "a", "type": "custom", "function": {"name": "f", "input": "x"}},
        ),
        ("responses_call", {"type": "function_call", "id": "a", **CALL}),
        ("responses_call", {"type": "function_call", "call_id": "a", "name": "f"}),
        ("responses_call", {"type": "function", "call_id": "a", **CALL}),
        (
            "responses_call",
            {"type": "function_call", "call_id": "a", "name": "f", "arguments": {}},
        ),
        (
            "responses_call",
            {"type": "custom_tool_call", "call_id": "a", **CALL},
        ),
        (
            "responses_call",
            {"type": "custom_tool_call", "call_id": "a", "name": "f", "input": {}},
        ),
        ("chat_result", {"role": "tool", "content": "x"}),
        ("chat_result", {"role": "user", "content": "x", "tool_call_id": "a"}),
        ("chat_result", {"role": "tool", "content": None, "tool_call_id": "a"}),
        ("chat_result", {"role": "tool", "content": ["x"], "tool_call_id": "a"}),
        ("responses_result", {"type": "function_call_output", "call_id": "a"}),
        (
            "responses_result",
            {"type": "function_call_output", "call_id": 5, "output": "x"},
        ),
        (
            "responses_result",
            {"type": "custom_tool_call_output", "call_id": "a", "output": 5},
        ),
        (
            "responses_result",
            {"type": "custom_tool_call_output", "tool_call_id": "a", "output": "x"},
        ),
        ("responses_result", {"role": "tool", "call_id": "a", "output": "x"}),
    ],
)
def test_what_the_published_type_refuses_the_schema_refuses_too(
    kind: str, value: dict[str, Any]
) -> None:
    assert refusals(kind, value) != []
    assert not Draft202012Validator(load_schema(f"interop/{kind}")).is_valid(value)


def test_a_right_answer_that_is_written_out_matches() -> None:
    misses = [
        (vector.id, match(step["expected"], answer, names, {}))
        for vector in OPERATIONS
        for step, names, answer in walk(vector)
        if answer is not None
    ]
    assert [miss for miss in misses if miss[1] is not None] == []


def test_what_is_converted_has_a_right_answer_written_out() -> None:
    without = [
        (vector.id, step)
        for vector in OPERATIONS
        for step, _, answer in walk(vector)
        if answer is None and "expected" in step and step["op"].startswith("convert_")
    ]
    assert without == []


@pytest.mark.parametrize("vector", STREAMS, ids=lambda v: v.id)
def test_the_events_of_a_stream_have_the_published_form(vector: Vector) -> None:
    is_chat = "chat" in str(vector.data["provider"])
    published_form = published("chat chunk" if is_chat else "responses event")
    events: Any = vector.data["events"]
    if WITHOUT_INDEX in vector.clauses:
        events = copy.deepcopy(events)
        for choice in (one for event in events for one in event["choices"]):
            for piece in choice["delta"].get("tool_calls", ()):
                piece.setdefault("index", 0)
    for event in events:
        if event.get("type") not in UNPUBLISHED_EVENTS:
            published_form.validate_python(event, strict=True)
