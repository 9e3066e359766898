"""Kinds `operation` and `stream`: what an adapter registry does with pure data.

A step of an operation calls one op of the bridge protocol and says what comes of it;
a stream is what a provider sends, and the calls that are kept of it.
"""

from typing import TYPE_CHECKING, NamedTuple

from ._steps import check_clause
from ._values import check_message, check_pattern

if TYPE_CHECKING:
    from collections.abc import Collection

    from ._model import JSON
    from ._place import Place

PROVIDERS = ("openai.chat_completions", "openai.responses")


class _Op(NamedTuple):
    """An op of the bridge protocol.

    Attributes:
        required: arguments that it takes always.
        optional: arguments that it may take.
        provider: only a provider offers it, in its own native format.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    provider: bool = False


_OPS = {
    "convert_schemas": _Op(("schemas", "target"), ("target_formats",)),
    "inspect_schema": _Op(("schema",)),
    "convert_tool_calls": _Op(("calls", "target")),
    "inspect_call": _Op(("call",)),
    "sanitize_tool_call": _Op(("call",)),
    "convert_results": _Op(("results", "target"), ("calls",)),
    "inspect_result": _Op(("result",)),
    "initialize_request": _Op(
        ("native_messages", "state", "target_formats"), provider=True
    ),
    "from_native_messages": _Op(("native_messages",), provider=True),
    "finalize": _Op(("final_messages", "native_messages", "state"), provider=True),
    "to_native_messages": _Op(("messages",), provider=True),
}

# A step has at least one of these, or it would try nothing.
_OUTCOMES = ("expected", "error", "record", "keeps_input")
_FLAGS = ("keeps_input", "shares_nothing", "survives")
_BESIDE = ("save", "clause", "example", "shares_nothing", "survives")


def check_operation(
    place: "Place", vector: "dict[str, JSON]", clauses: "Collection[str]"
) -> None:
    """Check the keys that a vector of kind `operation` has of its own.

    Raises:
        VectorError: the first fault found.
    """
    needs: dict[str, JSON] = {}
    if "needs" in vector:
        needs = _check_needs(place.at("needs"), vector["needs"])
    at = place.at("steps")
    for index, step in enumerate(at.array(vector["steps"])):
        _check_step(at.at(index), step, clauses, needs)


def check_stream(
    place: "Place", vector: "dict[str, JSON]", clauses: "Collection[str]"
) -> None:
    """Check the keys that a vector of kind `stream` has of its own.

    Raises:
        VectorError: the first fault found.
    """
    place.at("provider").one_of(vector["provider"], PROVIDERS)
    at = place.at("events")
    for index, event in enumerate(at.array(vector["events"])):
        if not isinstance(event, dict):
            raise at.at(index).error(
                "an event is an object", "write the JSON of its data: line"
            )
    place.at("ends").one_of(vector["ends"], ("done", "cut"))
    check_pattern(place.at("expected"), vector["expected"])


def _check_needs(place: "Place", value: "JSON") -> "dict[str, JSON]":
    needs = place.object(value, optional=("formats", "in_process", "provider"))
    for key, need in needs.items():
        at = place.at(key)
        match key:
            case "formats":
                at.texts(need)
            case "provider":
                at.one_of(need, PROVIDERS)
            case _ if need is not True:
                raise at.error("a need is true", "write true or leave it out")
            case _:
                pass
    return needs


def _check_step(
    place: "Place",
    value: "JSON",
    clauses: "Collection[str]",
    needs: "dict[str, JSON]",
) -> None:
    step = place.object(
        value, required=("op", "input"), optional=(*_OUTCOMES, *_BESIDE)
    )
    name = place.at("op").one_of(step["op"], _OPS)
    op = _OPS[name]
    if op.provider and "provider" not in needs:
        raise place.at("op").error(
            f"the op {name!r} is a provider's", "say which under needs"
        )
    at = place.at("input")
    arguments = at.object(step["input"], required=op.required, optional=op.optional)
    for key, argument in arguments.items():
        check_message(at.at(key), argument)
    if not any(key in step for key in _OUTCOMES):
        raise place.error(
            "the step tries nothing", f"add one of {', '.join(_OUTCOMES)}"
        )
    for key in _FLAGS:
        if step.get(key, True) is not True:
            raise place.at(key).error(f"{key} takes true", "write true or leave it out")
    if "shares_nothing" in step and "in_process" not in needs:
        raise place.at("shares_nothing").error(
            "what is shared is seen in process only", "say in_process under needs"
        )
    _check_outcome(place, step, clauses)


def _check_outcome(
    place: "Place", step: "dict[str, JSON]", clauses: "Collection[str]"
) -> None:
    for key, value in step.items():
        at = place.at(key)
        match key:
            case "expected":
                check_pattern(at, value)
            case "error":
                _check_error(at, value)
            case "record":
                _check_record(at, value)
            case "save":
                at.text(value)
            case "clause":
                check_clause(at, value, clauses)
            case "example":
                check_message(at, value)
            case _:
                pass


def _check_error(place: "Place", value: "JSON") -> None:
    mentions = place.object(value, required=("mentions",))["mentions"]
    # An empty list stands for any refusal.
    if mentions != []:
        place.at("mentions").texts(mentions)


def _check_record(place: "Place", value: "JSON") -> None:
    if not isinstance(value, dict) or not value:
        raise place.error(
            "record takes an object of patterns", "name each pattern with a label"
        )
    for label, pattern in value.items():
        check_pattern(place.at(label), pattern)
