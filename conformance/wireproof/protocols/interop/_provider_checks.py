"""The fuzz properties of the flow of tools through a provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.protocols.interop._ops import ACCUMULATE
from wireproof.protocols.interop._property import fuzz_check
from wireproof.protocols.interop._shapes import CHAT, RESPONSES

if TYPE_CHECKING:
    from wireproof.checks import Check, Level

TRIED_OF_EACH: tuple[tuple[str, str, str, Level, str, tuple[str, ...]], ...] = (
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
        "derived",
        ("finalize", "to_native_messages"),
    ),
)
"""Name, title, clause, level, source and ops of what is tried of a provider."""

_OF_PROVIDERS = tuple(
    fuzz_check(
        f"{name}-{word.lower()}",
        title.format(word),
        (clause,),
        level,
        source,
        ops=ops,
        provider=provider,
    )
    for name, title, clause, level, source, ops in TRIED_OF_EACH
    for provider, word in ((CHAT, "chat"), (RESPONSES, "Responses"))
)

PROVIDER_CHECKS: tuple[Check, ...] = (
    *_OF_PROVIDERS,
    *(
        fuzz_check(
            f"streams-{word}",
            "Pieces of calls are put together, and what is empty or done adds nothing.",
            ("INT-Q3", "INT-Q14", clause),
            source="derived",
            ops=(ACCUMULATE,),
            targets=(target,),
        )
        for word, target, clause in (
            ("chat", CHAT, "INT-Q13"),
            ("responses", RESPONSES, "INT-Q15"),
        )
    ),
)
