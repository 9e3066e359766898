from __future__ import annotations

from pathlib import Path

import pytest

from wireproof.checks import Check, ClauseText, Settings
from wireproof.protocols import all_protocols
from wireproof.protocols.host_v1._protocol import HostProtocol
from wireproof.pytest_run._listing import (
    CHARGED_BY_OTHERS,
    SOURCE_TEXTS,
    explain,
    list_checks,
)
from wireproof.reporting import Layout
from wireproof_vectors import load_clauses, load_toolset

SETTINGS = Settings(Path())
MUSTS = Settings(Path(), level="must", fuzz=0)


def known(settings: Settings, *protocols: str) -> list[Check]:
    return [
        check
        for protocol in all_protocols()
        if not protocols or protocol.name in protocols
        for check in protocol.checks(settings)
    ]


def test_each_check_has_a_line_with_level_clauses_and_title() -> None:
    (line,) = [
        line
        for line in list_checks(known(SETTINGS))
        if line.startswith("host-v1/execute-tool/unknown-tool ")
    ]
    assert line.split(maxsplit=3)[:3] == [
        "host-v1/execute-tool/unknown-tool",
        "must",
        "HV1-R8",
    ]
    assert line.endswith(".")


def test_the_columns_stand_below_each_other() -> None:
    lines = list(list_checks(known(MUSTS)))
    assert {line.index(" must ") for line in lines} == {lines[0].index(" must ")}


def test_only_the_levels_that_were_asked_for_are_listed() -> None:
    levels = {line.split()[1] for line in list_checks(known(MUSTS))}
    assert levels == {"must"}
    levels = {line.split()[1] for line in list_checks(known(SETTINGS))}
    assert levels == {"must", "should", "may"}


def test_fuzz_properties_are_listed_unless_they_are_turned_off() -> None:
    assert any("/fuzz/" in line for line in list_checks(known(SETTINGS)))
    assert not any("/fuzz/" in line for line in list_checks(known(MUSTS)))


@pytest.mark.parametrize("name", ["HV1-T6", "hv1-t6", " HV1-T6 "])
def test_a_clause_is_explained_with_its_text_and_its_checks(name: str) -> None:
    lines = list(explain(name, SETTINGS))
    assert lines[0].startswith(
        "HV1-T6 SHOULD [common practice] the host ignores blank lines"
    )
    assert "host-v1/spelling/carriage-returns (should)" in lines
    assert any(line.startswith("    send the bytes ") for line in lines)
    assert not any("$" in line for line in lines)


def test_of_many_checks_and_steps_the_first_are_shown_and_the_others_counted() -> None:
    lines = list(explain("HV1-M13", SETTINGS))
    assert len(lines) < 60
    assert lines[-3].startswith("  and ")
    assert lines[-3].endswith(" more checks; -v shows all")
    assert lines[-2:] == ["", CHARGED_BY_OTHERS]
    shown = [line for line in lines if line.startswith("host-v1/")]
    listed = [line for line in lines if line.startswith("  host-v1/")]
    assert (len(shown), len(listed)) == (3, 12)
    assert any(line.endswith(" more steps; -v shows all") for line in lines)


def test_everything_is_shown_where_it_is_asked_for() -> None:
    lines = list(explain("HV1-M13", SETTINGS, Layout(verbosity=1)))
    assert len(lines) > 2_000
    assert not any(line.endswith("; -v shows all") for line in lines)


def test_a_clause_without_a_check_of_this_suite_says_so() -> None:
    lines = list(explain("INT-C11", SETTINGS))
    assert lines[-1] == (
        "no check has it as its own; a monitor watches it, or another suite does"
    )


def test_a_clause_that_is_excluded_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    excluded = ClauseText("HV1-T1", "must", "seed", "Text.", "nobody can see it")
    monkeypatch.setattr(HostProtocol, "clauses", lambda protocol: [excluded])
    lines = list(explain("HV1-T1", SETTINGS))
    assert lines[0] == "HV1-T1 MUST [document] Text."
    assert lines[2] == "not tested: nobody can see it"


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("HV1-M2", "document: the protocol's own document states it"),
        ("HV1-T9", "inferred: it follows from"),
        ("SOCK-C9", "common practice: the document leaves it open"),
    ],
)
def test_it_is_said_what_the_source_of_a_clause_means(clause: str, told: str) -> None:
    lines = [line.strip() for line in explain(clause, SETTINGS)]
    assert any(line.startswith(told) for line in lines)


def test_every_source_that_a_clause_has_is_known() -> None:
    sources = {one.source for each in all_protocols() for one in each.clauses()}
    assert sources == set(SOURCE_TEXTS)


def test_a_clause_that_does_not_exist_is_refused_with_what_is_near() -> None:
    with pytest.raises(pytest.UsageError) as raised:
        list(explain("HV1-T66", SETTINGS))
    assert str(raised.value) == (
        "--explain: there is no clause 'HV1-T66'; did you mean HV1-T6 or HV1-T9 or "
        "HV1-T8?"
    )


def test_who_asks_for_a_part_of_a_check_s_name_is_told_the_whole() -> None:
    with pytest.raises(pytest.UsageError) as raised:
        list(explain("request-ids/one-space", SETTINGS))
    assert str(raised.value) == (
        "--explain: there is no check 'request-ids/one-space'; did you mean "
        "host-v1/request-ids/one-space?"
    )


@pytest.mark.parametrize("name", ["full", "wire", "Full "])
def test_the_levels_at_which_a_subject_is_conformant_are_explained(name: str) -> None:
    (line,) = explain(name, SETTINGS)
    assert "the messages alone" in line
    assert "conformance toolset as well" in line


@pytest.mark.parametrize("behind", ["", "[./myhost]"])
def test_the_id_of_what_a_monitor_saw_is_explained_with_its_clause(behind: str) -> None:
    first, *rest = explain(f"host-v1/monitor/HV1-M6{behind}", SETTINGS)
    assert first == "a monitor watches this clause in the frames of all checks:"
    assert rest == list(explain("HV1-M6", SETTINGS))


@pytest.mark.parametrize(
    "name", ["host-v1/monitor/SOCK-C1", "host-v1/monitor/HV1-M666"]
)
def test_a_monitor_of_a_clause_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(pytest.UsageError, match="there is no check"):
        list(explain(name, SETTINGS))


def test_a_clause_like_nothing_is_refused_without_a_guess() -> None:
    with pytest.raises(pytest.UsageError) as raised:
        list(explain("qqqqqq", SETTINGS))
    assert str(raised.value).startswith(
        "--explain: there is no clause 'qqqqqq'; the clauses of a protocol are told by "
        "its name: "
    )


def test_the_clauses_of_a_protocol_are_told_by_its_name() -> None:
    lines = list(explain("host-v1", SETTINGS))
    told = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert told == [clause.id for clause in load_clauses("host-v1")]


def test_a_tool_of_the_toolset_is_explained_with_what_it_does() -> None:
    first, *rest = explain("conformance_stream", SETTINGS)
    assert first == (
        "conformance_stream, a tool of the conformance toolset (host-v1, socket-v1)"
    )
    assert "waits delay_ms after each" in "".join(rest)
    assert any(line.startswith("  parameters:") and '"parts"' in line for line in rest)
    assert "  tries above all: SOCK-E1, SOCK-M4" in rest


def test_all_tools_of_the_toolset_are_explained_at_once() -> None:
    lines = list(explain("toolset", SETTINGS))
    named = [line.partition(",")[0] for line in lines if not line.startswith(" ")]
    assert named == [tool.name for tool in load_toolset()]


@pytest.mark.parametrize("protocol", ["host-v1", "exec-server"])
def test_the_tools_that_one_protocol_takes_are_explained_alone(protocol: str) -> None:
    lines = list(explain(f"toolset {protocol}", SETTINGS))
    named = [line.partition(",")[0] for line in lines if not line.startswith(" ")]
    family = protocol.partition("-server")[0]
    takes = [tool.name for tool in load_toolset() if family in tool.protocols]
    assert named == takes
    tries = [line for line in lines if line.startswith("  tries above all: ")]
    prefix = {"host-v1": "HV1-", "exec-server": "EXEC-S"}[protocol]
    assert tries
    assert all(line.split(": ")[1].startswith(prefix) for line in tries)


def test_tools_of_a_protocol_that_takes_none_are_not_found() -> None:
    with pytest.raises(pytest.UsageError, match=r"no tool of 'tool-contract'; there"):
        list(explain("toolset tool-contract", SETTINGS))
