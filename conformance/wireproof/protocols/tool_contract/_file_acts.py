"""Turns in which a file is read and written, and what others do to it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from wireproof.protocols.tool_contract._acts import ENDED, FILE, WRITTEN, Kind

if TYPE_CHECKING:
    from wireproof.protocols.tool_contract._turns import Pattern, Turns

FIRST_MTIME_MS: Final = 1_700_000_000_000
"""The file is as old as this, so that no write of a tool gives it the same time."""

STALE: Final[Pattern] = {
    "ok": False,
    "code": "STALE_WRITE",
    "error": {"$type": "string"},
}


class _Record(StrEnum):
    """What the registry knows of the file's time."""

    NONE = "none"
    FRESH = "fresh"
    UNSURE = "unsure"
    """A write may have renewed the record, or not (TOOL-C5)."""


class FileActs:
    """What is known of the file, act by act."""

    def __init__(self, turns: Turns) -> None:
        """Begin with no file.

        Args:
            turns: What writes the turns.
        """
        self._turns = turns
        self._record = _Record.NONE
        self._records = 0
        self._changes = 0
        self._refused = False

    def add(self, kind: Kind) -> None:
        """Add an act of a kind about the file."""
        match kind:
            case Kind.READ:
                self._read()
            case Kind.WRITE:
                if self._record is not _Record.FRESH:
                    self._read()
                # That a refused write is followed by one that succeeds is TOOL-C3.
                clause = "TOOL-C3" if self._refused else "TOOL-C2"
                self._write(kind, clause, {"readMtimes": self._known()})
            case Kind.STALE_WRITE:
                if self._record is not _Record.FRESH:
                    self._read()
                text = self._change()
                told = {"readMtimes": self._known()}
                self._turns.alone(kind, "TOOL-C2", STALE, told)
                self._see_file(text, "TOOL-C2")
                self._refused = True
                self._record = _Record.UNSURE
            case Kind.UNREAD_WRITE:
                self._change()
                self._write(kind, "TOOL-C3", {"readMtimes": {}})
            case _:
                self._change()
                self._write(kind, "TOOL-C2", {})

    def _known(self) -> Pattern:
        return {"$use": f"read-{self._records}"} if self._records else {}

    def _read(self) -> None:
        if not self._changes:
            self._change()
        told = {"readMtimes": self._known()}
        self._records += 1
        turn = self._turns.turn
        step = self._turns.alone(Kind.READ, "TOOL-C4", ENDED, told)
        seen = {"$somewhere": {"readAtTurn": turn}}
        kept = {"$save": f"read-{self._records}", "match": seen}
        step["expected"]["readMtimes"] = kept
        self._record = _Record.FRESH

    def _write(self, kind: Kind, clause: str, context: Pattern) -> None:
        self._turns.alone(kind, clause, ENDED, context)
        self._see_file(WRITTEN, clause)
        self._record = _Record.UNSURE

    def _change(self) -> str:
        """Write the file as somebody else does; return its text."""
        self._changes += 1
        text = f"change {self._changes}"
        at = FIRST_MTIME_MS + 1_000 * self._changes
        self._turns.steps.append({"file": FILE, "write": text, "mtime_ms": at})
        return text

    def _see_file(self, text: str, clause: str) -> None:
        self._turns.steps.append({"file": FILE, "expected": text, "clause": clause})
