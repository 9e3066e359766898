"""What is wrong with a vector file is told with its place and a remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wireproof_vectors
from wireproof.command import USAGE_ERROR, main
from wireproof.command._lint import faults_of
from wireproof_vectors import load_vectors, protocols

DATA = Path(wireproof_vectors.__file__).parent
ECHO = {
    "id": "own-1",
    "v": 1,
    "method": "execute_tool",
    "params": {"tool_name": "conformance_echo", "arguments": {"value": 1}},
}


def written(path: Path, steps: list[Any], needs: Any = None, name: str = "own") -> Path:
    vector = {
        "id": f"host-v1/{name}/one",
        "title": "An echo comes back.",
        "clauses": ["HV1-R6"],
        "needs": needs or {"tools": ["conformance_echo"]},
        "steps": steps,
    }
    document = {
        "schema": "wireproof-vectors/1",
        "protocol": "host-v1",
        "group": name,
        "kind": "exchange",
        "vectors": [vector],
    }
    file = path / f"{name}.json"
    file.write_text(json.dumps(document))
    return file


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_a_file_with_nothing_wrong_is_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [
        {"send": ECHO},
        {"expect": {"id": "own-1", "result": {"$save": "whole"}}},
        {"send": {**ECHO, "id": "own-2", "params": {"$use": "whole"}}},
        {"expect": {"id": "own-2"}},
    ]
    assert main(["vectors", "lint", str(written(tmp_path, steps))]) == 0
    assert told(capsys) == ["1 file: nothing wrong"]


@pytest.mark.parametrize(
    ("steps", "needs", "fault"),
    [
        (
            [{"send": ECHO}, {"expect": {"id": "own-9"}}],
            None,
            "/vectors/0/steps/1/expect/id: no request has the id 'own-9'; send it, *",
        ),
        (
            [
                {"send": {**ECHO, "params": {"$use": "stat"}}},
                {"expect": {"id": "own-1"}},
            ],
            None,
            "/vectors/0/steps/0/send/params/$use: nothing saves the name 'stat'; *",
        ),
        (
            [{"send": ECHO}, {"expect": {"id": "own-1"}}],
            {"tools": ["conformance_fail"]},
            "/vectors/0/needs: it calls 'conformance_echo' and does not need it; *",
        ),
        (
            [{"fence": True}],
            {"tools": ["echo"]},
            "/vectors/0/needs/tools/0: there is no tool 'echo'; the toolset of *",
        ),
        ([{"sends": {}}], None, "/vectors/0/steps/0*"),
    ],
)
def test_a_fault_is_told_with_its_place(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    steps: list[Any],
    needs: Any,
    fault: str,
) -> None:
    file = written(tmp_path, steps, needs)
    assert main(["vectors", "lint", str(file)]) == 1
    matcher = pytest.LineMatcher(told(capsys))
    matcher.fnmatch_lines([f"{file}: host-v1/own/one: {fault}", "1 file, 1 faults"])


def test_a_folder_is_searched_for_vector_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package.json").write_text('{"schema": 1}')
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "deep").mkdir()
    written(tmp_path, [{"fence": True}])
    written(tmp_path / "deep", [{"fence": True}])
    assert main(["vectors", "lint"]) == 1
    assert told(capsys) == [
        (
            "own.json: host-v1/own/one: /vectors/0/id: the id stands in deep/own.json "
            "as well; give one of them another"
        ),
        "2 files, 1 faults",
    ]


def test_a_folder_without_any_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vectors", "lint", str(tmp_path)]) == USAGE_ERROR
    assert "no vector file is there" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vectors", "lint", str(tmp_path / "away.json")]) == 1
    assert "the file cannot be read" in told(capsys)[0]


def test_a_file_that_is_shipped_may_have_its_ids(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = DATA / "host_v1" / "optional-methods.json"
    assert main(["vectors", "lint", str(file)]) == 0, told(capsys)


@pytest.mark.parametrize("protocol", protocols())
def test_nothing_is_wrong_with_what_is_shipped(protocol: str) -> None:
    assert list(faults_of(load_vectors(protocol), protocol)) == []
