"""Scenarios of the registry itself: where it comes from, what it holds and asks."""

from __future__ import annotations

import copy
import json
import pickle
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ._objects import (
    ACME_RESULT,
    CHAT,
    RESPONSES,
    Json,
    adapter_of,
    chat_schema,
    core_result,
    flat_schema,
    giving,
    native_envelope,
)
from ._subject_view import NotProvided

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ._subject_view import SubjectView


def _registry_of_the_context(view: SubjectView) -> None:
    registry_of = view.get("get_registry_from_context")
    formats_of = view.get("get_schema_target_formats_from_context")
    default = view.get("DEFAULT_TOOL_INTEROP_REGISTRY")
    own = SimpleNamespace(name="the context's own")
    formats = ["acme.function", f"{CHAT}.function"]
    context = {"tool_interop": {"registry": own, "schema_target_formats": formats}}
    view.expect("the context's registry", own, registry_of(context))
    view.expect("the context's formats", formats, list(formats_of(context) or ()))
    view.expect("the registry without a context", default, registry_of(None))


def _composing_changes_nothing_else(view: SubjectView) -> None:
    def made(text: str) -> Any:
        adapter = adapter_of(
            f"{CHAT}.function", f"{RESPONSES}.function", giving(flat_schema(text))
        )
        return view.contribution(schema_adapters=[adapter])

    def said(registry: Any) -> Any:
        found = view.ask(
            registry, "convert_schemas", schemas=[chat_schema()], target=RESPONSES
        )
        return found[0].get("description")

    plain = view.compose()
    view.expect("an earlier registry before", "Reads.", said(plain))
    one, two = view.compose(tool=made("one")), view.compose(config=made("two"))
    view.expect("the one request's", "one", said(one))
    view.expect("the other request's", "two", said(two))
    view.expect("the one request's afterwards", "one", said(one))
    view.expect("an earlier registry afterwards", "Reads.", said(plain))
    view.expect("a later registry", "Reads.", said(view.compose()))
    try:
        default = view.get("DEFAULT_TOOL_INTEROP_REGISTRY")
    except NotProvided:
        return
    view.expect("the default registry afterwards", "Reads.", said(default))


def _registry_cannot_be_stored(view: SubjectView) -> None:
    try:
        registry = view.compose()
    except NotProvided:
        registry = view.subject
    ways: dict[str, Callable[[Any], Any]] = {
        "json.dumps": json.dumps,
        "pickle.dumps": pickle.dumps,
        "copy.deepcopy": copy.deepcopy,
    }
    for name, store in ways.items():
        try:
            store(registry)
        except Exception:  # noqa: BLE001 - pickle has errors of its own for it
            view.compared.append(f"{name} refuses it")
        else:
            view.compared.append(f"{name} takes it")


def _formats_of_provider_and_extensions(view: SubjectView) -> tuple[Any, Any]:
    accepted: Any = view.get("accepted_tool_schema_formats")

    def plugin(*formats: str) -> Any:
        return SimpleNamespace(accepted_tool_schema_formats=lambda: list(formats))

    provider = plugin("b", "a")
    extensions = [plugin("c", "a"), plugin("b", "d")]
    view.fits("accepted_tool_schema_formats", accepted, provider, extensions)
    return list(accepted(provider)), list(accepted(provider, extensions))


def _accepted_formats(view: SubjectView) -> None:
    alone, both = _formats_of_provider_and_extensions(view)
    view.expect("of a provider alone", ["a", "b"], sorted(set(alone)))
    view.expect("of provider and extensions", ["a", "b", "c", "d"], sorted(set(both)))


def _accepted_formats_in_order(view: SubjectView) -> None:
    alone, both = _formats_of_provider_and_extensions(view)
    view.expect("of a provider alone", ["b", "a"], alone)
    view.expect("of provider and extensions", ["b", "a", "c", "d"], both)


def _descriptors(view: SubjectView) -> None:
    kind: Any = view.get("ToolDescriptor")
    schema = {
        "type": "custom",
        "name": "apply_patch",
        "description": "Apply a textual patch to files in the workspace.",
        "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"},
    }
    authored = copy.deepcopy(schema)
    says: Json = {"plugin_name": "apply_patch", "tool_name": "apply_patch"}
    made = view.fits("ToolDescriptor", kind, **says, schema=schema)(
        **says, schema=schema
    )
    view.expect("plugin_name", "apply_patch", made.plugin_name)
    view.expect("tool_name", "apply_patch", made.tool_name)
    view.expect("the schema before a request", authored, made.schema)
    view.ask(view.subject, "convert_schemas", schemas=[made.schema], target=CHAT)
    view.expect("the schema after a request", authored, made.schema)


def _results_ask_no_other_adapter(view: SubjectView) -> None:
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
            adapter_of(source, target, noted(f"a {kind} adapter", None))
            for source in ("acme.results", "tool_result", CHAT, RESPONSES)
            for target in (CHAT, RESPONSES)
            if source != target
        ]
        return {f"{kind}_accessors": [accessor], f"{kind}_adapters": adapters}

    parts = {**spies("schema"), **spies("call")}
    registry = view.compose(config=view.contribution(**parts))
    for target in (CHAT, RESPONSES):
        for stored in (
            {"type": "tool_result", "text": "done"},
            native_envelope("done", CHAT),
            native_envelope("done", RESPONSES),
            ACME_RESULT,
        ):
            view.ask(
                registry,
                "convert_results",
                results=[core_result(stored)],
                target=target,
            )
    view.expect("who was asked beside result accessors and adapters", [], asked)


REGISTRY_SCENARIOS: Mapping[str, Callable[[SubjectView], None]] = {
    "registry-of-the-context": _registry_of_the_context,
    "composing-changes-nothing-else": _composing_changes_nothing_else,
    "registry-cannot-be-stored": _registry_cannot_be_stored,
    "accepted-formats": _accepted_formats,
    "accepted-formats-in-order": _accepted_formats_in_order,
    "descriptors": _descriptors,
    "results-ask-no-other-adapter": _results_ask_no_other_adapter,
}
"""What carries out each scenario of the registry."""
