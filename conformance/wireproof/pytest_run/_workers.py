"""What passes between the workers of pytest-xdist and its controller, as text.

The workers run the items; the controller sees only their reports, and what each worker
hands over at its end.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import SubjectFacts
from wireproof.pytest_run._failures import Carried
from wireproof.pytest_run._items import SubjectEnd
from wireproof.reporting import from_record, to_record

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable


class CarriedResults:
    """Lets pytest's reports carry results from one process to another."""

    @pytest.hookimpl(wrapper=True)
    def pytest_report_to_serializable(
        self,
    ) -> Generator[None, dict[str, Any] | None, dict[str, Any] | None]:
        """Make the result that a report carries text, for any way between processes."""
        data = yield
        if data is not None and (carried := data.get("wireproof")) is not None:
            told = {
                "subject": carried.subject,
                "record": to_record(carried.result),
                "problem": carried.problem,
                "like": carried.like,
                "traced": carried.traced,
            }
            data["wireproof"] = json.dumps(told)
        return data

    @pytest.hookimpl(wrapper=True)
    def pytest_report_from_serializable(self) -> Generator[None, Any, Any]:
        """Read the result that a report from another process carries."""
        report = yield
        if isinstance(text := getattr(report, "wireproof", None), str):
            told = json.loads(text)
            result = from_record(told.pop("record"))
            report.wireproof = Carried(result=result, **told)
        return report


def dump_ends(ends: Iterable[SubjectEnd]) -> str:
    """Return the ends of subjects as text."""
    told = [
        {
            "subject": end.subject,
            "monitors": [to_record(result) for result in end.monitors],
            "facts": asdict(end.facts),
        }
        for end in ends
    ]
    return json.dumps(told)


def load_ends(text: str) -> list[SubjectEnd]:
    """Read what ``dump_ends`` has written."""
    ends: list[SubjectEnd] = []
    for told in json.loads(text):
        monitors = [from_record(record) for record in told["monitors"]]
        facts: dict[str, Any] = told["facts"]
        for name in ("missing_tools", "remarks", "own_tools", "untried", "lacks"):
            facts[name] = tuple(facts[name])
        ends.append(SubjectEnd(told["subject"], monitors, SubjectFacts(**facts)))
    return ends
