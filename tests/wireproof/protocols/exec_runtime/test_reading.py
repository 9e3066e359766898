"""What is wrong with what a step saw: as the judge asks, without any runtime."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.checks import VectorDefect
from wireproof.judge import Look
from wireproof.protocols.exec_runtime._reading import look

MANY = {"op": "call_many", "outcomes": [{"expected": 1, "clause": "A"}, {"error": {}}]}


def answered(**more: Any) -> dict[str, Any]:
    usual = {"op": "call", "ended": "answered", "text": "", "seconds": 0.1}
    call = {"is_limited": False, "let_go": False, "allowed": 1.0, "limit": None}
    return {**usual, "status": None, **call, "grown": 0, **more}


def late(**more: Any) -> dict[str, Any]:
    return answered(value={"result": 1}, is_limited=True, **more)


@pytest.mark.parametrize(
    ("step", "seen", "kind"),
    [
        ({"op": "bind"}, answered(value=None), ""),
        ({"op": "bind"}, answered(error="no"), "op-refused"),
        ({"op": "bind", "error": {"mentions": ["sh"]}}, answered(error="no sh"), ""),
        (
            {"op": "bind", "error": {"mentions": ["sh"]}},
            answered(error="no"),
            "call-error-lacks",
        ),
        ({"op": "setenv"}, answered(error="no"), "op-refused"),
        ({"op": "close"}, answered(value=None), ""),
        ({"op": "close"}, answered(ended="silent"), "op-unanswered"),
        ({"op": "close"}, answered(ended="exited"), "op-ended"),
        ({"op": "call"}, answered(ended="misfit"), "misfit"),
        ({"op": "call"}, answered(ended="garbled"), "op-garbled"),
        ({"op": "call", "expected": 1}, answered(value={"result": 1}), ""),
        ({"op": "call", "expected": 1}, answered(value={"result": 2}), "call-differs"),
        ({"op": "call", "expected": 1}, late(seconds=0.9), ""),
        ({"op": "call", "expected": 1}, late(seconds=1.1), "call-late"),
        ({"op": "call", "expected": 1}, late(let_go=True), "call-late"),
        (
            {"op": "call", "expected": 1},
            answered(value={"result": 1}, grown=193),
            "memory-grown",
        ),
        (MANY, answered(value=[{"result": 1}, {"error": "x"}]), ""),
        (MANY, answered(value=[{"result": 1}]), "outcomes"),
        (MANY, answered(value=7), "outcomes"),
        (MANY, answered(value=[{"error": "x"}, {"error": "x"}]), "call-failed"),
        (
            {"op": "load", "expected": {"said": {"$contains": "note"}}},
            answered(value={"bound": []}, said="a note"),
            "",
        ),
        ({"op": "load", "error": {"mentions": []}}, answered(error="no", said=""), ""),
        ({"op": "call", "expected": 1}, None, ""),
        ({"seen": "t", "match": {"starts": 1}}, {"tool": {"starts": 1}}, ""),
        ({"seen": "t", "match": {"starts": 1}}, {"tool": {"starts": 2}}, "tool-saw"),
        ({"gone": "t"}, {"started": False, "left": ""}, "tool-not-started"),
        ({"gone": "t"}, {"started": True, "left": ""}, ""),
        (
            {"gone": "t"},
            {"started": True, "left": "the tool", "seconds": 1, "is_closed": True},
            "tool-left",
        ),
        ({"reaped": "t"}, {"started": False, "is_left": False}, "tool-not-started"),
        ({"reaped": "t"}, {"started": True, "is_left": False}, ""),
        ({"reaped": "t"}, {"started": True, "is_left": True}, "tool-not-reaped"),
        ({"descriptors": 1}, {"before": 5, "now": 6}, ""),
        ({"descriptors": 1}, {"before": 5, "now": 7}, "descriptors-grown"),
    ],
)
def test_what_a_step_saw_is_right_or_of_one_kind(
    step: dict[str, Any], seen: Any, kind: str
) -> None:
    found = look(step, seen, {})
    assert (found.kind if isinstance(found, Look) else "") == kind


def variables(**more: Any) -> dict[str, Any]:
    found = {"started": True, "processes": 1, "values": {}, "all": []}
    return {**found, "listed": [], "others": [], **more}


@pytest.mark.parametrize(
    ("step", "seen", "kind"),
    [
        ({"has": {"A": "1"}}, variables(values={"A": "1"}), ""),
        ({"has": {"A": "1"}}, variables(values={"A": "2"}), "variable-value"),
        ({"has": {"A": "1"}}, variables(), "variable-value"),
        ({"lacks": ["A"]}, variables(), ""),
        ({"lacks": ["A"]}, variables(values={"A": ""}), "variable-set"),
        ({}, variables(others=["B"]), "variables-unlisted"),
        ({}, {"started": False, "processes": 0}, "tool-not-started"),
        ({"optional": True}, {"started": False, "processes": 0}, ""),
    ],
)
def test_the_variables_of_a_tool_are_those_that_it_may_have(
    step: dict[str, Any], seen: Any, kind: str
) -> None:
    found = look({"environment": "t", **step}, seen, {})
    assert (found.kind if isinstance(found, Look) else "") == kind


def test_an_outcome_may_have_a_clause_of_its_own() -> None:
    seen = answered(value=[{"error": "x"}, {"error": "x"}])
    found = look(MANY, seen, {})
    assert isinstance(found, Look)
    assert (found.clause, found.of_pace) == ("A", True)


@pytest.mark.parametrize(("more", "is_charged"), [({}, False), ({"relayed": 1}, True)])
def test_a_line_that_is_no_answer_is_charged_if_the_driver_hands_it_on(
    more: dict[str, Any], *, is_charged: bool
) -> None:
    found = look({"op": "call", **more}, answered(ended="garbled"), {})
    assert isinstance(found, Look)
    assert (found.rule is None) is is_charged


def test_an_unknown_step_is_a_defect_of_the_vector() -> None:
    with pytest.raises(VectorDefect, match="unknown step with the keys"):
        look({"sing": 1}, {"x": 1}, {})
