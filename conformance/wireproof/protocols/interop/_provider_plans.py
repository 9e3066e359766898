"""What is tried of providers, as steps, for each of the two formats.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.fuzzing import exactly
from wireproof.protocols.interop._call_plans import arguments_of
from wireproof.protocols.interop._cases import each
from wireproof.protocols.interop._drawn_schemas import (
    CHAT_FUNCTION,
    CUSTOM,
    FUNCTION,
    chat,
    flat,
    function_of,
)
from wireproof.protocols.interop._result_plans import as_text, core_message, stored_text
from wireproof.protocols.interop._shapes import (
    CHAT,
    RESPONSES,
    chat_call,
    custom_item,
    item_call,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

    from wireproof.fuzzing import OperationPlan, Step
    from wireproof.protocols.interop._cases import Case

_ABSENT = {"$absent": True}
_ACCEPTED = {CHAT: [CHAT_FUNCTION], RESPONSES: [FUNCTION, CUSTOM]}


def _requested(
    provider: str, payload: Any, tools: Any, messages: Any, expected: Any, **more: Any
) -> Step:
    state = {"_tools": tools, "request": {"payload": payload}}
    given = {
        "native_messages": {"$literal": messages},
        "state": {"$literal": state},
        "target_formats": _ACCEPTED[provider],
    }
    return {
        "op": "initialize_request",
        "input": given,
        "expected": expected,
        **more,
    }


def _payload(pattern: Any) -> Any:
    return {"state": {"request": {"payload": pattern}}}


def _tools(case: Case) -> list[Any]:
    function = function_of(case)
    forms: tuple[list[Any], ...] = (
        [],
        [chat(function)],
        [flat(function)],
        [chat(function), flat({"name": "now"})],
        [flat({"name": "now"}), {"type": "custom", "name": "patch"}],
    )
    return case.one_of(forms, 10)


def _name_of(tool: Any) -> str:
    name: str = tool.get("function", tool)["name"]
    return name


def _other_keys(case: Case) -> dict[str, Any]:
    return case.one_of(({}, {f"x_{case.text}": case.value}), 11)


def _injects(provider: str, case: Case) -> list[Step]:
    tools = _tools(case)
    names = [_name_of(tool) for tool in tools]
    named = [
        {"function": {"name": name}} if provider == CHAT else {"name": name}
        for name in names
    ]
    wanted = {"tools": named if tools else _ABSENT}
    return [_requested(provider, _other_keys(case), tools, [], _payload(wanted))]


def _leaves_tools(provider: str, case: Case) -> list[Step]:
    there = case.one_of(
        ([], [{"type": "x", "x_note": case.value}], [chat({"name": case.name})]), 12
    )
    payload = {**_other_keys(case), "tools": there}
    wanted = {"tools": exactly(there), "tool_choice": _ABSENT}
    return [_requested(provider, payload, _tools(case), [], _payload(wanted))]


def _authored(provider: str, case: Case) -> list[Step]:
    tools = _tools(case)
    wanted = {"state": {"_tools": exactly(tools)}}
    return [_requested(provider, _other_keys(case), tools, [], wanted)]


def _chooses(provider: str, case: Case) -> list[Step]:
    choices: tuple[Any, ...] = ("none", "required", {"type": "function", "name": "f"})
    chosen = case.one_of(choices, 12)
    tools = _tools(case)
    absent, none = ("auto", {}) if tools else (_ABSENT, {"tools": _ABSENT})
    return [
        _requested(provider, {}, tools, [], _payload({"tool_choice": absent, **none})),
        _requested(
            provider,
            {"tool_choice": chosen},
            tools,
            [],
            _payload({"tool_choice": exactly(chosen)}),
        ),
    ]


def _native_calls(provider: str, case: Case) -> list[Any]:
    """Return a turn of native messages or items: texts and calls."""
    first, second = f"{case.text}1", f"{case.text}2"
    text = arguments_of(case)
    if provider == CHAT:
        calls = [chat_call(text, call_id=first), chat_call("{}", call_id=second)]
        content = case.one_of((None, case.other or "x"), 12)
        some = calls[: 1 + case.has(7)]
        return [{"role": "assistant", "content": content, "tool_calls": some}]
    items = [
        item_call(text, call_id=first),
        custom_item(case.other, call_id=second),
    ]
    return case.one_of((items, items[::-1], items[:1], items[1:]), 12)


def _history(provider: str, case: Case) -> list[Step]:
    words = {"role": "user", "content": case.other, "x_note": case.value}
    messages = [words, *_native_calls(provider, case)]
    wanted = {"native_messages": exactly(messages)}
    return [_requested(provider, {}, _tools(case), messages, wanted)]


def _given_unchanged(provider: str, case: Case) -> list[Step]:
    messages = _native_calls(provider, case)
    payload = _other_keys(case)
    unchanged = {"$type": "object"}
    return [
        _requested(
            provider, payload, _tools(case), messages, unchanged, keeps_input=True
        )
    ]


def _in_keys(native: Any) -> Any:
    return {
        key: exactly(value) if value is not None else {"$one_of": [None, "", _ABSENT]}
        for key, value in native.items()
    }


def _rebuilt(provider: str, case: Case) -> list[Step]:
    native = _native_calls(provider, case)
    if case.has(6):
        native = [*native, {"role": "user", "content": "x"}, *native]
    return [
        {
            "op": "from_native_messages",
            "input": {"native_messages": {"$literal": native}},
            "expected": {"$type": "array"},
            "save": "core",
        },
        {
            "op": "to_native_messages",
            "input": {"messages": {"$use": "core"}},
            "expected": [_in_keys(one) for one in native],
        },
    ]


def _in_core(provider: str, case: Case) -> list[Step]:
    if provider == CHAT:
        native = _native_calls(provider, case)
        content = native[0]["content"]
        metadata = {"tool_calls": [exactly(one) for one in native[0]["tool_calls"]]}
        told = exactly(content) if content else {"$type": ["string", "null"]}
        wanted = {"role": "assistant", "content": told, "metadata": metadata}
    else:
        text, call_id = arguments_of(case), case.text
        native = [item_call(text, call_id=call_id)]
        call = exactly(chat_call(text, call_id=call_id))
        wanted = {"role": "assistant", "metadata": {"tool_calls": [call]}}
    return [
        {
            "op": "from_native_messages",
            "input": {"native_messages": {"$literal": native}},
            "expected": [wanted],
        }
    ]


def _native_results(provider: str, case: Case) -> list[Step]:
    message = core_message(stored_text(case.text), case.text, call_id=case.other)
    calls = [chat_call("{}", call_id=case.other)]
    asked = {"role": "assistant", "content": "", "metadata": {"tool_calls": calls}}
    if provider == CHAT:
        key, kind, id_key = "content", {"role": "tool"}, "tool_call_id"
    else:
        key, kind, id_key = "output", {"type": "function_call_output"}, "call_id"
    wanted = {**kind, id_key: exactly(case.other)}
    return [
        {
            "op": "to_native_messages",
            "input": {"messages": [{"$literal": asked}, {"$literal": message}]},
            "expected": [{}, {**wanted, key: as_text(key, exactly(case.text))}],
        }
    ]


def _streamed(provider: str, case: Case) -> list[Step]:
    call = chat_call if provider == CHAT else item_call
    whole = arguments_of(case)
    fragment = whole.rstrip()[: case.seed % max(1, len(whole.rstrip()))]
    parts = {"call_id": case.text, "name": case.name}
    given = [call(whole, **parts), call(fragment, **parts)]
    wanted = [exactly(call(whole, **parts)), exactly(call("{}", **parts))]
    if provider == RESPONSES:
        raw = custom_item(fragment, **parts)
        given.append(raw)
        wanted.append(exactly(raw))
    state = {"partial": {"tool_calls": given}}
    return [
        {
            "op": "finalize",
            "input": {
                "final_messages": [],
                "native_messages": [],
                "state": {"$literal": state},
            },
            "expected": {"state": {"partial": {"tool_calls": wanted}}},
        }
    ]


def _no_fragment(provider: str, case: Case) -> list[Step]:
    """Return fragments in a state, in native history and in core: none is kept."""
    parts = {"call_id": f"call_{case.seed % 100}", "name": case.name}
    broken = ('{"path": "READ', '"READ"', '["READ"]', "READ", '{}{"path": "READ"}')
    text = case.one_of(broken, 4)
    call = (chat_call if provider == CHAT else item_call)(text, **parts)
    native = call
    if provider == CHAT:
        native = {"role": "assistant", "content": None, "tool_calls": [call]}
    state = {"partial": {"tool_calls": [call] if case.has(5) else []}}
    core = {
        "role": "assistant",
        "content": "",
        "metadata": {"tool_calls": [chat_call(text, **parts)]},
    }
    held = {"$not": {"$somewhere": {"$contains": "READ"}}}
    given = {"final_messages": [], "native_messages": [native], "state": state}
    return [
        {"op": "finalize", "input": given, "expected": held},
        {"op": "to_native_messages", "input": {"messages": [core]}, "expected": held},
    ]


_PROPERTIES: dict[str, Callable[[str, Case], list[Step]]] = {
    "tools-injected": _injects,
    "tools-left": _leaves_tools,
    "authored-tools": _authored,
    "tool-choice": _chooses,
    "history": _history,
    "history-rebuilt": _rebuilt,
    "given-unchanged": _given_unchanged,
    "calls-in-core": _in_core,
    "native-results": _native_results,
    "streamed-calls": _streamed,
    "fragments": _no_fragment,
}


def _strategy(
    provider: str, made: Callable[[str, Case], list[Step]]
) -> SearchStrategy[OperationPlan]:
    return each(lambda case: made(provider, case))


PROVIDER_STRATEGIES: dict[str, SearchStrategy[OperationPlan]] = {
    f"{name}-{word}": _strategy(provider, made)
    for name, made in _PROPERTIES.items()
    for provider, word in ((CHAT, "chat"), (RESPONSES, "responses"))
}
"""What is drawn for each property of providers, by its name."""
