"""Scenarios of formats that a contribution brings (INT-G4)."""

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
    has_type,
    item_call,
    native_envelope,
)
from ._results import acme_results, in_either_form

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ._subject_view import SubjectView


def _schema_format_of_its_own(view: SubjectView) -> None:
    acme = {"type": "acme_tool", "title": "read_file"}
    ways = {
        f"{CHAT}.function": giving(chat_schema(description="of acme")),
        f"{RESPONSES}.function": giving(flat_schema("of acme")),
    }
    registry = view.compose(
        tool=view.contribution(
            schema_accessors=[
                accessor_of(
                    "schema", "acme.tool", has_type("acme_tool"), name="read_file"
                )
            ],
            schema_adapters=[
                adapter_of("acme.tool", target, gives) for target, gives in ways.items()
            ],
        )
    )
    for target, wanted in (
        (CHAT, chat_schema(description="of acme")),
        (RESPONSES, flat_schema("of acme")),
    ):
        found = view.ask(
            registry,
            "convert_schemas",
            schemas=[chat_schema(), acme],
            target=target,
            target_formats=[f"{target}.function"],
        )
        view.expect(f"the number of schemas for {target}", 2, len(found))
        view.expect(f"the contributed schema for {target}", wanted, found[1])
    found = view.ask(registry, "inspect_schema", schema=acme)
    view.expect("the format of the contributed schema", "acme.tool", found["format"])
    view.expect("its name", "read_file", found["name"])


def _call_format_of_its_own(view: SubjectView) -> None:
    acme = {"type": "acme_call", "tool": "read_file"}
    ways = {CHAT: chat_call("of acme"), RESPONSES: item_call("of acme")}
    registry = view.compose(
        provider=view.contribution(
            call_accessors=[
                accessor_of(
                    "call", "acme.call", has_type("acme_call"), tool_name="read_file"
                )
            ],
            call_adapters=[
                adapter_of("acme.call", target, giving(call))
                for target, call in ways.items()
            ],
        )
    )
    for target, wanted in ways.items():
        found = view.ask(registry, "convert_tool_calls", calls=[acme], target=target)
        view.expect(f"the contributed call for {target}", [wanted], list(found))
    found = view.ask(registry, "inspect_call", call=acme)
    view.expect("the tool of the contributed call", "read_file", found["tool_name"])


def _result_format_of_its_own(view: SubjectView) -> None:
    def trial(form: Callable[[Json], Any]) -> None:
        ways = {
            target: form(native_envelope("of acme", target))
            for target in (CHAT, RESPONSES)
        }
        registry = view.compose(tool=acme_results(view, ways))
        for target, key in ((CHAT, "content"), (RESPONSES, "output")):
            results = [core_result(ACME_RESULT)]
            found = view.ask(
                registry, "convert_results", results=results, target=target
            )
            wanted = native_envelope("of acme", target)["content"]
            where = f"the contributed result for {target}"
            view.expect(where, wanted, found[0].get(key))

    in_either_form(view, trial)


FORMAT_SCENARIOS: Mapping[str, Callable[[SubjectView], None]] = {
    "schema-format-of-its-own": _schema_format_of_its_own,
    "call-format-of-its-own": _call_format_of_its_own,
    "result-format-of-its-own": _result_format_of_its_own,
}
"""What carries out each scenario of such formats."""
