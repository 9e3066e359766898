"""The steps of an exchange: the keys of each action, and of what stands beside it."""

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ._values import check_message, check_pattern, check_pieces, check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from ._model import JSON
    from ._place import Place

_Check: TypeAlias = "Callable[[Place, JSON], None]"


class Step(NamedTuple):
    """An action of the step language.

    Attributes:
        check: checks the value of the action's key.
        required: keys that stand beside it always.
        optional: keys that may stand beside it.
    """

    check: _Check
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def check_step(
    place: "Place",
    value: "JSON",
    clauses: "Collection[str]",
    steps: "Mapping[str, Step]",
) -> None:
    """Check a step of an exchange.

    Args:
        place: where it stands.
        value: the step.
        clauses: the ids of the protocol's clauses.
        steps: the actions of the protocol.

    Raises:
        VectorError: the first fault found.
    """
    step = place.object(value, optional=(*steps, *_COMPANIONS, "clause"))
    # What stands beside one action is the name of another: `text`, or `match`.
    actions = [key for key in step if key in steps]
    if len(actions) != 1:
        raise place.error(
            f"a step has one action, this one has {len(actions)}",
            f"actions are {', '.join(steps)}",
        )
    (action,) = actions
    check, required, optional = steps[action]
    place.object(step, required=(action, *required), optional=optional)
    if action == "write_file" and ("json" in step) is ("text" in step):
        raise place.error("a file has json or text, one of them", "write one")
    check(place.at(action), step[action])
    for key, companion in step.items():
        if key == "clause":
            check_clause(place.at(key), companion, clauses)
        elif key != action:
            _COMPANIONS[key](place.at(key), companion)


def check_clause(place: "Place", value: "JSON", clauses: "Collection[str]") -> None:
    """Check the id of a clause.

    Raises:
        VectorError: no clause has it.
    """
    if not isinstance(value, str) or value not in clauses:
        raise place.error(
            f"no clause has the id {value!r}", "look it up in the protocol's clauses"
        )


def _check_many(place: "Place", value: "JSON") -> None:
    for index, message in enumerate(place.array(value)):
        check_message(place.at(index), message)


def _check_cut(place: "Place", value: "JSON") -> None:
    if value != "every-byte":
        for index, offset in enumerate(place.array(value)):
            place.at(index).number(offset)


def _check_record(place: "Place", value: "JSON") -> None:
    if not isinstance(value, dict):
        raise place.error(
            "record takes an object of patterns", "name each pattern with a label"
        )
    for label, pattern in value.items():
        check_pattern(place.at(label), pattern)


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


def _check_end(place: "Place", value: "JSON") -> None:
    outcome = place.object(value, required=("within_ms",), optional=("status",))
    for key, number in outcome.items():
        place.at(key).number(number)


def _check_closed(place: "Place", value: "JSON") -> None:
    closed = place.object(value, required=("within_ms",))
    place.at("within_ms").number(closed["within_ms"])


def _check_texts(place: "Place", value: "JSON") -> None:
    place.texts(value)


def _check_name(place: "Place", value: "JSON") -> None:
    place.text(value)


def _check_number(place: "Place", value: "JSON") -> None:
    place.number(value)


def _check_false(place: "Place", value: "JSON") -> None:
    if value is not False:
        raise place.error("this key takes false and nothing else", "leave it out")


def _only(word: str) -> _Check:
    def check(place: "Place", value: "JSON") -> None:
        place.one_of(value, (word,))

    return check


# What may stand beside an action; `clause` is checked where the clauses are known.
_COMPANIONS: "dict[str, _Check]" = {
    "count": _check_number,
    "cut": _check_cut,
    "in": _only("scratch"),
    "json": check_message,
    "match": check_pattern,
    "on": _check_name,
    "or": _only("closed"),
    "record": _check_record,
    "text": check_text,
    "times": _check_number,
    "until": check_pattern,
    "waits": _check_false,
    "within_ms": _check_number,
}

HOST_STEPS: "dict[str, Step]" = {
    "send": Step(check_message, (), ("cut",)),
    "send_many": Step(_check_many, (), ("cut",)),
    "send_raw": Step(check_pieces, (), ("cut",)),
    "expect": Step(check_pattern, (), ("clause", "record", "times")),
    "expect_optional": Step(check_pattern, (), ("clause",)),
    "order": Step(_check_texts),
    "gap": Step(_check_gap),
    "fence": Step(_check_true, (), ("clause",)),
    "close_input": Step(_check_true),
    "expect_exit": Step(_check_exit),
    "restart": Step(_check_true, (), ("clause",)),
}

SOCKET_STEPS: "dict[str, Step]" = {
    "send": Step(check_message, (), ("on", "cut", "waits")),
    "send_many": Step(_check_many, (), ("on", "cut", "waits")),
    "send_raw": Step(check_pieces, (), ("on", "cut", "waits")),
    "expect": Step(check_pattern, (), ("on", "or", "clause", "record", "times")),
    "expect_optional": Step(check_pattern, (), ("on", "clause")),
    "order": Step(_check_texts, (), ("on",)),
    "gap": Step(_check_gap, (), ("on",)),
    "fence": Step(_check_true, (), ("on", "clause")),
    "connect": Step(_check_name),
    "disconnect": Step(_check_name),
    "close_input": Step(_check_true, (), ("on",)),
    "expect_closed": Step(_check_closed, (), ("on", "clause")),
    "poll": Step(check_message, ("until", "within_ms"), ("on", "clause")),
    "terminate": Step(_check_true),
    "kill": Step(_check_true),
    "expect_exit": Step(_check_end, (), ("clause",)),
    "restart": Step(_check_true, (), ("clause",)),
    "second": Step(_check_true, ("within_ms",)),
    "expect_lines": Step(_check_name, ("match", "within_ms"), ("count", "clause")),
    "expect_no_text": Step(_check_name, ("text",), ("clause",)),
    "expect_file": Step(_check_name, ("match", "within_ms"), ("in", "clause")),
    "expect_no_file": Step(check_text, ("within_ms",), ("in", "clause")),
    "write_file": Step(_check_name, (), ("json", "text")),
    "expect_mode": Step(_only("socket"), (), ("clause",)),
}
