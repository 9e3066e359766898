from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import (
    ClauseText,
    Deviation,
    Difference,
    Entry,
    Result,
    SubjectFacts,
    Verdict,
)
from wireproof.reporting import (
    PLAIN,
    Guide,
    Layout,
    SubjectReport,
    summary_lines,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from syrupy.assertion import SnapshotAssertion

CLAUSES = (
    ClauseText("X-1", "must", "seed", "the answer comes."),
    ClauseText("X-2", "must", "seed", "the answer is right."),
    ClauseText("X-3", "should", "derived", "the answer is friendly."),
)
ENDED = "the host exited with status 0"
PASSED = Result("x/a/fine", ("X-1",), "must", "seed", Verdict.PASSED)


def broken(name: str, clause: str = "X-1", **fields: Any) -> Result:
    given: dict[str, Any] = {
        "id": f"x/a/{name}",
        "clauses": (clause,),
        "level": "must",
        "source": "seed",
        "verdict": Verdict.FAILED,
        "reason": "n is 2, not 1",
        "reproduce": "printf x | ./host",
    }
    return Result(**(given | fields))


def watched(clause: str, **fields: Any) -> Result:
    return broken("", clause, by_monitor=True, **fields)


def warned(name: str, **fields: Any) -> Result:
    given: dict[str, Any] = {"level": "should", "verdict": Verdict.WARNED}
    return broken(name, "X-3", **(given | fields))


def entry(direction: Any, text: str) -> dict[str, Any]:
    data = text.encode()
    return {"entries": [Entry(0.0, direction, data, len(data))]}


def facts(**fields: Any) -> SubjectFacts:
    given: dict[str, Any] = {
        "level": "full",
        "starts": 3,
        "missing_checks": 0,
        "missing_tools": (),
        "fuzz_seed": 0,
        "latency_ms": 1.5,
    }
    return SubjectFacts(**(given | fields))


def told(
    *results: Result,
    known: SubjectFacts | None = None,
    ran: int = 9,
    clauses: Sequence[ClauseText] = CLAUSES,
    traces: Mapping[str, str] | None = None,
    layout: Layout = PLAIN,
    options: Sequence[str] = (),
    repository: str = "",
) -> str:
    report = SubjectReport(
        "x",
        "./host",
        "./host",
        known or facts(),
        results,
        clauses,
        ran,
        9,
    )
    return "\n".join(
        summary_lines(
            report,
            Guide(
                "host",
                ["tools.mjs (JavaScript)", "tools.go (Go)"],
                "a tool like so",
                "nobody calls them",
                traces=traces or {},
                again=lambda name: f"pytest {name}",
                options=options,
                repository=repository,
            ),
            layout,
        )
    )


def test_a_long_line_of_shell_is_not_told_twice() -> None:
    def next_of(reproduce: str) -> str:
        found = told(replace(broken("a"), reproduce=reproduce))
        return next(one for one in found.splitlines() if one.startswith("next:"))

    assert next_of("printf x | ./host").endswith("again: printf x | ./host")
    assert next_of(f"printf {'x' * 400} | ./host").endswith("again: pytest x/a/a")


def test_a_subject_that_keeps_all_is_conformant(snapshot: SnapshotAssertion) -> None:
    assert told(PASSED) == snapshot


def test_conformant_is_not_said_of_a_part() -> None:
    text = told(PASSED, ran=8)
    assert text.splitlines()[:2] == [
        f"conforms to the {profile}: nothing broken (level full, 8 of 9 checks)"
        for profile in ("document", "full profile")
    ]
    assert "next:" not in text


def test_a_part_without_a_must_in_which_nothing_is_wrong_breaks_nothing() -> None:
    text = told(replace(PASSED, level="should"), ran=8)
    assert text.splitlines()[1] == (
        "conforms to the full profile: nothing broken (level full, 8 of 9 checks)"
    )


def test_a_part_in_which_a_must_is_not_testable_is_not_conformant() -> None:
    hidden = broken("a", verdict=Verdict.NOT_TESTABLE)
    text = told(PASSED, hidden, ran=8)
    assert text.splitlines()[1] == (
        "conforms to the full profile: no (level full, 8 of 9 checks)"
    )


def test_nothing_decided_is_neither_good_nor_bad() -> None:
    skipped = broken("a", verdict=Verdict.NOT_APPLICABLE, reproduce=None)
    assert told(skipped).splitlines()[:2] == [
        "conforms to the document: nothing was decided (level full)",
        "conforms to the full profile: nothing was decided (level full)",
    ]


@pytest.mark.parametrize(
    ("hidden", "added"),
    [(0, ""), (1, "; 1 check could not be tried because of it")],
)
def test_the_answer_says_what_could_not_be_tried_for_a_warning(
    hidden: int, added: str
) -> None:
    given: dict[str, Any] = {"verdict": Verdict.NOT_APPLICABLE, "because": "X-3"}
    rest = [broken(f"b-{n}", reproduce=None, **given) for n in range(hidden)]
    answer = told(PASSED, warned("a"), *rest).splitlines()[1]
    assert (
        answer
        == f"conforms to the full profile: yes (level full); warned in 1 check{added}"
    )


def test_what_a_subject_does_not_offer_is_told_in_one_line() -> None:
    def left_out(name: str, reason: str, **fields: Any) -> Result:
        given: dict[str, Any] = {"verdict": Verdict.NOT_APPLICABLE, "reproduce": None}
        return broken(name, reason=reason, **given, **fields)

    text = told(
        PASSED,
        left_out("a", "the host does not offer get_tags"),
        left_out("b", "the host does not offer get_icon"),
        left_out("c", "the host does not offer get_tags"),
        left_out("d", "it builds on X-3: n is 2", because="X-3"),
        left_out("e", "it builds on X-3: n is 4", because="X-3"),
    )

    assert (
        "3 checks were not applicable: the host does not offer get_icon, get_tags\n"
        "2 checks were not applicable: they build on X-3, which does not hold and is "
        "no MUST\n"
    ) in text


def test_a_part_of_the_checks_that_warned_is_not_said_to_be_sound() -> None:
    _, answer, *_ = told(warned("a"), ran=1).splitlines()
    assert answer.startswith(
        "conforms to the full profile: no MUST broken (level full, "
    )


def test_a_broken_must_that_this_project_added_is_not_one_of_the_document() -> None:
    added = replace(broken("a"), source="derived")

    assert told(PASSED, added).splitlines()[:2] == [
        "conforms to the document: yes (level full)",
        "conforms to the full profile: no (level full)",
    ]


def test_a_must_of_the_standard_counts_as_one_of_the_document() -> None:
    of_standard = replace(broken("a"), source="standard")

    assert told(PASSED, of_standard).startswith("conforms to the document: no ")


def test_a_run_of_the_document_alone_gives_one_answer() -> None:
    report = SubjectReport(
        "x", "./host", "./host", facts(), [PASSED], CLAUSES, 9, 9, "document"
    )

    assert report.conformant_to_document
    assert not report.conformant
    lines = list(summary_lines(report, Guide("host", [])))
    assert [line for line in lines if line.startswith("conforms")] == [
        "conforms to the document: yes (level full)"
    ]


def test_failures_of_one_kind_are_told_together(snapshot: SnapshotAssertion) -> None:
    differences = [Difference("/n", 1, 2)]
    same = [broken(name, differences=differences) for name in "abcd"]
    other = broken("e", reason="n is 7, not 1", differences=differences)
    third = broken("f", reason="m is missing")
    assert told(*same, other, third) == snapshot


def test_one_cause_of_many_failures_is_told_once_and_first(
    snapshot: SnapshotAssertion,
) -> None:
    ended: dict[str, Any] = {
        "reason": f"init was not answered: {ENDED}",
        "ended": ENDED,
    }
    many = [broken(name, **ended) for name in "abc"]
    many += [broken(name, "X-2", **ended) for name in "def"]
    own = broken("g", "X-2")
    assert told(*many, own) == snapshot


def test_an_end_of_which_is_only_warned_is_told_as_that() -> None:
    warned = {"verdict": Verdict.WARNED, "level": "should", "ended": ENDED}
    hit = [broken(name, "X-1", **warned) for name in "abc"]
    text = told(PASSED, *hit, *[broken(name, "X-2", **warned) for name in "de"])
    assert f"\n{ENDED}: warned in 5 checks\n" in text


TRACEBACK = """Traceback (most recent call last):
  File "./host", line 7, in answer
    key = message["id"]
KeyError: 'id'
"""


def test_an_exception_that_failed_checks_share_is_told_once_and_first(
    snapshot: SnapshotAssertion,
) -> None:
    raised = {**entry("stderr", TRACEBACK), "stderr": TRACEBACK}
    many = [broken(name, reason=f"no answer to {name}", **raised) for name in "abc"]
    many += [broken("d", "X-2", reason="no answer to d", **raised)]
    assert told(PASSED, *many, broken("e", "X-2")) == snapshot


def test_an_exception_is_told_in_the_words_of_the_check_that_is_shown() -> None:
    other = TRACEBACK.replace("'id'", "'v'")
    first = broken("a", "X-2", evidence={"alone": "only so"}, **entry("stderr", other))
    rest = [broken(name, **entry("stderr", TRACEBACK)) for name in "bcd"]
    lines = told(PASSED, first, *rest).splitlines()
    place = lines.index("KeyError: 'id': failed in 4 checks")
    assert lines[place + 2 : place + 5] == [
        "  on its stderr in 4 checks, and in none that passed",
        "  1 in other words, such as: KeyError: 'v'",
        "  seen in x/a/b:",
    ]


def test_an_exception_says_more_than_the_end_that_it_led_to() -> None:
    ended = {"reason": f"no answer: {ENDED}", "ended": ENDED}
    raised = {**entry("stderr", TRACEBACK), **ended}
    many = [broken(name, **raised) for name in "abc"]
    many += [broken(name, "X-2", **raised) for name in "def"]
    lines = told(PASSED, *many, broken("g", **ended)).splitlines()
    assert "first of all: KeyError: 'id': failed in 6 checks" in lines
    assert not any(line.startswith(f"first of all: {ENDED}") for line in lines)


def test_an_exception_that_checks_pass_with_is_no_cause() -> None:
    raised = entry("stderr", TRACEBACK)
    fine = Result("x/a/f", ("X-1",), "must", "seed", Verdict.PASSED, **raised)
    assert "KeyError" not in told(fine, *[broken(name, **raised) for name in "abcd"])


def test_a_clause_that_most_checks_rest_on_is_mended_first() -> None:
    hidden = {"verdict": Verdict.NOT_TESTABLE, "because": "X-2"}
    many = [broken(name, "X-3", **hidden) for name in "bcdef"]
    lines = told(broken("a"), broken("g", "X-2"), *many).splitlines()
    assert lines[-1] == (
        "next: mend X-2, on which 5 more rest; see x/a/g again: printf x | ./host"
    )


def test_a_monitor_that_saw_what_a_check_saw_is_told_with_it() -> None:
    seen = watched("X-1", reason="n is 2, not 1", first_in="x/a/a")
    differences = [Difference("/n", 1, 2)]
    same = [broken(name, differences=differences) for name in "ab"]
    lines = told(same[1], same[0], seen).splitlines()
    assert "  failed in 2 checks and a monitor: n is 2, not 1" in lines
    assert "    x/a/b, x/a/a; also seen by a monitor, first in x/a/a" in lines


def test_so_is_one_whose_check_says_beside_it_with_what() -> None:
    reason = "with the line false: n is 2, not 1"
    one = warned("a", reason=reason, differences=[Difference("/n", 1, 2)])
    fields: dict[str, Any] = {"level": "should", "verdict": Verdict.WARNED}
    seen = watched("X-3", first_in="x/a/a", **fields)
    lines = told(one, seen).splitlines()
    assert f"  warned in 1 check and a monitor, such as: {reason}" in lines
    assert not any(line.startswith("  warned: ") for line in lines)


def test_each_way_of_which_is_only_warned_is_shown_but_for_a_trace_that_is() -> None:
    raised = {"stderr": TRACEBACK, **entry("stderr", TRACEBACK)}
    ways = [
        warned("a", reason="no answer", reproduce="one", **raised),
        warned("b", reason="no answer to it", reproduce="two", **raised),
        warned("c", reason="no friend", reproduce="three", **entry("sent", "hello")),
    ]
    lines = told(PASSED, *ways).splitlines()
    shown = [one for one in lines if one.startswith("    reproduce: ")]
    assert shown == ["    reproduce: one", "    reproduce: three"]


def test_an_exception_of_a_check_that_is_only_counted_is_named() -> None:
    def ended(name: str, trace: str) -> Result:
        raised = {"stderr": trace, **entry("stderr", trace)}
        return warned(name, reason="no answer", ended=ENDED, **raised)

    other = TRACEBACK.replace("KeyError: 'id'", "ValueError: too many digits")
    lines = told(PASSED, *(ended(n, TRACEBACK) for n in "ab"), ended("c", other))
    where = 'File "./host", line 7, in answer'
    assert (
        f"    in x/a/c it is ValueError: too many digits ({where})"
        in lines.splitlines()
    )
    assert lines.count(" it is ") == 1


def test_what_a_monitor_saw_in_no_check_says_when() -> None:
    lines = told(PASSED, watched("X-1", evidence={"when": "at the end"})).splitlines()
    assert "    seen by a monitor, at the end" in lines
    assert lines[-1] == "next: see it again: printf x | ./host"


def test_a_check_that_shows_nothing_alone_is_not_named() -> None:
    seen = watched("X-1", first_in="x/a/b")
    hidden = broken("b", verdict=Verdict.NOT_TESTABLE, because="X-1")
    lines = told(PASSED, hidden, seen).splitlines()
    assert lines[-1] == "next: see it again: printf x | ./host"
    later = broken("c", evidence={"alone": "it did not fail"})
    assert told(later, seen, broken("d")).endswith("see x/a/d again: printf x | ./host")


def test_a_trace_that_a_failure_shows_is_not_shown_again() -> None:
    text = "TypeError: no run\n    at handle (/srv/a.mjs:9:21)\n"
    ended: dict[str, Any] = {"ended": ENDED, "reason": ENDED, "stderr": text}
    ended |= entry("stderr", text)
    many = [broken(name, **ended) for name in "abc"]
    many += [broken(name, "X-2", **ended) for name in "def"]
    assert "    at handle" in told(*many)
    traces = {"TypeError at handle (/srv/a.mjs:9:21)": "x/a/c"}
    again = told(*many, traces=traces)
    stands = "a trace of the same place stands above, with x/a/c"
    assert f"    TypeError: no run; {stands}" in again
    assert "    at handle" not in again


def passed(name: str, clause: str) -> Result:
    return replace(broken(name, clause), verdict=Verdict.PASSED, reason="")


def test_what_fails_in_most_of_its_checks_is_mended_before_what_fails_in_few() -> None:
    many = [broken("a"), *(passed(name, "X-1") for name in "bcd")]
    few = [broken("e", "X-2"), broken("f", "X-2"), passed("g", "X-2")]
    lines = told(*many, *few).splitlines()
    assert lines[-1].startswith("next: see x/a/e again")
    first, second = (lines.index(one) for one in lines if one.startswith("X-"))
    assert lines[first].startswith("X-2")
    assert lines[second].startswith("X-1")


def test_with_a_warning_alone_a_gate_is_green_and_can_be_kept() -> None:
    lines = told(PASSED, warned("a")).splitlines()
    assert lines[-2].startswith("next: see x/a/a again")
    assert lines[-1].startswith(
        "then: a warning fails no run but with --fail-on=should; in CI: pytest '--host"
    )
    assert "in CI" not in told(PASSED, warned("a"), ran=8)
    assert "in CI" not in told(PASSED, warned("a"), broken("b"))


def test_the_gate_is_told_with_the_program_that_ran(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    last = told(PASSED).splitlines()[-1]
    own = Path(sys.executable).parent
    assert last.startswith(f"next: keep it so in CI: {own}/pytest '--host=./host' ")


def test_the_gate_has_the_options_of_the_run() -> None:
    last = told(PASSED, options=["--exec-toolset", "--allow-tool=a b"]).splitlines()[-1]
    beside = "--exec-toolset '--allow-tool=a b' --compat-report=report.json"
    assert last.endswith(f" '--host=./host' {beside}")


def test_what_rests_on_a_clause_that_held_is_seen_again_and_not_kept() -> None:
    hidden = broken("b", verdict=Verdict.NOT_TESTABLE, because="X-2")
    lines = told(PASSED, hidden)
    assert "next: see x/a/b again" in lines
    assert "keep it so" not in lines


def test_what_only_hides_checks_is_not_called_broken() -> None:
    why = "not testable because of X-2: n is 2"
    hidden = broken("b", verdict=Verdict.NOT_TESTABLE, because="X-2", reason=why)
    lines = told(PASSED, broken("a"), hidden).splitlines()
    assert f"1 check {why}" in lines


def test_what_could_not_be_tried_for_no_cause_of_this_run_is_told_with_its_reason() -> (
    None
):
    held = replace(PASSED, id="x/b/held", clauses=("X-2",))
    why = "not testable because of X-2: no line came"
    hidden = broken("b", verdict=Verdict.NOT_TESTABLE, because="X-2", reason=why)
    told_of = told(held, hidden)
    assert f"1 check {why}" in " ".join(told_of.split())


def test_a_clause_is_told_at_the_level_of_its_checks_and_to_the_end_of_a_sentence() -> (
    None
):
    duty = f"{'It is so. ' * 15}It stays {'so ' * 20}for long."
    clauses = [ClauseText("X-1", "must", "seed", duty)]
    ended: dict[str, Any] = {"ended": ENDED, "reason": ENDED, "level": "should"}
    found = [warned(name, **ended) for name in "abc"]
    found += [broken(name, **ended) for name in "def"]
    text = " ".join(told(*found, clauses=clauses).split())
    assert f"X-1 SHOULD {'It is so. ' * 15}(3 checks)" in text


def test_the_reason_of_all_is_told_once() -> None:
    silent = {"verdict": Verdict.NOT_TESTABLE, "reason": "cannot start './host'"}
    text = told(*[broken(name, **silent) for name in "abc"])
    assert text.count("cannot start") == 1
    assert text.splitlines()[2:5] == [
        "  none of the 3 checks could be tried",
        "",
        "cannot start './host'",
    ]


def test_of_several_reasons_why_nothing_could_be_tried_each_is_told_once() -> None:
    silent = {"verdict": Verdict.NOT_TESTABLE, "reason": "no answer to init"}
    other = silent | {"reason": "it answered no plain valid request"}
    text = told(*[broken(name, **silent) for name in "abc"], broken("d", **other))
    assert text.count("no answer to init, in 3 checks\n") == 1
    assert text.count("it answered no plain valid request, in 1 check\n") == 1
    assert "not testable" not in text


def test_checks_and_monitors_are_counted_apart() -> None:
    hidden = {"verdict": Verdict.NOT_TESTABLE, "because": "X-2"}
    lines = told(
        PASSED, broken("a", "X-2"), broken("b", **hidden), watched("X-3", **hidden)
    ).splitlines()
    assert lines[2:7] == [
        "  3 checks",
        "    must   1 passed, 1 failed, 1 not testable",
        "  1 clause that monitors watched in the frames of all checks",
        "    must   1 not testable",
        "",
    ]
    assert "  not testable because of X-2: 1 check and a monitor" in lines


def test_checks_that_failed_for_what_a_monitor_saw_alone_are_counted() -> None:
    seen = [Deviation("X-1", "must", "a line is not JSON")]
    fields: dict[str, Any] = {"verdict": Verdict.RECORDED, "level": "may"}
    milder = [Deviation("X-3", "should", "it is unfriendly")]
    lines = told(
        PASSED,
        broken("a", monitors=seen, **fields),
        broken("b", monitors=milder, **fields),
        broken("c", monitors=seen),
    ).splitlines()
    assert lines[2:6] == [
        "  4 checks",
        "    must   1 passed, 1 failed",
        "    may    2 recorded",
        (
            "    of these, 1 failed and 1 warned for what a monitor saw alone; they "
            "are counted by what the check tries"
        ),
    ]


def test_checks_by_fuzzing_are_counted_among_the_others() -> None:
    lines = told(PASSED, replace(PASSED, id="x/fuzz/any")).splitlines()
    assert lines[2] == "  2 checks, 1 of them by fuzzing"


def test_clauses_seen_broken_by_the_way_are_counted_with_those_watched() -> None:
    lines = told(PASSED, watched("X-1"), watched("X-2")).splitlines()
    counted = "  2 clauses that monitors watched, or saw broken, in the frames of all"
    assert f"{counted} checks" in lines


def test_a_remark_on_an_option_stands_in_place_of_a_good_end() -> None:
    lines = told(PASSED, known=facts(remarks=("no tool is called 'x'",))).splitlines()
    assert lines[-1] == "next: no tool is called 'x'"
    assert "keep it so" not in "".join(lines)


def test_what_could_be_tried_as_well_comes_before_a_good_end() -> None:
    untried = ("have its files tried as well: --files",)
    *_, first, last = told(PASSED, known=facts(untried=untried)).splitlines()
    assert first == "next: have its files tried as well: --files"
    assert last.startswith("then: keep it so in CI: ")


def test_what_could_be_tried_as_well_does_not_matter_while_a_must_is_broken() -> None:
    known = facts(untried=("have its files tried as well: --files",))
    assert "files" not in told(broken("a"), known=known)


@pytest.mark.parametrize(
    ("verbosity", "is_said"), [(-2, False), (-1, True), (0, False)]
)
def test_a_quiet_run_is_told_causes_in_short_and_where_more_is_said(
    verbosity: int, *, is_said: bool
) -> None:
    ended: dict[str, Any] = {"reason": ENDED, "ended": ENDED}
    traces = {name: TRACEBACK.replace("7", str(ord(name))) for name in "abcdeg"}
    raised = {
        name: {**entry("stderr", trace), "stderr": trace, **ended}
        for name, trace in traces.items()
    }
    many = [warned(name, **raised[name]) for name in "abcd"]
    many += [warned(name, clauses=("X-2",), **raised[name]) for name in "eg"]
    text = told(*many, broken("f"), layout=Layout(None, verbosity))
    in_short = f"X-2, X-3 warned in 6 checks, as x/a/a: {ENDED}"
    assert (in_short in " ".join(text.split())) is (verbosity == -1)
    more = "\nwhat was sent and came where it warns: the same without -q\n"
    assert (more in text) is is_said
    assert "without -q" not in told(broken("f"), layout=Layout(None, verbosity))


def test_a_failure_that_many_checks_were_answered_with_is_told_once_and_first() -> None:
    reason = "call echo was answered with a failure: V: value must be a undefined"
    found = [broken(name, reason=reason) for name in "abc"]
    found += [broken(name, "X-2", reason=reason) for name in "def"]
    lines = told(PASSED, *found, broken("own", "X-3")).splitlines()
    place = lines.index(f"first of all: {reason}: failed in 6 checks")
    assert lines[place + 1] == "  seen in x/a/a:"
    assert [line for line in lines if line.startswith("X-")] == [
        "X-3 MUST [document; its SHOULD: inferred] the answer is friendly."
    ]


def test_the_clause_that_costs_most_checks_is_mended_first() -> None:
    hidden = {"verdict": Verdict.NOT_TESTABLE, "because": "X-2"}
    found = [broken("first", "X-2")]
    found += [broken(f"h{n}", **hidden) for n in range(6)]
    assert "next: see x/a/first again" in told(*found)
    found += [broken("other")]
    assert "next: mend X-2, on which 6 more rest; see x/a/first" in told(*found)
    found += [broken(f"b{n}") for n in range(9)]
    assert "next: see x/a/other again" in told(*found)


def test_a_warning_is_shown_with_its_evidence(snapshot: SnapshotAssertion) -> None:
    shown = warned(
        "a", differences=[Difference("/n", 1, "1")], **entry("received", '{"n":"1"}')
    )
    assert told(PASSED, shown) == snapshot


def test_a_monitor_names_the_check_during_which_it_fired(
    snapshot: SnapshotAssertion,
) -> None:
    fired = Result(
        "x/monitor/X-1",
        ("X-1",),
        "must",
        "seed",
        Verdict.FAILED,
        "a line is not JSON",
        {"frame": "hello"},
        by_monitor=True,
        first_in="x/a/b",
        reproduce="printf y | ./host",
    )
    assert told(PASSED, fired) == snapshot


def test_every_broken_must_is_listed() -> None:
    names = [f"X-{number}" for number in range(40)]
    clauses = [ClauseText(name, "must", "seed", "it holds.") for name in names]
    text = told(*[broken("a", name) for name in names], clauses=clauses)
    assert [line.split()[0] for line in text.splitlines() if " MUST " in line] == names


def test_missing_tools_are_named_and_where_to_find_them(
    snapshot: SnapshotAssertion,
) -> None:
    known = facts(level="wire", missing_checks=7, missing_tools=("one", "two"))
    assert told(PASSED, known=known) == snapshot


def test_the_folder_of_what_is_to_be_copied_is_named_where_it_is_there() -> None:
    known = facts(level="wire", missing_checks=7, missing_tools=("one", "two"))
    text = told(PASSED, known=known, repository="/somewhere/wireproof")
    assert "\n  to copy or to follow, in /somewhere/wireproof:\n    tools.mjs" in text


def test_what_is_broken_comes_before_what_is_missing() -> None:
    known = facts(level="wire", missing_checks=7, missing_tools=("one",))
    lines = told(PASSED, broken("a"), known=known).splitlines()
    place = lines.index("next: see x/a/a again: printf x | ./host")
    some = "then: 7 of the 9 checks, and the level full, take a tool"
    assert lines[place + 1].startswith(some)
    assert lines[place + 2] == "  one"
    assert "to copy or to follow" in lines[place + 3]


def test_of_a_part_of_the_checks_only_the_tools_that_these_take_are_missing() -> None:
    tools = ("one", "two", "three")
    known = facts(level="wire", missing_checks=7, missing_tools=tools)
    assert "toolset" not in told(PASSED, known=known, ran=2)
    missed = broken(
        "a",
        verdict=Verdict.NOT_APPLICABLE,
        reproduce=None,
        evidence={"tools": ["three", "one"]},
    )
    lines = told(PASSED, missed, known=known, ran=2).splitlines()
    place = lines.index(
        "next: 1 of the 2 checks takes 2 tools of the conformance toolset that are not "
        "listed:"
    )
    assert lines[place + 1] == "  one, three"


def test_where_no_tools_are_listed_it_is_said_what_the_level_full_takes() -> None:
    known = facts(level="wire", missing_checks=7)
    text = told(PASSED, known=known)
    assert "next: 7 of the 9 checks, and the level full, take a tool like so" in text
    assert "--subject-env" not in text


def test_tools_of_the_subjects_own_are_named_where_all_checks_ran() -> None:
    known = facts(own_tools=tuple(f"own-{n}" for n in range(10)))
    shown = ", ".join(f"own-{n}" for n in range(8))
    text = f"not called: {shown} and 2 more: nobody calls them"
    assert text in told(PASSED, known=known).splitlines()
    assert "not called" not in told(PASSED, known=known, ran=8)


def test_what_was_not_testable_names_what_it_rests_on() -> None:
    hidden = broken("h", verdict=Verdict.NOT_TESTABLE, because="X-2")
    text = told(PASSED, broken("a", "X-2"), hidden, hidden)
    assert "  not testable because of X-2: 2 checks" in text.splitlines()


def test_a_subject_that_did_not_come_up_is_shown_whole(
    snapshot: SnapshotAssertion,
) -> None:
    silent = broken(
        "a",
        verdict=Verdict.NOT_TESTABLE,
        reason="it answered nothing",
        stderr="no configuration",
        **entry("sent", "init"),
    )
    assert told(silent) == snapshot


def test_what_was_recorded_is_told_where_all_is() -> None:
    large = broken("a", "X-1", verdict=Verdict.RECORDED, reason="it was not answered")
    small = broken("b", "X-1", verdict=Verdict.RECORDED, reason="")
    assert "recorded, of" not in told(large, small)
    lines = told(large, small, layout=Layout(verbosity=1)).splitlines()
    place = lines.index("recorded, of what clauses leave open (MAY):")
    assert lines[place + 1 : place + 3] == [
        "  X-1 x/a/a: it was not answered",
        "  X-1 x/a/b: as the clause allows",
    ]
    assert "recorded, of" not in told(PASSED, layout=Layout(verbosity=1))


def test_starts_are_told_only_of_what_the_suite_starts() -> None:
    took = "a trivial exchange took 1.50 ms at most"
    assert f"started 3 times, {took}" in told(PASSED).splitlines()
    assert took in told(PASSED, known=facts(starts=0)).splitlines()


def test_the_check_in_which_a_monitor_saw_it_is_named_once() -> None:
    seen = watched("X-1", reason="n is 2, not 1", first_in="x/a/a")
    lines = told(broken("a", differences=[Difference("/n", 1, 2)]), seen).splitlines()
    assert "    x/a/a; also seen by a monitor, there first" in lines
