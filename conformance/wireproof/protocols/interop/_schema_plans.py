"""What is tried of schemas, as steps.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.fuzzing import exactly
from wireproof.protocols.interop._cases import MANY, each, together
from wireproof.protocols.interop._drawn_schemas import (
    CHAT_CUSTOM,
    CHAT_FUNCTION,
    CUSTOM,
    FUNCTION,
    NOWHERE,
    chat,
    custom_in_chat,
    custom_of,
    flat,
    function_of,
    parameters_of,
)
from wireproof.protocols.interop._shapes import CHAT, RESPONSES
from wireproof_vectors import load_schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

    from wireproof.fuzzing import OperationPlan, Step
    from wireproof.protocols.interop._cases import Case

_ABSENT = {"$absent": True}
_NOT_STRICT = {"$one_of": [_ABSENT, None, False]}
_NO_PROPERTIES = {
    "$schema": {
        "type": "object",
        "properties": {
            "type": {"const": "object"},
            "properties": {"maxProperties": 0},
            "required": {"maxItems": 0},
        },
    }
}
"""An object schema without properties."""


def converting(schemas: Any, target: str, formats: Sequence[str] = ()) -> Step:
    """Return the step that converts schemas."""
    accepted = {"target_formats": list(formats)} if formats else {}
    return {
        "op": "convert_schemas",
        "input": {"schemas": schemas, "target": target, **accepted},
    }


def _literal(schema: Any) -> list[Any]:
    return [{"$literal": schema}]


def _unchanged(case: Case) -> list[Step]:
    function, extra = function_of(case), {f"x-{case.text}": case.value}
    ways = (
        (chat({**function, **extra}) | extra, CHAT_FUNCTION, FUNCTION),
        (flat({**function, **extra}), FUNCTION, CHAT_FUNCTION),
        ({**custom_of(case), **extra}, CUSTOM, CHAT_FUNCTION),
    )
    found: list[Step] = []
    for schema, own, other in ways:
        target = CHAT if own == CHAT_FUNCTION else RESPONSES
        named = case.one_of(((own,), (other, own), (NOWHERE, other, own)), 8)
        step = converting(_literal(schema), target, named)
        found.append({**step, "expected": [exactly(schema)]})
    return found


def _kept(function: Any, *, nested: bool) -> Any:
    """Return the pattern of a function that was converted."""
    # Chat's type has no null but for strict (INT-S9).
    null = [_ABSENT] if nested else [_ABSENT, None]
    left_out = {
        "description": {"$one_of": [*null, ""]},
        "parameters": {"$one_of": [*null, _NO_PROPERTIES]},
        "strict": _NOT_STRICT,
    }
    body = _body(function)
    if nested:
        return {"type": "function", "name": _ABSENT, "function": {**left_out, **body}}
    return {"type": "function", "function": _ABSENT, **left_out, **body}


def _body(function: Any) -> dict[str, Any]:
    """Return the pattern of each key: empty parameters may be completed."""
    body = {key: exactly(value) for key, value in function.items()}
    if function.get("parameters") == {}:
        body["parameters"] = {"$one_of": [exactly({}), _NO_PROPERTIES]}
    return body


def _there_and_back(case: Case) -> list[Step]:
    function = function_of(case)
    found: list[Step] = []
    for source, there, back in (
        (chat(function), RESPONSES, CHAT),
        (flat(function), CHAT, RESPONSES),
    ):
        name = f"there-{back}"
        own = f"{there}.function"
        formats = case.one_of(((), (own,), (NOWHERE, own, CUSTOM)), 8)
        first = converting(_literal(source), there, formats)
        one = _kept(function, nested=there == CHAT)
        # What Responses asks for may be added on the way, and stays on the way back.
        two = _body(function)
        again = converting({"$use": name}, back, [f"{back}.function"])
        found.append({**first, "expected": [one], "save": name})
        found.append({**again, "expected": [chat(two) if back == CHAT else flat(two)]})
    return found


_INPUT = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
}


def _made_functions(case: Case) -> list[Step]:
    custom = custom_of(case)
    one_input = {
        **_INPUT,
        "properties": {"$all_of": [{"$size": 1}, _INPUT["properties"]]},
    }
    body: dict[str, Any] = {
        "name": case.name,
        "parameters": one_input,
        "format": _ABSENT,
    }
    return [
        {
            **converting(_literal(custom), CHAT, [CHAT_FUNCTION]),
            "expected": [chat(body)],
        },
        {
            **converting(_literal(custom), RESPONSES, [FUNCTION]),
            "expected": [flat({"function": _ABSENT, **body})],
        },
    ]


def _stay_custom(case: Case) -> list[Step]:
    custom = custom_of(case)
    orders = (
        (CUSTOM,),
        (FUNCTION, CUSTOM),
        (CHAT_FUNCTION, CUSTOM),
        (CUSTOM, FUNCTION),
        (CHAT_FUNCTION, FUNCTION, CUSTOM),
    )
    step = converting(_literal(custom), RESPONSES, case.one_of(orders, 8))
    return [{**step, "expected": [exactly(custom)]}]


def _custom_of_chat(case: Case) -> list[Step]:
    custom = custom_of(case)
    nested = custom_in_chat(custom)
    body = {key: exactly(value) for key, value in nested["custom"].items()}
    there = converting(_literal(custom), CHAT, [CHAT_CUSTOM])
    back = converting(_literal(nested), RESPONSES, [CUSTOM])
    flat_keys = {key: exactly(value) for key, value in custom.items()}
    return [
        {**there, "expected": [{"type": "custom", "custom": body}]},
        {**back, "expected": [{"custom": _ABSENT, **flat_keys}]},
    ]


def _custom_published(case: Case) -> list[Step]:
    custom = {**custom_of(case), "description": case.text}
    there = converting(_literal(custom), CHAT, [CHAT_CUSTOM])
    back = converting(_literal(custom_in_chat(custom)), RESPONSES)
    return [
        {**there, "expected": [{"$schema": load_schema("interop/chat_custom")}]},
        {**back, "expected": [{"$schema": load_schema("interop/responses_custom")}]},
    ]


def _in_order(drawn: list[Case]) -> list[Step]:
    named = list({case.name: case for case in drawn}.values())
    schemas = [
        case.one_of(
            (
                chat({"name": case.name}),
                flat({"name": case.name}),
                {"type": "custom", "name": case.name},
            ),
            1,
        )
        for case in named
    ]
    wanted = [{"function": {"name": case.name}} for case in named]
    twice = [schemas[0], schemas[-1], *schemas[:1] * drawn[0].one_of((1, MANY), 9)]
    refused = flat({"name": named[0].name})
    nowhere = converting([*_literal(schemas[-1]), refused], CHAT, [NOWHERE])
    return [
        {**converting(schemas, CHAT), "expected": wanted},
        {**converting([], CHAT), "expected": exactly([])},
        {
            **converting(twice, CHAT),
            "expected": {"$size": len(twice)},
            "error": {"mentions": []},
        },
        {**nowhere, "error": {"mentions": []}},
        {**converting(schemas[:1], CHAT), "expected": wanted[:1]},
    ]


def _source_kept(case: Case) -> list[Step]:
    found = [{**step, "keeps_input": True} for step in _sources_converted(case)]
    looked = {"op": "inspect_schema", "keeps_input": True}
    source = flat(function_of(case))
    return [*found, {**looked, "input": {"schema": {"$literal": source}}}]


def _unshared(case: Case) -> list[Step]:
    beside = {"expected": {"$type": "array"}, "shares_nothing": True}
    return [{**step, **beside} for step in _sources_converted(case)]


def _sources_converted(case: Case) -> list[Step]:
    function = function_of(case)
    return [
        converting(_literal(source), target)
        for source in (chat(function), flat(function), custom_of(case))
        for target in (CHAT, RESPONSES)
    ]


_KNOWN = frozenset({"function", "custom", ""})


def _unknown(case: Case) -> list[Step]:
    target = case.one_of((CHAT, RESPONSES))
    odd = case.text if case.text not in _KNOWN else "tool"
    shapes: tuple[dict[str, Any], ...] = (
        {},
        {"function": {"name": "f"}},
        {"parameters": {}},
    )
    shape = case.one_of(shapes, 1)
    unknown = {"type": odd, "name": case.name, **shape}
    none = {"type": case.value, "name": case.name}
    known = chat({"name": case.name})
    found: list[Step] = [
        {
            **converting(_literal(one), target),
            "expected": [exactly(one)],
            "error": {"mentions": []},
        }
        for one in (unknown, {"title": case.name}, none)
        if one.get("type") not in _NAMED
    ]
    return [*found, {**converting([known], odd), "error": {"mentions": []}}]


_NAMED = ("function", "custom")
_SHAPES: dict[str, Any] = {
    CHAT_FUNCTION: chat({"$type": "object"}),
    FUNCTION: flat({"function": _ABSENT}),
    CUSTOM: {"type": "custom", "custom": _ABSENT},
}


def _in_formats(case: Case) -> list[Step]:
    found: list[Step] = []
    for source in (chat(function_of(case)), flat(function_of(case)), custom_of(case)):
        formats = case.one_of(((FUNCTION,), (CUSTOM,), (CUSTOM, FUNCTION)), 8)
        for target, named in ((CHAT, (CHAT_FUNCTION,)), (RESPONSES, formats)):
            either = {"$one_of": [_SHAPES[name] for name in named]}
            step = converting(_literal(source), target, named)
            found.append({**step, "expected": [either], "error": {"mentions": []}})
    return found


_PUBLISHED = {
    name: {"$schema": load_schema(f"interop/{name}")}
    for name in ("chat_function", "responses_function")
}


def _published(case: Case) -> list[Step]:
    body = {
        "name": case.name,
        "description": case.text,
        "parameters": parameters_of(case),
        "strict": False,
    }
    custom = {**custom_of(case), "description": case.text}
    ways = (
        (chat(body), RESPONSES, FUNCTION, "responses_function"),
        (flat(body), CHAT, CHAT_FUNCTION, "chat_function"),
        (custom, CHAT, CHAT_FUNCTION, "chat_function"),
        (custom, RESPONSES, FUNCTION, "responses_function"),
        (flat({"name": case.name}), CHAT, CHAT_FUNCTION, "chat_function"),
    )
    return [
        {
            **converting(_literal(source), target, [accepted]),
            "expected": [_PUBLISHED[kind]],
        }
        for source, target, accepted, kind in ways
    ]


def _seen(case: Case) -> list[Step]:
    function, custom = function_of(case), custom_of(case)
    absent = {"$absent": True}
    empty = exactly({"type": "object", "properties": {}})
    none = {"$one_of": [None, absent, ""]}
    nothing = {"$one_of": [None, absent, exactly({}), empty]}
    told = {
        "name": case.name,
        "description": function.get("description") or none,
        "parameters": exactly(function["parameters"])
        if function.get("parameters")
        else nothing,
        "payload_kind": "object",
    }
    of_custom = {
        "name": case.name,
        "description": custom.get("description") or none,
        "parameters": {"$one_of": [None, absent]},
        "payload_kind": "text",
        "format": CUSTOM,
    }
    return [
        {
            "op": "inspect_schema",
            "input": {"schema": {"$literal": schema}},
            "expected": wanted,
        }
        for schema, wanted in (
            (chat(function), {**told, "format": CHAT_FUNCTION}),
            (flat(function), {**told, "format": FUNCTION}),
            (custom, of_custom),
        )
    ]


SCHEMA_STRATEGIES: dict[str, SearchStrategy[OperationPlan]] = {
    "schemas-unchanged": each(_unchanged),
    "schemas-there-and-back": each(_there_and_back),
    "custom-schemas-as-functions": each(_made_functions),
    "custom-schemas-unchanged": each(_stay_custom),
    "custom-schemas-of-chat": each(_custom_of_chat),
    "custom-schemas-published": each(_custom_published),
    "schemas-in-order": together(_in_order),
    "schemas-kept": each(_source_kept),
    "schemas-unshared": each(_unshared),
    "schemas-unknown": each(_unknown),
    "schemas-in-formats": each(_in_formats),
    "schemas-published": each(_published),
    "schemas-seen": each(_seen),
}
"""What is drawn for each property of schemas, by its name."""
