"""The scenarios of interop, by name: what no vector can tell, and what each needs.

They look at the registry's own objects, in its own process (``_inside``). One that
needs what a registry has not is not applicable to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Check
from wireproof.protocols.interop._shapes import CHAT, RESPONSES

if TYPE_CHECKING:
    from wireproof.checks import Level

PREFIX = "interop/scenarios/"


def _check(
    name: str,
    clause: str,
    title: str,
    level: Level = "must",
    source: str = "seed",
    targets: tuple[str, ...] = (),
    features: tuple[str, ...] = (),
) -> Check:
    needs = {"in_process": ["yes"], "targets": list(targets)}
    needs |= {"features": list(features)} if features else {}
    return Check(f"{PREFIX}{name}", title, (clause,), level, source, "scenario", needs)


SCENARIOS: tuple[Check, ...] = (
    _check(
        "layers-of-schema-adapters",
        "INT-G1",
        "An adapter for schemas of an earlier layer comes before a later one's.",
        targets=(RESPONSES,),
    ),
    _check(
        "layers-of-call-adapters",
        "INT-G1",
        "An adapter for calls of an earlier layer comes before a later one's.",
        targets=(CHAT,),
    ),
    _check(
        "layers-of-result-adapters",
        "INT-G1",
        "An adapter for results of an earlier layer comes before a later one's.",
        targets=(CHAT,),
    ),
    _check(
        "layers-of-accessors",
        "INT-G1",
        "An accessor of an earlier layer comes before a later one's.",
    ),
    _check(
        "registry-of-the-context",
        "INT-G2",
        "Request-bound code gets the registry and formats of the context, the default "
        "only where there is none.",
    ),
    _check(
        "composing-changes-nothing-else",
        "INT-G3",
        "Composing a registry changes neither the default nor another one.",
        targets=(RESPONSES,),
    ),
    _check(
        "schema-format-of-its-own",
        "INT-G4",
        "Schemas of a contributed format go to each target that it has an adapter for.",
        targets=(CHAT, RESPONSES),
    ),
    _check(
        "call-format-of-its-own",
        "INT-G4",
        "Calls of a contributed format go to each target that it has an adapter for.",
        targets=(CHAT, RESPONSES),
    ),
    _check(
        "result-format-of-its-own",
        "INT-G4",
        "Results of a contributed format go to each target that it has an adapter for.",
        targets=(CHAT, RESPONSES),
    ),
    _check(
        "registry-cannot-be-stored",
        "INT-G5",
        "Whether JSON, pickle and a deep copy refuse the registry is recorded.",
        "may",
        "derived",
    ),
    _check(
        "state-holds-no-registry",
        "INT-G5",
        "The state that a provider returns holds no registry.",
        "should",
    ),
    _check(
        "accepted-formats",
        "INT-G6",
        "The formats in the context are those of the provider and its enabled "
        "extensions.",
    ),
    _check(
        "accepted-formats-in-order",
        "INT-G6",
        "The formats in the context stand in order of preference, each once.",
        "should",
        "settled",
    ),
    _check(
        "descriptors",
        "INT-G7",
        "A descriptor holds plugin, tool and the authored schema, before and after a "
        "request.",
        targets=(CHAT,),
        features=("custom",),
    ),
    _check(
        "results-ask-no-other-adapter",
        "INT-R6",
        "Converting results asks no accessor or adapter of schemas or calls.",
        targets=(CHAT, RESPONSES),
    ),
    _check(
        "attachments",
        "INT-R8",
        "A compact attachment reference stays one until request time.",
        "should",
    ),
    _check(
        "providers-use-the-context",
        "INT-Q6",
        "A provider uses the registry of the context and no other.",
    ),
    _check(
        "execution-by-kind",
        "INT-Q9",
        "A tool is given an object or the raw text, as the call's kind says.",
    ),
)
