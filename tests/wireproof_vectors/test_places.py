"""Every clause that speaks of values has its places, or a reason why it has none."""

from __future__ import annotations

import re
from typing import Any

import pytest

from wireproof_vectors import Vector, load_clauses, load_corpus, load_vectors, values_at

SPEAKS_OF_VALUES = re.compile(
    r"unchanged|equals?\b|\bany\b|as (?:it|they) (?:is|are|was|were)\b|as given|kept"
    r"|surviv|arrives|holds (?:the|its) |its message|whatever|echo|anything"
    r"|unknown|other than|malformed|string argument|the changed one|answers with"
)
"""Words by which a clause says that a value passes, is kept, or is told from others."""

PLACES: dict[str, dict[str, tuple[str, ...] | str]] = {
    "host-v1": {
        "HV1-T4": "of how a request is written, whatever it holds",
        "HV1-T5": "of when a reply comes",
        "HV1-T7": ("line",),
        "HV1-T8": ("answer-to-a-line",),
        "HV1-T10": ("long-argument",),
        "HV1-T11": "what is printed must not come; where it does, monitors see it",
        "HV1-T13": (
            "half-pair-in-a-result",
            "half-pair-in-a-key",
            "half-pair-in-an-unknown-argument",
            "half-pair-in-a-reported-message",
            "half-pair-in-a-thrown-message",
            "half-pair-in-a-payload",
            "half-pair-in-a-tool-name",
            "half-pair-in-a-method",
            "half-pair-in-a-state",
            "half-pair-in-a-config",
            "half-pair-in-printed-text",
            "half-pair-in-a-formatted-result",
            "half-pair-in-a-preview",
            "half-pair-in-a-display-text",
        ),
        "HV1-T14": "of depths that no value needs",
        "HV1-T15": "of what stands at the end of a line, whatever stands before it",
        "HV1-M1": "v has one value",
        "HV1-M2": ("id-of-a-failure", "id-of-an-event"),
        "HV1-M4": "of result.value HV1-M10 speaks",
        "HV1-M5": "of error.detail HV1-R6 and R7 speak",
        "HV1-M6": "of what a state holds HV1-R11 speaks",
        "HV1-M7": ("version",),
        "HV1-M8": ("method",),
        "HV1-M9": ("unknown-key", "unknown-key-of-params"),
        "HV1-M10": ("argument", "member", "element", "key"),
        "HV1-M11": (
            "big-number-in-an-argument",
            "big-number-that-a-tool-uses",
            "big-number-in-an-unknown-argument",
            "big-number-in-params",
            "big-number-in-an-unknown-key",
            "big-number-in-a-config",
            "big-number-in-a-state",
            "big-number-in-a-formatted-result",
        ),
        "HV1-M12": ("params",),
        "HV1-M13": "of requests that are sent together, whatever they hold",
        "HV1-M14": "an id is used twice, whatever it is: HV1-M2 has the ids",
        "HV1-M15": "keys of the host's own are its choice",
        "HV1-E1": "of the id of an event HV1-M2 has the place",
        "HV1-E3": "of the order; what an event holds HV1-E4 says",
        "HV1-E4": ("payload", "key-of-a-payload"),
        "HV1-E6": "of the id of an event HV1-M2 has the place",
        "HV1-R1": "what a config may hold the host decides",
        "HV1-R2": "what a state holds the host decides",
        "HV1-R3": "what is listed the host decides",
        "HV1-R5": "what a result may be HV1-M10 tries",
        "HV1-R6": ("reported-message",),
        "HV1-R7": ("thrown-message",),
        "HV1-R8": ("tool-name", "tool-name-that-is-no-string"),
        "HV1-R9": ("arguments",),
        "HV1-R10": "what a state holds the host decides; HV1-R11 has its number",
        "HV1-R11": ("state",),
        "HV1-O1": "it has no params",
        "HV1-O2": "it has no params",
        "HV1-O3": "what a config and a model may hold the host decides",
        "HV1-O4": "it has no params",
        "HV1-O5": ("formatted-result", "formatted-failure"),
        "HV1-O6": ("preview",),
        "HV1-O7": ("display-of-a-result", "display-text"),
        "HV1-O8": "an ordinary text tool's text is HV1-O5's to try",
    },
    "socket-v1": {
        "SOCK-F1": "of the frame, not of what it holds",
        "SOCK-F2": "of the spelling of a frame; what it holds SOCK-C11 tries",
        "SOCK-F4": "lines that are no JSON hold no values",
        "SOCK-F5": "of the size of a frame",
        "SOCK-M1": "of the types of frames and fields",
        "SOCK-M2": ("protocol", "id-of-another-protocol"),
        "SOCK-M5": (
            "line",
            "type",
            "request-id-of-no-string",
            "tool-name-of-no-string",
            "arguments",
            "timeout-text",
            "timeout-number",
            "caller",
        ),
        "SOCK-M6": ("id-of-an-error",),
        "SOCK-M7": ("unknown-key",),
        "SOCK-L2": "what is listed the server decides",
        "SOCK-C1": ("id-of-a-result",),
        "SOCK-C3": "of the form of a result; what it holds SOCK-C4 and C5 say",
        "SOCK-C4": ("content", "meta", "diagnostics", "message-of-an-envelope"),
        "SOCK-C5": ("thrown-message", "uncaught-message"),
        "SOCK-C6": (
            "tool-name",
            "no-string",
            "no-boolean",
            "no-object",
            "no-integer",
            "fraction-for-an-integer",
        ),
        "SOCK-C7": "of the order of checks",
        "SOCK-C8": "of ids SOCK-C1 speaks",
        "SOCK-C9": "of ids SOCK-C1 speaks",
        "SOCK-C10": "an id is used twice, whatever it is: SOCK-C1 has the ids",
        "SOCK-C11": ("argument", "member", "element", "key", "event"),
        "SOCK-C14": ("details",),
        "SOCK-C15": "of the size of results, not of what they hold",
        "SOCK-E1": "of the kinds of events; what one holds SOCK-C11 tries",
        "SOCK-X1": ("cancelled-id",),
        "SOCK-X3": (
            "unknown-cancelled-id",
            "unknown-cancelled-id-beside-a-call",
        ),
        "SOCK-X6": ("large-timeout",),
        "SOCK-X7": "the names of tools are the server's",
        "SOCK-X9": "of ids SOCK-X1 speaks",
        "SOCK-I1": "the callers are five",
        "SOCK-I2": ("session-id",),
        "SOCK-I3": ("client-info",),
        "SOCK-I4": "what a claim must not get; any sessionId is tried at SOCK-I2",
        "SOCK-A1": "of the audit's lines; what they hold is summarised",
        "SOCK-A2": "of what must not be kept; keys are spelt in audit",
        "SOCK-A3": "what is summarised the server decides",
        "SOCK-D1": "the path is the server's",
        "SOCK-D2": "the record is the server's",
        "SOCK-D3": "of files, not of values",
        "SOCK-S1": "of the end of calls, whatever they hold",
    },
    "host-client": {
        "HV1-C2": (
            "payload",
            "result",
            "state",
            "state-of-init",
            "value-of-a-request",
            "payload-byte-by-byte",
            "result-byte-by-byte",
            "state-byte-by-byte",
            "state-of-init-byte-by-byte",
            "value-of-a-request-byte-by-byte",
            "spaced-payload",
            "spaced-result",
            "spaced-state",
            "spaced-state-of-init",
            "spaced-value-of-a-request",
            "escaped-payload",
            "escaped-result",
            "escaped-state",
            "escaped-state-of-init",
            "escaped-value-of-a-request",
            "reversed-payload",
            "reversed-result",
            "reversed-state",
            "reversed-state-of-init",
            "reversed-value-of-a-request",
        ),
        "HV1-C3": ("payload",),
        "HV1-C4": ("state",),
        "HV1-C5": "type and detail are texts that an error shows in its own way",
        "HV1-C6": "an object becomes its JSON text: results has the values",
        "HV1-C7": "the last line of stderr is shown in an error's own way",
        "HV1-C8": "what is skipped is no value",
        "HV1-C9": "of deadlines",
        "HV1-C12": "of the end of a host",
        "HV1-C10": "of the state HV1-C4 speaks",
        "HV1-C11": ("argument", "result"),
    },
    "exec-oneshot": {
        "EXEC-O1": "of how JSON is spelled; what it holds EXEC-O8 tries",
        "EXEC-O3": "of the form of an answer; what it holds EXEC-O8 tries",
        "EXEC-O6": ("args", "input"),
        "EXEC-O7": ("unknown-key",),
        "EXEC-O8": ("member", "element", "key", "result", "message"),
    },
    "exec-runtime": {
        "EXEC-R3": (
            *("one-shot-member", "one-shot-key", "one-shot-argument"),
            *("server-member", "server-key", "server-argument"),
            *("one-shot-typed-text", "server-typed-text"),
        ),
        "EXEC-R4": (
            *("one-shot-result-beside-null", "server-result-beside-null"),
            "one-shot-result",
            "one-shot-key-of-a-result",
            "one-shot-message",
            "server-result",
            "server-key-of-a-result",
            "server-message",
            "server-whole-result",
        ),
        "EXEC-R9": "of processes",
        "EXEC-R19": "of the time that a call takes",
        "EXEC-R20": "the limit is one number",
        "EXEC-R11": "of whose answer it is, whatever it holds",
        "EXEC-R14": "the end of stderr is quoted in a failure's own way",
        "EXEC-R17": "arguments of a command are listed in commands",
        "EXEC-Y2": "the fields of a file are listed in configuration",
    },
    "exec-server": {
        "EXEC-S2": ("id", "id-of-a-number"),
        "EXEC-S5": "of how JSON is spelled; what it holds EXEC-S15 tries",
        "EXEC-S6": ("method", "params"),
        "EXEC-S7": ("line",),
        "EXEC-S8": "what id a reply has that should not come is the server's choice",
        "EXEC-S12": ("other-id",),
        "EXEC-S15": ("argument", "member", "element", "key", "result", "message"),
        "EXEC-S17": "of when a response comes",
        "EXEC-S18": "of the length of a line",
    },
    "tool-contract": {
        "TOOL-R2": ("thrown-message",),
        "TOOL-R3": ("returned", "returned-fails", "unknown-code", "unknown-code-fails"),
        "TOOL-R4": ("structured", "structured-key"),
        "TOOL-R5": ("error",),
        "TOOL-X1": ("call-id",),
        "TOOL-X2": "of caps and budgets, listed in parallel",
        "TOOL-X4": ("unknown-tool",),
        "TOOL-X12": ("description", "schema"),
        "TOOL-X13": ("argument",),
        "TOOL-B3": ("value",),
        "TOOL-B4": "values that look like something are listed in truncation",
        "TOOL-D5": ("argument-of-a-reducer",),
        "TOOL-D6": "what a reducer may give is listed in reducers",
        "TOOL-P4": "audiences that there are not are listed in progress",
        "TOOL-P5": "of their order, whatever they say",
        "TOOL-P6": ("message",),
        "TOOL-U2": "the tokens are listed, and fuzzed in any case",
        "TOOL-U3": "the tags are listed, and fuzzed in any case",
        "TOOL-U9": ("shown-value", "shown-error"),
        "TOOL-C1": ("session-id",),
        "TOOL-C2": "of times, whatever the file holds",
    },
}
"""For each clause the names of its places, or why it has none."""

VECTORS = [
    v for protocol in PLACES for v in load_vectors(protocol) if "values" in v.data
]

each_protocol = pytest.mark.parametrize("protocol", PLACES)


def in_force(protocol: str) -> dict[str, str]:
    return {
        clause.id: clause.text
        for clause in load_clauses(protocol)
        if not clause.withdrawn and clause.excluded is None
    }


@each_protocol
def test_every_clause_that_speaks_of_values_is_accounted_for(protocol: str) -> None:
    speaking = {
        k for k, text in in_force(protocol).items() if SPEAKS_OF_VALUES.search(text)
    }
    assert speaking - set(PLACES[protocol]) == set()


@each_protocol
def test_every_clause_that_is_accounted_for_is_in_force(protocol: str) -> None:
    assert set(PLACES[protocol]) <= set(in_force(protocol))


@each_protocol
def test_every_clause_has_the_places_that_it_names(protocol: str) -> None:
    found: dict[str, set[str]] = {}
    for vector in load_vectors(protocol):
        if "values" in vector.data:
            for clause in vector.clauses:
                found.setdefault(clause, set()).add(vector.id.rpartition("/")[2])
    named = {k: set(v) for k, v in PLACES[protocol].items() if isinstance(v, tuple)}
    assert found == named


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v.id)
def test_a_place_has_values(vector: Vector) -> None:
    assert len(values_at(vector.data)) >= 5


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v.id)
def test_a_place_leaves_out_only_what_there_is(vector: Vector) -> None:
    chosen: Any = vector.data["values"]
    names = {value.name for value in load_corpus()}
    tags = {tag for value in load_corpus() for tag in value.tags}
    assert set(chosen.get("without", ())) <= names | tags
    assert set(chosen.get("tags", ())) <= tags
    assert set(chosen.get("names", ())) <= names


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v.id)
def test_a_place_of_a_must_has_no_value_that_may_be_refused(vector: Vector) -> None:
    # HV1-M10 binds Unicode scalars, integers within 2^53 and fractions of a double.
    # HV1-M11 says that a request with such a number is answered.
    binds = vector.level == "must" and vector.clauses[0] != "HV1-M11"
    found = values_at(vector.data) if binds else ()
    free = {"surrogate", "beyond-53-bits", "beyond-a-double", "huge", "mebibyte"}
    assert [value.name for value in found if not free.isdisjoint(value.tags)] == []


def test_every_value_stands_at_some_place_or_is_one_that_may_be_refused() -> None:
    stand = {value.name for vector in VECTORS for value in values_at(vector.data)}
    free = {"surrogate", "beyond-53-bits", "beyond-a-double", "huge", "mebibyte"}
    free |= {"deeper", "spelling"}
    kept = {v.name for v in load_corpus() if free.isdisjoint(v.tags)}
    assert kept - stand == set()
