"""The scenarios of interop, carried out in the process of the registry.

This file is loaded by the program that serves a ``module:attr`` subject and imports
nothing but the standard library: what a scenario needs it looks up on the subject,
then in the module where that was found. What is missing makes the scenario not
applicable; accessors and adapters of its own are plain objects with the few names
that the clauses give them.
"""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"
ENVELOPE = "provider_native_tool_result"

LAYERS = ("config", "provider", "provider_extension", "tool")
"""The layers of a registry, the first one asked first (INT-G1)."""

PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}}

Json: TypeAlias = dict[str, Any]


def _is_object(value: Any) -> TypeGuard[Json]:
    return isinstance(value, dict)


class Lacks(Exception):
    """The subject does not have what a scenario needs."""


class Wrong(Exception):
    """Something came out otherwise than the clause has it."""

    def __init__(self, text: str, where: str, expected: Any, actual: Any) -> None:
        """Keep what was expected and what came."""
        self.text = text
        self.where = where
        self.expected = expected
        self.actual = actual
        super().__init__(text)


class Looked:
    """The subject as a scenario sees it.

    Attributes:
        subject: The subject itself.
        seen: What was compared so far, by place: the evidence of a pass.
    """

    def __init__(self, served: Any) -> None:
        """Look at what is served."""
        self._served = served
        self.subject: Any = served.subject
        self.seen: list[str] = []

    def get(self, name: str) -> Any:
        """Return an attribute of the subject, of its module, or of its providers'.

        Raises:
            Lacks: If none has it.
        """
        module = self._served.module
        for place in (self.subject, module, getattr(module, "providers", None)):
            if (found := getattr(place, name, None)) is not None:
                return found
        raise Lacks(name)

    def compose(self, **layers: Any) -> Any:
        """Compose a registry of contributions."""
        compose: Any = self.get("compose_registry")
        return compose(**{name: (layer,) for name, layer in layers.items()})

    def contribution(self, **parts: Any) -> Any:
        """Return a contribution, of the subject's own class where it has one."""
        parts = {name: tuple(part) for name, part in parts.items()}
        try:
            kind: Any = self.get("ToolInteropContribution")
        except Lacks:
            names = [f"{k}_{p}" for k in KINDS for p in ("accessors", "adapters")]
            return SimpleNamespace(**{**dict.fromkeys(names, ()), **parts})
        try:
            return kind(**parts)
        except TypeError as error:
            raise Lacks(f"a ToolInteropContribution of {', '.join(parts)}") from error

    def fits(self, name: str, found: Any, *args: Any, **options: Any) -> Any:
        """Return what was found, where it can be called like the reference's.

        The names that a scenario looks for are no one's own: another library may have
        one for something else, a provider's method that takes nothing among them.

        Raises:
            Lacks: If it cannot.
        """
        try:
            inspect.signature(found).bind(*args, **options)
        except (TypeError, ValueError) as error:
            raise Lacks(f"{name} as the reference has it ({error})") from error
        return found

    def ask(self, registry: Any, op: str, **arguments: Any) -> Any:
        """Call a method of a registry that was composed here."""
        return self._served.call_on(registry, op, arguments)

    def same(self, where: str, expected: Any, actual: Any) -> None:
        """Compare, and go on where it is as it should be.

        Raises:
            Wrong: If it is not.
        """
        if expected != actual:
            raise Wrong(f"{where} is not what it should be", where, expected, actual)
        self.seen.append(where)


KINDS = ("schema", "call", "result")


def _chat_schema(name: str = "read_file", description: str = "Reads.") -> Json:
    function = {"name": name, "description": description, "parameters": PARAMETERS}
    return {"type": "function", "function": function}


def _flat_schema(description: str) -> Json:
    return {
        "type": "function",
        "name": "read_file",
        "description": description,
        "parameters": PARAMETERS,
    }


def _item_call(name: str) -> Json:
    return {
        "type": "function_call",
        "call_id": "call_1",
        "name": name,
        "arguments": "{}",
    }


def _chat_call(name: str) -> Json:
    function = {"name": name, "arguments": "{}"}
    return {"id": "call_1", "type": "function", "function": function}


def _native(text: str, target: str) -> Json:
    kind = "text" if target == CHAT else "input_text"
    content = [{"type": kind, "text": text}]
    return {"type": ENVELOPE, "format": target, "content": content}


def _core_result(tool_result: Any) -> Json:
    return {
        "role": "tool",
        "content": "fallback",
        "toolResult": tool_result,
        "metadata": {"tool_call_id": "call_1", "tool_name": "read_file"},
    }


ACME_RESULT = {"type": ENVELOPE, "format": "acme.results", "content": {"acme": 1}}


def _adapter(source: str, target: str, gives: Callable[[Any], Any]) -> Any:
    return SimpleNamespace(source=source, target=target, convert=gives)


def _gives(value: Any) -> Callable[[Any], Any]:
    return lambda _: copy.deepcopy(value)


def _accessor(
    kind: str, format_: str, matches: Callable[[Any], bool], **says: Any
) -> Any:
    if kind == "schema":
        usual: Json = {
            "name": "",
            "description": "",
            "parameters": PARAMETERS,
            "payload_kind": "object",
        }
    elif kind == "call":
        usual = {
            "call_id": "call_1",
            "tool_name": "",
            "payload": {},
            "payload_kind": "object",
            "payload_format": format_,
            "payload_metadata": {},
        }
    else:
        usual = {"kind": "native", "text": "", "content": None}
    meaning = SimpleNamespace(**{**usual, "format": format_, **says})
    return SimpleNamespace(format=format_, matches=matches, inspect=_gives(meaning))


def _has_type(name: str) -> Callable[[Any], bool]:
    return lambda found: _is_object(found) and found.get("type") == name


def _first_layers(looked: Looked, made: Callable[[str], Any]) -> Any:
    """Yield each layer with a registry in which it is the first that contributes."""
    for first in range(len(LAYERS)):
        # The order of the arguments says nothing: the layers' names do.
        names = list(reversed(LAYERS[first:]))
        yield LAYERS[first], looked.compose(**{name: made(name) for name in names})


def _layers_of_schema_adapters(looked: Looked) -> None:
    def made(layer: str) -> Any:
        adapter = _adapter(
            f"{CHAT}.function",
            f"{RESPONSES}.function",
            _gives(_flat_schema(f"from {layer}")),
        )
        return looked.contribution(schema_adapters=[adapter])

    for layer, registry in _first_layers(looked, made):
        found = looked.ask(
            registry, "convert_schemas", schemas=[_chat_schema()], target=RESPONSES
        )
        where = f"the description by the adapter of {layer}"
        looked.same(where, f"from {layer}", found[0].get("description"))
    found = looked.ask(
        looked.compose(), "convert_schemas", schemas=[_chat_schema()], target=RESPONSES
    )
    looked.same("the description by the default", "Reads.", found[0].get("description"))


def _layers_of_call_adapters(looked: Looked) -> None:
    def made(layer: str) -> Any:
        adapter = _adapter(RESPONSES, CHAT, _gives(_chat_call(f"from {layer}")))
        return looked.contribution(call_adapters=[adapter])

    calls = [_item_call("read_file")]
    for layer, registry in _first_layers(looked, made):
        found = looked.ask(registry, "convert_tool_calls", calls=calls, target=CHAT)
        where = f"the name by the adapter of {layer}"
        looked.same(where, f"from {layer}", found[0]["function"]["name"])
    found = looked.ask(looked.compose(), "convert_tool_calls", calls=calls, target=CHAT)
    looked.same("the name by the default", "read_file", found[0]["function"]["name"])


def _is_acme_result(found: Any) -> bool:
    return _is_object(found) and found.get("format") == "acme.results"


def _acme_results(looked: Looked, ways: Mapping[str, Any]) -> Any:
    """Contribute results of a format of its own, and what they become for targets."""
    accessor = _accessor(
        "result",
        "acme.results",
        _is_acme_result,
        content=ACME_RESULT["content"],
    )
    return looked.contribution(
        result_accessors=[accessor],
        result_adapters=[
            _adapter("acme.results", target, _gives(given))
            for target, given in ways.items()
        ],
    )


def _in_either_form(
    looked: Looked, scene: Callable[[Callable[[Json], Any]], None]
) -> None:
    """Try a scene whose adapters give an envelope, then one where they give content.

    No document says which of the two an adapter of results gives.
    """
    try:
        scene(lambda envelope: envelope)
    except Wrong as error:
        try:
            scene(lambda envelope: envelope["content"])
        except Wrong:
            raise error from None


def _layers_of_result_adapters(looked: Looked) -> None:
    def scene(form: Callable[[Json], Any]) -> None:
        def made(layer: str) -> Any:
            given = form(_native(f"from {layer}", CHAT))
            return _acme_results(looked, {CHAT: given})

        for layer, registry in _first_layers(looked, made):
            results = [_core_result(ACME_RESULT)]
            found = looked.ask(
                registry, "convert_results", results=results, target=CHAT
            )
            where = f"the content by the adapter of {layer}"
            wanted = _native(f"from {layer}", CHAT)["content"]
            looked.same(where, wanted, found[0].get("content"))

    _in_either_form(looked, scene)


def _layers_of_accessors(looked: Looked) -> None:
    schema, call = _chat_schema("probe"), _item_call("probe")

    def made(layer: str) -> Any:
        return looked.contribution(
            schema_accessors=[
                _accessor(
                    "schema",
                    f"{CHAT}.function",
                    lambda found: found == schema,
                    name=f"from {layer}",
                )
            ],
            call_accessors=[
                _accessor(
                    "call",
                    RESPONSES,
                    lambda found: found == call,
                    tool_name=f"from {layer}",
                )
            ],
        )

    for layer, registry in _first_layers(looked, made):
        found = looked.ask(registry, "inspect_schema", schema=schema)
        looked.same(f"the name by {layer}", f"from {layer}", found["name"])
        found = looked.ask(registry, "inspect_call", call=call)
        looked.same(f"the tool by {layer}", f"from {layer}", found["tool_name"])
    found = looked.ask(looked.compose(), "inspect_schema", schema=schema)
    looked.same("the name by the default", "probe", found["name"])


def _registry_of_the_context(looked: Looked) -> None:
    registry_of = looked.get("get_registry_from_context")
    formats_of = looked.get("get_schema_target_formats_from_context")
    default = looked.get("DEFAULT_TOOL_INTEROP_REGISTRY")
    own = SimpleNamespace(name="the context's own")
    formats = ["acme.function", f"{CHAT}.function"]
    context = {"tool_interop": {"registry": own, "schema_target_formats": formats}}
    looked.same("the context's registry", own, registry_of(context))
    looked.same("the context's formats", formats, list(formats_of(context) or ()))
    looked.same("the registry without a context", default, registry_of(None))


def _composing_changes_nothing_else(looked: Looked) -> None:
    def made(text: str) -> Any:
        adapter = _adapter(
            f"{CHAT}.function", f"{RESPONSES}.function", _gives(_flat_schema(text))
        )
        return looked.contribution(schema_adapters=[adapter])

    def said(registry: Any) -> Any:
        found = looked.ask(
            registry, "convert_schemas", schemas=[_chat_schema()], target=RESPONSES
        )
        return found[0].get("description")

    plain = looked.compose()
    looked.same("an earlier registry before", "Reads.", said(plain))
    one, two = looked.compose(tool=made("one")), looked.compose(config=made("two"))
    looked.same("the one request's", "one", said(one))
    looked.same("the other request's", "two", said(two))
    looked.same("the one request's afterwards", "one", said(one))
    looked.same("an earlier registry afterwards", "Reads.", said(plain))
    looked.same("a later registry", "Reads.", said(looked.compose()))
    try:
        default = looked.get("DEFAULT_TOOL_INTEROP_REGISTRY")
    except Lacks:
        return
    looked.same("the default registry afterwards", "Reads.", said(default))


def _schema_format_of_its_own(looked: Looked) -> None:
    acme = {"type": "acme_tool", "title": "read_file"}
    ways = {
        f"{CHAT}.function": _gives(_chat_schema(description="of acme")),
        f"{RESPONSES}.function": _gives(_flat_schema("of acme")),
    }
    registry = looked.compose(
        tool=looked.contribution(
            schema_accessors=[
                _accessor(
                    "schema", "acme.tool", _has_type("acme_tool"), name="read_file"
                )
            ],
            schema_adapters=[
                _adapter("acme.tool", target, gives) for target, gives in ways.items()
            ],
        )
    )
    for target, wanted in (
        (CHAT, _chat_schema(description="of acme")),
        (RESPONSES, _flat_schema("of acme")),
    ):
        found = looked.ask(
            registry,
            "convert_schemas",
            schemas=[_chat_schema(), acme],
            target=target,
            target_formats=[f"{target}.function"],
        )
        looked.same(f"the number of schemas for {target}", 2, len(found))
        looked.same(f"the contributed schema for {target}", wanted, found[1])
    found = looked.ask(registry, "inspect_schema", schema=acme)
    looked.same("the format of the contributed schema", "acme.tool", found["format"])
    looked.same("its name", "read_file", found["name"])


def _call_format_of_its_own(looked: Looked) -> None:
    acme = {"type": "acme_call", "tool": "read_file"}
    ways = {CHAT: _chat_call("of acme"), RESPONSES: _item_call("of acme")}
    registry = looked.compose(
        provider=looked.contribution(
            call_accessors=[
                _accessor(
                    "call", "acme.call", _has_type("acme_call"), tool_name="read_file"
                )
            ],
            call_adapters=[
                _adapter("acme.call", target, _gives(call))
                for target, call in ways.items()
            ],
        )
    )
    for target, wanted in ways.items():
        found = looked.ask(registry, "convert_tool_calls", calls=[acme], target=target)
        looked.same(f"the contributed call for {target}", [wanted], list(found))
    found = looked.ask(registry, "inspect_call", call=acme)
    looked.same("the tool of the contributed call", "read_file", found["tool_name"])


def _result_format_of_its_own(looked: Looked) -> None:
    def scene(form: Callable[[Json], Any]) -> None:
        ways = {
            target: form(_native("of acme", target)) for target in (CHAT, RESPONSES)
        }
        registry = looked.compose(tool=_acme_results(looked, ways))
        for target, key in ((CHAT, "content"), (RESPONSES, "output")):
            results = [_core_result(ACME_RESULT)]
            found = looked.ask(
                registry, "convert_results", results=results, target=target
            )
            wanted = _native("of acme", target)["content"]
            where = f"the contributed result for {target}"
            looked.same(where, wanted, found[0].get(key))

    _in_either_form(looked, scene)


def _registry_cannot_be_stored(looked: Looked) -> None:
    try:
        registry = looked.compose()
    except Lacks:
        registry = looked.subject
    ways: dict[str, Callable[[Any], Any]] = {
        "json.dumps": json.dumps,
        "pickle.dumps": pickle.dumps,
        "copy.deepcopy": copy.deepcopy,
    }
    for name, store in ways.items():
        try:
            store(registry)
        except Exception:  # noqa: BLE001 - pickle has errors of its own for it
            looked.seen.append(f"{name} refuses it")
        else:
            text = f"{name} takes the registry"
            raise Wrong(text, name, "TypeError", "no error")


def _accepted_formats(looked: Looked) -> None:
    accepted: Any = looked.get("accepted_tool_schema_formats")

    def plugin(*formats: str) -> Any:
        return SimpleNamespace(accepted_tool_schema_formats=lambda: list(formats))

    provider = plugin("b", "a")
    extensions = [plugin("c", "a"), plugin("b", "d")]
    looked.fits("accepted_tool_schema_formats", accepted, provider, extensions)
    looked.same("of a provider alone", ["b", "a"], list(accepted(provider)))
    both = accepted(provider, extensions)
    looked.same("of provider and extensions", ["b", "a", "c", "d"], list(both))


def _descriptors(looked: Looked) -> None:
    kind: Any = looked.get("ToolDescriptor")
    schema = {
        "type": "custom",
        "name": "apply_patch",
        "description": "Apply a textual patch to files in the workspace.",
        "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"},
    }
    authored = copy.deepcopy(schema)
    says: Json = {"plugin_name": "apply_patch", "tool_name": "apply_patch"}
    made = looked.fits("ToolDescriptor", kind, **says, schema=schema)(
        **says, schema=schema
    )
    looked.same("plugin_name", "apply_patch", made.plugin_name)
    looked.same("tool_name", "apply_patch", made.tool_name)
    looked.same("the schema before a request", authored, made.schema)
    looked.ask(looked.subject, "convert_schemas", schemas=[made.schema], target=CHAT)
    looked.same("the schema after a request", authored, made.schema)


def _results_ask_no_other_adapter(looked: Looked) -> None:
    asked: list[str] = []

    def noted(name: str, found: Any) -> Callable[[Any], Any]:
        def note(_: Any) -> Any:
            asked.append(name)
            return found

        return note

    def spies(kind: str) -> Json:
        accessor = SimpleNamespace(
            format=f"acme.{kind}",
            matches=noted(f"a {kind} accessor", found=False),
            inspect=noted(f"a {kind} accessor", None),
        )
        adapters = [
            _adapter(source, target, noted(f"a {kind} adapter", None))
            for source in ("acme.results", "tool_result", CHAT, RESPONSES)
            for target in (CHAT, RESPONSES)
            if source != target
        ]
        return {f"{kind}_accessors": [accessor], f"{kind}_adapters": adapters}

    parts = {**spies("schema"), **spies("call")}
    registry = looked.compose(config=looked.contribution(**parts))
    for target in (CHAT, RESPONSES):
        for stored in (
            {"type": "tool_result", "text": "done"},
            _native("done", CHAT),
            _native("done", RESPONSES),
            ACME_RESULT,
        ):
            looked.ask(
                registry,
                "convert_results",
                results=[_core_result(stored)],
                target=target,
            )
    looked.same("who was asked beside result accessors and adapters", [], asked)


def _state(found: Any) -> Json:
    """Return the state of what an op of a provider gave, a tuple or an object."""
    state: Json = found["state"] if _is_object(found) else found[-1]
    return state


class _Noting:
    """A registry that notes what it is asked, and leaves a mark on what it gives."""

    def __init__(self, looked: Looked) -> None:
        self.asked: list[str] = []
        self._looked = looked
        self._registry = looked.compose()

    def convert_schemas(self, *args: Any, **options: Any) -> Any:
        self.asked.append("convert_schemas")
        found = self._registry.convert_schemas(*args, **options)
        return [{**schema, "marked": True} for schema in found]

    def sanitize_tool_call(self, *args: Any, **options: Any) -> Any:
        self.asked.append("sanitize_tool_call")
        return {**self._registry.sanitize_tool_call(*args, **options), "marked": True}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._registry, name)


def _providers_use_the_context(looked: Looked) -> None:
    provider = looked.get("provider")
    noting = _Noting(looked)
    formats = [f"{CHAT}.function", f"{RESPONSES}.function"]
    interop = {"registry": noting, "schema_target_formats": formats}
    context = {"core": {}, "config": {}, "tool_interop": interop}
    state: Json = {"request": {"payload": {}}, "_tools": [_chat_schema()]}
    messages: Any = [{"role": "user", "content": "hello"}]
    begin: Any = provider.initialize_request
    looked.fits("initialize_request", begin, messages, state, context=context)
    after = _state(begin(messages, state, context=context))
    looked.same("what initialize_request asked", ["convert_schemas"], noting.asked)
    tools = after["request"]["payload"]["tools"]
    marks = [tool.get("marked") for tool in tools]
    looked.same("the marks of the tools in the payload", [True], marks)
    noting.asked.clear()
    partial = {"tool_calls": [_chat_call("read_file")]}
    state = {"partial": partial}
    after = _state(provider.finalize([], [], state, context=context))
    looked.same("what finalize asked", ["sanitize_tool_call"], noting.asked)
    marks = [call.get("marked") for call in after["partial"]["tool_calls"]]
    looked.same("the marks of the calls that finalize left", [True], marks)


def _execution_by_kind(looked: Looked) -> None:
    execute: Any = looked.get("execute_calls")
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
    found = looked.fits("execute_calls", execute, calls, tools)(calls, tools)
    wanted = [{"path": "README.md"}, '{"not": "decoded"}']
    looked.same("what the tools were given", wanted, given)
    ids = [message["metadata"]["tool_call_id"] for message in found]
    looked.same("the calls that were answered", ["call_1", "call_2"], ids)


def _attachments(looked: Looked) -> None:
    kind: Any = looked.get("ChatProvider")
    reads: Json = {"read_attachment": _gives(b"bytes")}
    provider: Any = looked.fits("ChatProvider", kind, **reads)(**reads)
    reference = {"type": "attachment_ref", "id": "file-1", "media_type": "image/png"}
    content = [{"type": "text", "text": "an image"}, reference]
    core = _core_result({"type": ENVELOPE, "format": CHAT, "content": content})
    native = provider.to_native_messages([core])
    looked.same("the content in the history", content, native[0]["content"])
    kept = copy.deepcopy(native)
    _, state = provider.initialize_request(native, {"request": {"payload": {}}})
    looked.same("the history after the request", kept, native)
    sent = state["request"]["payload"]["messages"][0]["content"]
    wanted = {"url": "data:image/png;base64,Ynl0ZXM="}
    looked.same("the attachment that is sent", wanted, sent[1].get("image_url"))


SCENES: Mapping[str, Callable[[Looked], None]] = {
    "layers-of-schema-adapters": _layers_of_schema_adapters,
    "layers-of-call-adapters": _layers_of_call_adapters,
    "layers-of-result-adapters": _layers_of_result_adapters,
    "layers-of-accessors": _layers_of_accessors,
    "registry-of-the-context": _registry_of_the_context,
    "composing-changes-nothing-else": _composing_changes_nothing_else,
    "schema-format-of-its-own": _schema_format_of_its_own,
    "call-format-of-its-own": _call_format_of_its_own,
    "result-format-of-its-own": _result_format_of_its_own,
    "registry-cannot-be-stored": _registry_cannot_be_stored,
    "accepted-formats": _accepted_formats,
    "descriptors": _descriptors,
    "results-ask-no-other-adapter": _results_ask_no_other_adapter,
    "attachments": _attachments,
    "providers-use-the-context": _providers_use_the_context,
    "execution-by-kind": _execution_by_kind,
}


def scenario(served: Any, name: str) -> Json:
    """Carry out a scenario and say how it went.

    Returns:
        ``lacks``: what the subject does not have, ``wrong``: what came out otherwise,
        with ``where``, ``expected`` and ``actual``, ``looked_at``: what was as it
        should be. Empty where it says nothing.
    """
    looked = Looked(served)
    told: Json = {"lacks": "", "wrong": "", "where": "", "expected": "", "actual": ""}
    try:
        SCENES[name](looked)
    except Lacks as error:
        told["lacks"] = str(error)
    except Wrong as error:
        told |= {"wrong": error.text, "where": error.where}
        told |= {"expected": error.expected, "actual": error.actual}
    return {**told, "looked_at": looked.seen}


OPS: Mapping[str, Callable[..., Any]] = {"scenario": scenario}
"""What is asked of this file."""
