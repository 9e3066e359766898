"""The report as one HTML page that asks for nothing from elsewhere.

The page holds the report as data: what stands in its matrix as JSON, the details of
each check packed, to be unpacked when somebody looks at them. Its script and its style
are files beside this module; a policy in its head lets the browser run these alone, and
load nothing. What a subject said becomes text, never markup.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import asdict, dataclass
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

from wireproof.checks import Level, clause_verdicts, source_word
from wireproof.report import explain
from wireproof.reporting._answers import (
    answer_of,
    answer_of_all,
    counted,
)
from wireproof.reporting._clause_pages import published_pages
from wireproof.reporting._escape import safe_line
from wireproof.reporting._records import cause_record, to_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import Result
    from wireproof.report import Cause
    from wireproof.reporting._report import Report, SubjectReport

LETTERS = {
    "harness error": "e",
    "failed": "f",
    "not testable": "t",
    "known failure": "k",
    "warned": "w",
    "recorded": "r",
    "passed": "p",
    "not applicable": "a",
}
"""What stands for each verdict in the data of the page, as its script has it."""

UNTRIED = "n"
"""The same where a subject was not tried."""

SCRIPTS = ("data.js", "wire.js", "parts.js", "matrix.js", "tables.js", "page.js")

OF_THE_CHECK = ("id", "clauses", "level", "source", "title")
"""Keys of a result that are the same for all subjects."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that stands beside the matrix of a page.

    Attributes:
        name: Its name in the page's address.
        title: What it shows.
        text: A sentence about it.
        head: The names of its columns; rows of a clause begin with its id.
        rows: Its cells.
    """

    name: str
    title: str
    text: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def dump_html(report: Report) -> str:
    """Return a report as a page."""
    started = report.started_at.strftime("%Y-%m-%d %H:%M UTC")
    machine = " ".join(report.platform.get(one, "") for one in ("system", "machine"))
    parts = (
        f"wireproof {report.suite_version}",
        started,
        f"{report.duration_s:.1f} s",
        machine.strip(),
    )
    about = ", ".join(filter(None, parts))
    about += "; the run was interrupted" if report.interrupted else ""
    return dump_page(report, about)


def dump_page(
    report: Report, about: str, tables: Sequence[Table] = (), *, details: bool = True
) -> str:
    """Return a page of a report and of what stands beside it.

    Args:
        report: What its matrix shows.
        about: A line below its title.
        tables: What stands beside the matrix.
        details: Whether it shows more of a check than its verdict.
    """
    style = _file("page.css")
    script = "\n".join(map(_file, SCRIPTS))
    parts = {
        "policy": _policy(script, style),
        "title": escape(f"{answer_of_all(report).text} · wireproof"),
        "style": style,
        "script": script,
        "data": embedded(_data(report, about, tables, details=details)),
        "summary": "\n".join(_summary(report)),
    }
    return re.sub("<!--([a-z]+)-->", lambda found: parts[found[1]], _file("page.html"))


def embedded(value: Any) -> str:
    """Return JSON that cannot end the element in which it stands."""
    text = json.dumps(value, separators=(",", ":"))
    return re.sub("[<>&]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _file(name: str) -> str:
    folder = resources.files("wireproof.reporting").joinpath("page")
    return folder.joinpath(name).read_text("utf-8")


def _policy(script: str, style: str) -> str:
    """Return the policy by which only this script and this style count."""
    hashed = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in (script, style)
    )
    run, shown = (f"'sha256-{text}'" for text in hashed)
    return (
        f"default-src 'none'; script-src {run}; style-src {shown}; "
        "base-uri 'none'; form-action 'none'"
    )


def _data(
    report: Report, about: str, tables: Sequence[Table], *, details: bool
) -> dict[str, Any]:
    answer = answer_of_all(report)
    checks = list(_checks(report.subjects, details=details))
    places = {
        (check["protocol"], check["id"]): place for place, check in enumerate(checks)
    }
    return {
        "answer": answer.text,
        "standing": answer.standing.value,
        "about": about,
        "subjects": [_subject(subject) for subject in report.subjects],
        "clauses": list(_clauses(report.subjects, places)),
        "checks": checks,
        "tables": [asdict(table) for table in tables],
    }


def _subject(subject: SubjectReport) -> dict[str, Any]:
    answer = answer_of(subject)
    return {
        "name": subject.name,
        "protocol": subject.protocol,
        "level": subject.level_text,
        "answer": answer.text,
        "standing": answer.standing.value,
        "ran": subject.ran,
        "available": subject.available,
        "totals": counted(subject.results),
        "causes": [
            cause_record(one) for one in explain(subject.results, subject.catalogue)
        ],
    }


def _clauses(
    subjects: Sequence[SubjectReport], places: Mapping[tuple[str, str], int]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each clause, with a letter for each subject of its protocol."""
    rows: dict[str, dict[str, Any]] = {}
    letters: dict[str, dict[int, str]] = {}
    for index, subject in enumerate(subjects):
        levels: dict[str, Level] = {one.id: one.level for one in subject.catalogue}
        texts = {one.id: one for one in subject.catalogue}
        for found in clause_verdicts(subject.results, levels):
            text = texts.get(found.id)
            row = rows.setdefault(
                found.id,
                {
                    "id": found.id,
                    "protocol": subject.protocol,
                    "level": found.level,
                    "source": source_word(text.source, found.id) if text else "",
                    "text": text.text if text else "",
                    "page": published_pages(subject.protocol, found.id),
                    "checks": {},
                },
            )
            letters.setdefault(found.id, {})[index] = LETTERS[found.verdict.value]
            for check in found.checks:
                row["checks"][places[subject.protocol, check]] = None
    for name, row in rows.items():
        verdicts = _in_order(letters[name], row["protocol"], subjects)
        yield row | {"checks": list(row["checks"]), "verdicts": verdicts}


def _in_order(
    letters: Mapping[int, str], protocol: str, subjects: Sequence[SubjectReport]
) -> str:
    return "".join(
        letters.get(index, UNTRIED)
        for index, subject in enumerate(subjects)
        if subject.protocol == protocol
    )


def _checks(
    subjects: Sequence[SubjectReport], *, details: bool
) -> Iterator[dict[str, Any]]:
    """Yield a row for each check, with its results of all subjects packed."""
    found: dict[tuple[str, str], dict[int, Result]] = {}
    for index, subject in enumerate(subjects):
        for result in subject.results:
            found.setdefault((subject.protocol, result.id), {})[index] = result
    for (protocol, name), results in found.items():
        one = next(iter(results.values()))
        letters = {
            index: LETTERS[result.verdict.value] for index, result in results.items()
        }
        yield {
            "id": name,
            "protocol": protocol,
            "title": one.title,
            "level": one.level,
            "clauses": list(one.clauses),
            "verdicts": _in_order(letters, protocol, subjects),
            "detail": _packed(results) if details else "",
        }


def _packed(results: Mapping[int, Result]) -> str:
    told = {
        index: {
            name: value
            for name, value in to_record(result).items()
            if name not in OF_THE_CHECK
        }
        for index, result in results.items()
    }
    text = json.dumps(told, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _summary(report: Report) -> Iterator[str]:
    """Yield what is shown where no script runs."""
    yield f"<h1>{escape(answer_of_all(report).text)}</h1>"
    yield "<p>The matrix, the filter and the details of each check take JavaScript.</p>"
    for subject in report.subjects:
        name = escape(safe_line(subject.name))
        answer = escape(answer_of(subject).text)
        tried = f"{subject.ran} of {subject.available} checks"
        yield f"<h2>{name} ({escape(subject.protocol)})</h2>"
        yield f"<p>{answer} ({escape(subject.level_text)}), {tried}</p>"
        yield _listed(explain(subject.results, subject.catalogue))


def _listed(causes: Sequence[Cause]) -> str:
    """Return causes as a list, with those that rest on each below it."""
    items = (
        f"<li>{escape(safe_line(_in_a_line(one)))}{_listed(one.under)}</li>"
        for one in causes
    )
    return f"<ul>{''.join(items)}</ul>" if causes else ""


def _in_a_line(cause: Cause) -> str:
    count = len(cause.results)
    return f"{', '.join(cause.clauses)} {cause.verdict.value} in {count}: {cause.text}"
