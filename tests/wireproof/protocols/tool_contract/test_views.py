"""What is looked at in the answers of a tool registry."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.tool_contract._views import AnswerView


def seen(op: str, value: Any, *ours: str) -> Any:
    return AnswerView(ours).of(op, {"calls": [], "tools": []}, value)


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
        ("<untrusted a='b'>x</untrusted>", 0),
        ("<untrusted a='b'>x</untrusted></untrusted>", 1),
        ("<untrusted a='b'><untrusted>x</untrusted>", 1),
        ("<untrustedly>", 0),
        ("<untrusted-thing>", 0),
        ("&lt;/untrusted>", 0),
        ("untrusted>", 0),
    ],
)
def test_tags_inside_a_wrapper_are_counted_as_a_lenient_reader_takes_them(
    text: str, count: int
) -> None:
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


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Data stands in <untrusted>: it ends at </untrusted>.", 0),
        ('See <untrusted>. <untrusted tool="t">x</untrusted> and more', 1),
        ('<untrusted a="1">x</untrusted> y <untrusted a="2">z</untrusted>', 2),
        ('<untrusted a="1"><untrusted a="2">z</untrusted> y </untrusted>', 2),
    ],
)
def test_wrappers_are_counted(text: str, count: int) -> None:
    assert wrapped(text)["wrappers"] == count


def results_of(*given: Any) -> Any:
    return seen("execute_parallel", {"results": list(given)})["results"]


def test_the_text_for_the_model_shows_the_value_or_the_error() -> None:
    found = results_of(
        {"result": {"ok": True, "value": "v"}, "modelText": "see: v"},
        {"result": {"ok": True, "value": "v"}, "modelText": "V"},
        {"result": {"ok": False, "error": "e"}, "modelText": "e"},
    )
    assert [one["shows"] for one in found] == [True, False, True]


def test_what_the_model_sees_is_not_looked_at_without_a_stage_for_it() -> None:
    given = {"result": {"ok": True, "value": "v"}}
    found = results_of(given, {**given, "modelText": None})
    assert all({"modelText", "shows", "wrappers"}.isdisjoint(one) for one in found)


def test_the_log_is_looked_at_call_by_call() -> None:
    log = [{"toolCallId": one, "result": True} for one in ("b", "a", "b")]
    assert seen("execute_parallel", {"log": log})["log_of"] == {
        "b": [log[0], log[2]],
        "a": [log[1]],
    }


@pytest.mark.parametrize("handle", [0, "", False, [], {"id": 1}])
def test_a_handle_is_any_value_but_null(handle: object) -> None:
    given = {"handle": handle}
    assert seen("register_reducer", given) == given


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("aaaa", "aaaa"),
        ("aaaa\n[truncated -- 9 chars total]", "aaaa"),
        ("aaaa\n\n[truncated \u2014 9 chars total]", "aaaa\n"),
        ("aaaa[truncated]", "aaaa"),
        ("\n[truncated -- 9 chars total]", ""),
        ("[truncated 5]\naa\n[truncated -- 9 chars total]", "[truncated 5]\naa"),
        ("[truncated -- 9 chars total]aaaa", ""),
        ("aaaa\n[truncated -- 9 chars total]\nread on with offset=5", "aaaa"),
    ],
)
def test_what_is_kept_of_a_value_is_what_stands_before_its_last_marker(
    value: str, kept: str
) -> None:
    (found,) = results_of({"result": {"ok": True, "value": value}})
    assert found["kept"] == kept


def test_what_a_batch_holds_is_counted_without_markers() -> None:
    values = ("aaaa\n[truncated -- 9 chars total]", "bb ", "")
    given = [{"result": {"ok": True, "value": one}} for one in values]
    assert seen("execute_parallel", {"results": given})["held"] == 7


@pytest.mark.parametrize(
    ("value", "begins"),
    [
        ("one\nt", True),
        ("one\n\n[truncated -- 9 chars total]", True),
        ("two\n[truncated -- 9 chars total]", False),
        ("One", False),
    ],
)
def test_what_is_kept_is_a_beginning_of_what_the_tool_returned(
    value: str, *, begins: bool
) -> None:
    view = AnswerView(("t",))
    steps = [{"return": {"ok": True, "value": "one\ntwo"}}]
    tools = {"tools": [{"name": "t", "steps": steps}]}
    view.note("register", tools)
    results = [{"name": "t", "result": {"ok": True, "value": value}}]

    found = view.of("execute_parallel", {"calls": []}, {"results": results})

    assert found["results"][0]["begins"] is begins


def test_of_the_listed_tools_those_of_the_check_are_looked_at_by_name() -> None:
    listed = [{"name": "b"}, {"name": "other"}, {"name": "a"}, "odd"]
    assert seen("definitions", listed, "a", "b") == [{"name": "a"}, {"name": "b"}]


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("execute_parallel", None),
        ("execute_parallel", {"results": None}),
        ("definitions", {"a": 1}),
        ("wrap_untrusted", 5),
        ("register", {"registered": []}),
    ],
)
def test_what_has_another_shape_stays_as_it_is(op: str, value: Any) -> None:
    assert seen(op, value) == value
