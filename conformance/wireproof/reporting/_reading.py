"""A JSON report read back into the value that every format is made of."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wireproof.checks import ClauseText, SubjectFacts, WireproofError
from wireproof.patterns import is_object
from wireproof.reporting._json import SCHEMA
from wireproof.reporting._records import from_record
from wireproof.reporting._report import Report, SubjectReport
from wireproof_vectors import load_schema

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FAMILY = "wireproof-report/"
"""How the schema of a report begins, in every version of it."""

REMEDY = "give a report that --compat-report=PATH.json has written"

LONGEST = 300
"""Characters of what is wrong that are shown; it may hold a value of the file's."""

OTHER_VERSION = "read it with the version of wireproof that has written it"


class ReportError(WireproofError):
    """A file is no report that can be read.

    Attributes:
        path: The file.
        place: Where in it: a line and column, or a JSON pointer; empty for all of it.
        problem: What is wrong there.
        remedy: What to do.
    """

    def __init__(
        self, path: Path, place: str, problem: str, remedy: str = REMEDY
    ) -> None:
        """Keep the fields and build the text from them."""
        self.path = path
        self.place = place
        self.problem = problem
        self.remedy = remedy
        where = f"{path}, {place}" if place else str(path)
        super().__init__(f"{where}: {problem}; {remedy}")


def read_report(path: Path) -> Report:
    """Read a JSON report.

    Raises:
        ReportError: If there is none that can be read; it says where and what to do.
    """
    try:
        value: Any = json.loads(path.read_bytes())
    except OSError as error:
        raise ReportError(path, "", error.strerror or str(error)) from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ReportError(path, place, f"no JSON: {error.msg}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise ReportError(path, "", f"no JSON: {error}") from error
    found = value.get("schema") if is_object(value) else None
    if str(found).startswith(FAMILY) and found != SCHEMA:
        problem = f"{found!r}, where this version reads {SCHEMA!r}"
        raise ReportError(path, "/schema", problem, OTHER_VERSION)
    _validate(path, value)
    try:
        started_at = datetime.fromisoformat(value["started_at"]).astimezone(UTC)
    except ValueError as error:
        raise ReportError(path, "/started_at", str(error)) from error
    return _report(value, started_at)


def _validate(path: Path, value: Any) -> None:
    """Hold a value to the schema of reports."""
    from jsonschema import validators

    schema: Any = load_schema("report")
    validator: Any = validators.Draft202012Validator(schema)
    found: Any = next(validator.iter_errors(value), None)
    if found is not None:
        steps: list[str | int] = list(found.absolute_path)
        place = "".join(f"/{one}" for one in steps)
        raise ReportError(path, place, str(found.message)[:LONGEST])


def _report(value: Mapping[str, Any], started_at: datetime) -> Report:
    return Report(
        [_subject(one) for one in value["subjects"]],
        started_at,
        float(value["duration_s"]),
        bool(value.get("interrupted")),
        str(value["suite"]["version"]),
        str(value["suite"]["vectors_sha256"]),
        {str(name): str(one) for name, one in value["platform"].items()},
        str(value.get("shard", "")),
    )


def _subject(value: Mapping[str, Any]) -> SubjectReport:
    results = [from_record(record) for record in value["results"]]
    checks = sum(not one.by_monitor for one in results)
    return SubjectReport(
        str(value["protocol"]),
        str(value["target"]),
        str(value.get("name", value["target"])),
        _facts(value),
        results,
        [
            ClauseText(
                str(clause["id"]),
                clause["level"],
                str(clause.get("source", "")),
                str(clause.get("text", "")),
                rests_on=tuple(clause.get("rests_on", ())),
            )
            for clause in value["clauses"]
        ],
        int(value.get("ran", checks)),
        int(value.get("available", checks)),
        value.get("sources", "all"),
    )


def _facts(value: Mapping[str, Any]) -> SubjectFacts | None:
    if value.get("fuzz_seed") is None:
        return None
    return SubjectFacts(
        value["level"],
        int(value.get("starts", 0)),
        int(value.get("missing_checks", 0)),
        tuple(value.get("missing_tools", ())),
        int(value["fuzz_seed"]),
        float(value.get("latency_ms", 0.0)),
        lacks=tuple(value.get("lacks", ())),
    )
