"""The shipped schemas are valid, and the shipped files obey them."""

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

import wireproof_vectors
from wireproof_vectors import check_vectors, load_schema, protocols

DATA = Path(str(files(wireproof_vectors)))
SCHEMAS = sorted((DATA / "schemas").rglob("*.json"))
VECTOR_FILES = sorted(
    file
    for protocol in protocols()
    for file in (DATA / protocol.replace("-", "_")).glob("*.json")
    if file.name not in {"clauses.json", "model.json", "properties.json", "setup.json"}
)

BESIDE = [
    ("toolset", "toolset.json"),
    *(
        (
            name if name != "setup" else f"{folder.name}/setup",
            f"{folder.name}/{name}.json",
        )
        for folder in sorted(file.parent for file in DATA.glob("*/clauses.json"))
        for name in ("clauses", "properties", "setup")
        if name != "properties" or (folder / "properties.json").exists()
    ),
]
"""Each file beside the vectors, with the name of its schema."""


def problems(schema: str, document: Any) -> list[str]:
    validator = Draft202012Validator(
        load_schema(schema), format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    return [error.message for error in validator.iter_errors(document)]


@pytest.mark.parametrize("file", SCHEMAS, ids=lambda f: f.stem)
def test_a_schema_is_valid(file: Path) -> None:
    Draft202012Validator.check_schema(json.loads(file.read_text()))


@cache
def quick_validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    shared = load_schema("vectors")
    registry = jsonschema_rs.Registry([(str(shared["$id"]), dict(shared))])
    return jsonschema_rs.Draft202012Validator(
        dict(load_schema(schema)), registry=registry
    )


@pytest.mark.parametrize("file", VECTOR_FILES, ids=lambda f: f.stem)
def test_a_vector_file_is_valid(file: Path) -> None:
    document = json.loads(file.read_text())
    validator = quick_validator(f"{file.parent.name}/vectors")
    assert [error.message for error in validator.iter_errors(document)] == []
    check_vectors({**document, "vectors": document["vectors"][:1]})


@pytest.mark.parametrize(
    "changed",
    [
        {"protocol": "no-protocol"},
        {"vectors": {}},
        {"vectors": [{"id": "host-v1/init/a"}]},
        {"seed": True},
    ],
)
def test_a_faulty_vector_file_is_seen_to_be_invalid(changed: dict[str, Any]) -> None:
    document = json.loads((DATA / "host_v1" / "init.json").read_text())
    assert not quick_validator("host_v1/vectors").is_valid({**document, **changed})


@pytest.mark.sweep
@pytest.mark.parametrize("file", VECTOR_FILES, ids=lambda f: f.stem)
def test_a_vector_file_is_what_the_suite_calls_valid(file: Path) -> None:
    check_vectors(json.loads(file.read_text()))


@pytest.mark.parametrize(("schema", "path"), BESIDE)
def test_a_file_beside_the_vectors_is_valid(schema: str, path: str) -> None:
    assert problems(schema, json.loads((DATA / path).read_text())) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"start": {}},
        {"controls": []},
        {"controls": [{"type": "cancel_tool_call"}]},
        {"tools": {"conformance_echo": {"arguments": {}}}},
    ],
)
def test_a_wrong_setup_of_a_socket_is_invalid(changed: dict[str, Any]) -> None:
    setup = json.loads((DATA / "socket_v1" / "setup.json").read_text())
    assert problems("socket_v1/setup", {**setup, **changed}) != []


CONTROL: dict[str, Any] = {"input": {}, "expected": {}}


def test_a_wrong_setup_of_interop_is_invalid() -> None:
    setup = json.loads((DATA / "interop" / "setup.json").read_text())
    assert problems("interop/setup", {**setup, "start": {}}) != []
    assert problems("interop/setup", {**setup, "controls": {}}) != []


@pytest.mark.parametrize(
    "changed",
    [
        {"convert_schemas": [CONTROL, CONTROL]},
        {"convert_schemas": [CONTROL, CONTROL, {"input": {}}]},
        {"finalize": [CONTROL, CONTROL, CONTROL]},
        {"finalize": {"openai.responses": [CONTROL, CONTROL, CONTROL]}},
        {"convert_everything": [CONTROL, CONTROL, CONTROL]},
    ],
)
def test_wrong_controls_of_interop_are_invalid(changed: dict[str, Any]) -> None:
    setup = json.loads((DATA / "interop" / "setup.json").read_text())
    controls = {**setup["controls"], **changed}
    assert problems("interop/setup", {**setup, "controls": controls}) != []


REPORT: dict[str, Any] = {
    "schema": "wireproof-report/1",
    "suite": {"name": "wireproof", "version": "0.1.0", "vectors_sha256": "0" * 64},
    "started_at": "2025-01-31T12:00:00+00:00",
    "duration_s": 1.5,
    "platform": {"python": "3.13.0"},
    "subjects": [
        {
            "protocol": "host-v1",
            "target": "./myhost --quiet",
            "level": "wire",
            "conformant": False,
            "starts": 2,
            "fuzz_seed": None,
            "missing_checks": 80,
            "totals": {
                "must": {"passed": 1, "not testable": 2},
                "should": {},
                "may": {},
            },
            "results": [
                {
                    "id": "host-v1/events/one-event",
                    "clauses": ["HV1-E3"],
                    "level": "must",
                    "source": "derived",
                    "verdict": "harness error",
                    "evidence": None,
                    "duration_ms": 0.5,
                    "transcript": [{"t_ms": 0, "dir": "sent", "data": "{}\n"}],
                }
            ],
            "clauses": [
                {
                    "id": "HV1-E3",
                    "level": "must",
                    "verdict": "passed",
                    "checks": ["host-v1/events/one-event"],
                }
            ],
        }
    ],
}


def test_a_report_is_valid() -> None:
    assert problems("report", REPORT) == []


def test_a_report_with_keys_of_its_own_is_valid() -> None:
    assert problems("report", {**REPORT, "interrupted": True, "note": "x"}) == []


def test_a_report_without_a_fixed_key_is_invalid() -> None:
    report = {key: value for key, value in REPORT.items() if key != "duration_s"}
    assert problems("report", report) == ["'duration_s' is a required property"]


def test_a_verdict_that_is_not_listed_is_invalid() -> None:
    subject = {**REPORT["subjects"][0], "totals": {"must": {"ok": 1}}}
    assert problems("report", {**REPORT, "subjects": [subject]}) != []
