"""Scenarios of the layers of a registry: the earlier one is asked first (INT-G1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._objects import (
    ACME_RESULT,
    CHAT,
    RESPONSES,
    Json,
    accessor_of,
    adapter_of,
    chat_call,
    chat_schema,
    core_result,
    flat_schema,
    giving,
    item_call,
    native_envelope,
)
from ._results import acme_results, in_either_form

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ._subject_view import SubjectView

LAYERS = ("config", "provider", "provider_extension", "tool")
"""The layers of a registry, the first one asked first (INT-G1)."""


def _first_layers(view: SubjectView, made: Callable[[str], Any]) -> Any:
    """Yield each layer with a registry in which it is the first that contributes."""
    for first in range(len(LAYERS)):
        # The order of the arguments says nothing: the layers' names do.
        names = list(reversed(LAYERS[first:]))
        yield LAYERS[first], view.compose(**{name: made(name) for name in names})


def _layers_of_schema_adapters(view: SubjectView) -> None:
    def made(layer: str) -> Any:
        adapter = adapter_of(
            f"{CHAT}.function",
            f"{RESPONSES}.function",
            giving(flat_schema(f"from {layer}")),
        )
        return view.contribution(schema_adapters=[adapter])

    for layer, registry in _first_layers(view, made):
        found = view.ask(
            registry, "convert_schemas", schemas=[chat_schema()], target=RESPONSES
        )
        where = f"the description by the adapter of {layer}"
        view.expect(where, f"from {layer}", found[0].get("description"))
    found = view.ask(
        view.compose(), "convert_schemas", schemas=[chat_schema()], target=RESPONSES
    )
    view.expect("the description by the default", "Reads.", found[0].get("description"))


def _layers_of_call_adapters(view: SubjectView) -> None:
    def made(layer: str) -> Any:
        adapter = adapter_of(RESPONSES, CHAT, giving(chat_call(f"from {layer}")))
        return view.contribution(call_adapters=[adapter])

    calls = [item_call("read_file")]
    for layer, registry in _first_layers(view, made):
        found = view.ask(registry, "convert_tool_calls", calls=calls, target=CHAT)
        where = f"the name by the adapter of {layer}"
        view.expect(where, f"from {layer}", found[0]["function"]["name"])
    found = view.ask(view.compose(), "convert_tool_calls", calls=calls, target=CHAT)
    view.expect("the name by the default", "read_file", found[0]["function"]["name"])


def _layers_of_result_adapters(view: SubjectView) -> None:
    def trial(form: Callable[[Json], Any]) -> None:
        def made(layer: str) -> Any:
            given = form(native_envelope(f"from {layer}", CHAT))
            return acme_results(view, {CHAT: given})

        for layer, registry in _first_layers(view, made):
            results = [core_result(ACME_RESULT)]
            found = view.ask(registry, "convert_results", results=results, target=CHAT)
            where = f"the content by the adapter of {layer}"
            wanted = native_envelope(f"from {layer}", CHAT)["content"]
            view.expect(where, wanted, found[0].get("content"))

    in_either_form(view, trial)


def _layers_of_accessors(view: SubjectView) -> None:
    schema, call = chat_schema("probe"), item_call("probe")

    def made(layer: str) -> Any:
        return view.contribution(
            schema_accessors=[
                accessor_of(
                    "schema",
                    f"{CHAT}.function",
                    lambda found: found == schema,
                    name=f"from {layer}",
                )
            ],
            call_accessors=[
                accessor_of(
                    "call",
                    RESPONSES,
                    lambda found: found == call,
                    tool_name=f"from {layer}",
                )
            ],
        )

    for layer, registry in _first_layers(view, made):
        found = view.ask(registry, "inspect_schema", schema=schema)
        view.expect(f"the name by {layer}", f"from {layer}", found["name"])
        found = view.ask(registry, "inspect_call", call=call)
        view.expect(f"the tool by {layer}", f"from {layer}", found["tool_name"])
    found = view.ask(view.compose(), "inspect_schema", schema=schema)
    view.expect("the name by the default", "probe", found["name"])


LAYER_SCENARIOS: Mapping[str, Callable[[SubjectView], None]] = {
    "layers-of-schema-adapters": _layers_of_schema_adapters,
    "layers-of-call-adapters": _layers_of_call_adapters,
    "layers-of-result-adapters": _layers_of_result_adapters,
    "layers-of-accessors": _layers_of_accessors,
}
"""What carries out each scenario of the layers."""
