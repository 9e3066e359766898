"""The report in JSON, as its schema in ``wireproof_vectors`` has it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wireproof.checks import Level, clause_verdicts, totals
from wireproof.patterns import is_array, is_object
from wireproof.report import explain
from wireproof.reporting._clause_pages import clause_page
from wireproof.reporting._records import cause_record, to_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wireproof.checks import ClauseText, SubjectFacts
    from wireproof.reporting._report import Report, SubjectReport

SCHEMA = "wireproof-report/1"
"""What the first key of a report says."""

LINED = 4
"""How deep values have lines of their own: a result is one line, as is a clause."""


def dump_json(report: Report) -> str:
    """Return a report as JSON text: one line for each result and clause, in ASCII."""
    return "".join(_in_lines(as_value(report), LINED)) + "\n"


def as_value(report: Report) -> dict[str, Any]:
    """Return a report as a JSON value."""
    return {
        "schema": SCHEMA,
        "suite": {
            "name": "wireproof",
            "version": report.suite_version,
            "vectors_sha256": report.vectors_sha256,
        },
        "started_at": report.started_at.isoformat(),
        "duration_s": report.duration_s,
        "interrupted": report.interrupted,
        **({"shard": report.shard} if report.shard else {}),
        "platform": dict(report.platform),
        "subjects": [_subject(subject) for subject in report.subjects],
    }


def _subject(subject: SubjectReport) -> dict[str, Any]:
    texts = {clause.id: clause for clause in subject.catalogue}
    levels: dict[str, Level] = {clause.id: clause.level for clause in subject.catalogue}
    return {
        "protocol": subject.protocol,
        "target": subject.target,
        "name": subject.name,
        "ran": subject.ran,
        "available": subject.available,
        "level": subject.level,
        "sources": subject.sources,
        "conformant": subject.conformant,
        "conformant_to_document": subject.conformant_to_document,
        "partial": subject.partial,
        **_facts(subject.facts),
        "totals": totals(subject.results),
        "clauses": [
            {
                "id": clause.id,
                "level": clause.level,
                "verdict": clause.verdict.value,
                **_text(texts.get(clause.id)),
                "page": clause_page(subject.protocol, clause.id),
                "checks": list(clause.checks),
            }
            for clause in clause_verdicts(subject.results, levels)
        ],
        "causes": [
            cause_record(cause) for cause in explain(subject.results, subject.catalogue)
        ],
        "results": [to_record(result) for result in subject.results],
    }


def _text(clause: ClauseText | None) -> dict[str, Any]:
    """Return what the catalogue says of a clause; one that it lacks has none."""
    if clause is None:
        return {}
    rests_on = {"rests_on": list(clause.rests_on)} if clause.rests_on else {}
    return {"source": clause.source, "text": clause.text, **rests_on}


def _facts(facts: SubjectFacts | None) -> dict[str, Any]:
    if facts is None:
        return {"starts": 0}
    return {
        "starts": facts.starts,
        "missing_checks": facts.missing_checks,
        "missing_tools": list(facts.missing_tools),
        "fuzz_seed": facts.fuzz_seed,
        "latency_ms": facts.latency_ms,
        **({"lacks": list(facts.lacks)} if facts.lacks else {}),
    }


def _in_lines(value: Any, depth: int, indent: str = "\n") -> Iterator[str]:
    """Yield JSON text, with lines of their own for what stands not too deep."""
    if not depth or not value or not (is_object(value) or is_array(value)):
        yield json.dumps(value, separators=(",", ":"))
        return
    named = is_object(value)
    members = value.items() if is_object(value) else (("", one) for one in value)
    yield "{" if named else "["
    for place, (name, content) in enumerate(members):
        yield f"{',' if place else ''}{indent} "
        yield f"{json.dumps(name)}: " if named else ""
        yield from _in_lines(content, depth - 1, f"{indent} ")
    yield f"{indent}{'}' if named else ']'}"
