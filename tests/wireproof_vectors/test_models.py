"""The shipped models are valid, and name clauses, tools and kinds that exist."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import wireproof_vectors
from wireproof_vectors import load_clauses, load_model, load_schema, load_toolset

DATA = Path(str(files(wireproof_vectors)))

PROTOCOLS = sorted(
    file.parent.name.replace("_", "-") for file in DATA.glob("*/model.json")
)

each_model = pytest.mark.parametrize("protocol", PROTOCOLS)


def model_of(protocol: str) -> Any:
    return load_model(protocol)


def problems(document: Any) -> list[str]:
    validator = Draft202012Validator(load_schema("model"))
    return [error.message for error in validator.iter_errors(document)]


def test_line_protocols_have_models() -> None:
    assert PROTOCOLS == ["exec-server", "host-v1", "socket-v1"]


@each_model
def test_a_model_is_valid(protocol: str) -> None:
    assert problems(model_of(protocol)) == []
    assert model_of(protocol)["protocol"] == protocol


@each_model
def test_a_model_names_clauses_tools_and_kinds_that_there_are(protocol: str) -> None:
    model = model_of(protocol)
    clauses = {clause.id for clause in load_clauses(protocol)}
    tools = {tool.name for tool in load_toolset()}
    grouped = {kind for group in model["groups"].values() for kind in group}

    assert set(model["clauses"]) <= clauses
    assert set(model["tools"]) <= tools
    assert grouped <= set(model["kinds"])


@each_model
def test_every_template_is_used(protocol: str) -> None:
    text = json.dumps(model_of(protocol))
    templates = model_of(protocol)["templates"]
    assert [name for name in templates if f'"$fill": "{name}"' not in text] == []


@pytest.mark.parametrize(
    "template",
    [
        {"$act": 5},
        {"$act": "id", "more": 1},
        {"$act_text": ""},
        {"$act_line": {"$act": 5}},
        {"$fill": "call", "More": 1},
        {"$fill": "call", "more": {"$act": 5}},
        {"$if": "id"},
        {"$if": "id", "then": 1, "otherwise": 2},
        {"$for": "id", "as": 1},
        {"within": {"$for": "id", "as": 1}},
        {"within": [{"$for": "id"}]},
        {"within": [[{"$act": 5}]]},
    ],
)
def test_a_wrong_template_is_invalid(template: Any) -> None:
    model = deepcopy(model_of("exec-server"))
    model["templates"]["line"] = template
    assert problems(model) != []


def test_a_template_in_an_array_may_stand_for_several_items() -> None:
    model = deepcopy(model_of("exec-server"))
    model["templates"]["line"] = {"within": [{"$for": "by", "as": {"$act": "n"}}]}
    assert problems(model) == []


def test_a_protocol_without_a_model_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"'interop' has no model; interop/model"):
        load_model("interop")


def test_a_file_that_is_not_json_is_an_error_that_names_it(tmp_path: Path) -> None:
    package = tmp_path / "wireproof_vectors"
    (package / "exec_server").mkdir(parents=True)
    for file in (*DATA.glob("*.py"), DATA / "exec_server" / "clauses.json"):
        (package / file.relative_to(DATA)).write_bytes(file.read_bytes())
    (package / "exec_server" / "model.json").write_text("{,")
    program = "import wireproof_vectors as w; w.load_model('exec-server')"

    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=False,
        env={"PYTHONPATH": str(tmp_path)},
        text=True,
    )
    *_, last = done.stderr.splitlines()
    assert "VectorError: exec_server/model.json: it is not JSON (Expecting" in last
