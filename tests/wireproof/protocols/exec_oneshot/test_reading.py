"""What a run of a one-shot tool wrote, and what the judge is told of it."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.judge import Look, Ran, RunEnd
from wireproof.protocols.exec_oneshot._reading import Reading, look, read, watch
from wireproof.protocols.exec_oneshot.rules import FAULTS


def ran(
    wrote: bytes,
    status: int | None = 0,
    ended: RunEnd = "exited",
    stderr: str = "",
    **more: Any,
) -> Ran:
    return Ran(0.0, b"{}", wrote, stderr, ended, status, 0.1, **more)


def reading(wrote: bytes, status: int | None = 0, ended: RunEnd = "exited") -> Reading:
    return read(ran(wrote, status, ended))


@pytest.mark.parametrize(
    ("wrote", "status", "value"),
    [
        (b'{"result":1}', 0, {"result": 1}),
        (b' \r\n{"result":null}\n\n', 0, {"result": None}),
        (b'{"result":[],"took_ms":3}', 0, {"result": [], "took_ms": 3}),
        (b'{"error":null,"result":false}', 0, {"result": False}),
        (b'{"error":"no"}', 0, {"error": "no"}),
        (b'{"error":"no"}', 1, {"error": "no"}),
    ],
)
def test_one_object_of_either_kind_is_an_answer(
    wrote: bytes, status: int, value: Any
) -> None:
    found = reading(wrote, status)
    assert (found.value, found.all_faults) == (value, ())


@pytest.mark.parametrize(
    ("wrote", "status", "kind", "fields"),
    [
        (b"", 0, "wrote-nothing", {"stderr": "", "seconds": 0.1, "status": 0}),
        (b"caf\xe9", 0, "output-not-utf8", {}),
        (b"done", 0, "output-not-json", {"detail": ""}),
        (b"[1]", 0, "output-no-object", {"value": [1]}),
        (b"true", 0, "output-no-object", {"value": True}),
        (
            b'{"result":NaN}',
            0,
            "output-not-json",
            {
                "detail": "it has NaN for a number: JSON has none such; "
                "let the call fail instead"
            },
        ),
        (b'{"result":1}\n{"result":1}', 0, "output-several", {"count": 2}),
        (b'hello\n{"result":1}', 0, "output-beside", {"text": "hello"}),
        (b'{"result":1,"error":"no"}', 0, "object-both", {}),
        (b'{"text":1}', 0, "object-neither", {"keys": ["text"]}),
        (b'{"error":{"m":1}}', 1, "object-error", {"error": {"m": 1}}),
        (b'{"error":""}', 1, "object-error", {"error": ""}),
        (b'{"result":1}', 3, "result-and-status", {"status": 3}),
    ],
)
def test_what_is_wrong_with_an_output_is_one_fault(
    wrote: bytes, status: int, kind: str, fields: Any
) -> None:
    assert reading(wrote, status).all_faults == ((kind, fields),)
    assert kind in FAULTS


def test_a_log_line_hides_no_object() -> None:
    assert reading(b'hello\n{"result":1}').value == {"result": 1}


def test_a_run_that_failed_without_words_breaks_nothing() -> None:
    found = reading(b" ", 2)
    assert (found.value, found.all_faults, found.wordless) == (None, (), True)


@pytest.mark.parametrize(
    ("wrote", "ended", "kind"),
    [
        (b"", "silent", "run-unanswered"),
        (b'{"result":1}', "silent", "run-unended"),
        (b"x" * 2_097_152, "flooded", "run-flooded"),
        (b"", "not-started", "not-started"),
    ],
)
def test_a_run_that_had_to_be_ended_has_no_object(
    wrote: bytes, ended: RunEnd, kind: str
) -> None:
    found = reading(wrote, None, ended)
    assert found.value is None
    assert found.why is not None
    assert found.why[0] == kind


@pytest.mark.parametrize(
    ("wrote", "key"),
    [
        (b'{"result":1,"error":null}', "error"),
        (b'{"result":null,"error":null}', "error"),
        (b'{"result":null,"error":"no"}', "result"),
    ],
)
def test_a_null_companion_is_untidy_and_no_fault(wrote: bytes, key: str) -> None:
    found = reading(wrote)
    assert found.untidy == (("null-companion", {"key": key}),)
    assert found.all_faults == ()


@pytest.mark.parametrize("wrote", [b'{"result":null}', b'{"error":"no"}', b"{}"])
def test_one_key_alone_is_tidy(wrote: bytes) -> None:
    assert reading(wrote).untidy == ()


# --- what monitors see


def test_a_run_with_a_result_is_of_three_kinds() -> None:
    assert watch({}, ran(b'{"result":1}')) == (["objects", "results"], [])
    assert watch({}, ran(b'{"error":"no"}')) == (["objects"], [])
    assert watch({}, ran(b"no"))[0] == []


@pytest.mark.parametrize("step", [{"refused": True}, {"fails": True, "expect": {}}])
def test_bad_input_may_be_answered_by_other_text(step: dict[str, Any]) -> None:
    assert watch(step, ran(b"usage: tool", 2)).faults == []
    assert watch(step, ran(b"usage: tool")).faults == []
    (fault,) = watch(step, ran(b"{}")).faults
    assert fault[0] == "object-neither"


# --- what a step is about


def told(step: dict[str, Any], *runs: Ran) -> str:
    """Return the kind of what is wrong with the runs of a step; "" if nothing is."""
    found = look(step, runs, {})
    return found.kind if isinstance(found, Look) else ""


ANY = {"expect": {"result": {"$type": "number"}}}


@pytest.mark.parametrize(
    ("step", "run", "kind"),
    [
        (ANY, ran(b'{"result":1}'), ""),
        (ANY, ran(b'{"result":"1"}'), "mismatch"),
        (ANY, ran(b'{"error":"no"}'), "error-for-a-result"),
        (ANY, ran(b"", 3), "wrote-nothing"),
        (ANY, ran(b'{"result":1}', held=True), "stdout-held"),
        ({"expect": {"error": "no"}}, ran(b'{"result":1}'), "result-for-an-error"),
        ({"expect": {"error": "no"}}, ran(b"", 3), "wordless"),
        (
            {"expect": {"error": "no"}, "status": 0},
            ran(b'{"error":"no"}', 1),
            "status-of-an-error",
        ),
        ({"fails": True}, ran(b'{"error":"no"}'), ""),
        ({"fails": True}, ran(b"", 3), ""),
        ({"fails": True}, ran(b'{"result":1}'), "failure-with-a-result"),
        ({"fails": True}, ran(b""), "wrote-nothing"),
        ({"refused": True}, ran(b'{"error":"no"}'), ""),
        ({"refused": True}, ran(b"", 1, stderr="no"), ""),
        ({"refused": True}, ran(b"usage", 1, stderr="no"), ""),
        ({"refused": True}, ran(b"", 1), "bad-input-wordless"),
        ({"refused": True}, ran(b""), "bad-input-not-refused"),
        ({"refused": True}, ran(b"", None, "silent"), "run-unanswered"),
        ({"refused": True}, ran(b'{"result":1}'), "bad-input-with-a-result"),
        ({"refused": True, **ANY}, ran(b'{"result":1}'), ""),
        ({"refused": True, **ANY}, ran(b'{"result":"1"}'), "mismatch"),
    ],
)
def test_a_step_is_about_its_run(step: dict[str, Any], run: Ran, kind: str) -> None:
    assert told(step, run) == kind


def test_each_of_several_runs_has_a_pattern_of_its_own() -> None:
    step = {"expect_each": [{"result": 1}, {"result": 2}]}
    one, two = ran(b'{"result":1}'), ran(b'{"result":2}')
    assert told(step, one, two) == ""
    assert told(step, one, one) == "mismatch"
    assert told(ANY, one, two) == ""


def test_a_failure_without_words_is_charged_to_the_should_of_its_clause() -> None:
    found = look({"expect": {"error": "no"}}, [ran(b"", 3)], {})
    assert isinstance(found, Look)
    assert found.rule is not None
    assert (found.rule.clause, found.rule.level) == ("EXEC-O2", "should")


def test_what_a_pattern_keeps_later_steps_know() -> None:
    step = {"expect": {"result": {"$save": "it"}}}
    assert look(step, [ran(b'{"result":7}')], {}) == {"it": 7}
