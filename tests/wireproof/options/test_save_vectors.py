from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from wireproof_vectors import load_schema

CUTS = "host-v1/fuzz/cuts"


def test_a_failing_example_is_saved_as_a_vector(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny} dies-of-two",
        "--fuzz=10",
        "--fuzz-seed=1",
        "--save-vectors=new/found",
        CUTS,
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    (path,) = (pytester.path / "new" / "found").iterdir()
    content = json.loads(path.read_bytes())
    schema: Any = load_schema("vectors")
    jsonschema.validate(content, schema, jsonschema.Draft202012Validator)
    (vector,) = content["vectors"]
    assert vector["clauses"] == ["HV1-T4"]
    result.stdout.fnmatch_lines([f"*new/found/{path.name}*"])


def test_where_nothing_fails_nothing_is_saved(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", "--fuzz=1", "--save-vectors=found", CUTS
    )
    result.assert_outcomes(passed=1)
    assert not (pytester.path / "found").exists()


def test_a_file_in_the_place_is_a_usage_error(pytester: pytest.Pytester) -> None:
    (pytester.path / "found").touch()
    result = pytester.runpytest_inprocess("--host=./absent", "--save-vectors=found")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --save-vectors: 'found': it is a file; give a folder"]
    )
