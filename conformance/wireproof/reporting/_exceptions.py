"""Exceptions and refusals that checks that failed have in common: causes told once.

What stands on stderr need not be why a check failed: a tool that throws is logged by
many subjects. An exception that was seen in a check that passed too is left out. A
refusal is the text of a failure with which a subject answered where success is due.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from wireproof.checks import DECIDED, WHY_TRIED, Result, Verdict
from wireproof.reporting._again import shows_best

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEAST_CHECKS = 3
"""Checks that an exception must have been seen in to be told as the cause of them."""

LEAST_REFUSED = 5
"""The same of a refusal, which may be right by chance in two checks."""

AS_ANSWER = "as its answer where success is due"
"""Where a refusal was seen."""

AT_FAULT = "at fault"
"""Where a value was seen that checks of several clauses fail with."""

_WHY = re.compile(rf'{WHY_TRIED}: "(?P<why>[^"]*)"')

_REFUSAL = re.compile(r"was answered with a failure: (?P<text>.+)", re.DOTALL)
"""How the reason of a check ends that was answered so."""

MOST_SHOWN = 4
"""Exceptions that are told."""

BROKEN = frozenset({Verdict.FAILED, Verdict.WARNED})

PASSED = DECIDED - BROKEN - {Verdict.KNOWN_FAILURE}

_PYTHON = re.compile(
    r"^Traceback \(most recent call last\):\n"
    r"(?P<frames>(?:[ \t].*\n|\n)+)(?P<what>\S.*)",
    re.MULTILINE,
)
"""A traceback of Python: its frames, the innermost last, then the exception."""

_JAVASCRIPT = re.compile(
    r"^(?:Uncaught |Unhandled |\[)?(?P<what>(?:[\w.]*(?:Error|Exception))\b.*)\n"
    r"(?:.*\n){0,3}?(?P<frames>(?:[ \t]+at .*(?:\n|\Z))+)",
    re.MULTILINE,
)
"""An exception of JavaScript or Java, then its frames, the innermost first."""

_GO = re.compile(
    r"^(?P<what>(?:panic|fatal error): .*)"
    r"(?:\n(?:.*\n){0,12}?goroutine \d+ [^\n]*\n"
    r"(?P<frames>(?:\S.*\n[ \t]+\S.*(?:\n|\Z))+))?",
    re.MULTILINE,
)
"""A panic of Go, or what its runtime ends with, then its frames, innermost first."""

_PERL = re.compile(
    r"^(?P<what>\S.*) at (?P<place>\S+ line \d+)(?:, <[^>]*> \w+ \d+)?\.$",
    re.MULTILINE,
)
"""What Perl dies of, or warns of, and where. Its exit status is whatever error number
was left over, so that it tells no cause."""

_RUBY = re.compile(
    r"^(?P<place>\S.*?:\d+:in [`'].*?'): (?P<text>.*) \((?P<kind>[A-Z][\w:]*)\)(?:\n"
    r"(?:.*\n){0,3}?(?P<frames>(?:[ \t]+from .*(?:\n|\Z))+))?",
    re.MULTILINE,
)
"""An exception of Ruby, in the call that raised it, then those around that."""

_RUST = re.compile(
    r"^thread '.*'(?: \(\d+\))? panicked at (?P<place>\S+:\d+:\d+):\n(?P<what>.*)",
    re.MULTILINE,
)
"""A panic of Rust, and where."""

_PHP = re.compile(
    r"^(?:PHP )?Fatal error: +(?:Uncaught )?(?P<what>.*)"
    r" in (?P<place>\S+(?::| on line )\d+)$",
    re.MULTILINE,
)
"""What PHP ends of, and where."""

_GO_PLACE = re.compile(r"^[ \t]+(\S+\.go:\d+)", re.MULTILINE)

_FRAME = re.compile(r"^[ \t]+(?:(?:File|at) .*|from \S.*?:\d+:in .*)$", re.MULTILINE)
"""A call in a trace; Python's lines of source may begin with the word too."""

_FOREIGN = re.compile(
    r"node:|<anonymous>\)|<frozen |/lib/python|site-packages|node_modules/"
    r"|at (?:[\w.]+/)?(?:java|javax|jdk|sun)\.|/go/src/|/pkg/mod/|/src/runtime/"
    r"|/lib/ruby/|/gems/|<internal:"
)
"""Stands in a frame of what a language brings: the fault is in what called it."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception as a subject wrote it.

    Attributes:
        what: Its last line, or the first where its language begins with it.
        where: The call that raised it; empty where that is not told.
        names_kind: Whether what stands before the first colon is its kind.
    """

    what: str
    where: str
    names_kind: bool = True

    @property
    def key(self) -> str:
        """What is the same each time: the kind and the place, whatever the value."""
        if not self.where:
            return self.what
        kind = self.what.partition(":")[0] if self.names_kind else ""
        return f"{kind} {self.where}"


@dataclass(frozen=True, slots=True)
class SharedException:
    """An exception that was seen in several checks that failed, and in no other.

    Attributes:
        raised: The exception as that check has it which shows it best.
        results: The checks.
        only: The broken checks of each clause of which all show it.
        told: Where it was seen, after which the checks are counted.
        otherwise: What it says in those checks in which that is something else.
    """

    raised: Raised
    results: Sequence[Result]
    only: Mapping[str, Sequence[Result]]
    told: str = "on its stderr"
    otherwise: Sequence[str] = ()

    @property
    def shown(self) -> Result:
        """The check that shows it best: one that fails on a new subject as well."""
        return shows_best(self.results)


def exception_of(result: Result) -> Raised | None:
    """Return the last exception that a subject wrote on stderr during a check."""
    pieces = [one for one in result.entries if one.direction == "stderr"]
    if not pieces:
        return None
    text = b"".join(one.data for one in pieces).decode(errors="replace")
    if any(one.size > len(one.data) for one in pieces):
        # The end of a long one is in the tail alone.
        text += "\n" + result.stderr
    return _last_in(text)


class Traces:
    """Where the traces of exceptions stand that are shown: each is shown once."""

    def __init__(self, shown: Mapping[str, str] | None = None) -> None:
        """Begin with the traces that are shown: by the exception, in which check."""
        self.shown = dict(shown or {})

    def before(self, result: Result) -> str:
        """Take note of a result that is shown.

        Returns:
            The id of the check that shows its trace already; else an empty text.
        """
        found = exception_of(result)
        if found is None or not found.where:
            return ""
        if found.key in self.shown:
            return self.shown[found.key]
        told = _last_in(result.stderr)
        if told is not None and told.key == found.key:
            # The end of stderr is that of the latest process: it may be another's.
            self.shown[found.key] = result.id
        return ""


def _last_in(text: str) -> Raised | None:
    raised: list[tuple[int, Raised]] = []
    for pattern in (_PYTHON, _JAVASCRIPT, _GO):
        for found in pattern.finditer(text):
            groups = found.groupdict()
            frame = _GO_PLACE if pattern is _GO else _FRAME
            frames = frame.findall(groups.get("frames") or "")
            innermost_first = frames[::-1] if pattern is _PYTHON else frames
            one = Raised(groups["what"], _place(innermost_first))
            raised.append((found.start(), one))
    for found in _RUBY.finditer(text):
        frames = [found["place"], *_FRAME.findall(found["frames"] or "")]
        one = Raised(f"{found['kind']}: {found['text']}", _place(frames))
        raised.append((found.start(), one))
    for pattern in (_PERL, _RUST, _PHP):
        for found in pattern.finditer(text):
            one = Raised(found["what"], found["place"], pattern is _PHP)
            raised.append((found.start(), one))
    return max(raised, key=itemgetter(0))[1] if raised else None


def is_own_frame(line: str) -> bool:
    """Tell whether a line is that of a call in the subject's own code."""
    return bool(_FRAME.match(line)) and not _FOREIGN.search(line)


def _place(frames: Sequence[str]) -> str:
    """Return the innermost frame of the subject's own code."""
    own = [one for one in frames if not _FOREIGN.search(one)]
    return next(iter(own or frames), "").strip()


def shared_exceptions(results: Sequence[Result]) -> list[SharedException]:
    """Return the exceptions that several failed checks show, the commonest first."""
    shared = [
        _shared(found, results)
        for found in _exceptions_by_key(results).values()
        if len(found) >= LEAST_CHECKS
    ]
    return sorted(shared, key=lambda one: -len(one.results))[:MOST_SHOWN]


def _exceptions_by_key(
    results: Sequence[Result],
) -> Mapping[str, Sequence[tuple[Result, Raised]]]:
    """Return the failed checks that show an exception which is in none that passed."""
    hit: dict[str, list[tuple[Result, Raised]]] = {}
    harmless: set[str] = set()
    for one in results:
        if one.by_monitor or (found := exception_of(one)) is None:
            continue
        if one.verdict in BROKEN:
            hit.setdefault(found.key, []).append((one, found))
        elif one.verdict in PASSED:
            harmless.add(found.key)
    return {key: found for key, found in hit.items() if key not in harmless}


def _shared(
    found: Sequence[tuple[Result, Raised]], results: Sequence[Result]
) -> SharedException:
    hit = [one for one, _ in found]
    best = shows_best(hit)
    raised = next(raised for one, raised in found if one is best)
    otherwise = [other.what for _, other in found if other.what != raised.what]
    return SharedException(raised, hit, _only(results, hit), otherwise=otherwise)


def shared_refusals(results: Sequence[Result]) -> list[SharedException]:
    """Return the failures that checks of several clauses were answered with."""
    hit: dict[str, list[Result]] = {}
    for one in results:
        found = _REFUSAL.search(one.reason)
        if found and one.verdict in BROKEN and not one.by_monitor:
            hit.setdefault(found["text"], []).append(one)
    shared = [
        SharedException(
            Raised(f"the failure {text}", ""), found, _only(results, found), AS_ANSWER
        )
        for text, found in hit.items()
        if len(found) >= LEAST_REFUSED and len({one.clauses for one in found}) > 1
    ]
    return sorted(shared, key=lambda one: -len(one.results))[:MOST_SHOWN]


def shared_values(results: Sequence[Result]) -> list[SharedException]:
    """Return the values with which checks of several clauses fail, and no other does.

    Where the check is about a value alone, its evidence names it.
    """
    hit: dict[str, list[Result]] = {}
    for one in results:
        name = str(one.evidence.get("values", ""))
        if name and ", " not in name and one.verdict in BROKEN and not one.by_monitor:
            hit.setdefault(name, []).append(one)
    shared = [
        SharedException(
            Raised(f"the value {name}{_why_tried(found)}", ""),
            found,
            _only(results, found),
            AT_FAULT,
        )
        for name, found in hit.items()
        if len(found) >= LEAST_CHECKS and len({one.clauses[0] for one in found}) > 1
    ]
    return sorted(shared, key=lambda one: -len(one.results))[:MOST_SHOWN]


def _why_tried(found: Sequence[Result]) -> str:
    """Return why a value is tried, in brackets; nothing where no reason says so."""
    why = next(filter(None, (_WHY.search(one.reason) for one in found)), None)
    return f' (tried because: "{why["why"]}")' if why else ""


def _only(
    results: Sequence[Result], hit: Sequence[Result]
) -> Mapping[str, Sequence[Result]]:
    """Return the clauses of which no check failed in another way, with their checks."""
    these = {id(one) for one in hit}
    bad = [one for one in results if one.verdict in BROKEN]
    other = {clause for one in bad if id(one) not in these for clause in one.clauses}
    found: dict[str, list[Result]] = {}
    for one in hit:
        for clause in one.clauses:
            if clause not in other:
                found.setdefault(clause, []).append(one)
    return found
