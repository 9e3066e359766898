"""Exceptions that a subject wrote on stderr, in the traces of several languages.

What stands on stderr need not be why a check failed: a tool that throws is logged by
many subjects. An exception that was seen in a check that passed too is no cause.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from wireproof.checks import DECIDED, Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEAST_CHECKS = 3
"""Checks that an exception must have been seen in to be told as the cause of them."""

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


def exceptions_in_common(results: Sequence[Result]) -> Mapping[str, Sequence[Raised]]:
    """Return the exceptions that several broken checks show, and none that passed."""
    hit: dict[str, list[Raised]] = {}
    harmless: set[str] = set()
    for one in results:
        if one.by_monitor or (found := exception_of(one)) is None:
            continue
        if one.verdict in BROKEN:
            hit.setdefault(found.key, []).append(found)
        elif one.verdict in PASSED:
            harmless.add(found.key)
    return {
        key: found
        for key, found in hit.items()
        if key not in harmless and len(found) >= LEAST_CHECKS
    }
