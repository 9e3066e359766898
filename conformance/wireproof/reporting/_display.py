"""What a failed check shows: the clause, the traffic, the difference, the way back.

Everything a subject wrote is escaped before it is shown, so that its bytes cannot
drive the terminal or forge a line of ours.
"""

from __future__ import annotations

import difflib
import re
import textwrap
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from wireproof.checks import Difference, Result, Verdict, Words
from wireproof.patterns import in_line, in_lines
from wireproof.reporting._clause_pages import read_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import ClauseText, Entry

WIDTH = 88
"""Columns that running text is wrapped to."""

SHOWN_ENTRIES = 14
"""Most lines of traffic that are shown; the report has more."""

SHOWN_BESIDE = 6
"""The same where a result is shown beside others."""

SHOWN_LINE = 240
"""Most characters of one line of traffic or of a difference."""

SHOWN_END = 70
"""How many of them are taken from its end."""

SHOWN_BEFORE = 20
"""Characters shown of two long texts before the first that differs."""

SHOWN_DIFF = 24
"""Most lines of a diff."""

SHOWN_STDERR = 8
"""Lines from the end of the subject's stderr."""

SHOWN_CRASH = 40
"""The same where the subject ended: the message stands above its stack trace."""

SHOWN_STDERR_LINE = 600
"""Most characters of one of them."""

SEEN_BY_MONITOR = "seen by a monitor, which watches this in every frame of all checks"
"""What is said of a finding of a monitor."""

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)

_ARROWS = {"sent": "→", "received": "←", "stderr": "!"}


def safe(text: str) -> str:
    """Escape what could act on a terminal: control and direction characters."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def safe_line(text: str) -> str:
    """Escape what could act on a terminal or begin a line of its own."""
    return safe(text).replace("\n", "\\n")


def explain_result(result: Result, clauses: Mapping[str, ClauseText]) -> str:
    """Return the text of a failed check, ready for the terminal."""
    lines = list(_heading(result, clauses))
    for difference in result.differences:
        lines += ["", *_difference(difference)]
    return "\n".join([*lines, *circumstances(result)])


def explain_like(result: Result, shown: str) -> str:
    """Return the text of a check that failed as one did that was shown whole.

    What shows it again is told there: a cause has one such line.
    """
    lines = [result.title, *_wrapped(f"{result.verdict}: {result.reason}")]
    lines.append(f"in the same way as {shown}, which is shown whole")
    return "\n".join(lines)


def evidence_lines(result: Result) -> list[str]:
    """Return what shows a result beside others: values, traffic, the way back."""
    lines: list[str] = []
    if frame := result.evidence.get("frame"):
        lines.append(f"← {safe_line(_cut(frame))}")
    for difference in result.differences:
        lines += _difference(difference)
    if not result.by_monitor and result.entries:
        lines += _ends(list(_merged(result.entries[result.prelude :])), SHOWN_BESIDE)
    if result.ended:
        lines += [_ending(result.ended), *_stderr(result)]
    if result.reproduce:
        lines.append(f"reproduce: {result.reproduce}")
    return lines


def circumstances(result: Result) -> list[str]:
    """Return the traffic of a result, its stderr, and the line that shows it again."""
    lines = _traffic(result)
    if stderr := _stderr(result):
        lines += ["", *stderr]
    if note := result.evidence.get("alone"):
        lines += ["", f"note: {note}"]
    if saved := result.evidence.get("saved"):
        lines += ["", f"saved as a vector: {saved}"]
    if result.reproduce:
        lines += ["", "reproduce", f"  {result.reproduce}"]
    return lines


def _stderr(result: Result) -> list[str]:
    """Return the end of what the subject wrote on stderr; a crash says there why."""
    if not result.stderr.strip():
        return []
    most = SHOWN_CRASH if result.ended else SHOWN_STDERR
    tail = result.stderr.strip("\n").splitlines()[-most:]
    shown = [f"  {safe(_cut(line, SHOWN_STDERR_LINE))}" for line in tail]
    return ["the end of its stderr", *shown]


def _ending(text: str) -> str:
    return f"  {'then':>9}   {safe_line(text)}"


def _heading(result: Result, clauses: Mapping[str, ClauseText]) -> Iterator[str]:
    yield result.title
    if result.verdict is Verdict.HARNESS_ERROR:
        yield "this is a fault of wireproof, not of the subject:"
        yield from safe(result.reason).splitlines()
        return
    if result.verdict not in {Verdict.PASSED, Verdict.RECORDED}:
        for clause in result.clauses:
            yield ""
            yield from clause_lines(clauses.get(clause), clause, result)
        yield f"    read on: {read_on(result)}"
        yield ""
        yield from _wrapped(f"{result.verdict}: {result.reason}")
    if result.by_monitor:
        yield (
            SEEN_BY_MONITOR
            if result.first_in
            else (f"{SEEN_BY_MONITOR}; {seen_when(result)}")
        )
        if frame := result.evidence.get("frame"):
            yield f"  ← {safe_line(_cut(frame))}"
    for deviation in result.monitors:
        yield ""
        yield from clause_lines(clauses.get(deviation.clause), deviation.clause)
        yield from _wrapped(f"failed in this check: {deviation.text}")
        yield f"  {SEEN_BY_MONITOR}"
        if deviation.evidence:
            yield f"  ← {safe_line(_cut(deviation.evidence))}"


def seen_when(result: Result) -> str:
    """Say when a monitor saw what no check is to blame for."""
    when: str = result.evidence.get("when", "at the end of the run")
    return when


def clause_lines(
    clause: ClauseText | None, clause_id: str, result: Result | None = None
) -> list[str]:
    """Return a clause with its level, source and text, wrapped."""
    if clause is None:
        return [clause_id]
    level = result.level if result else clause.level
    source = result.source if result else clause.source
    head = f"{clause.id} {level.upper()} [{source}]"
    return _wrapped(f"{head} {clause.text}", indent="    ")


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(
        safe(text),
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _traffic(result: Result) -> list[str]:
    if not result.entries:
        return []
    shown = result.entries[result.prelude :]
    lines = ["", "what was sent (→) and what came (←), in ms"]
    if before := sum(e.direction != "stderr" for e in result.entries[: result.prelude]):
        lines.append(f"  {'…':>9}   {before} messages before it, of the suite's own")
    lines += _ends(list(_merged(shown)), SHOWN_ENTRIES)
    return [*lines, _ending(result.ended)] if result.ended else lines


def _ends(entries: Sequence[Entry], most: int) -> list[str]:
    """Return the lines of so many entries, half of them from each end."""
    lines = [_traffic_line(entry, entries[0].time) for entry in entries]
    # A line that says that one is left out takes the place of that one.
    if len(lines) <= most + 1:
        return lines
    half = most // 2
    gap = f"  {'…':>9}   {len(lines) - 2 * half} more"
    return [*lines[:half], gap, *lines[-half:]]


def _merged(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Show stderr once in a row; its end is shown on its own."""
    last: str | None = None
    for entry in entries:
        if entry.direction != "stderr" or last != "stderr":
            yield entry
        last = entry.direction


def _traffic_line(entry: Entry, start: float) -> str:
    moment = (entry.time - start) * 1000
    told = entry.text().rstrip("\n")
    if entry.direction == "stderr":
        # Its end is shown on its own: a stack trace has no room in a line.
        first, more, _ = told.lstrip("\n").partition("\n")
        told = f"{_cut(first)} …" if more else first
    # Line feeds sent alone are all that there is to see.
    text = safe(_cut(told or entry.text()).replace("\n", "⏎"))
    return f"  {moment:9.2f} {_ARROWS[entry.direction]} {text}"


def _difference(difference: Difference) -> list[str]:
    where = difference.where or "the whole frame"
    lines = [f"expected (-) and got (+), at {safe_line(where)}"]
    wanted, found = difference.expected, difference.actual
    if _is_long_text(wanted) and _is_long_text(found):
        return [*lines, *_where_texts_part(wanted, found)]
    left, right = in_lines(wanted, WIDTH - 4), in_lines(found, WIDTH - 4)
    if len(left) == 1 and len(right) == 1:
        return [*lines, *_pair(left[0], right[0])]
    diff = difflib.unified_diff(left, right, n=2, lineterm="")
    shown = [line for line in diff if not line.startswith(("---", "+++", "@@"))]
    lines += [f"  {line[0]} {_shown(line[1:])}" for line in shown[:SHOWN_DIFF]]
    if len(shown) > SHOWN_DIFF:
        lines.append(f"  … {len(shown) - SHOWN_DIFF} more lines")
    return lines


def _pair(wanted: str, found: str) -> list[str]:
    left, right = _shown(wanted), _shown(found)
    if normalize("NFKC", left) == normalize("NFKC", right):
        # What differs looks alike, as é of one character and é of two.
        left, right = ascii(wanted)[1:-1], ascii(found)[1:-1]
    return [f"  - {left}", f"  + {right}"]


def _shown(line: str) -> str:
    return safe_line(_cut(line))


def _is_long_text(value: Any) -> bool:
    return (
        isinstance(value, str)
        and not isinstance(value, Words)
        and len(value) > SHOWN_LINE // 2
    )


def _where_texts_part(wanted: str, found: str) -> list[str]:
    """Show two long texts around the first place at which they differ."""
    pairs = enumerate(zip(wanted, found, strict=False))
    same = next((n for n, (a, b) in pairs if a != b), min(len(wanted), len(found)))
    start = max(0, same - SHOWN_BEFORE)
    left, right = (
        in_line(text[start : start + SHOWN_LINE // 2], SHOWN_LINE)
        for text in (wanted, found)
    )
    place = f"  they differ from character {same} on; from character {start}:"
    sizes = f"  {len(wanted)} characters were expected, {len(found)} came"
    return [place, *_pair(left, right), sizes]


def _cut(text: str, most: int = SHOWN_LINE) -> str:
    """Leave out the middle of a long line: what tells it may stand at its end."""
    left_out = len(text) - most
    if left_out <= 0:
        return text
    head, tail = text[: most - SHOWN_END], text[-SHOWN_END:]
    return f"{head}… ({left_out} more characters) …{tail}"
