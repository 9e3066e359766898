"""The report of a run as a value: what every format is made of, and read back into."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING

from wireproof.checks import is_conformant, of_document
from wireproof.reporting._bounds import bounded
from wireproof_vectors import vectors_sha256

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wireproof.checks import ClauseText, Result, Sources, SubjectFacts


@dataclass(frozen=True, slots=True)
class SubjectReport:
    """Everything about one subject.

    Attributes:
        protocol: Its protocol.
        target: What the user typed.
        name: What tells it from other subjects of its protocol.
        facts: What is known of it; None where no check was run.
        results: What its checks and monitors came to.
        catalogue: The clauses of its protocol.
        ran: How many checks were run.
        available: How many the levels and sources of the run have.
        sources: Whether only what the protocol's document states was run.
    """

    protocol: str
    target: str
    name: str
    facts: SubjectFacts | None
    results: Sequence[Result]
    catalogue: Sequence[ClauseText]
    ran: int = 0
    available: int = 0
    sources: Sources = "all"

    @property
    def partial(self) -> bool:
        """Whether only a part of these checks was run: conformance cannot be said."""
        return self.ran < self.available

    @property
    def conformant(self) -> bool:
        """Whether it keeps each MUST; only a run of all checks shows it."""
        whole = self.sources == "all" and not self.partial
        return whole and is_conformant(self.results)

    @property
    def conformant_to_document(self) -> bool:
        """Whether it keeps each MUST that the document, or its standard, states."""
        return not self.partial and is_conformant(of_document(self.results))

    @property
    def level(self) -> str:
        """The level at which it was tried, wire or full."""
        return self.facts.level if self.facts else "wire"

    @property
    def level_text(self) -> str:
        """The level, with the features that the subject says not to have."""
        lacks = self.facts.lacks if self.facts else ()
        return f"{self.level}; lacks {', '.join(lacks)}" if lacks else self.level


def suite_version() -> str:
    """Return the version of the suite that is installed."""
    return metadata.version("wireproof")


def _platform() -> Mapping[str, str]:
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
    }


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found, of all its subjects.

    Attributes:
        subjects: What was tried.
        started_at: When the run began, in UTC.
        duration_s: How long it took, in seconds.
        interrupted: Whether it ended before every selected check was run.
        suite_version: The version of the suite that ran.
        vectors_sha256: The hash of its vectors.
        platform: The machine that it ran on.
        shard: Which part of a run it is, such as ``2/4``; empty for all of it.
    """

    subjects: Sequence[SubjectReport]
    started_at: datetime
    duration_s: float
    interrupted: bool = False
    suite_version: str = field(default_factory=suite_version)
    vectors_sha256: str = field(default_factory=vectors_sha256)
    platform: Mapping[str, str] = field(default_factory=_platform)
    shard: str = ""


def report_of_run(
    subjects: Iterable[SubjectReport],
    *,
    started_at: datetime,
    duration_s: float,
    interrupted: bool,
    shard: str = "",
) -> Report:
    """Return the report of a run of this suite on this machine.

    Args:
        subjects: What was tried.
        started_at: When the run began.
        duration_s: How long it took, in seconds.
        interrupted: Whether it ended before every selected check was run.
        shard: Which part of a run it is; empty for all of it.
    """
    kept = [
        replace(one, results=tuple(bounded(result) for result in one.results))
        for one in subjects
    ]
    began = started_at.astimezone(UTC)
    return Report(kept, began, round(duration_s, 3), interrupted, shard=shard)
