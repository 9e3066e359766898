"""What is looked at in the answers of a tool registry."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.tool_contract._views import AnswerView
from wireproof.subjects import Answer, Op


def seen(op: str, value: Any, *ours: str) -> Any:
    return AnswerView(ours)(Op(op, {"calls": [], "tools": []}), Answer(value)).value


def wrapped(text: str) -> dict[str, Any]:
    found: dict[str, Any] = seen("wrap_untrusted", text)
    return found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("plain", 0),
        ("<untrusted>", 1),
        ("</untrusted>", 1),
        ("</UNTRUSTED >", 1),
        ("< / untrusted>", 1),
        ("<\n/\nuntrusted", 1),
        ("<untrusted a='b'>x</untrusted>", 2),
        ("<untrustedly>", 0),
        ("<untrusted-thing>", 0),
        ("&lt;/untrusted>", 0),
        ("untrusted>", 0),
    ],
)
def test_tags_are_counted_as_a_lenient_reader_takes_them(text: str, count: int) -> None:
    assert wrapped(text)["tags"] == count


def test_a_wrapper_is_taken_apart() -> None:
    found = wrapped('a<untrusted source="web" tool=\'x "y"\'>in\nside</untrusted >b')
    assert found["wrapper"] == {
        "source": "web",
        "tool": 'x "y"',
        "before": "a",
        "inside": "in\nside",
        "after": "b",
    }


@pytest.mark.parametrize(
    "text",
    [
        "<untrusted>open",
        "closed</untrusted>",
        "</untrusted><untrusted>",
        "<untrusted x>",
    ],
)
def test_half_a_wrapper_is_none(text: str) -> None:
    assert "wrapper" not in wrapped(text)


def test_tokens_are_found_in_any_case_and_not_in_attributes() -> None:
    found = wrapped('<untrusted source="[INST]">a <|IM_Start|> <S></untrusted>')
    assert found["tokens"] == ["<|im_start|>", "<s>"]


def test_the_model_sees_its_own_text_else_the_value_or_the_error() -> None:
    given = [
        {"result": {"ok": True, "value": "v"}, "modelText": "m"},
        {"result": {"ok": True, "value": "v"}},
        {"result": {"ok": False, "error": "e"}},
    ]
    found = seen("execute_parallel", {"results": given})["results"]
    assert [one["model"] for one in found] == ["m", "v", "e"]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("aaaa", "aaaa"),
        ("aaaa\n[truncated -- 9 chars total]", "aaaa"),
        ("aaaa\n\n[truncated \u2014 9 chars total]", "aaaa\n"),
        ("aaaa[truncated]", "aaaa"),
        ("\n[truncated -- 9 chars total]", ""),
        ("[truncated 5]\naa\n[truncated -- 9 chars total]", "[truncated 5]\naa"),
        ("[truncated -- 9 chars total]aaaa", "aaaa"),
    ],
)
def test_what_is_kept_of_a_value_is_what_stands_beside_its_last_marker(
    value: str, kept: str
) -> None:
    given = [{"result": {"ok": True, "value": value}}]
    assert seen("execute_parallel", {"results": given})["results"][0]["kept"] == kept


def test_of_the_listed_tools_those_of_the_check_are_looked_at_by_name() -> None:
    listed = [{"name": "b"}, {"name": "other"}, {"name": "a"}, "odd"]
    assert seen("definitions", listed, "a", "b") == [{"name": "a"}, {"name": "b"}]


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("execute_parallel", None),
        ("execute_parallel", {"results": None}),
        ("execute_parallel", {"results": [None, {"result": None}]}),
        ("definitions", {"a": 1}),
        ("wrap_untrusted", 5),
        ("register", {"registered": []}),
    ],
)
def test_what_has_another_shape_stays_as_it_is(op: str, value: Any) -> None:
    assert seen(op, value) == value


def test_a_refusal_stays_as_it_is() -> None:
    refusal = Answer(None, {"type": "Error", "detail": "no"})
    assert AnswerView(())(Op("definitions", {}), refusal) is refusal
