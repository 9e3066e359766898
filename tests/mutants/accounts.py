"""Mutants that live, and why: places where a change is no fault that a peer sees."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

ACCOUNTS = Path(__file__).with_name("accounts.json")


@dataclass(frozen=True, slots=True)
class Account:
    """A place where mutants live, and why.

    Attributes:
        file: Relative to the repository.
        line: The line of the place, without indentation.
        reason: Why no check has to see a change there.
    """

    file: str
    line: str
    reason: str


def load_accounts() -> dict[tuple[str, str], Account]:
    """Return the places that are accounted for, by file and line."""
    entries = json.loads(ACCOUNTS.read_text())
    accounts = [Account(**entry) for entry in entries]
    return {(one.file, one.line): one for one in accounts}
