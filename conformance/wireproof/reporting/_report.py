"""The compatibility report in JSON, as its schema in ``wireproof_vectors`` has it."""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import Level, clause_verdicts, is_conformant, totals
from wireproof.reporting._records import to_record
from wireproof_vectors import vectors_sha256

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import ClauseText, Result, SubjectFacts

SCHEMA = "wireproof-report/1"

REPORT_MODE = 0o644
"""Permissions of a report; a temporary file has stricter ones."""

ENDINGS = (".json",)
"""Kinds of report, by the ending of their path."""


@dataclass(frozen=True, slots=True)
class SubjectReport:
    """Everything about one subject.

    Attributes:
        protocol: Its protocol.
        target: What the user typed.
        name: What tells it from other subjects of the run.
        facts: What is known of it; None where no check was run.
        results: What its checks and monitors came to.
        catalogue: The clauses of its protocol.
        ran: How many checks were run.
        available: How many the levels of the run have.
    """

    protocol: str
    target: str
    name: str
    facts: SubjectFacts | None
    results: Sequence[Result]
    catalogue: Sequence[ClauseText]
    ran: int = 0
    available: int = 0

    @property
    def partial(self) -> bool:
        """Whether only a part of these checks was run: conformance cannot be said."""
        return self.ran < self.available


def check_report_path(path: Path) -> str | None:
    """Return what is wrong with a report's path, with the remedy, or None."""
    if path.suffix not in ENDINGS:
        return f"the ending says which kind of report; give one of {', '.join(ENDINGS)}"
    if path.is_dir():
        return "it is a folder; give the path of a file"
    if not path.parent.is_dir():
        return f"the folder {path.parent} does not exist; make it first"
    if not os.access(path.parent, os.W_OK):
        return f"the folder {path.parent} may not be written to"
    return None


def build_report(
    subjects: Sequence[SubjectReport],
    *,
    started_at: datetime,
    duration_s: float,
    interrupted: bool,
) -> dict[str, Any]:
    """Return the report as a JSON value.

    Args:
        subjects: What was tried.
        started_at: When the run began.
        duration_s: How long it took, in seconds.
        interrupted: Whether it ended before every selected check was run.
    """
    return {
        "schema": SCHEMA,
        "suite": {
            "name": "wireproof",
            "version": metadata.version("wireproof"),
            "vectors_sha256": vectors_sha256(),
        },
        "started_at": started_at.astimezone(UTC).isoformat(),
        "duration_s": round(duration_s, 3),
        "interrupted": interrupted,
        "platform": {
            "system": platform.system(),
            "release": platform.release(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "implementation": sys.implementation.name,
        },
        "subjects": [_subject(subject) for subject in subjects],
    }


def _subject(subject: SubjectReport) -> dict[str, Any]:
    results = subject.results
    levels: dict[str, Level] = {clause.id: clause.level for clause in subject.catalogue}
    found: dict[str, Any] = {
        "protocol": subject.protocol,
        "target": subject.target,
        "name": subject.name,
        "ran": subject.ran,
        "available": subject.available,
        "level": "wire",
        "conformant": is_conformant(results) and not subject.partial,
        "partial": subject.partial,
        "totals": totals(results),
        "results": [to_record(result) for result in results],
        "clauses": [
            {
                "id": clause.id,
                "level": clause.level,
                "verdict": clause.verdict.value,
                "checks": list(clause.checks),
            }
            for clause in clause_verdicts(results, levels)
        ],
    }
    return found | _facts(subject.facts)


def _facts(facts: SubjectFacts | None) -> dict[str, Any]:
    if facts is None:
        return {"starts": 0}
    return {
        "level": facts.level,
        "starts": facts.starts,
        "missing_checks": facts.missing_checks,
        "missing_tools": list(facts.missing_tools),
        "fuzz_seed": facts.fuzz_seed,
        "latency_ms": facts.latency_ms,
    }


def write_report(path: Path, report: Mapping[str, Any]) -> None:
    """Write a report, whole or not at all.

    Raises:
        OSError: If the place cannot be written to.
    """
    text = json.dumps(report, indent=1, ensure_ascii=True) + "\n"
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(REPORT_MODE)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
