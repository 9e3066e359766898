"""The fuzz properties of interop, by name: what each tries and what it needs.

Kept apart from the strategies so that listing checks does not import Hypothesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import Check
from wireproof.protocols.interop._shapes import CHAT, RESPONSES

if TYPE_CHECKING:
    from wireproof.checks import Level

PREFIX = "interop/fuzz/"

GROWTH = f"{PREFIX}sanitise-growth"
"""The property that is a matter of time and not of values."""

SANITISE = ("sanitize_tool_call",)
CONVERTS_SCHEMAS = ("convert_schemas",)
CONVERTS_CALLS = ("convert_tool_calls",)
INSPECTS_CALLS = ("inspect_call",)
CONVERTS_RESULTS = ("convert_results",)
BOTH = (CHAT, RESPONSES)


def _check(
    name: str,
    title: str,
    clauses: tuple[str, ...],
    level: Level = "must",
    source: str = "seed",
    ops: tuple[str, ...] = SANITISE,
    targets: tuple[str, ...] = (),
    provider: str = "",
    formats: tuple[str, ...] = (),
    *,
    in_process: bool = False,
) -> Check:
    # As a vector has them in its file: names, one name, or true.
    needs: dict[str, Any] = {"ops": list(ops), "targets": list(targets)}
    if in_process:
        needs["in_process"] = True
    if provider:
        needs["provider"] = provider
    if formats:
        needs["formats"] = list(formats)
    return Check(f"{PREFIX}{name}", title, clauses, level, source, "fuzz", needs)


PROVIDER_CHECKS: tuple[tuple[str, str, str, Level, str, tuple[str, ...]], ...] = (
    (
        "tools-injected",
        "The {} provider injects the tools where none are.",
        "INT-Q11",
        "must",
        "seed",
        ("initialize_request",),
    ),
    (
        "tools-left",
        "The {} provider leaves tools alone that a payload has.",
        "INT-Q4",
        "must",
        "seed",
        ("initialize_request",),
    ),
    (
        "authored-tools",
        "The tools in the state stay those of their authors after a {} request.",
        "INT-Q5",
        "must",
        "seed",
        ("initialize_request",),
    ),
    (
        "tool-choice",
        "The {} provider adds the choice auto to tools that it injects, and no other.",
        "INT-Q7",
        "must",
        "seed",
        ("initialize_request",),
    ),
    (
        "history",
        "The {} provider sends native history unchanged.",
        "INT-Q10",
        "must",
        "seed",
        ("initialize_request",),
    ),
    (
        "history-rebuilt",
        "History of the {} provider that went to core and back is equal.",
        "INT-Q10",
        "must",
        "seed",
        ("from_native_messages", "to_native_messages"),
    ),
    (
        "given-unchanged",
        "A request of the {} provider changes nothing that it was given.",
        "INT-Q12",
        "should",
        "derived",
        ("initialize_request",),
    ),
    (
        "calls-in-core",
        "A native call of the {} provider is a chat-style call in core.",
        "INT-Q8",
        "must",
        "seed",
        ("from_native_messages",),
    ),
    (
        "native-results",
        "The {} provider makes native results of core messages.",
        "INT-Q1",
        "must",
        "seed",
        ("to_native_messages",),
    ),
    (
        "streamed-calls",
        "The {} provider sanitises what a stream left.",
        "INT-Q1",
        "must",
        "seed",
        ("finalize",),
    ),
    (
        "fragments",
        "The {} provider keeps no fragment of a stream.",
        "INT-Q2",
        "must",
        "seed",
        ("finalize",),
    ),
)
"""Name, title, clause, level, source and ops of what is tried of a provider."""

FUZZ_CHECKS: tuple[Check, ...] = (
    _check(
        "sanitise-any-text",
        "Whatever text the arguments are, they become the text of a JSON object.",
        ("INT-Z1",),
    ),
    _check(
        "sanitise-broken-texts",
        "Arguments that are cut at any place, spliced or corrupted become {}.",
        ("INT-Z2",),
    ),
    _check(
        "sanitise-valid-texts",
        "A valid arguments text is kept, however it is written.",
        ("INT-Z3",),
    ),
    _check(
        "sanitise-names",
        "Id, type and name are kept, whatever strings they are.",
        ("INT-Z4",),
    ),
    _check(
        "sanitise-any-object",
        "Any object is sanitised without an error, and once is enough.",
        ("INT-Z5",),
        source="derived",
    ),
    _check(
        "sanitise-other-values",
        "Arguments that are no object, or the text of none, become {}.",
        ("INT-Z6",),
        source="derived",
    ),
    _check(
        "sanitise-lenient-json",
        "Text that only a lenient parser takes becomes {}.",
        ("INT-Z7",),
        source="derived",
    ),
    _check(
        "sanitise-raw-input",
        "The raw input of a custom call is left alone.",
        ("INT-Z8",),
    ),
    _check(
        "sanitise-items",
        "Items of the Responses format are sanitised as chat calls are.",
        ("INT-Z9",),
    ),
    _check(
        "sanitise-nesting",
        "Arguments nested to any depth are kept or become {}.",
        ("INT-Z10",),
        source="derived",
    ),
    Check(
        GROWTH,
        "The time that sanitising takes grows as the text does.",
        ("INT-Z10",),
        "must",
        "derived",
        "fuzz",
        {"ops": list(SANITISE)},
    ),
    _check(
        "sanitise-duplicate-keys",
        "Valid arguments with a key twice are kept.",
        ("INT-Z11",),
        "should",
        "derived",
    ),
    _check(
        "sanitise-other-types",
        "An object whose type is no call's is returned as it is.",
        ("INT-Z12",),
        source="derived",
    ),
    _check(
        "schemas-unchanged",
        "A schema in an accepted format is handed on, whatever keys it has.",
        ("INT-S1",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    _check(
        "schemas-there-and-back",
        "A function schema is equal after the way to the other format and back.",
        ("INT-S2",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    _check(
        "custom-schemas-as-functions",
        "A custom tool becomes a function of one text, whatever it holds.",
        ("INT-S3",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    _check(
        "custom-schemas-unchanged",
        "A custom tool stays custom where custom tools are accepted.",
        ("INT-S4",),
        ops=CONVERTS_SCHEMAS,
        targets=(RESPONSES,),
    ),
    _check(
        "custom-schemas-of-chat",
        "A custom tool goes from one provider to the other with all that it holds.",
        ("INT-S4",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
        formats=(f"{CHAT}.custom",),
    ),
    _check(
        "custom-schemas-published",
        "A converted custom tool is of the provider's published type.",
        ("INT-S9",),
        source="derived",
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
        formats=(f"{CHAT}.custom",),
    ),
    _check(
        "schemas-in-order",
        "As many schemas come back as are given, in their order.",
        ("INT-S5",),
        source="derived",
        ops=CONVERTS_SCHEMAS,
        targets=(CHAT,),
    ),
    _check(
        "schemas-kept",
        "No schema is changed by converting or looking at it.",
        ("INT-S6",),
        ops=("convert_schemas", "inspect_schema"),
        targets=BOTH,
    ),
    _check(
        "schemas-unshared",
        "What a schema is converted to shares nothing with it.",
        ("INT-S6",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
        in_process=True,
    ),
    _check(
        "schemas-unknown",
        "A type or target that nobody knows is refused and named.",
        ("INT-S7",),
        source="derived",
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    _check(
        "schemas-published",
        "A converted schema is of the provider's published type.",
        ("INT-S9",),
        source="derived",
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    _check(
        "schemas-seen",
        "What a schema says is seen as it stands there.",
        ("INT-S10",),
        ops=("inspect_schema",),
    ),
    _check(
        "calls-seen",
        "Id and name of a call are seen, whatever strings they are.",
        ("INT-C1",),
        ops=INSPECTS_CALLS,
    ),
    _check(
        "arguments-seen",
        "Arguments are seen as the object that their text holds.",
        ("INT-C2",),
        ops=INSPECTS_CALLS,
    ),
    _check(
        "custom-inputs",
        "The input of a custom call is the payload, character for character.",
        ("INT-C3",),
        ops=INSPECTS_CALLS,
    ),
    _check(
        "calls-to-chat",
        "A Responses call comes to chat with its id, name and arguments text.",
        ("INT-C4",),
        ops=CONVERTS_CALLS,
        targets=(CHAT,),
    ),
    _check(
        "custom-calls-to-chat",
        "A custom call comes to chat with its raw input.",
        ("INT-C5",),
        ops=CONVERTS_CALLS,
        targets=(CHAT,),
    ),
    _check(
        "calls-there-and-back",
        "A call is equal after the way to the other format and back.",
        ("INT-C6",),
        source="derived",
        ops=CONVERTS_CALLS,
        targets=BOTH,
    ),
    _check(
        "calls-kept",
        "No call is changed by converting or looking at it.",
        ("INT-C7",),
        source="derived",
        ops=("convert_tool_calls", "inspect_call"),
        targets=BOTH,
    ),
    _check(
        "calls-in-order",
        "As many calls come back as are given, in their order, duplicates too.",
        ("INT-C8",),
        source="derived",
        ops=CONVERTS_CALLS,
        targets=BOTH,
    ),
    _check(
        "calls-unknown",
        "A call of a type that nobody knows is left as it is, or refused.",
        ("INT-C9",),
        "should",
        source="derived",
        ops=CONVERTS_CALLS,
        targets=BOTH,
    ),
    _check(
        "calls-with-objects",
        "Arguments that are an object are understood.",
        ("INT-C10",),
        "should",
        source="derived",
        ops=("convert_tool_calls", "inspect_call"),
        targets=(CHAT,),
    ),
    _check(
        "calls-unchanged",
        "A call in the target's format is handed on, whatever it holds.",
        ("INT-C12",),
        source="derived",
        ops=CONVERTS_CALLS,
        targets=BOTH,
    ),
    _check(
        "result-texts",
        "The text of a stored result reaches both native forms unchanged.",
        ("INT-R1",),
        ops=CONVERTS_RESULTS,
        targets=BOTH,
    ),
    _check(
        "envelopes",
        "An envelope of the target stays structured, whatever it holds.",
        ("INT-R2",),
        ops=CONVERTS_RESULTS,
        targets=BOTH,
    ),
    _check(
        "ordinary-results",
        "A dict or list that is no envelope becomes text.",
        ("INT-R3",),
        ops=CONVERTS_RESULTS,
        targets=BOTH,
    ),
    _check(
        "strange-envelopes",
        "An envelope of another format becomes its texts, in order.",
        ("INT-R4",),
        "should",
        source="derived",
        ops=CONVERTS_RESULTS,
        targets=BOTH,
    ),
    _check(
        "core-messages",
        "A core tool message has its role, texts, id and name.",
        ("INT-R5",),
        ops=CONVERTS_RESULTS,
        targets=("core",),
    ),
    _check(
        "custom-results",
        "Results of custom calls become the outputs of such.",
        ("INT-R7",),
        source="derived",
        ops=CONVERTS_RESULTS,
        targets=(RESPONSES,),
    ),
    _check(
        "results-seen",
        "What a stored result says is seen as it stands there.",
        ("INT-R9",),
        ops=("inspect_result",),
    ),
    _check(
        "core-results",
        "A text result is stored unchanged, an object or array as its JSON text.",
        ("INT-R11",),
        ops=CONVERTS_RESULTS,
        targets=("core",),
    ),
    _check(
        "core-envelopes",
        "An envelope is stored unchanged.",
        ("INT-R12",),
        ops=CONVERTS_RESULTS,
        targets=("core",),
    ),
    _check(
        "results-in-order",
        "As many results come back as are given, in their order.",
        ("INT-R10",),
        source="derived",
        ops=CONVERTS_RESULTS,
        targets=(*BOTH, "core"),
    ),
    *(
        _check(
            f"{name}-{word.lower()}",
            title.format(word),
            (clause,),
            level,
            source,
            ops=ops,
            provider=provider,
        )
        for name, title, clause, level, source, ops in PROVIDER_CHECKS
        for provider, word in ((CHAT, "chat"), (RESPONSES, "Responses"))
    ),
)
