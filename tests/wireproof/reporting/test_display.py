from __future__ import annotations

from email.message import Message
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import (
    ClauseText,
    Deviation,
    Difference,
    Entry,
    Result,
    Verdict,
    Words,
)
from wireproof.reporting import (
    Layout,
    clause_lines,
    explain_like,
    explain_result,
    safe,
)
from wireproof.reporting._clause_pages import site
from wireproof.reporting._display import SEEN_BY_MONITOR, evidence_lines
from wireproof.reporting._traffic import TITLE

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

CLAUSES = {
    "HV1-R5": ClauseText(
        "HV1-R5",
        "must",
        "seed",
        "`execute_tool` answers with an object of success and result, or with an "
        "object of success and error, which is a string that says what went wrong.",
    ),
    "HV1-M1": ClauseText("HV1-M1", "must", "seed", "every message has `v` 1."),
}
EVIL = "\x1b[2J\x07\r\x9b1A\u202etxet\u2028\x00"


def entry(moment: float, direction: Any, text: str, *, own: bool = False) -> Entry:
    data = text.encode()
    return Entry(moment, direction, data, len(data), own)


def failure(**fields: Any) -> Result:
    given: dict[str, Any] = {
        "id": "host-v1/a/b",
        "clauses": ("HV1-R5",),
        "level": "must",
        "source": "seed",
        "verdict": Verdict.FAILED,
        "reason": "ok is false, not true",
        "title": "A call is answered.",
    }
    return Result(**(given | fields))


def test_a_failure_shows_all_there_is_to_know(snapshot: SnapshotAssertion) -> None:
    result = failure(
        entries=[
            entry(10.0, "sent", '{"v":1,"id":"a","method":"execute_tool"}\n'),
            entry(10.0015, "stderr", "one\n"),
            entry(10.0016, "stderr", "two\n"),
            entry(10.002, "received", '{"v":1,"id":"a","ok":false}'),
        ],
        differences=[Difference(where="/ok", expected=True, actual=False)],
        stderr="one\ntwo\n",
        reproduce="(printf '{}\\n'; sleep 1) | ./host",
    )
    assert explain_result(result, CLAUSES) == snapshot


def test_a_difference_of_objects_is_shown_as_a_diff(
    snapshot: SnapshotAssertion,
) -> None:
    wanted = {"success": True, "result": {"value": list(range(30)), "text": "é"}}
    found = {"success": True, "result": {"value": list(range(31)), "text": "é"}}
    result = failure(differences=[Difference("", wanted, found)])
    assert explain_result(result, CLAUSES) == snapshot


@pytest.mark.parametrize(
    ("wanted", "found", "lines"),
    [
        ("123", 123, ['  - "123"', "  + 123"]),
        (123, "123", ["  - 123", '  + "123"']),
        ("x", Words("nothing there"), ['  - "x"', "  + nothing there"]),
        (Words("<boolean>"), "<boolean>", ["  - <boolean>", '  + "<boolean>"']),
        ("\u00e9", "e\u0301", [r'  - "\xe9"', r'  + "e\u0301"']),
        (
            {"ok": Words("<boolean>")},
            {"ok": "<boolean>"},
            ['  - {"ok": <boolean>}', '  + {"ok": "<boolean>"}'],
        ),
    ],
)
def test_a_string_is_quoted_and_told_from_what_looks_like_it(
    wanted: object, found: object, lines: list[str]
) -> None:
    shown = explain_result(failure(differences=[Difference("/a", wanted, found)]), {})
    assert shown.splitlines()[-3:] == ["expected (-) and got (+), at /a", *lines]


def test_long_texts_are_shown_where_they_part(snapshot: SnapshotAssertion) -> None:
    wanted, found = "x" * 500 + "right" + "y" * 500, "x" * 500 + "wrong" + "y" * 500
    result = failure(differences=[Difference("/text", wanted, found)])
    assert explain_result(result, CLAUSES) == snapshot


def test_a_long_text_that_is_cut_off_is_shown_by_its_end(
    snapshot: SnapshotAssertion,
) -> None:
    result = failure(differences=[Difference("/text", "x" * 500, "x" * 400)])
    assert explain_result(result, CLAUSES) == snapshot


def test_long_traffic_is_shown_by_its_ends(snapshot: SnapshotAssertion) -> None:
    entries = [entry(float(n), "received", f"line {n}") for n in range(40)]
    assert explain_result(failure(entries=entries), CLAUSES) == snapshot


def test_of_long_traffic_the_suites_own_is_left_out_first() -> None:
    polls = [
        entry(float(n), "sent" if n % 2 else "received", f"poll {n}", own=True)
        for n in range(2, 62)
    ]
    ends = [entry(1.0, "sent", "the call"), entry(62.0, "received", "its result")]
    told = explain_result(failure(entries=[ends[0], *polls, ends[1]]), CLAUSES)
    assert "the call" in told
    assert "60 of the suite's own" in told
    assert "its result" in told
    assert "poll 30" not in told
    unanswered = explain_result(failure(entries=[ends[0], *polls]), CLAUSES)
    assert "59 of the suite's own" in unanswered
    assert "poll 61" in unanswered


LONG = [entry(float(n), "received", f"line {n:02}") for n in range(40)]


def test_what_was_sent_last_before_a_fault_stays_in_long_traffic() -> None:
    sent = [entry(float(n), "sent", f"sent {n}") for n in (10, 20, 30)]
    entries = sorted([*LONG, *sent], key=lambda one: one.time)
    found = failure(entries=entries, evidence={"line": "line 25"})
    told = explain_result(found, CLAUSES)
    assert "sent 10" in told
    assert "sent 20" in told
    assert "line 25" in told
    assert "sent 30" not in told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "",
            [
                "2 that came before anything was sent; -vv shows all",
                "ask",
                "answer",
            ],
        ),
        ("late 1", ["late 1", "late 2", "ask", "answer"]),
    ],
)
def test_what_came_before_anything_was_sent_is_counted_but_for_what_failed(
    line: str, told: list[str]
) -> None:
    late = [entry(0.0, "received", f"late {n}") for n in (1, 2)]
    asked = [entry(1.0, "sent", "ask"), entry(2.0, "received", "answer")]
    shown = explain_result(
        failure(entries=[*late, *asked], evidence={"line": line}), CLAUSES
    )
    _, _, traffic = shown.partition(" in ms\n")
    words = [row[14:] for row in traffic.splitlines()]
    assert words == told


def test_what_was_written_on_stderr_before_is_no_late_answer() -> None:
    banner = [entry(0.0, "stderr", "it starts"), entry(0.1, "received", "late")]
    asked = [entry(1.0, "sent", "ask"), entry(2.0, "received", "answer")]
    shown = explain_result(failure(entries=[*banner, *asked]), CLAUSES)
    assert "it starts" in shown
    assert "late" in shown


@pytest.mark.parametrize(
    ("line", "shown"), [("line 17", "line 17"), ("line 1…", "line 19")]
)
def test_what_shows_a_failure_stays_in_long_traffic(line: str, shown: str) -> None:
    found = failure(entries=LONG, evidence={"line": line})
    told = explain_result(found, CLAUSES).splitlines()
    (place,) = [number for number, one in enumerate(told) if one.endswith(shown)]
    assert told[place - 1].endswith(" more; -vv shows all")
    assert told[place + 1].endswith(" more; -vv shows all")


def test_it_stays_where_the_result_is_shown_beside_others() -> None:
    found = failure(entries=LONG, evidence={"line": "line 17"})
    told = evidence_lines(found)
    assert any(one.endswith("line 17") for one in told)
    assert not any(one.endswith("line 18") for one in told)


@pytest.mark.parametrize("line", ["line 03", "line 39"])
def test_what_is_shown_anyhow_is_shown_once(line: str) -> None:
    found = failure(entries=LONG, evidence={"line": line})
    told = explain_result(found, CLAUSES)
    assert told == explain_result(failure(entries=LONG), CLAUSES)


def test_what_was_cut_inside_a_character_is_found_all_the_same() -> None:
    entries = [*LONG[:17], entry(17.0, "received", "the é"), *LONG[18:]]
    told = explain_result(
        failure(entries=entries, evidence={"line": "the \\xc3…"}), CLAUSES
    )
    assert sum("the é" in one for one in told.splitlines()) == 1
    assert "\\xc3" not in told


def test_what_shows_a_failure_and_was_not_kept_stands_above_the_traffic() -> None:
    found = failure(entries=LONG, evidence={"line": "line 99"})
    told = explain_result(found, CLAUSES).splitlines()
    assert told.index("  ← line 99") < told.index(TITLE)


def test_what_was_not_kept_of_the_traffic_is_no_answer() -> None:
    first, last = entry(0.0, "sent", "a"), entry(1.0, "received", "b")
    told = explain_result(
        failure(entries=[first, Entry.gap(last, 23), last]), CLAUSES
    ).splitlines()
    assert [one.strip() for one in told if "left out" in one] == [
        "…   23 entries left out"
    ]


def test_what_the_suite_sent_for_itself_is_left_out(
    snapshot: SnapshotAssertion,
) -> None:
    result = failure(
        entries=[
            entry(1.0, "sent", "init"),
            entry(1.5, "stderr", "ready"),
            entry(2.0, "received", "state"),
            entry(3.0, "sent", "tried"),
            entry(3.5, "received", "answered"),
        ],
        prelude=3,
    )
    assert explain_result(result, CLAUSES) == snapshot


def test_long_lines_are_cut(snapshot: SnapshotAssertion) -> None:
    result = failure(
        entries=[entry(0.0, "sent", "x" * 1_000)],
        differences=[Difference("/text", "y" * 1_000, None)],
        stderr="zy" * 500,
    )
    assert explain_result(result, CLAUSES) == snapshot


def test_a_crash_is_shown_whole(snapshot: SnapshotAssertion) -> None:
    trace = "".join(f"    at call {n}\n" for n in range(12))
    message = f"node:7\n\nError: {'xy' * 150} told\n{trace}"
    result = failure(
        entries=[
            entry(0.0, "sent", "tried"),
            entry(0.5, "stderr", message),
        ],
        stderr=message,
        ended="the host exited with status 1",
    )
    assert explain_result(result, CLAUSES) == snapshot


def test_a_trace_that_is_shown_elsewhere_is_told_in_a_line() -> None:
    message = "TypeError: no run\n    at handle (/srv/a.mjs:9:21)\n"
    result = failure(
        entries=[entry(0.5, "stderr", message)],
        stderr=message,
        ended="the host exited with status 1",
    )
    shown = explain_result(result, CLAUSES, traced="host-v1/a/first")
    stands = "a trace of the same place stands above, with host-v1/a/first"
    assert f"TypeError: no run; {stands}" in shown
    assert "at handle" not in shown
    in_full = explain_result(result, CLAUSES, Layout(None, 2), "host-v1/a/first")
    assert "at handle" in in_full


@pytest.mark.parametrize(
    ("urls", "told"),
    [
        ([], ""),
        (["Source, https://x.test/source"], ""),
        (
            ["Documentation, https://x.test/docs/"],
            "; documentation: https://x.test/docs/clauses/host-v1/HV1-R5/",
        ),
    ],
)
def test_the_page_of_a_clause_is_named_where_the_site_is_published(
    monkeypatch: pytest.MonkeyPatch, urls: list[str], told: str
) -> None:
    about = Message()
    for url in urls:
        about["Project-URL"] = url
    site.cache_clear()
    monkeypatch.setattr("importlib.metadata.metadata", lambda package: about)
    lines = explain_result(failure(), CLAUSES).splitlines()
    site.cache_clear()
    assert f"    read on: wireproof explain HV1-R5{told}" in lines


@pytest.mark.parametrize(
    ("name", "sizes", "why"),
    [
        ("a/one", [10], "it takes more than a pipe into the subject"),
        ("a/one", [1_400, 101], "what is sent is too long for a line of shell"),
        ("a/one", [1] * 12, "12 messages are too many for a line of shell"),
        ("fuzz/one", [10], "the fuzzer draws what is sent; it may end at another"),
    ],
)
def test_it_is_said_why_the_suite_itself_shows_a_failure_again(
    name: str, sizes: list[int], why: str
) -> None:
    line = f"pytest host-v1/{name} '--host=./host'"
    fields: dict[str, Any] = {
        "id": f"host-v1/{name}",
        "reproduce": line,
        "entries": [Entry(0.0, "sent", b"x", size) for size in sizes],
    }
    lines = explain_result(failure(**fields), CLAUSES).splitlines()
    assert lines[-2].startswith(f"reproduce (by the suite: {why}")
    assert lines[-1] == f"  {line}"


def test_of_a_line_of_shell_there_is_nothing_to_be_said() -> None:
    lines = explain_result(failure(reproduce="printf 'x' | ./ho'st"), CLAUSES)
    assert lines.splitlines()[-2:] == ["reproduce", "  printf 'x' | ./ho'st"]


def test_a_check_of_another_source_than_its_clause_has_names_both() -> None:
    shown = explain_result(failure(source="derived"), CLAUSES)
    assert "HV1-R5 MUST [inferred; the rest: document] " in shown


def test_what_is_of_another_kind_is_shown_in_a_line() -> None:
    found = [{"role": "tool", "content": f"text {n}", "extra": [n]} for n in range(40)]
    miss = Difference("/value", Words("an object"), found)
    shown = explain_result(failure(differences=[miss]), CLAUSES).splitlines()
    place = shown.index("  - an object")
    assert shown[place + 1].startswith('  + [{"role": "tool", "content": "text 0", ')
    assert shown[place + 1].endswith("…")
    assert len(shown) == place + 2
    whole = explain_result(failure(differences=[miss]), CLAUSES, Layout(None, 2))
    assert len(whole.splitlines()) > 40


def test_a_long_run_of_one_letter_is_counted() -> None:
    shown = explain_result(failure(stderr=f"a {'x' * 1_000} b {'=' * 70}"), CLAUSES)
    assert f"  a xxxxxxxx… (1000 times 'x') b {'=' * 70}" in shown


def test_what_a_monitor_found_in_no_check_says_when() -> None:
    shown = explain_result(
        failure(by_monitor=True, evidence={"frame": "{}", "when": "at the end"}), {}
    )
    assert shown.splitlines()[-2:] == [
        f"{SEEN_BY_MONITOR}; at the end",
        "  ← {}",
    ]


def test_of_stderr_the_last_lines_are_shown() -> None:
    shown = explain_result(failure(stderr="\n".join(map(str, range(20)))), CLAUSES)
    assert shown.endswith(
        "the end of its stderr\n  12\n  13\n  14\n  15\n  16\n  17\n  18\n  19"
    )


JAVA = "\n".join(
    [
        "Exception in thread main java.lang.IllegalStateException: unknown",
        "\tat java.base/java.util.Objects.check(Objects.java:9)",
        "\tat Host.call(Host.java:41)",
        *(
            f"\tat java.base/java.lang.Thread.run{n}(Thread.java:{n})"
            for n in range(20)
        ),
    ]
)

PYTHON = "\n".join(
    [
        "Traceback (most recent call last):",
        '  File "/srv/host.py", line 9, in <module>',
        "    asyncio.run(main())",
        *(
            line
            for n in range(9)
            for line in (
                f'  File "/usr/lib/python3.13/asyncio/x.py", line {n}',
                "    go()",
            )
        ),
        '  File "/srv/host.py", line 4, in main',
        "    call(name)",
        "KeyError: 'name'",
    ]
)


@pytest.mark.parametrize(
    ("stderr", "shown"),
    [
        (
            JAVA,
            [
                "Exception in thread main java.lang.IllegalStateException: unknown",
                "    … 1 more line of it",
                "\tat Host.call(Host.java:41)",
                "    … 20 more lines of it",
            ],
        ),
        (
            PYTHON,
            [
                "Traceback (most recent call last):",
                '  File "/srv/host.py", line 9, in <module>',
                "    asyncio.run(main())",
                "    … 18 more lines of it",
                '  File "/srv/host.py", line 4, in main',
                "    call(name)",
                "KeyError: 'name'",
            ],
        ),
        ("\n".join(["it is late"] * 30), ["it is late (30 times)"]),
        ("  a\n  b\n  c\n  d", ["  a", "  b", "  c", "  d"]),
    ],
)
def test_what_says_nothing_of_a_long_trace_is_folded(
    stderr: str, shown: list[str]
) -> None:
    told = explain_result(failure(stderr=stderr), CLAUSES)
    _, _, end = told.partition("the end of its stderr\n")
    assert end.splitlines() == [f"  {line}" for line in shown]
    whole = explain_result(failure(stderr=stderr), CLAUSES, Layout(None, 2))
    assert len(whole.splitlines()) >= len(stderr.splitlines())


def test_a_line_of_stderr_that_stands_in_the_traffic_is_not_shown_again() -> None:
    entries = [entry(1.0, "sent", "asked"), entry(2.0, "stderr", "it is odd\n")]
    told = explain_result(failure(entries=entries, stderr="it is odd\n"), CLAUSES)
    assert told.count("it is odd") == 1
    told = explain_result(failure(entries=entries, stderr="a\nit is odd\n"), CLAUSES)
    assert told.count("it is odd") == 2


def test_blank_stderr_is_not_shown() -> None:
    assert "stderr" not in explain_result(failure(stderr=" \n\n"), CLAUSES)


def test_what_a_monitor_saw_is_shown_beside_a_pass(
    snapshot: SnapshotAssertion,
) -> None:
    result = failure(
        verdict=Verdict.PASSED,
        reason="",
        monitors=[Deviation("HV1-M1", "must", "v is 2, not the integer 1", '{"v":2}')],
    )
    assert explain_result(result, CLAUSES) == snapshot


def test_a_check_that_is_about_what_a_monitor_saw_is_told_with_it() -> None:
    text = "whatever the answer, it is JSON (M1): never the token `Infinity`."
    clauses = {**CLAUSES, "HV1-M11": ClauseText("HV1-M11", "may", "derived", text)}
    result = failure(
        clauses=("HV1-M11",),
        level="may",
        source="derived",
        verdict=Verdict.RECORDED,
        monitors=[Deviation("HV1-M1", "must", "it is not JSON", '{"v":NaN}')],
    )
    _, _, told = explain_result(result, clauses).partition("what the check tries:\n")
    assert told.startswith(
        "HV1-M11 MAY [inferred] whatever the answer, it is JSON (M1)"
    )


def test_a_fault_of_ours_is_called_so(snapshot: SnapshotAssertion) -> None:
    result = failure(
        verdict=Verdict.HARNESS_ERROR, reason="$use names 'x', which no step has saved"
    )
    assert explain_result(result, CLAUSES) == snapshot


def test_a_failure_that_takes_what_was_sent_before_says_so() -> None:
    note = "it did not fail on a host that had served nothing else"
    shown = explain_result(failure(evidence={"alone": note}), CLAUSES)
    assert shown.endswith(f"note: {note}")


def test_an_unknown_clause_is_shown_by_its_id() -> None:
    assert clause_lines(None, "HV1-X9") == ["HV1-X9"]


def test_a_clause_is_shown_with_the_level_of_the_part_that_was_tried() -> None:
    result = failure(level="should", source="derived")
    assert clause_lines(CLAUSES["HV1-M1"], "HV1-M1", result) == [
        "HV1-M1 SHOULD [inferred; its MUST: document] every message has `v` 1."
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é € 😀 \t", "plain é € 😀 \t"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\r\x07\x08\x7f\x00", "\\r\\x07\\x08\\x7f\\x00"),
        ("\x9b2J", "\\x9b2J"),
        ("\u202eevil\u2066\u200f", "\\u202eevil\\u2066\\u200f"),
        ("\u061c", "\\u061c"),
        ("a\u2028b\u2029", "a\\u2028b\\u2029"),
        ("\ud800", "\\ud800"),
    ],
)
def test_what_could_act_on_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert safe(text) == shown


@pytest.mark.parametrize(
    "fields",
    [
        {"reason": f"the host said {EVIL}"},
        {"verdict": Verdict.HARNESS_ERROR, "reason": f"Error: {EVIL}"},
        {"stderr": EVIL},
        {"entries": [entry(0.0, "received", EVIL)]},
        {"entries": [entry(0.0, "stderr", EVIL)]},
        {"differences": [Difference(EVIL, EVIL, EVIL)]},
        {"differences": [Difference("", {"a": EVIL}, [EVIL] * 40)]},
        {"monitors": [Deviation("HV1-M1", "must", EVIL, EVIL)]},
    ],
)
def test_nothing_a_subject_wrote_reaches_the_terminal_raw(
    fields: dict[str, Any],
) -> None:
    shown = explain_result(failure(**fields), CLAUSES)
    assert not set(shown) & set("\x1b\x07\r\x9b\u202e\u2028\x00")


@pytest.mark.parametrize(
    "fields",
    [
        {"reason": "the key \nforged"},
        {"stderr": "\x0bforged\x0cforged\x85forged\u2028forged"},
        {"entries": [entry(0.0, "received", "x\nforged")]},
        {"differences": [Difference("/a\nforged", Words("no such key"), 1)]},
        {"differences": [Difference("/a", "x", "y\nforged")]},
        {"monitors": [Deviation("HV1-M1", "must", "x\nforged", "y\nforged")]},
    ],
)
def test_a_subject_cannot_forge_a_line_of_ours(fields: dict[str, Any]) -> None:
    lines = explain_result(failure(**fields), CLAUSES).splitlines()
    assert "forged" not in lines


def test_a_failure_like_one_before_is_told_in_a_few_lines(
    snapshot: SnapshotAssertion,
) -> None:
    result = failure(reproduce="printf x | ./host", stderr="long")
    assert explain_like(result, "host-v1/a/first") == snapshot
