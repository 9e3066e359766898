"""The catalogue is the specification, and every clause has its checks."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from wireproof_vectors import Clause, load_clauses, load_vectors, protocols

PROTOCOLS = {
    "host-v1": "HV1-(?!C)",
    "socket-v1": "SOCK-",
    "interop": "INT-(?!W)",
    "host-client": "HV1-C",
    "exec-oneshot": "EXEC-O",
    "exec-runtime": "EXEC-[RY]",
    "exec-server": "EXEC-S",
    "tool-contract": "TOOL-",
}
"""How the ids of each protocol's clauses begin."""
SPECIFICATIONS = {
    "host-client": "host-v1",
    "exec-oneshot": "exec",
    "exec-runtime": "exec",
    "exec-server": "exec",
}
"""Which file has a protocol's clauses, where it is not named for it."""
CLAUSES = [clause for protocol in PROTOCOLS for clause in load_clauses(protocol)]
VECTORS = [vector for protocol in PROTOCOLS for vector in load_vectors(protocol)]
CHECKS = Counter(clause for vector in VECTORS for clause in vector.clauses)


def test_each_protocol_says_how_its_ids_begin() -> None:
    assert set(PROTOCOLS) == set(protocols())


@pytest.fixture
def specifications() -> dict[str, str]:
    if (folder := os.environ.get("WIREPROOF_SPEC")) is None:
        pytest.skip("WIREPROOF_SPEC does not name the folder of the specification")
    return {
        protocol: (
            Path(folder) / f"{SPECIFICATIONS.get(protocol, protocol)}.md"
        ).read_text(encoding="utf-8")
        for protocol in PROTOCOLS
    }


def clause_lines(protocol: str, specification: str) -> Iterator[tuple[str, str, str]]:
    for match in re.finditer(
        rf"^- ({PROTOCOLS[protocol]}\w+) (MUST|SHOULD|MAY) (.*)$",
        specification,
        re.MULTILINE,
    ):
        yield match[1], match[2].lower(), match[3]


def in_force(protocol: str) -> list[Clause]:
    return [clause for clause in load_clauses(protocol) if not clause.withdrawn]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_clauses_stand_in_the_order_of_the_specification(
    specifications: dict[str, str], protocol: str
) -> None:
    lines = clause_lines(protocol, specifications[protocol])
    listed = [(clause, level) for clause, level, _ in lines]
    assert [(c.id, c.level) for c in in_force(protocol)] == listed


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_withdrawn_clause_keeps_its_place(
    specifications: dict[str, str], protocol: str
) -> None:
    prefix = PROTOCOLS[protocol]
    listed = re.findall(rf"^- ({prefix}\w+) ", specifications[protocol], re.MULTILINE)
    withdrawn = re.findall(
        rf"^- ({prefix}\w+) withdrawn$", specifications[protocol], re.MULTILINE
    )
    assert [c.id for c in load_clauses(protocol)] == listed
    assert [c.id for c in load_clauses(protocol) if c.withdrawn] == withdrawn


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_texts_and_sources_are_those_of_the_specification(
    specifications: dict[str, str], protocol: str
) -> None:
    lines = clause_lines(protocol, specifications[protocol])
    texts = {clause: text for clause, _, text in lines}
    for clause in in_force(protocol):
        end = texts[clause.id].removeprefix(clause.text)
        # A list or a marker in brackets, as in `[1]`, is no source.
        found = r"\[(seed|standard|settled|derived)\b"
        sources = re.findall(found, texts[clause.id])
        assert re.fullmatch(r"( \[.*\])?", end), clause.id
        assert sources[0] == clause.source, clause.id


def test_clause_ids_are_unique() -> None:
    assert len({clause.id for clause in CLAUSES}) == len(CLAUSES)


def test_parts_stand_in_the_clause() -> None:
    parts = [(clause, part.text) for clause in CLAUSES for part in clause.parts]
    assert [text for clause, text in parts if text not in clause.text] == []


def test_a_clause_has_a_check_or_says_why_not() -> None:
    tried = {c.id for c in CLAUSES if CHECKS[c.id] > 0 or c.scenario}
    bound = {c.id for c in CLAUSES if c.excluded is None and not c.withdrawn}
    assert tried == bound


@pytest.mark.parametrize(
    ("clause", "level"),
    [
        ("HV1-T10", "may"),
        ("HV1-T13", "may"),
        ("HV1-M11", "may"),
        ("HV1-R4", "may"),
        ("HV1-R5", "should"),
        ("HV1-O1", "should"),
        ("HV1-O5", "should"),
        ("HV1-O5", "may"),
        ("SOCK-F4", "may"),
        ("SOCK-F6", "may"),
        ("SOCK-M2", "should"),
        ("SOCK-M5", "should"),
        ("SOCK-M5", "may"),
        ("SOCK-C3", "should"),
        ("SOCK-C4", "may"),
        ("SOCK-C8", "should"),
        ("SOCK-C13", "may"),
        ("SOCK-C14", "should"),
        ("SOCK-C15", "may"),
        ("SOCK-E1", "should"),
        ("SOCK-X3", "should"),
        ("SOCK-I1", "may"),
        ("SOCK-I2", "should"),
        ("SOCK-A1", "should"),
        ("SOCK-A2", "should"),
        ("SOCK-D2", "should"),
        ("INT-S2", "may"),
        ("INT-S3", "may"),
        ("INT-C2", "may"),
        ("INT-Z7", "may"),
        ("INT-Z10", "should"),
        ("INT-Z12", "may"),
        ("INT-Z3", "should"),
        ("INT-Z5", "should"),
        ("INT-Z6", "should"),
        ("INT-Z6", "may"),
        ("INT-Z7", "should"),
        ("INT-R1", "should"),
        ("INT-R1", "may"),
        ("INT-Q10", "may"),
        ("INT-Q15", "should"),
        ("INT-Q16", "may"),
        ("HV1-C4", "may"),
        ("HV1-C6", "may"),
        ("HV1-C7", "should"),
        ("HV1-C7", "may"),
        ("HV1-C9", "may"),
        ("EXEC-R5", "should"),
        ("EXEC-R9", "should"),
        ("EXEC-R18", "should"),
        ("EXEC-Y4", "may"),
        ("EXEC-Y6", "may"),
        ("EXEC-O2", "should"),
        ("EXEC-O3", "should"),
        ("EXEC-O5", "should"),
        ("EXEC-S2", "should"),
        ("EXEC-S5", "should"),
        ("EXEC-S6", "may"),
        ("EXEC-S11", "may"),
    ],
)
def test_a_part_of_another_level_has_a_check(clause: str, level: str) -> None:
    checks = [v for v in VECTORS if clause in v.clauses and v.level == level]
    assert checks != []


SOCKET_MONITORS = {
    *("SOCK-F1", "SOCK-M1", "SOCK-M4", "SOCK-L1", "SOCK-C1", "SOCK-C2", "SOCK-C3"),
    *("SOCK-C14", "SOCK-E1"),
}


def test_the_monitored_clauses_of_a_socket_say_so() -> None:
    monitored = {c.id for c in load_clauses("socket-v1") if c.monitored}
    assert monitored == SOCKET_MONITORS


def test_a_clause_of_a_socket_is_the_first_of_an_exchange() -> None:
    exchanges = [v for v in load_vectors("socket-v1") if v.kind == "exchange"]
    tried = {vector.clauses[0] for vector in exchanges}
    assert {clause.id for clause in load_clauses("socket-v1")} == tried


# What cannot be seen of one object alone: layers, contexts, what the reference runs.
SCENARIOS = {
    *("INT-G1", "INT-G2", "INT-G3", "INT-G4", "INT-G5", "INT-G6", "INT-G7"),
    *("INT-R6", "INT-R8", "INT-Q6", "INT-Q9"),
}


def test_a_clause_that_only_a_scenario_tries_says_so() -> None:
    assert {clause.id for clause in CLAUSES if clause.scenario} == SCENARIOS
    assert [clause for clause in SCENARIOS if CHECKS[clause] > 0] == []


def test_a_clause_of_interop_is_the_first_of_several_checks() -> None:
    first = Counter(vector.clauses[0] for vector in load_vectors("interop"))
    untried = [
        clause.id
        for clause in in_force("interop")
        if clause.level == "must" and not clause.scenario and first[clause.id] < 3
    ]
    assert untried == []


def test_no_check_is_charged_to_a_clause_that_does_not_exist() -> None:
    assert set(CHECKS) - {clause.id for clause in CLAUSES} == set()


def test_a_level_of_its_own_is_that_of_a_part() -> None:
    clauses = {clause.id: clause for clause in CLAUSES}
    for vector in VECTORS:
        clause = clauses[vector.clauses[0]]
        levels = {clause.level, *(part.level for part in clause.parts)}
        assert vector.level in levels, vector.id


@pytest.mark.parametrize("clause", load_clauses("host-client"), ids=lambda c: c.id)
def test_a_clause_of_the_client_has_several_scripts(clause: Clause) -> None:
    scripts = [v for v in load_vectors("host-client") if clause.id in v.clauses]
    assert len(scripts) >= 5


def test_no_mark_of_a_source_stands_in_a_text_that_is_shown() -> None:
    marks = re.compile(r"\[(seed|standard|settled|derived)\b")
    assert [one.id for one in CLAUSES if marks.search(one.full_text)] == []


def test_a_clause_that_refers_to_another_gives_its_text() -> None:
    words = re.compile(r"\bas in [A-Z]+\d*-|\bsuch (a )?line\b|\babove\b")
    referring = [one for one in CLAUSES if words.search(one.text)]
    assert [one.id for one in referring if not one.frames] == []
