"""The engine turns acts into steps as the data of a model says."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.fuzzing import Act, Model, ModelDefect, Sequence

CALL = {"send": {"id": {"$act": "id"}, "by": {"$act": "by"}}}
ANSWER = {"expect": {"id": {"$act": "id"}}, "clause": "C-1"}
FENCE = {"fence": True, "clause": "C-2"}


def model(memory: Any = None, **kinds: Any) -> Model:
    return Model(
        {
            "protocol": "line-v1",
            "parameters": {"by": 3, "value": None},
            "names": {"own": {"$act_text": "own {id}"}},
            "templates": {"pair": {"one": {"$act": "one"}, "by": {"$act": "by"}}},
            "kinds": {
                "call": {"begins": [CALL], "answers": [ANSWER]},
                "line": {"begins": [{"send_raw": [{"text": "x"}]}], "answers": []},
                **kinds,
            },
        },
        memory,
    )


def filled(template: Any, **given: Any) -> Any:
    """Return the step that a template becomes in the act `s-1`."""
    kind = {"begins": [template], "answers": []}
    sequence = Sequence(model(kind=kind), "s")
    sequence.one_by_one([Act("kind", given)])
    return sequence.steps[0] if sequence.steps else None


@pytest.mark.parametrize(
    ("template", "given", "step"),
    [
        ({"a": [1, {"$type": "null"}]}, {}, {"a": [1, {"$type": "null"}]}),
        ({"a": {"$act": "by"}}, {}, {"a": 3}),
        ({"a": {"$act": "by"}}, {"by": {"$act": "x"}}, {"a": {"$act": "x"}}),
        ({"a": {"$act": "id"}}, {}, {"a": "s-1"}),
        ({"a": {"$act": "id"}, "b": {"$act": "key"}}, {"id": 5}, {"a": 5, "b": "s-1"}),
        ({"a": {"$act_text": "no {own}. {}"}}, {}, {"a": "no own s-1. {}"}),
        ({"a": {"$act_line": {"n": [{"$act": "by"}]}}}, {}, {"a": '{"n":[3]}\n'}),
        ({"$fill": "pair", "one": {"$act": "id"}}, {}, {"one": "s-1", "by": 3}),
        ({"$fill": "pair", "one": 1, "by": 2}, {}, {"one": 1, "by": 2}),
        ({"a": {"$if": "value", "then": 1, "else": 2}}, {}, {"a": 2}),
        ({"a": {"$if": "value", "then": 1, "else": 2}}, {"value": False}, {"a": 2}),
        ({"a": {"$if": "value", "then": 1, "else": 2}}, {"value": 0}, {"a": 1}),
        ({"a": {"$if": "value", "then": 1}}, {}, {}),
        ({"a": {"$if": "value", "else": 2}}, {"value": True}, {}),
        ({"a": [{"$if": "value", "then": 1}]}, {}, {"a": []}),
        ({"$if": "value", "then": {"a": 1}}, {}, None),
        ({"a": [9, {"$for": "by", "as": {"$act": "n"}}]}, {}, {"a": [9, 0, 1, 2]}),
    ],
)
def test_a_template_becomes_a_step(template: Any, given: Any, step: Any) -> None:
    assert filled(template, **given) == step


def test_acts_one_by_one_are_each_answered_before_the_next() -> None:
    sequence = Sequence(model(), "s")
    sequence.one_by_one([Act("call"), Act("call", {"by": 4})])

    assert sequence.steps == [
        {"send": {"id": "s-1", "by": 3}},
        {"expect": {"id": "s-1"}, "clause": "C-1"},
        {"send": {"id": "s-2", "by": 4}},
        {"expect": {"id": "s-2"}, "clause": "C-1"},
    ]


def test_acts_together_all_begin_before_the_first_answer() -> None:
    sequence = Sequence(model(), "s")
    sequence.together([Act("call"), Act("line"), Act("call")])

    assert [next(iter(step)) for step in sequence.steps] == [
        *("send", "send_raw", "send", "expect", "expect"),
    ]


def test_messages_in_one_write_come_after_other_steps() -> None:
    sequence = Sequence(model(), "s")
    sequence.together([Act("call"), Act("line"), Act("call")], one_write=True)

    raw, write, *_ = sequence.steps
    assert raw == {"send_raw": [{"text": "x"}]}
    assert write == {"send_many": [{"id": "s-1", "by": 3}, {"id": "s-3", "by": 3}]}


def test_an_act_knows_whether_it_is_in_flight_with_others_and_new() -> None:
    names = {"together": {"$act": "together"}, "new": {"$act": "new"}}
    sequence = Sequence(model(kind={"begins": [names], "answers": []}), "s")
    sequence.one_by_one([Act("kind")])
    sequence.together([Act("kind")])

    assert sequence.steps == [
        {"together": False, "new": True},
        {"together": True, "new": False},
    ]


def test_a_kind_is_tried_by_itself_before_the_first_of_it() -> None:
    first = {"names": {"id": {"$act_text": "{prefix}-before"}}, "fence": FENCE}
    kind = {"first": first, "begins": [CALL], "answers": [ANSWER]}
    sequence = Sequence(model(kind=kind), "s")
    sequence.together([Act("call"), Act("kind"), Act("kind")])

    assert sequence.steps[:4] == [
        {"send": {"id": "s-before", "by": 3}},
        {"expect": {"id": "s-before"}, "clause": "C-1"},
        FENCE,
        {"send": {"id": "s-1", "by": 3}},
    ]
    assert sequence.steps.count(FENCE) == 1


def test_a_kind_may_be_tried_alone_before_it_is_in_flight_with_others() -> None:
    kind = {"alone_first": True, "begins": [CALL], "answers": [ANSWER]}
    sequence = Sequence(model(kind=kind), "s")
    for _ in range(2):
        sequence.together([Act("call"), Act("kind")])

    sent = [step["send"]["id"] for step in sequence.steps if "send" in step]
    assert sent == ["s-1", "s-2", "s-3", "s-4", "s-5"]
    assert [next(iter(step)) for step in sequence.steps[:4]] == [
        *("send", "expect", "send", "send"),
    ]


def test_wrong_answers_are_charged_to_one_clause_unless_the_kind_keeps_its_own() -> (
    None
):
    own = {"own_clause": True, "begins": [CALL], "answers": [ANSWER]}
    sequence = Sequence(model(own=own), "s")
    sequence.charged = "C-9"
    sequence.one_by_one([Act("call"), Act("own")])

    assert [step["clause"] for step in sequence.steps[1::2]] == ["C-9", "C-1"]


class Sum:
    """Adds up what the acts give."""

    def __init__(self) -> None:
        self.total = 0

    def names(self, effect: str | None, act: dict[str, Any]) -> dict[str, Any]:
        if effect == "adds":
            self.total += act["by"]
        return {"total": self.total}


def test_a_memory_gives_names_by_the_acts_before() -> None:
    kind = {"effect": "adds", "begins": [{"sum": {"$act": "total"}}], "answers": []}
    for _ in range(2):
        sequence = Sequence(model(Sum, kind=kind), "s")
        sequence.one_by_one([Act("kind"), Act("call"), Act("kind", {"by": 4})])
        assert [sequence.steps[0], sequence.steps[-1]] == [{"sum": 3}, {"sum": 7}]


@pytest.mark.parametrize(
    ("act", "text"),
    [
        (Act("cal"), "kind 'cal': there is no kind 'cal'; there is call, line, kind"),
        (
            Act("call", {"of": 1}),
            "kind 'call': there is no parameter 'of'; there is id, by, value",
        ),
        (
            Act("kind", {"value": 1}),
            "kind 'kind': there is no template 'x'; there is pair",
        ),
        (Act("kind"), r"kind 'kind': there is no name 'x'; there is prefix, .*, own"),
    ],
)
def test_a_defect_names_the_file_the_kind_and_the_problem(act: Act, text: str) -> None:
    begins = [{"$if": "value", "then": {"$fill": "x"}, "else": {"a": {"$act": "x"}}}]
    sequence = Sequence(model(kind={"begins": begins, "answers": []}), "s")

    with pytest.raises(ModelDefect, match=rf"^line_v1/model\.json: {text}$"):
        sequence.one_by_one([act])


def test_an_act_is_changed_in_some_parameters() -> None:
    assert Act("call", {"by": 1, "value": 2}).but(value=None) == Act(
        "call", {"by": 1, "value": None}
    )
