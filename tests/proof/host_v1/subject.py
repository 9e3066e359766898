"""What a broken or a legal host is, and how one is entered in its table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from tests.proof.composed import JOINED, changed
from tests.proof.row import Level, Row, enter

from wireproof_reference.framing import encode, loads
from wireproof_reference.host_v1 import Host, ToolPlugin, conformance_toolset, run_stdio
from wireproof_reference.host_v1.core._messages import HostMessage

HostType = TypeVar("HostType", bound=type[Host])


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject(Row):
    """A host that does one thing differently from the reference.

    Attributes:
        host: The reference host with that change.
        plugin: What it serves.
    """

    host: type[Host]
    plugin: Callable[[], ToolPlugin] = conformance_toolset

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, "-m", "tests.proof.host_v1.host", table, self.name)

    def run(self, arguments: Sequence[str]) -> int:
        """Serve as this host; returns its exit status."""
        return run_stdio(self.plugin(), self.host)


BROKEN: dict[str, Subject] = {}
"""The broken hosts, by name, in the order in which their modules enter them."""

LEGAL: dict[str, Subject] = {}
"""The legal hosts; what `allows` names they may be warned of, and nothing else."""


def broken(
    name: str,
    clause: str,
    does: str,
    *,
    level: Level = "must",
    allows: Mapping[str, str] | None = None,
    plugin: Callable[[], ToolPlugin] = conformance_toolset,
    shown_by: str = "",
) -> Callable[[HostType], HostType]:
    """Enter a host in the table of those that break one clause.

    Args:
        name: What it is asked for by.
        clause: The clause that it breaks.
        does: What it does, as a clause of a sentence.
        level: The level of the part that it breaks.
        allows: Other clauses that literally are broken too, each with a word why.
        plugin: What it serves.
        shown_by: The vector that shows it, where few of the clause do.
    """
    row = partial(
        Subject,
        name=name,
        does=does,
        clause=clause,
        level=level,
        allows=allows or {},
        plugin=plugin,
        shown_by=shown_by,
    )
    return _enter(BROKEN, row)


def legal(
    name: str,
    does: str,
    *,
    warns: Mapping[str, str] | None = None,
    plugin: Callable[[], ToolPlugin] = conformance_toolset,
) -> Callable[[HostType], HostType]:
    """Enter a host in the table of those that conform in their own way.

    Args:
        name: What it is asked for by.
        does: What it does, as a clause of a sentence.
        warns: Clauses of SHOULD level that it does not keep, each with a word why.
        plugin: What it serves.
    """
    row = partial(
        Subject,
        name=name,
        does=does,
        level="should",
        allows=warns or {},
        plugin=plugin,
    )
    return _enter(LEGAL, row)


def compose(names: Sequence[str]) -> Subject:
    """Return the legal host that has these variants at once.

    Args:
        names: Those of the variants; at most one of them brings tools of its own.
    """
    rows = [LEGAL[name] for name in names]
    own = [row.plugin for row in rows if row.plugin is not conformance_toolset]
    return Subject(
        name=JOINED.join(names),
        does="; ".join(row.does for row in rows),
        level="should",
        allows={clause: why for row in rows for clause, why in row.allows.items()},
        host=type("Composed", tuple(row.host for row in rows), {}),
        plugin=own[0] if own else conformance_toolset,
    )


def changes() -> dict[str, frozenset[str]]:
    """Return what each legal host changes, by its name."""
    return {
        name: changed(row.host, Host)
        | ({"plugin"} if row.plugin is not conformance_toolset else set())
        for name, row in LEGAL.items()
    }


def _enter(
    table: dict[str, Subject], row: partial[Subject]
) -> Callable[[HostType], HostType]:
    def register(host: HostType) -> HostType:
        enter(table, row(host=host))
        return host

    return register


class RewritingHost(Host):
    """Changes the JSON object of each message before it is sent."""

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Return the object that is sent in place of this one."""
        raise NotImplementedError

    def encode(self, message: HostMessage) -> bytes:
        """Encode as the reference does, and change the outcome."""
        frame: Any = loads(super().encode(message).rstrip(b"\n"))
        return encode(self.rewrite(frame))
