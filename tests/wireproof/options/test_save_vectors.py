from __future__ import annotations

import json
from typing import Any

import pytest

from wireproof_vectors import check_vectors

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
    check_vectors(content)
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


def saved(pytester: pytest.Pytester, host: str) -> str:
    pytester.runpytest_inprocess(
        f"--host={host} loses-nulls",
        "--fuzz=30",
        "--fuzz-seed=1",
        "--save-vectors=found",
        "host-v1/fuzz/values",
    )
    (path,) = (pytester.path / "found").iterdir()
    return f"found/{path.name}"


def test_a_saved_vector_fails_again_where_it_is_named(
    pytester: pytest.Pytester, tiny: str
) -> None:
    file = saved(pytester, tiny)
    host = f"--host={tiny} loses-nulls"
    result = pytester.runpytest_inprocess(host, file)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*host-v1/fuzz-found/values*", "*HV1-M10*"])


def test_a_saved_vector_passes_where_the_fault_is_gone(
    pytester: pytest.Pytester, tiny: str
) -> None:
    file = saved(pytester, tiny)
    result = pytester.runpytest_inprocess(f"--host={tiny}", file)
    result.assert_outcomes(passed=1)


def test_a_vector_file_and_a_check_can_be_named_together(
    pytester: pytest.Pytester, tiny: str
) -> None:
    file = saved(pytester, tiny)
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", file, "host-v1/request-ids/one-space"
    )
    result.assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "own.json: line 1, column 2: *; mend the JSON there"),
        ("{}", "own.json: *schema*"),
    ],
)
def test_a_bad_vector_file_is_a_usage_error_that_names_the_place(
    pytester: pytest.Pytester, tiny: str, text: str, complaint: str
) -> None:
    (pytester.path / "own.json").write_text(text)
    result = pytester.runpytest_inprocess(f"--host={tiny}", "own.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *{complaint}"])


def test_one_id_in_two_vector_files_is_a_usage_error(
    pytester: pytest.Pytester, tiny: str
) -> None:
    file = saved(pytester, tiny)
    other = pytester.path / "other.json"
    other.write_bytes((pytester.path / file).read_bytes())
    result = pytester.runpytest_inprocess(f"--host={tiny}", file, "other.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"ERROR: the id * stands in {file} and in other.json; give one of them *"]
    )
    assert "Traceback" not in result.stderr.str()


def test_a_vector_that_is_for_no_host_is_a_usage_error(
    pytester: pytest.Pytester, tiny: str
) -> None:
    content: dict[str, Any] = {
        "schema": "wireproof-vectors/1",
        "protocol": "host-v1",
        "group": "own",
        "kind": "message",
        "vectors": [
            {
                "id": "host-v1/own/text",
                "title": "Text is no message.",
                "clauses": ["HV1-T1"],
                "direction": "host",
                "line": {"text": "INFO host started"},
                "valid": False,
                "reason": "not-json",
            }
        ],
    }
    (pytester.path / "own.json").write_text(json.dumps(content))
    result = pytester.runpytest_inprocess(f"--host={tiny}", "own.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: own.json: no vector in it is for a *"])
