"""A run writes what fails in it as a baseline, and keeps what a person wrote there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from wireproof_vectors import load_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    ReadReport = Callable[..., dict[str, Any]]
    TryHost = Callable[..., pytest.RunResult]

ONE = "host-v1/messages/version-of-a-success"
OTHER = "host-v1/messages/unknown-method"
MONITOR = "host-v1/monitor/HV1-M1"
WRITE = "--write-known-failures=known.json"
READ = "--known-failures=known.json"


def written(pytester: pytest.Pytester) -> list[dict[str, Any]]:
    """Return the entries of the baseline, which its schema allows."""
    document = json.loads((pytester.path / "known.json").read_bytes())
    schema: Any = load_schema("baseline")
    jsonschema.validate(document, schema, jsonschema.Draft202012Validator)
    entries: list[dict[str, Any]] = document["entries"]
    return entries


def change(pytester: pytest.Pytester, *entries: dict[str, Any]) -> None:
    document = {"schema": "wireproof-baseline/1", "entries": entries}
    (pytester.path / "known.json").write_text(json.dumps(document))


def test_what_fails_is_written_and_holds_in_the_next_run(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    result = try_host(ONE, OTHER, WRITE, fault="wrong-version")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            (
                "known failures: */known.json: written, 2 entries; say in each "
                "reason why it is left so"
            )
        ]
    )
    why = "in the response to get_tool_schemas, v is 2, not 1"
    seen = "v is 2, not the integer 1"
    assert written(pytester) == [
        {"id": ONE, "clauses": ["HV1-M1"], "reason": why},
        {"id": MONITOR, "clauses": ["HV1-M1"], "reason": seen},
    ]
    again = try_host(ONE, OTHER, READ, fault="wrong-version")
    assert again.ret == pytest.ExitCode.OK


def test_what_a_person_wrote_is_kept_and_what_passes_goes(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    mine = {"reason": "later", "issue": "#7", "expires": "2000-01-01"}
    unseen = {"id": "host-v1/init/first-init", "clauses": ["HV1-R1"], "reason": "old"}
    change(
        pytester,
        {"id": OTHER, "clauses": ["HV1-M2"], "reason": "mended since"},
        {"id": "host-v1/init/no-such", "clauses": ["HV1-R1"], "reason": "a typo"},
        {"id": ONE, "clauses": ["HV1-M2"], **mine},
        unseen,
    )
    # The settings name the file that is written anew: nothing of it holds meanwhile.
    result = try_host(ONE, OTHER, WRITE, READ, fault="wrong-version")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert written(pytester) == [
        unseen,
        {"id": ONE, "clauses": ["HV1-M1"], **mine},
        {"id": MONITOR, "clauses": ["HV1-M1"], "reason": "v is 2, not the integer 1"},
    ]


def test_of_several_subjects_each_entry_names_its_own(
    pytester: pytest.Pytester, tiny: str
) -> None:
    hosts = (f"--host={tiny}", f"--host={tiny} wrong-version")
    pytester.runpytest_inprocess(*hosts, "--fuzz=0", ONE, WRITE, "-n2")
    found = [(one["id"], one["subject"]) for one in written(pytester)]
    assert found == [
        (ONE, f"{tiny} wrong-version"),
        (MONITOR, f"{tiny} wrong-version"),
    ]
    again = pytester.runpytest_inprocess(*hosts, "--fuzz=0", ONE, READ)
    assert again.ret == pytest.ExitCode.OK


def test_a_run_without_failures_writes_an_empty_one(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    assert try_host(ONE, WRITE).ret == pytest.ExitCode.OK
    assert written(pytester) == []


def test_where_nothing_was_decided_nothing_is_written(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    result = try_host(ONE, WRITE, fault="dies")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["known failures: *: not written: nothing was decided, *"]
    )
    assert not (pytester.path / "known.json").exists()


def test_a_place_that_will_not_do_is_refused(try_host: TryHost) -> None:
    result = try_host(ONE, "--write-known-failures=away/known.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --write-known-failures: *; make it first"])


def test_a_file_that_is_no_baseline_is_not_written_over(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    (pytester.path / "known.json").write_text("{}")
    result = try_host(ONE, WRITE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert (pytester.path / "known.json").read_text() == "{}"
