from __future__ import annotations

from dataclasses import replace

from tests.wireproof.reporting.reports import BAD, BROKEN, GOOD, HIDDEN, subject_of

from wireproof.reporting import annotation_lines


def test_a_failure_is_a_command_with_its_clause_and_its_line() -> None:
    plain = replace(BROKEN, reason="100% wrong\nindeed", reproduce="./host a,b")
    subject = subject_of("./a: b, c", [plain])
    (line,) = annotation_lines([GOOD, subject])
    assert line == (
        "::error title=HV1-M2 host-v1/request-ids/one-space [./a%3A b%2C c]::"
        "A single space comes back as the id.%0A"
        "failed in 1 check: 100%25 wrong%0Aindeed%0A"
        "reproduce: ./host a,b"
    )


def test_nothing_that_a_subject_said_is_a_command() -> None:
    (line,) = annotation_lines([BAD])
    assert line.count("\n") == 0
    assert line.startswith("::error title=HV1-M2 ")
    assert not [char for char in line if ord(char) < ord(" ")]


def test_failures_of_one_cause_are_one_command() -> None:
    (line,) = annotation_lines([subject_of("./a", [BROKEN] * 30)])
    assert "failed in 30 checks: " in line


def test_a_cause_that_others_rest_on_says_so() -> None:
    hidden = replace(HIDDEN, because="HV1-M2")
    (line,) = annotation_lines([subject_of("./a", [BROKEN, hidden])])
    assert "mend this first: 1 more rests on it" in line


def test_many_causes_are_counted() -> None:
    found = [replace(BROKEN, id=f"x/a/{n}", key=("a", f"{n}", "")) for n in range(30)]
    lines = list(annotation_lines([subject_of("./a", found)]))
    assert len(lines) == 10
    assert lines[-1] == "::error title=wireproof::21 more causes; the log has them"
