"""What is tried of schemas, as steps.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.operations import OperationPlan, exactly
from wireproof.protocols.interop._drawn_values import (
    keys,
    lists,
    small_values,
    tool_names,
    words,
)
from wireproof.protocols.interop._shapes import CHAT, RESPONSES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wireproof.fuzzing import Step

_leaf_schemas = st.one_of(
    st.sampled_from(
        [{"type": "string"}, {"type": "integer"}, {"type": ["number", "null"]}, {}]
    ),
    st.fixed_dictionaries({"enum": st.lists(small_values, min_size=1, max_size=2)}),
    st.fixed_dictionaries({"const": small_values, "description": words}),
)


def _composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(keys, inner)},
            optional={
                "required": st.lists(words, max_size=2, unique=True),
                "additionalProperties": st.one_of(st.booleans(), inner),
                "description": words,
            },
        ),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
    )


_schemas = st.recursive(_leaf_schemas, _composed, max_leaves=5)
_parameters = st.fixed_dictionaries(
    {
        "type": st.just("object"),
        "properties": st.dictionaries(keys, _schemas, max_size=3),
    },
    optional={"$defs": st.dictionaries(words, _schemas, max_size=2)},
)

_functions = st.fixed_dictionaries(
    {"name": tool_names, "description": words, "parameters": _parameters},
    optional={"strict": st.booleans()},
)


def _chat(function: Any) -> Any:
    return {"type": "function", "function": function}


def _flat(function: Any) -> Any:
    return {"type": "function", **function}


def _converting(schemas: Any, target: str, formats: Sequence[str] = ()) -> Step:
    accepted = {"target_formats": list(formats)} if formats else {}
    return {
        "op": "convert_schemas",
        "input": {"schemas": schemas, "target": target, **accepted},
    }


def _unchanged(drawn: Sequence[tuple[Any, Any]]) -> OperationPlan:
    found: list[Step] = []
    for function, more in drawn:
        extra = {f"x_{key}": value for key, value in more.items()}
        chat = {**_chat({**function, **extra}), **extra}
        flat = {**_flat(function), **extra}
        for schema, target in ((chat, CHAT), (flat, RESPONSES)):
            step = _converting([{"$literal": schema}], target)
            found.append({**step, "expected": [exactly(schema)]})
    return OperationPlan(found)


_NOT_STRICT = {"$one_of": [{"$absent": True}, None, False]}


def _kept_keys(function: Any) -> Any:
    wanted = {key: exactly(value) for key, value in function.items()}
    return {"strict": _NOT_STRICT, **wanted}


def _schemas_and_back(drawn: Sequence[Any]) -> OperationPlan:
    found: list[Step] = []
    for index, function in enumerate(drawn):
        kept = _kept_keys(function)
        flat = {"type": "function", "function": {"$absent": True}, **kept}
        chat = {"type": "function", "name": {"$absent": True}, "function": kept}
        ways = (
            (_chat(function), (RESPONSES, flat), (CHAT, chat)),
            (_flat(function), (CHAT, chat), (RESPONSES, flat)),
        )
        for way, (source, (there, one), (back, two)) in enumerate(ways):
            name = f"there-{index}-{way}"
            first = _converting([{"$literal": source}], there, [f"{there}.function"])
            again = _converting({"$use": name}, back, [f"{back}.function"])
            found.append({**first, "expected": [one], "save": name})
            found.append({**again, "expected": [two]})
    return OperationPlan(found)


def _schemas_in_order(drawn: Sequence[tuple[str, int]]) -> OperationPlan:
    forms: tuple[Callable[[str], Any], ...] = (
        lambda name: _chat({"name": name, "description": "", "parameters": {}}),
        lambda name: _flat({"name": name, "description": "", "parameters": {}}),
        lambda name: {
            "type": "custom",
            "name": name,
            "description": "",
            "format": {"type": "text"},
        },
    )
    schemas = [forms[form](name) for name, form in drawn]
    wanted = [{"function": {"name": name}} for name, _ in drawn]
    step = _converting(schemas, CHAT, [f"{CHAT}.function"])
    return OperationPlan([{**step, "expected": wanted}])


SCHEMA_STRATEGIES: dict[str, st.SearchStrategy[OperationPlan]] = {
    "schemas-unchanged": lists(
        st.tuples(_functions, st.dictionaries(words, small_values, max_size=2)), 2
    ).map(_unchanged),
    "schemas-there-and-back": lists(_functions, 2).map(_schemas_and_back),
    "schemas-in-order": lists(st.tuples(tool_names, st.integers(0, 2)), 8).map(
        _schemas_in_order
    ),
}
"""What is drawn for each property of schemas, by its name."""
