"""The fuzz properties of converting and looking at schemas, calls and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.protocols.interop._property import BOTH, fuzz_check
from wireproof.protocols.interop._shapes import CHAT, RESPONSES

if TYPE_CHECKING:
    from wireproof.checks import Check

CONVERTS_SCHEMAS = ("convert_schemas",)
CONVERTS_CALLS = ("convert_tool_calls",)
INSPECTS_CALLS = ("inspect_call",)
CONVERTS_RESULTS = ("convert_results",)

CONVERSION_CHECKS: tuple[Check, ...] = (
    fuzz_check(
        "schemas-unchanged",
        "A schema in an accepted format is handed on, whatever keys it has.",
        ("INT-S1",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    fuzz_check(
        "schemas-there-and-back",
        "A function schema is equal after the way to the other format and back.",
        ("INT-S2",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    fuzz_check(
        "custom-schemas-as-functions",
        "A custom tool becomes a function of one text, whatever it holds.",
        ("INT-S3",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    fuzz_check(
        "custom-schemas-unchanged",
        "A custom tool stays custom where custom tools are accepted.",
        ("INT-S4",),
        ops=CONVERTS_SCHEMAS,
        targets=(RESPONSES,),
    ),
    fuzz_check(
        "custom-schemas-of-chat",
        "A custom tool goes from one provider to the other with all that it holds.",
        ("INT-S4",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
        formats=(f"{CHAT}.custom",),
    ),
    fuzz_check(
        "custom-schemas-published",
        "A converted custom tool is of the provider's published type.",
        ("INT-S9",),
        source="derived",
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
        formats=(f"{CHAT}.custom",),
    ),
    fuzz_check(
        "schemas-in-order",
        "As many schemas come back as are given, in their order.",
        ("INT-S5",),
        source="derived",
        ops=CONVERTS_SCHEMAS,
        targets=(CHAT,),
    ),
    fuzz_check(
        "schemas-kept",
        "No schema is changed by converting or looking at it.",
        ("INT-S6",),
        ops=("convert_schemas", "inspect_schema"),
        targets=BOTH,
    ),
    fuzz_check(
        "schemas-unshared",
        "What a schema is converted to shares nothing with it.",
        ("INT-S6",),
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
        in_process=True,
    ),
    fuzz_check(
        "schemas-unknown",
        "A type or target that nobody knows is refused and named.",
        ("INT-S7",),
        source="derived",
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    fuzz_check(
        "schemas-published",
        "A converted schema is of the provider's published type.",
        ("INT-S9",),
        source="derived",
        ops=CONVERTS_SCHEMAS,
        targets=BOTH,
    ),
    fuzz_check(
        "schemas-seen",
        "What a schema says is seen as it stands there.",
        ("INT-S10",),
        ops=("inspect_schema",),
    ),
    fuzz_check(
        "calls-seen",
        "Id and name of a call are seen, whatever strings they are.",
        ("INT-C1",),
        ops=INSPECTS_CALLS,
    ),
    fuzz_check(
        "arguments-seen",
        "Arguments are seen as the object that their text holds.",
        ("INT-C2",),
        ops=INSPECTS_CALLS,
    ),
    fuzz_check(
        "custom-inputs",
        "The input of a custom call is the payload, character for character.",
        ("INT-C3",),
        ops=INSPECTS_CALLS,
    ),
    fuzz_check(
        "calls-to-chat",
        "A Responses call comes to chat with its id, name and arguments text.",
        ("INT-C4",),
        ops=CONVERTS_CALLS,
        targets=(CHAT,),
    ),
    fuzz_check(
        "custom-calls-to-chat",
        "A custom call comes to chat with its raw input.",
        ("INT-C5",),
        ops=CONVERTS_CALLS,
        targets=(CHAT,),
    ),
    fuzz_check(
        "calls-there-and-back",
        "A call is equal after the way to the other format and back.",
        ("INT-C6",),
        source="derived",
        ops=CONVERTS_CALLS,
        targets=BOTH,
    ),
    fuzz_check(
        "calls-kept",
        "No call is changed by converting or looking at it.",
        ("INT-C7",),
        source="derived",
        ops=("convert_tool_calls", "inspect_call"),
        targets=BOTH,
    ),
    fuzz_check(
        "calls-in-order",
        "As many calls come back as are given, in their order, duplicates too.",
        ("INT-C8",),
        source="derived",
        ops=CONVERTS_CALLS,
        targets=BOTH,
    ),
    fuzz_check(
        "calls-unknown",
        "A call of a type that nobody knows is left as it is, or refused.",
        ("INT-C9",),
        "should",
        source="derived",
        ops=CONVERTS_CALLS,
        targets=BOTH,
    ),
    fuzz_check(
        "calls-with-objects",
        "Arguments that are an object are understood.",
        ("INT-C10",),
        "should",
        source="derived",
        ops=("convert_tool_calls", "inspect_call"),
        targets=(CHAT,),
    ),
    fuzz_check(
        "calls-unchanged",
        "A call in the target's format is handed on, whatever it holds.",
        ("INT-C12",),
        source="derived",
        ops=CONVERTS_CALLS,
        targets=BOTH,
    ),
    fuzz_check(
        "result-texts",
        "The text of a stored result reaches both native forms unchanged.",
        ("INT-R1",),
        ops=CONVERTS_RESULTS,
        targets=BOTH,
    ),
    fuzz_check(
        "envelopes",
        "An envelope of the target stays structured, whatever it holds.",
        ("INT-R2",),
        ops=CONVERTS_RESULTS,
        targets=BOTH,
    ),
    fuzz_check(
        "ordinary-results",
        "A dict or list that is no envelope becomes text.",
        ("INT-R3",),
        ops=CONVERTS_RESULTS,
        targets=BOTH,
    ),
    fuzz_check(
        "strange-envelopes",
        "An envelope of another format becomes its texts, in order.",
        ("INT-R4",),
        "should",
        source="derived",
        ops=CONVERTS_RESULTS,
        targets=BOTH,
    ),
    fuzz_check(
        "core-messages",
        "A core tool message has its role, texts, id and name.",
        ("INT-R5",),
        ops=CONVERTS_RESULTS,
        targets=("core",),
    ),
    fuzz_check(
        "custom-results",
        "Results of custom calls become the outputs of such.",
        ("INT-R7",),
        source="derived",
        ops=CONVERTS_RESULTS,
        targets=(RESPONSES,),
    ),
    fuzz_check(
        "results-seen",
        "What a stored result says is seen as it stands there.",
        ("INT-R9",),
        ops=("inspect_result",),
    ),
    fuzz_check(
        "core-results",
        "A text result is stored unchanged, an object or array as its JSON text.",
        ("INT-R11",),
        ops=CONVERTS_RESULTS,
        targets=("core",),
    ),
    fuzz_check(
        "core-envelopes",
        "An envelope is stored unchanged.",
        ("INT-R12",),
        ops=CONVERTS_RESULTS,
        targets=("core",),
    ),
    fuzz_check(
        "results-in-order",
        "As many results come back as are given, in their order.",
        ("INT-R10",),
        source="derived",
        ops=CONVERTS_RESULTS,
        targets=(*BOTH, "core"),
    ),
)
