from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.proof.host_v1.proof import PROOF
from tests.proof.trial import try_row

from wireproof.checks import Settings, Verdict, of_document
from wireproof.protocols import protocol_for

if TYPE_CHECKING:
    from collections.abc import Callable


def test_only_checks_of_the_document_and_its_standard_are_run(
    pytester: pytest.Pytester,
) -> None:
    protocol = protocol_for("exec-server")
    everything = protocol.checks(Settings(pytester.path, fuzz=1))
    chosen = protocol.checks(Settings(pytester.path, fuzz=1, sources="document"))

    assert {one.source for one in chosen} == {"seed", "standard"}
    assert len(chosen) < len(everything)
    assert [one for one in everything if one in chosen] == list(chosen)


def test_a_must_of_this_project_fails_no_run_of_the_document_alone(
    try_host: Callable[..., pytest.RunResult],
    read_report: Callable[..., dict[str, Any]],
) -> None:
    # HV1-M10, which this host breaks, is inferred.
    words = ("--compat-report=report.json", "-k", "HV1-M10 or HV1-M2")
    whole = try_host(*words, fault="loses-nulls")
    part = try_host(*words, "--sources=document", fault="loses-nulls")

    assert (whole.ret, part.ret) == (1, 0)
    (subject,) = read_report()["subjects"]
    assert subject["sources"] == "document"
    assert {one["source"] for one in subject["results"]} <= {"seed", "standard"}
    part.stdout.fnmatch_lines(["conforms to the document: nothing broken *"])
    part.stdout.no_fnmatch_line("conforms to the full profile*")


def test_a_monitor_of_an_added_clause_is_not_counted(
    try_host: Callable[..., pytest.RunResult],
    read_report: Callable[..., dict[str, Any]],
) -> None:
    try_host("--compat-report=report.json", "--sources=document")

    (subject,) = read_report()["subjects"]
    monitors = [one for one in subject["results"] if "/monitor/" in one["id"]]
    assert monitors != []
    assert {one["source"] for one in monitors} <= {"seed", "standard"}


def test_another_value_is_refused_with_the_choices(
    try_host: Callable[..., pytest.RunResult],
) -> None:
    result = try_host("--sources=seed")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--sources*document, all*"])


def test_a_broken_document_must_is_in_both_answers() -> None:
    trial = try_row(PROOF, PROOF.broken["banner"], every=20)

    failed = [one for one in trial.results if one.verdict is Verdict.FAILED]
    assert of_document(failed) != []
