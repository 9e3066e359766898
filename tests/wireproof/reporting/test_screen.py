from __future__ import annotations

from typing import Any

import pytest

from wireproof.checks import ClauseText, Deviation, Difference, Entry, Result, Verdict
from wireproof.reporting import Layout, screen_lines
from wireproof.reporting._layout import columns_of, rows_of
from wireproof.reporting._screen import ROWS

CLAUSES = {
    "X-1": ClauseText("X-1", "must", "seed", "the answer comes. " * 30),
    "X-2": ClauseText("X-2", "must", "seed", "the answer is right."),
}
LINE = "printf '{}' | ./host"
AGAIN = "pytest x/a/b --host=./host"


def entry(direction: Any, text: str) -> Entry:
    data = text.encode()
    return Entry(0.0, direction, data, len(data))


def failure(**fields: Any) -> Result:
    given: dict[str, Any] = {
        "id": "x/a/b",
        "clauses": ("X-2",),
        "level": "must",
        "source": "seed",
        "verdict": Verdict.FAILED,
        "reason": "ok is false, not true",
        "title": "A call is answered.",
        "entries": [entry("sent", '{"id":1}\n'), entry("received", '{"ok":false}\n')],
        "reproduce": LINE,
    }
    return Result(**(given | fields))


def shown(result: Result, columns: int = 80) -> list[str]:
    return screen_lines(result, CLAUSES, Layout(columns), AGAIN)


def test_it_has_the_clause_what_was_sent_what_came_and_the_way_back() -> None:
    result = failure(differences=[Difference("/ok", expected=True, actual=False)])
    assert shown(result) == [
        "X-2 MUST [document] the answer is right.",
        "failed: ok is false, not true",
        "expected (-) and got (+), at /ok",
        "  - true",
        "  + false",
        '       0.00 → {"id":1}',
        '       0.00 ← {"ok":false}',
        "reproduce",
        f"  {LINE}",
    ]


@pytest.mark.parametrize("columns", [60, 80, 160])
@pytest.mark.parametrize(
    "fields",
    [
        {"clauses": ("X-1",), "reason": "a reason that is long " * 50},
        {"entries": [entry("sent", "s" * 900), *[entry("received", "r" * 900)] * 40]},
        {"differences": [Difference("/a", list(range(999)), ["x" * 500])]},
        {"reproduce": "printf " + "x" * 1400},
        {"ended": "the host exited with status 1", "stderr": "at line\n" * 99},
        {"monitors": [Deviation("X-1", "must", "a line is none", "\x1b[2J" * 200)]},
        {"entries": [entry("received", "漢字\n" * 300)]},
    ],
)
def test_it_fits_whatever_there_is_to_show(
    columns: int, fields: dict[str, Any]
) -> None:
    lines = shown(failure(**fields), columns)
    assert rows_of(lines, columns) <= ROWS
    way_back = lines.index("reproduce")
    assert max(map(columns_of, lines[:way_back])) <= columns
    assert not any("\x1b" in line for line in lines)


def test_a_line_that_would_fill_the_screen_gives_way_to_the_command() -> None:
    assert shown(failure(reproduce="x" * 1400))[-1] == f"  {AGAIN}"


def test_what_a_monitor_saw_in_a_check_that_passed_is_what_is_told() -> None:
    seen = Deviation("X-1", "must", "a line is not JSON", "not json")
    lines = shown(failure(verdict=Verdict.PASSED, reason="", monitors=[seen]))
    assert lines[0].startswith("X-1 MUST [document]")
    assert "a line is not JSON" in lines
    assert "  ← not json" in lines


def test_of_long_traffic_what_was_sent_stands_beside_what_came_last() -> None:
    entries = [entry("sent", "ask")] + [entry("received", str(n)) for n in range(50)]
    lines = shown(failure(entries=entries))
    assert lines[2] == "       0.00 → ask"
    assert lines[-3] == "       0.00 ← 49"


def test_an_end_is_told_by_its_exception_not_by_the_end_of_its_trace() -> None:
    trace = (
        "TypeError: no run\n    at handle (/srv/a.mjs:9:21)\n    at node:1\n\nNode.js\n"
    )
    lines = shown(
        failure(
            entries=[entry("sent", '{"id":1}\n'), entry("stderr", trace)],
            stderr=trace,
            ended="the host exited with status 1",
        )
    )
    place = next(n for n, line in enumerate(lines) if "exited with status 1" in line)
    assert lines[place + 1 : place + 3] == [
        "  TypeError: no run",
        "  at handle (/srv/a.mjs:9:21)",
    ]
    assert lines[place + 3] == "reproduce"
