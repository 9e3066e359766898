"""The keys of each kind of vector: exchange, message, client, operation and stream."""

from typing import TYPE_CHECKING, TypeAlias

from ._operations import check_operation, check_stream
from ._steps import HOST_STEPS, SOCKET_STEPS, Step, check_clause, check_step
from ._values import check_message, check_pattern, check_piece, check_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from ._model import JSON
    from ._place import Place

_Check: TypeAlias = "Callable[[Place, dict[str, JSON], Collection[str]], None]"
_Kinds: TypeAlias = "dict[str, tuple[tuple[str, ...], tuple[str, ...], _Check]]"


def check_clauses(place: "Place", value: "JSON", clauses: "Collection[str]") -> None:
    """Check an array of clause ids.

    Raises:
        VectorError: it is empty, or no clause has one of the ids.
    """
    for index, clause in enumerate(place.texts(value)):
        check_clause(place.at(index), clause, clauses)


def _check_host_exchange(
    place: "Place", vector: "dict[str, JSON]", clauses: "Collection[str]"
) -> None:
    if "needs" in vector:
        at = place.at("needs")
        needs = at.object(vector["needs"], optional=("tools", "methods"))
        for kind, names in needs.items():
            at.at(kind).texts(names)
    for key in ("fresh", "bare"):
        place.at(key).flag(vector.get(key, False))
    _check_exchange(place, vector, clauses, HOST_STEPS)


def _check_socket_exchange(
    place: "Place", vector: "dict[str, JSON]", clauses: "Collection[str]"
) -> None:
    if "needs" in vector:
        at = place.at("needs")
        known = ("tools", "launched", "home", "allowed")
        needs = at.object(vector["needs"], optional=known)
        for kind, need in needs.items():
            if kind == "tools":
                at.at(kind).texts(need)
            elif need is not True:
                raise at.at(kind).error("a need is true", "write true or leave it out")
    _check_exchange(place, vector, clauses, SOCKET_STEPS)


def _check_exchange(
    place: "Place",
    vector: "dict[str, JSON]",
    clauses: "Collection[str]",
    steps: "Mapping[str, Step]",
) -> None:
    place.at("retry").number(vector.get("retry", 0))
    if "explains" in vector:
        check_clauses(place.at("explains"), vector["explains"], clauses)
    at = place.at("steps")
    for index, step in enumerate(at.array(vector["steps"])):
        check_step(at.at(index), step, clauses, steps)


def _check_host_line(
    place: "Place", vector: "dict[str, JSON]", _clauses: "Collection[str]"
) -> None:
    _check_line(place, vector, ("request", "host"))


def _check_socket_line(
    place: "Place", vector: "dict[str, JSON]", _clauses: "Collection[str]"
) -> None:
    _check_line(place, vector, ("client", "server"))


def _check_line(
    place: "Place", vector: "dict[str, JSON]", directions: "Collection[str]"
) -> None:
    check_piece(place.at("line"), vector["line"])
    place.at("direction").one_of(vector["direction"], directions)
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
        case _ if argument is not True:
            raise at.error("this step takes true and nothing else", "write true")
        case _:
            pass
    check_pattern(place.at("match"), step.get("match"))


_SCRIPT = ("read", "write", "write_raw", "stderr", "exit", "signal", "await_eof")


def _check_op(place: "Place", value: "JSON") -> None:
    if not isinstance(value, dict):
        raise place.error("an op is an object", 'write {"op": …, "expect": …}')
    place.object(value, required=("op", "expect"), optional=tuple(value))
    place.at("op").text(value["op"])
    check_pattern(place.at("expect"), value["expect"])


# For each kind the keys that it requires, those that it allows, and its check.
_HOST_KINDS: "_Kinds" = {
    "exchange": (
        ("steps",),
        ("needs", "fresh", "bare", "retry", "explains"),
        _check_host_exchange,
    ),
    "message": (("line", "direction", "valid"), ("reason",), _check_host_line),
    "client": (("host", "ops"), ("requests",), _check_client),
}
_SOCKET_KINDS: "_Kinds" = {
    "exchange": (("steps",), ("needs", "retry", "explains"), _check_socket_exchange),
    "message": (("line", "direction", "valid"), ("reason",), _check_socket_line),
}
_INTEROP_KINDS: "_Kinds" = {
    "operation": (("steps",), ("needs",), check_operation),
    "stream": (("provider", "events", "ends", "expected"), (), check_stream),
}
KINDS: "dict[str, _Kinds]" = {
    "host-v1": _HOST_KINDS,
    "socket-v1": _SOCKET_KINDS,
    "interop": _INTEROP_KINDS,
}
