"""What a failed check shows: the clause, the traffic, the difference, the way back.

Everything a subject wrote is escaped before it is shown, so that its bytes cannot
drive the terminal or forge a line of ours.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wireproof.checks import AGAINST, HELD, Result, Verdict, source_word
from wireproof.reporting._again import again_lines, why_by_suite
from wireproof.reporting._clause_pages import read_on
from wireproof.reporting._differences import difference_lines
from wireproof.reporting._escape import safe
from wireproof.reporting._layout import PLAIN, Layout
from wireproof.reporting._stderr import stderr_lines
from wireproof.reporting._traffic import (
    SHOWN_BESIDE,
    ending_line,
    entry_lines,
    entry_with,
    traffic_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import ClauseText

NOTES = ("alone", "untried")
"""The evidence that says how a failure came to be seen, in a sentence of its own."""

SEEN_BY_MONITOR = "seen by a monitor, which watches this in every frame of all checks"
"""What is said of a finding of a monitor."""


def explain_result(
    result: Result,
    clauses: Mapping[str, ClauseText],
    layout: Layout = PLAIN,
    traced: str = "",
) -> str:
    """Return the text of a failed check, ready for the terminal.

    Args:
        result: What failed.
        clauses: The catalogue.
        layout: How lines are laid out.
        traced: The check that shows the same stack trace already, if one does.
    """
    lines = list(_heading(result, clauses, layout))
    for difference in result.differences:
        lines += ["", *difference_lines(difference, layout)]
    return "\n".join([*lines, *circumstances(result, layout, traced)])


def explain_like(result: Result, shown: str, layout: Layout = PLAIN) -> str:
    """Return the text of a check that failed as one did that was shown whole.

    What shows it again is told there: a cause has one such line.
    """
    lines = layout.wrapped(_said(result))
    lines += layout.told(f"in the same way as {shown}, which is shown whole")
    return "\n".join(lines)


def evidence_lines(
    result: Result, layout: Layout = PLAIN, traced: str = ""
) -> list[str]:
    """Return what shows a result beside others: values, traffic, the way back."""
    lines: list[str] = []
    if frame := result.evidence.get("frame"):
        lines += _frame(frame, "", layout)
    for difference in result.differences:
        lines += difference_lines(difference, layout)
    if not result.by_monitor and result.entries:
        shown, kept = result.entries[result.prelude :], result.evidence.get("line", "")
        lines += entry_lines(shown, SHOWN_BESIDE, layout, kept)
    if result.ended:
        lines += [ending_line(result.ended), *stderr_lines(result, layout, traced)]
    if result.reproduce:
        lines.append(f"reproduce{why_by_suite(result)}: {result.reproduce}")
    return lines


def circumstances(
    result: Result, layout: Layout = PLAIN, traced: str = ""
) -> list[str]:
    """Return the traffic of a result, its stderr, and the line that shows it again."""
    lines = traffic_lines(result, layout)
    stderr = stderr_lines(result, layout, traced)
    if stderr and not _stands_in(lines, stderr):
        lines += ["", *stderr]
    notes = [result.evidence[key] for key in NOTES if key in result.evidence]
    lines += [line for note in notes for line in ("", *layout.told(f"note: {note}"))]
    if saved := result.evidence.get("saved"):
        lines += ["", f"saved as a vector: {saved}"]
    if observed := result.evidence.get("observed"):
        told = f"what the check saw is in {observed}; please attach it to your report"
        lines += ["", *layout.told(told)]
    if again := again_lines(result):
        lines += ["", *again]
    return lines


def _stands_in(traffic: Sequence[str], stderr: Sequence[str]) -> bool:
    """Tell whether traffic shows all of stderr: one line below its title."""
    _, *lines = stderr
    return len(lines) == 1 and any(
        line.endswith(f" ! {lines[0].strip()}") for line in traffic
    )


def _heading(
    result: Result, clauses: Mapping[str, ClauseText], layout: Layout
) -> Iterator[str]:
    yield result.title
    if result.verdict is Verdict.HARNESS_ERROR:
        yield "this is a fault of wireproof, not of the subject:"
        yield from safe(result.reason).splitlines()
        return
    hidden = result.verdict is Verdict.NOT_TESTABLE and bool(result.monitors)
    if hidden:
        # What a monitor saw is the failure; what the check is about is not tried.
        yield from _monitored(result, clauses, layout)
        about = " and ".join(result.clauses)
        yield ""
        yield from layout.wrapped(f"{about}, which it is about, is {_said(result)}")
    elif result.verdict not in HELD:
        for clause in result.clauses:
            yield ""
            yield from clause_lines(clauses.get(clause), clause, result, layout)
        if result.clauses:
            yield from layout.told(f"read on: {read_on(result)}", "    ")
        yield ""
        yield from layout.wrapped(_said(result))
    line: str = result.evidence.get("line", "")
    if line and result.entries and entry_with(result.entries, line) is None:
        # The transcript was too long to have it.
        yield from _frame(line, "  ", layout)
    if result.by_monitor and result.clauses:
        when = "" if result.first_in else f"; {seen_when(result)}"
        yield from layout.told(f"{SEEN_BY_MONITOR}{when}")
        if frame := result.evidence.get("frame"):
            yield from _frame(frame, "  ", layout)
    if not hidden:
        yield from _monitored(result, clauses, layout)
        if result.monitors and result.verdict in HELD:
            yield from _tried(result, clauses, layout)


def _monitored(
    result: Result, clauses: Mapping[str, ClauseText], layout: Layout
) -> Iterator[str]:
    """Yield what monitors saw in a check."""
    tells = result.verdict in AGAINST
    for number, deviation in enumerate(result.monitors, 1):
        yield ""
        watched = clauses.get(deviation.clause)
        yield from clause_lines(watched, deviation.clause, None, layout)
        if number == len(result.monitors) and not tells:
            yield from layout.told(f"read on: {read_on(result)}", "    ")
            yield ""
        yield from layout.wrapped(f"failed in this check: {deviation.text}")
        yield from layout.told(SEEN_BY_MONITOR, "  ")
        if deviation.evidence:
            yield from _frame(deviation.evidence, "  ", layout)


def _tried(
    result: Result, clauses: Mapping[str, ClauseText], layout: Layout
) -> Iterator[str]:
    """Yield what a check is about, where that names what a monitor saw broken.

    Its text says more of the fault than the clause that is watched everywhere.
    """
    seen = "|".join(one.clause.partition("-")[2] for one in result.monitors)
    for name in result.clauses:
        clause = clauses.get(name)
        if clause is not None and re.search(rf"\b({seen})\b", clause.text):
            yield ""
            yield "what the check tries:"
            yield from clause_lines(clause, name, result, layout)


def _said(result: Result) -> str:
    """Return the verdict and its reason, which may begin with it."""
    told = str(result.verdict)
    is_told = result.reason.startswith(told)
    return result.reason if is_told else f"{told}: {result.reason}"


def _frame(text: str, indent: str, layout: Layout) -> list[str]:
    return layout.rows(text.replace("\n", "\\n"), f"{indent}← ", f"{indent}  ")


def seen_when(result: Result) -> str:
    """Say when a monitor saw what no check is to blame for."""
    when: str = result.evidence.get("when", "at the end of the run")
    return when


def clause_lines(
    clause: ClauseText | None,
    clause_id: str,
    result: Result | None = None,
    layout: Layout = PLAIN,
) -> list[str]:
    """Return a clause with its level, source and text, wrapped."""
    if clause is None:
        return [clause_id]
    level = result.level if result else clause.level
    source = source_word(clause.source, clause_id)
    if result and result.source != clause.source:
        # What a clause recommends beside what it demands may be of another source.
        is_one = level == clause.level
        whole = "the rest" if is_one else f"its {clause.level.upper()}"
        source = f"{source_word(result.source, clause_id)}; {whole}: {source}"
    head = f"{clause.id} {level.upper()} [{source}]"
    return layout.wrapped(f"{head} {clause.text}", rest="    ")


def count_checks(count: int) -> str:
    """Return a number of checks in words."""
    return "1 check" if count == 1 else f"{count} checks"


def more_rest(count: int) -> str:
    """Return how many other results rest on a clause, as subject and verb."""
    return "1 more rests" if count == 1 else f"{count} more rest"
