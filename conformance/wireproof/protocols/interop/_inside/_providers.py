"""Scenarios of providers, which use the registry of a request."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from ._objects import (
    CHAT,
    ENVELOPE,
    RESPONSES,
    Json,
    chat_call,
    chat_schema,
    core_result,
    giving,
    is_object,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ._subject_view import SubjectView


def _state(found: Any) -> Json:
    """Return the state of what an op of a provider gave, a tuple or an object."""
    state: Json = found["state"] if is_object(found) else found[-1]
    return state


class _Noting:
    """A registry that notes what it is asked, and leaves a mark on what it gives."""

    def __init__(self, view: SubjectView) -> None:
        self.asked: list[str] = []
        self._registry = view.compose()

    def convert_schemas(self, *args: Any, **options: Any) -> Any:
        self.asked.append("convert_schemas")
        found = self._registry.convert_schemas(*args, **options)
        return [{**schema, "marked": True} for schema in found]

    def sanitize_tool_call(self, *args: Any, **options: Any) -> Any:
        self.asked.append("sanitize_tool_call")
        return {**self._registry.sanitize_tool_call(*args, **options), "marked": True}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._registry, name)


def _providers_use_the_context(view: SubjectView) -> None:
    provider = view.get("provider")
    noting = _Noting(view)
    formats = [f"{CHAT}.function", f"{RESPONSES}.function"]
    interop = {"registry": noting, "schema_target_formats": formats}
    context = {"core": {}, "config": {}, "tool_interop": interop}
    state: Json = {"request": {"payload": {}}, "_tools": [chat_schema()]}
    messages: Any = [{"role": "user", "content": "hello"}]
    begin: Any = provider.initialize_request
    view.fits("initialize_request", begin, messages, state, context=context)
    after = _state(begin(messages, state, context=context))
    view.expect("what initialize_request asked", ["convert_schemas"], noting.asked)
    tools = after["request"]["payload"]["tools"]
    marks = [tool.get("marked") for tool in tools]
    view.expect("the marks of the tools in the payload", [True], marks)
    noting.asked.clear()
    partial = {"tool_calls": [chat_call("read_file")]}
    state = {"partial": partial}
    after = _state(provider.finalize([], [], state, context=context))
    view.expect("what finalize asked", ["sanitize_tool_call"], noting.asked)
    marks = [call.get("marked") for call in after["partial"]["tool_calls"]]
    view.expect("the marks of the calls that finalize left", [True], marks)


def _state_holds_no_registry(view: SubjectView) -> None:
    provider = view.get("provider")
    registry = _Noting(view)
    context = {"core": {}, "config": {}, "tool_interop": {"registry": registry}}
    state: Json = {"request": {"payload": {}}, "_tools": [chat_schema()]}
    messages: Any = [{"role": "user", "content": "hello"}]
    begin: Any = provider.initialize_request
    view.fits("initialize_request", begin, messages, state, context=context)
    after = _state(begin(messages, state, context=context))
    composed: object = view.compose()
    kinds: tuple[type[Any], ...] = (type(registry), type(composed))
    view.expect("registries in the state", 0, _count(after, kinds))
    after = _state(provider.finalize([], [], {"partial": {}}, context=context))
    view.expect("registries in the state of finalize", 0, _count(after, kinds))


def _count(value: Any, kinds: tuple[type[Any], ...]) -> int:
    """Count the objects of these kinds in a value."""
    inside: Any = value.values() if is_object(value) else value
    if not is_object(value) and not isinstance(value, list | tuple):
        return int(isinstance(value, kinds))
    return sum(_count(one, kinds) for one in inside)


def _execution_by_kind(view: SubjectView) -> None:
    execute: Any = view.get("execute_calls")
    given: list[Any] = []

    def tool(payload: Any) -> str:
        given.append(payload)
        return "done"

    function = {"name": "read_file", "arguments": '{"path": "README.md"}'}
    calls = [
        {"id": "call_1", "type": "function", "function": function},
        {
            "type": "custom_tool_call",
            "call_id": "call_2",
            "name": "apply_patch",
            "input": '{"not": "decoded"}',
        },
    ]
    tools = {"read_file": tool, "apply_patch": tool}
    found = view.fits("execute_calls", execute, calls, tools)(calls, tools)
    wanted = [{"path": "README.md"}, '{"not": "decoded"}']
    view.expect("what the tools were given", wanted, given)
    ids = [message["metadata"]["tool_call_id"] for message in found]
    view.expect("the calls that were answered", ["call_1", "call_2"], ids)


def _attachments(view: SubjectView) -> None:
    kind: Any = view.get("ChatProvider")
    reads: Json = {"read_attachment": giving(b"bytes")}
    provider: Any = view.fits("ChatProvider", kind, **reads)(**reads)
    reference = {"type": "attachment_ref", "id": "file-1", "media_type": "image/png"}
    content = [{"type": "text", "text": "an image"}, reference]
    core = core_result({"type": ENVELOPE, "format": CHAT, "content": content})
    native = provider.to_native_messages([core])
    view.expect("the content in the history", content, native[0]["content"])
    kept = copy.deepcopy(native)
    _, state = provider.initialize_request(native, {"request": {"payload": {}}})
    view.expect("the history after the request", kept, native)
    sent = state["request"]["payload"]["messages"][0]["content"]
    wanted = {"url": "data:image/png;base64,Ynl0ZXM="}
    view.expect("the attachment that is sent", wanted, sent[1].get("image_url"))


PROVIDER_SCENARIOS: Mapping[str, Callable[[SubjectView], None]] = {
    "attachments": _attachments,
    "state-holds-no-registry": _state_holds_no_registry,
    "providers-use-the-context": _providers_use_the_context,
    "execution-by-kind": _execution_by_kind,
}
"""What carries out each scenario of providers."""
