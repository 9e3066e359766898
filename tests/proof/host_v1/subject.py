"""What a broken or a legal host is, and how one is entered in its table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.proof.composed import changes_of, compose
from tests.proof.row import ClassRow, Tables

from wireproof_reference.framing import encode, loads
from wireproof_reference.host_v1 import Host, ToolPlugin, conformance_toolset, run_stdio
from wireproof_reference.host_v1.core._messages import HostMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject(ClassRow):
    """A host that does one thing differently from the reference.

    Attributes:
        subject: The reference host with that change.
        plugin: What it serves.
    """

    subject: type[Host]
    plugin: Callable[[], ToolPlugin] = conformance_toolset

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, "-m", "tests.proof.host_v1.host", table, self.name)

    def run(self, arguments: Sequence[str]) -> int:
        """Serve as this host; returns its exit status."""
        return run_stdio(self.plugin(), self.subject)


TABLES = Tables(Subject)
BROKEN, LEGAL = TABLES.broken, TABLES.legal
broken, legal = TABLES.enter_broken, TABLES.enter_legal


def compose_legal(names: Sequence[str]) -> Subject:
    """Return the legal host that has these variants at once."""
    return compose(LEGAL, names, own="plugin")


def changes() -> dict[str, frozenset[str]]:
    """Return what each legal host changes, by its name."""
    return changes_of(LEGAL, Host, own="plugin")


class RewritingHost(Host):
    """Changes the JSON object of each message before it is sent."""

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Return the object that is sent in place of this one."""
        raise NotImplementedError

    def encode(self, message: HostMessage) -> bytes:
        """Encode as the reference does, and change the outcome."""
        frame: Any = loads(super().encode(message).rstrip(b"\n"))
        return encode(self.rewrite(frame))
