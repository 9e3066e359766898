"""What a run of a one-shot tool wrote, and which clause that breaks."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.exec_oneshot._output import Reading, read
from wireproof.protocols.exec_oneshot._runs import Run, RunInput

GIVEN = RunInput(b'{"args":{}}')


def reading(output: bytes, status: int | None = 0, **run: Any) -> Reading:
    return read(Run(GIVEN, status=status, output=bytearray(output), **run))


@pytest.mark.parametrize(
    ("output", "status", "value"),
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
    output: bytes, status: int, value: Any
) -> None:
    found = reading(output, status)
    assert (found.value, found.found) == (value, ())


@pytest.mark.parametrize(
    ("output", "status", "clause", "text"),
    [
        (b"", 0, "EXEC-O2", "it exited with status 0 and wrote nothing on stdout"),
        (b"caf\xe9", 0, "EXEC-O2", "stdout is not UTF-8"),
        (b"done", 0, "EXEC-O2", "stdout is not a JSON object"),
        (b"[1]", 0, "EXEC-O2", "stdout holds an array, not one JSON object"),
        (b"true", 0, "EXEC-O2", "stdout holds a boolean, not one JSON object"),
        (
            b'{"result":NaN}',
            0,
            "EXEC-O2",
            (
                "stdout is not JSON: it has NaN for a number: JSON has none such; "
                "let the call fail instead"
            ),
        ),
        (
            b'{"result":1}\n{"result":1}',
            0,
            "EXEC-O2",
            "stdout holds 2 JSON objects, not one",
        ),
        (
            b'hello\n{"result":1}',
            0,
            "EXEC-O4",
            'beside the object stands on stdout "hello"',
        ),
        (
            b'{"result":1,"error":"no"}',
            0,
            "EXEC-O3",
            "the object has both result and error",
        ),
        (
            b'{"text":1}',
            0,
            "EXEC-O3",
            'the object has neither result nor error (it has "text")',
        ),
        (
            b'{"error":{"m":1}}',
            1,
            "EXEC-O3",
            'error is an object, {"m": 1}, not a string',
        ),
        (b'{"error":""}', 1, "EXEC-O3", "error is the empty string"),
        (
            b'{"result":1}',
            3,
            "EXEC-O5",
            "it reported a result and ended with status 3, not with 0",
        ),
    ],
)
def test_what_is_wrong_with_an_output_is_charged_to_one_clause(
    output: bytes, status: int, clause: str, text: str
) -> None:
    (found,) = reading(output, status).found
    assert (found.clause, found.level, found.text) == (clause, "must", text)


def test_a_log_line_hides_no_object() -> None:
    assert reading(b'hello\n{"result":1}').value == {"result": 1}


def test_a_run_that_failed_without_words_is_told_with_its_status_alone() -> None:
    found = reading(b" ", 2)
    assert (found.value, found.found) == (None, ())
    assert found.text == "it exited with status 2 and wrote nothing on stdout"
    assert found.failed_wordless


@pytest.mark.parametrize(
    ("output", "run", "text"),
    [
        (b"", {}, "it neither answered nor exited within 2.0 s"),
        (b'{"result":1}', {}, "it wrote to stdout and did not exit within 2.0 s"),
        (b"x" * 2_097_152, {"flooded": True}, "it wrote more than 2 MiB on stdout"),
    ],
)
def test_a_run_that_had_to_be_ended_breaks_the_clause_of_the_end(
    output: bytes, run: Any, text: str
) -> None:
    found = reading(output, None, allowed=2.0, **run)
    assert [(one.clause, one.text) for one in found.found] == [("EXEC-O2", text)]


def test_a_tool_that_cannot_be_started_is_charged_with_nothing() -> None:
    found = reading(b"", None, problem="there is no such program")
    assert (found.found, found.text) == ((), "there is no such program")


@pytest.mark.parametrize(
    ("output", "key"),
    [
        (b'{"result":1,"error":null}', "error"),
        (b'{"result":null,"error":null}', "error"),
        (b'{"result":null,"error":"no"}', "result"),
    ],
)
def test_a_null_companion_is_untidy_and_no_fault(output: bytes, key: str) -> None:
    found = reading(output)
    (untidy,) = found.untidy
    assert found.found == ()
    assert (untidy.clause, untidy.level) == ("EXEC-O3", "should")
    assert untidy.text.startswith(f"{key} is null beside its partner")


@pytest.mark.parametrize("output", [b'{"result":null}', b'{"error":"no"}', b"{}"])
def test_one_key_alone_is_tidy(output: bytes) -> None:
    assert reading(output).untidy == ()
