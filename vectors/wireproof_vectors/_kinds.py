"""The keys of each kind of vector: exchange, message and client."""

from typing import TYPE_CHECKING, TypeAlias

from ._values import check_message, check_pattern, check_piece, check_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ._model import JSON
    from ._place import Place

_Check: TypeAlias = "Callable[[Place, dict[str, JSON], Collection[str]], None]"
_StepCheck: TypeAlias = "Callable[[Place, JSON], None]"


def check_clauses(place: "Place", value: "JSON", clauses: "Collection[str]") -> None:
    """Check an array of clause ids.

    Raises:
        VectorError: it is empty, or no clause has one of the ids.
    """
    for index, clause in enumerate(place.texts(value)):
        _check_clause(place.at(index), clause, clauses)


def _check_clause(place: "Place", value: "JSON", clauses: "Collection[str]") -> None:
    if not isinstance(value, str) or value not in clauses:
        raise place.error(
            f"no clause has the id {value!r}", "look it up in the protocol's clauses"
        )


def _check_exchange(
    place: "Place", vector: "dict[str, JSON]", clauses: "Collection[str]"
) -> None:
    for key, value in vector.items():
        at = place.at(key)
        match key:
            case "needs":
                needs = at.object(value, optional=("tools", "methods"))
                for kind, names in needs.items():
                    at.at(kind).texts(names)
            case "fresh" | "bare":
                at.flag(value)
            case "retry":
                at.number(value)
            case "explains":
                check_clauses(at, value, clauses)
            case "steps":
                for index, step in enumerate(at.array(value)):
                    _check_step(at.at(index), step, clauses)
            case _:
                pass


def _check_step(place: "Place", value: "JSON", clauses: "Collection[str]") -> None:
    step = place.object(value, optional=(*_STEPS, "cut", "clause", "record", "times"))
    actions = [key for key in step if key in _STEPS]
    if len(actions) != 1:
        raise place.error(
            f"a step has one action, this one has {len(actions)}",
            f"actions are {', '.join(_STEPS)}",
        )
    companions, check = _STEPS[actions[0]]
    place.object(step, required=actions, optional=companions)
    check(place.at(actions[0]), step[actions[0]])
    if "cut" in step and step["cut"] != "every-byte":
        at = place.at("cut")
        for index, offset in enumerate(at.array(step["cut"])):
            at.at(index).number(offset)
    if "times" in step:
        place.at("times").number(step["times"])
    if "clause" in step:
        _check_clause(place.at("clause"), step["clause"], clauses)
    if isinstance(record := step.get("record", {}), dict):
        for label, pattern in record.items():
            check_pattern(place.at("record", label), pattern)
    else:
        raise place.at("record").error(
            "record takes an object of patterns", "name each pattern with a label"
        )


def _check_many(place: "Place", value: "JSON") -> None:
    for index, message in enumerate(place.array(value)):
        check_message(place.at(index), message)


def _check_order(place: "Place", value: "JSON") -> None:
    place.texts(value)


def _check_gap(place: "Place", value: "JSON") -> None:
    gap = place.object(value, required=("id", "at_least_ms"))
    place.at("id").text(gap["id"])
    place.at("at_least_ms").number(gap["at_least_ms"])


def _check_true(place: "Place", value: "JSON") -> None:
    if value is not True:
        raise place.error("this step takes true and nothing else", "write true")


def _check_exit(place: "Place", value: "JSON") -> None:
    outcome = place.object(value, required=("status", "within_ms"))
    place.at("status").number(outcome["status"])
    place.at("within_ms").number(outcome["within_ms"])


# Each action with the keys that may stand beside it.
_STEPS: "dict[str, tuple[tuple[str, ...], _StepCheck]]" = {
    "send": (("cut",), check_message),
    "send_many": (("cut",), _check_many),
    "send_raw": (("cut",), check_pieces),
    "expect": (("clause", "record", "times"), check_pattern),
    "expect_optional": (("clause",), check_pattern),
    "order": ((), _check_order),
    "gap": ((), _check_gap),
    "fence": (("clause",), _check_true),
    "close_input": ((), _check_true),
    "expect_exit": ((), _check_exit),
    "restart": ((), _check_true),
}


def _check_line(
    place: "Place", vector: "dict[str, JSON]", _clauses: "Collection[str]"
) -> None:
    check_piece(place.at("line"), vector["line"])
    place.at("direction").one_of(vector["direction"], ("request", "host"))
    valid = place.at("valid").flag(vector["valid"])
    if valid is ("reason" in vector):
        raise place.error(
            "a line has a reason when it is invalid, and only then",
            "remove the reason" if valid else "add the reason",
        )
    if not valid:
        place.at("reason").one_of(vector["reason"], _REASONS)


_REASONS = ("not-utf8", "not-json", "not-a-message")


def _check_client(
    place: "Place", vector: "dict[str, JSON]", _clauses: "Collection[str]"
) -> None:
    at = place.at("host")
    for index, step in enumerate(at.array(vector["host"])):
        _check_script_step(at.at(index), step)
    at = place.at("ops")
    for index, op in enumerate(at.array(vector["ops"])):
        _check_op(at.at(index), op)
    requests = vector.get("requests", {})
    if not isinstance(requests, dict):
        raise place.at("requests").error(
            "requests takes an object of patterns", "name each by the read it checks"
        )
    for name, pattern in requests.items():
        check_pattern(place.at("requests", name), pattern)


def _check_script_step(place: "Place", value: "JSON") -> None:
    step = place.object(value, optional=(*_SCRIPT, "match"))
    actions = [key for key in step if key in _SCRIPT]
    if len(actions) != 1 or ("match" in step and actions != ["read"]):
        raise place.error(
            "a script step has one action, and match only beside read",
            f"actions are {', '.join(_SCRIPT)}",
        )
    at, argument = place.at(actions[0]), step[actions[0]]
    match actions[0]:
        case "read" | "stderr":
            at.text(argument)
        case "write":
            check_message(at, argument)
        case "write_raw":
            check_pieces(at, argument)
        case "exit" | "signal":
            at.number(argument)
        case _:
            _check_true(at, argument)
    check_pattern(place.at("match"), step.get("match"))


_SCRIPT = ("read", "write", "write_raw", "stderr", "exit", "signal", "await_eof")


def _check_op(place: "Place", value: "JSON") -> None:
    if not isinstance(value, dict):
        raise place.error("an op is an object", 'write {"op": …, "expect": …}')
    place.object(value, required=("op", "expect"), optional=tuple(value))
    place.at("op").text(value["op"])
    check_pattern(place.at("expect"), value["expect"])


# The keys that each kind requires, those that it allows, and its check.
KINDS: "dict[str, tuple[tuple[str, ...], tuple[str, ...], _Check]]" = {
    "exchange": (
        ("steps",),
        ("needs", "fresh", "bare", "retry", "explains"),
        _check_exchange,
    ),
    "message": (("line", "direction", "valid"), ("reason",), _check_line),
    "client": (("host", "ops"), ("requests",), _check_client),
}
