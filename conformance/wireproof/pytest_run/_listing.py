"""``--list-vectors`` and ``--explain``: what there is, without running anything."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from wireproof.checks import source_word
from wireproof.protocols import all_protocols
from wireproof.pytest_run._step_words import step_words
from wireproof.reporting import (
    LEVEL_TEXT,
    PLAIN,
    Layout,
    clause_lines,
    is_of_monitor,
    monitor_id,
    published_pages,
)
from wireproof_vectors import load_toolset

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wireproof.checks import Check, ProtocolEntry, Settings
    from wireproof_vectors import ToolSpec


SHOWN_CHECKS = 3
"""Checks of a clause that are shown with their steps."""

LISTED_CHECKS = 12
"""Checks of a clause that are named beside these; the others are counted."""

SHOWN_STEPS = 10
"""Steps of a check that are shown; the others are counted."""

SEE_ALL = "-v shows all"

TOOLSET = "toolset"
"""What is asked for the whole of it."""

MOST_TRIED = 6
"""Clauses of a protocol that are named of those that a tool serves to try."""

MOST_BESIDE = 2
"""How many such a check calls at most: one that calls many is about none of them."""

LEAST_SHARE = 0.3
"""The part of a clause's checks, at least, that call it."""

LEVELS = frozenset({"wire", "full"})
"""What is said of a subject that is conformant, and can be asked for."""

SOURCE_TEXTS = {
    "seed": "the protocol's own document states it",
    "standard": "a standard that the protocol is based on states it",
    "derived": "it follows from the protocol's own document, or robustness needs it",
    "settled": "the document leaves it open; widely used programs behave so",
}
"""The meaning of each source of a clause."""

OF_MONITOR = "a monitor watches this clause in the frames of all checks:"


def list_checks(checks: Sequence[Check]) -> Iterator[str]:
    """Yield a line for each check: id, level, clauses, title."""
    width = max((len(check.id) for check in checks), default=0)
    for check in checks:
        clauses = ",".join(check.clauses)
        yield f"{check.id:<{width}}  {check.level:<6}  {clauses:<8}  {check.title}"


MOST_NAMED = 3
"""Checks that are named where a part of their names was given."""

CHARGED_BY_OTHERS = (
    "In a run, a check that is listed under another clause is charged to this one "
    "where this is what it sees broken."
)
"""What stands below the checks of a clause: those of others may have been told."""


def explain(
    clause_id: str,
    settings: Settings,
    layout: Layout = PLAIN,
) -> Iterator[str]:
    """Yield a clause's text, its checks and their vectors; or what a tool does.

    Args:
        clause_id: The clause; or a protocol, whose clauses are told; or a check, of
            which its clauses and its steps are told; or a tool of the conformance
            toolset, ``toolset`` for each of these, with the name of a protocol behind
            it for those of that one; or what a run says: ``wire``, ``full``, or the id
            of a monitor's result.
        settings: The options, of which the level and the fuzzing count here.
        layout: How lines are laid out, and whether nothing is left out.

    Raises:
        pytest.UsageError: If there is no such clause, and no such tool.
    """
    asked = clause_id.strip()
    word, _, taker = asked.partition(" ")
    if asked.lower() in LEVELS:
        yield LEVEL_TEXT
        return
    if found := [one for one in load_toolset() if word in {one.name, TOOLSET}]:
        for tool in _of_protocol(found, taker.strip()):
            yield from _tool_lines(tool, settings, layout, taker.strip())
        return
    monitored = _monitored(asked)
    if monitored:
        yield OF_MONITOR
    wanted = (monitored or asked).upper()
    known: list[str] = []
    for protocol in all_protocols():
        if asked.lower() == protocol.name:
            for clause in protocol.clauses():
                yield from clause_lines(clause, clause.id, None, layout)
            return
        for clause in protocol.clauses():
            known.append(clause.id)
            if clause.id != wanted:
                continue
            yield from clause_lines(clause, clause.id, None, layout)
            word = source_word(clause.source, clause.id)
            yield from layout.told(f"{word}: {SOURCE_TEXTS[clause.source]}")
            if clause.excluded:
                yield from layout.told(f"not tested: {clause.excluded}")
            yield from _checks_of(protocol, wanted, settings, layout)
            if page := published_pages(protocol.name, wanted):
                yield ""
                yield f"in the documentation: {page}"
            return
    if checks := list(_named(asked, settings)):
        for protocol, check in checks:
            yield from _check_lines(protocol, check, layout)
        return
    raise pytest.UsageError(f"--explain: {_unknown(asked, wanted, known, settings)}")


def _unknown(
    asked: str, wanted: str, clauses: Sequence[str], settings: Settings
) -> str:
    """Say that there is no such name, and what may have been meant."""
    if "/" in asked:
        checks = [one.id for each in all_protocols() for one in each.checks(settings)]
        near = [one for one in checks if asked in one][:MOST_NAMED]
        near = near or difflib.get_close_matches(asked, checks, MOST_NAMED)
        hint = " or ".join(near) if near else "one that --list-vectors lists"
        return f"there is no check {asked!r}; did you mean {hint}?"
    ends = [name for name in clauses if wanted and name.endswith(f"-{wanted}")]
    same = [name for name in clauses if wanted and name.startswith(f"{wanted}-")]
    near = ends or difflib.get_close_matches(wanted, same or clauses, 3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    protocols = ", ".join(one.name for one in all_protocols())
    listed = f"; the clauses of a protocol are told by its name: {protocols}"
    return f"there is no clause {asked!r}{hint or listed}"


def _monitored(asked: str) -> str:
    """Return the clause of a monitor's result; nothing where no such id was given."""
    name = asked.partition("[")[0]
    if not is_of_monitor(name):
        return ""
    named = [
        clause.id
        for protocol in all_protocols()
        for clause in protocol.clauses()
        if name == monitor_id(protocol.name, clause.id)
    ]
    return named[0] if named else ""


def _named(asked: str, settings: Settings) -> Iterator[tuple[ProtocolEntry, Check]]:
    """Yield the check of a name, which may have that of a subject behind it."""
    name = asked.partition("[")[0]
    for protocol in all_protocols():
        for check in protocol.checks(settings):
            if name and check.id == name:
                yield protocol, check


def _check_lines(
    protocol: ProtocolEntry, check: Check, layout: Layout
) -> Iterator[str]:
    """Tell what a check does, and the clauses that it is charged to."""
    clauses = {clause.id: clause for clause in protocol.clauses()}
    yield from _steps_of(protocol, check, None, layout)
    for name in check.clauses:
        yield ""
        yield from clause_lines(clauses.get(name), name, None, layout)


def takers_of_toolset() -> Sequence[str]:
    """Return the names by which a part of the toolset can be asked for."""
    families = {name for tool in load_toolset() for name in tool.protocols}
    protocols = {one.name for one in all_protocols()}
    return sorted(
        name for name in families | protocols if _is_of(name, sorted(families))
    )


def _is_of(taker: str, families: Sequence[str]) -> bool:
    """Tell whether a protocol is one of these, or one of several of a family."""
    return any(taker == one or taker.startswith(f"{one}-") for one in families)


def _of_protocol(found: Sequence[ToolSpec], taker: str) -> Sequence[ToolSpec]:
    """Return those that a protocol takes; all of them where none is named.

    Raises:
        pytest.UsageError: If it takes none of them.
    """
    if not taker:
        return found
    if taken := [one for one in found if _is_of(taker, one.protocols)]:
        return taken
    known = ", ".join(takers_of_toolset())
    raise pytest.UsageError(f"--explain: no tool of {taker!r}; there are {known}")


def _tool_lines(
    tool: ToolSpec, settings: Settings, layout: Layout, taker: str
) -> Iterator[str]:
    """Say what a tool of the conformance toolset takes and does, and what it tries."""
    takers = ", ".join(tool.protocols)
    yield f"{tool.name}, a tool of the conformance toolset ({takers})"
    yield from layout.told(tool.behaviour, "  ")
    yield f"  description: {tool.description}"
    yield f"  parameters:  {json.dumps(tool.parameters)}"
    for protocol in all_protocols():
        if taker and not _is_of(protocol.name, [taker]):
            continue
        if named := _tried_by(tool, protocol.checks(settings)):
            clauses = ", ".join(named)
            yield from layout.told(f"tries above all: {clauses}", "  ")


def _tried_by(tool: ToolSpec, checks: Sequence[Check]) -> Sequence[str]:
    """Name the clauses of which most checks call a tool, or it and one more."""
    every = Counter(clause for check in checks for clause in check.clauses)
    calling = Counter(
        clause
        for check in checks
        if tool.name in check.calls and len(check.calls) <= MOST_BESIDE
        for clause in check.clauses
    )
    shares = {clause: count / every[clause] for clause, count in calling.items()}
    told = [clause for clause, share in shares.items() if share >= LEAST_SHARE]
    return sorted(told, key=lambda clause: -shares[clause])[:MOST_TRIED]


def _checks_of(
    protocol: ProtocolEntry, clause_id: str, settings: Settings, layout: Layout
) -> Iterator[str]:
    checks: list[Check] = [
        check for check in protocol.checks(settings) if clause_id in check.clauses
    ]
    yield ""
    if not checks:
        yield "no check has it as its own; a monitor watches it, or another suite does"
    most = len(checks) if layout.shows_all else SHOWN_CHECKS
    most_steps = None if layout.shows_all else SHOWN_STEPS
    for check in checks[:most]:
        yield from _steps_of(protocol, check, most_steps, layout)
    named = checks[most : most + LISTED_CHECKS]
    if named:
        yield ""
        yield from layout.told(f"more checks; {SEE_ALL} with their steps:")
    for check in named:
        yield from layout.told(f"{check.id} ({check.level}): {check.title}", "  ")
    yield from _left_out(len(checks) - most - len(named), "check", "  ")
    if checks:
        yield ""
        yield from layout.told(CHARGED_BY_OTHERS)


def _steps_of(
    protocol: ProtocolEntry, check: Check, most: int | None, layout: Layout
) -> Iterator[str]:
    """Name a check and tell its steps, all of them or so many at most."""
    yield f"{check.id} ({check.level})"
    yield from layout.told(check.title, "  ")
    vector = protocol.describe(check.id) or {}
    # A script for a peer of the suite's own stands beside the ops of the subject.
    steps = vector.get("steps", vector.get("ops", ()))
    for step in steps[:most]:
        yield from layout.told(step_words(step), "    ")
    yield from _left_out(len(steps) - len(steps[:most]), "step", "    ")


def _left_out(count: int, what: str, indent: str) -> Iterator[str]:
    """Say how many are not shown, where some are not."""
    if count > 0:
        yield f"{indent}and {count} more {what}{'s' if count > 1 else ''}; {SEE_ALL}"
