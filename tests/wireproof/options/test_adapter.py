from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from tests.bridge import NODE_DRIVER, PYTHON_DRIVER

from wireproof_vectors import check_vectors, load_schema

ReadReport = Callable[..., dict[str, Any]]

ONE = "interop/sanitise-items/emptied-fragment"
GROUP = "interop/sanitise-items"

REGISTRY = """
from wireproof_reference.interop import InteropSubject

class Subject(InteropSubject):
    pass

def make():
    return Subject()

async def make_slowly():
    return Subject()

it = Subject()

class Place:
    it = it

class Wrong(Subject):
    '''Keeps a certain fragment.'''
    def sanitize_tool_call(self, call):
        found = super().sanitize_tool_call(call)
        if call.get("arguments") == '{"path":':
            found["arguments"] = call["arguments"]
        return found

class Dies(Subject):
    def sanitize_tool_call(self, call):
        if call.get("arguments") == '{"path":':
            import os
            os._exit(3)
        return super().sanitize_tool_call(call)

class NeverClosed(Subject):
    '''Keeps whatever ends in a comma.'''
    def sanitize_tool_call(self, call):
        arguments = call.get("function", {}).get("arguments")
        if isinstance(arguments, str) and arguments.endswith(","):
            return call
        return super().sanitize_tool_call(call)
"""


@pytest.fixture(autouse=True)
def own(pytester: pytest.Pytester) -> None:
    (pytester.path / "own.py").write_text(REGISTRY)


def driver(subject: str = "own:Subject") -> str:
    """Return the command line of a driver in Python."""
    code = f"import sys, runpy; sys.path.insert(0, '.'); sys.argv[1:] = ['{subject}']; "
    run = f"runpy.run_path('{PYTHON_DRIVER}', run_name='__main__')"
    return f'{sys.executable} -c "{code}{run}"'


# --- how a registry is named


def test_the_reference_conforms(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--adapter=reference", GROUP)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "wireproof: interop reference",
            "*= wireproof: interop reference =*",
            "conforms to the full profile: nothing broken (level full, *",
        ]
    )


def test_the_reference_is_tried_as_a_provider_too(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--adapter=reference", "interop/finalize")
    assert result.ret == pytest.ExitCode.OK
    assert "failed" not in result.parseoutcomes()
    assert result.parseoutcomes()["passed"] > 0


@pytest.mark.parametrize(
    "name", ["own:Subject", "own:make", "own:make_slowly", "own:it", "own:Place.it"]
)
def test_an_object_a_class_or_a_factory_is_named(
    pytester: pytest.Pytester, name: str
) -> None:
    result = pytester.runpytest_inprocess(f"--adapter={name}", ONE)
    result.assert_outcomes(passed=1)


def test_a_module_is_found_below_the_current_folder(
    pytester: pytest.Pytester,
) -> None:
    package = pytester.path / "package"
    package.mkdir()
    (package / "__init__.py").touch()
    (pytester.path / "own.py").rename(package / "deep.py")
    result = pytester.runpytest_inprocess("--adapter=package.deep:it", ONE)
    result.assert_outcomes(passed=1)


def test_a_module_is_found_where_pytest_looks(pytester: pytest.Pytester) -> None:
    (pytester.path / "src").mkdir()
    (pytester.path / "own.py").rename(pytester.path / "src" / "own.py")
    pytester.makeini("[pytest]\npythonpath = src")
    result = pytester.runpytest_subprocess("--adapter=own:it", ONE)
    result.assert_outcomes(passed=1)


def test_a_module_of_the_settings_is_found_beside_them(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeini("[pytest]\nwireproof_adapter = own:it")
    (pytester.path / "below").mkdir()
    monkeypatch.chdir(pytester.path / "below")
    pytester.runpytest_inprocess(ONE).assert_outcomes(passed=1)


def test_a_module_is_found_in_the_folder_of_the_subject(
    pytester: pytest.Pytester,
) -> None:
    (pytester.path / "there").mkdir()
    (pytester.path / "own.py").rename(pytester.path / "there" / "own.py")
    result = pytester.runpytest_inprocess(
        "--adapter=own:it", "--subject-cwd=there", ONE
    )
    result.assert_outcomes(passed=1)


def test_a_module_is_found_by_a_variable(pytester: pytest.Pytester) -> None:
    (pytester.path / "there").mkdir()
    (pytester.path / "own.py").rename(pytester.path / "there" / "own.py")
    result = pytester.runpytest_inprocess(
        "--adapter=own:it", f"--subject-env=PYTHONPATH={pytester.path}/there", ONE
    )
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("named", "hinted"), [("own", True), ("package.deep", True), ("./own", False)]
)
def test_a_module_without_an_attribute_is_told_how_objects_are_named(
    pytester: pytest.Pytester, named: str, *, hinted: bool
) -> None:
    result = pytester.runpytest_inprocess(f"--adapter={named}", ONE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    shown = result.stderr.str()
    assert f"ERROR: --adapter: cannot start '{named}'" in shown
    assert ("an object in Python is named as module:attr" in shown) is hinted


def test_a_command_is_a_driver(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(f"--adapter={driver()}", ONE)
    result.assert_outcomes(passed=1)


def test_a_driver_may_be_in_another_language(
    pytester: pytest.Pytester, node: str
) -> None:
    result = pytester.runpytest_inprocess(f"--adapter={node} {NODE_DRIVER}", GROUP)
    assert result.ret == pytest.ExitCode.OK
    assert "passed" in result.parseoutcomes()


def test_two_registries_are_compared(
    pytester: pytest.Pytester, read_report: ReadReport
) -> None:
    result = pytester.runpytest_inprocess(
        "--adapter=own:it",
        "--adapter=own:Wrong",
        "--compat-report=report.json",
        ONE,
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["FAILED interop/sanitise-items/*[[]own:Wrong] - *"])
    right, wrong = read_report()["subjects"]
    assert (right["target"], right["totals"]["must"]) == ("own:it", {"passed": 1})
    assert (wrong["target"], wrong["totals"]["must"]) == ("own:Wrong", {"failed": 1})
    assert wrong["results"][0]["id"] == ONE


def test_a_registry_is_tried_beside_a_host(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny}",
        "--adapter=own:it",
        ONE,
        "host-v1/messages/version-of-a-success",
    )
    result.assert_outcomes(passed=2)


# --- what is tried


@pytest.mark.sweep
def test_all_vectors_are_tried_where_none_is_named(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_mine(): assert False")
    result = pytester.runpytest_inprocess("--adapter=own:it", "--fuzz=0")
    assert result.ret == pytest.ExitCode.OK
    assert result.parseoutcomes()["passed"] > 500
    result.stdout.fnmatch_lines(["conforms to the full profile: yes (level full)"])
    result.stdout.no_fnmatch_line("*(level full, *")


@pytest.mark.parametrize(
    "arguments",
    [
        ["-k", "emptied-fragment and items"],
        ["-m", "interop and must", "-k", "emptied-fragment and items"],
        [ONE],
    ],
)
def test_checks_are_selected_as_pytest_selects(
    pytester: pytest.Pytester, arguments: list[str]
) -> None:
    result = pytester.runpytest_inprocess("--adapter=own:it", "--fuzz=0", *arguments)
    assert result.parseoutcomes()["passed"] == 1


def test_no_check_of_another_marker_is_run(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--adapter=own:it", "-m", "host_v1")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_the_level_bounds_what_is_tried(
    pytester: pytest.Pytester, read_report: ReadReport
) -> None:
    result = pytester.runpytest_inprocess(
        "--adapter=own:it",
        "--level=must",
        "--fuzz=0",
        "--compat-report=report.json",
        "interop/calls",
        "interop/sanitise-odd",
    )
    assert result.ret == pytest.ExitCode.OK
    (subject,) = read_report()["subjects"]
    assert {one["level"] for one in subject["results"]} == {"must"}
    assert subject["totals"]["should"] == {}


def test_fuzzing_can_be_turned_off(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(
        "--adapter=own:it", "--fuzz=0", "-k", "interop/fuzz"
    )
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_workers_share_the_checks(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--adapter=own:it", GROUP, ONE, "-n", "2")
    assert result.ret == pytest.ExitCode.OK
    assert "failed" not in result.parseoutcomes()


def test_settings_name_a_registry(pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml(
        "[tool.pytest.ini_options]\n"
        'wireproof_adapter = ["own:it", "own:Wrong"]\n'
        'wireproof_level = "must"'
    )
    result = pytester.runpytest_inprocess(ONE)
    result.assert_outcomes(passed=1, failed=1)


def test_a_registry_is_given_to_tests_of_the_users_own(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(
        test_mine="""
        def test_mine(adapter):
            call = {"type": "function_call", "arguments": "{"}
            assert adapter.ask("sanitize_tool_call", call=call)["arguments"] == "{}"
        """
    )
    result = pytester.runpytest_inprocess("--adapter=own:it", "test_mine.py", ONE)
    result.assert_outcomes(passed=2)


def test_such_a_test_is_skipped_without_a_registry(
    pytester: pytest.Pytester, tiny: str
) -> None:
    pytester.makepyfile(test_mine="def test_mine(adapter): pass")
    call = "host-v1/execute-tool/call-with-state"
    result = pytester.runpytest_inprocess(f"--host={tiny}", "test_mine.py", call, "-rs")
    result.stdout.fnmatch_lines(["SKIPPED * no registry was given (--adapter)"])


# --- what is shown


def reproduced(lines: list[str]) -> str:
    """Return the line that reproduces the first failure."""
    (place, *_) = [n for n, line in enumerate(lines) if line.startswith("reproduce")]
    return lines[place + 1].strip()


def test_a_failure_is_shown_with_a_line_that_shows_it_again(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--adapter=own:Wrong", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "*_ interop/sanitise-items/emptied-fragment _*",
            "INT-Z9 MUST [[]inferred] Responses items are sanitised as chat calls *",
            'failed: in what `sanitize_tool_call` came to, arguments is "{*',
            "expected (-) and got (+), at /arguments",
            '  - "{}"',
            r'  + "{\"path\":"',
            "what was sent * and what came *",
            '*{"id":*,"op":"sanitize_tool_call","call":{"type":"function_call",*',
            "reproduce",
            "conforms to the full profile: no (level full, *",
        ]
    )
    line = reproduced(result.outlines).replace("python", sys.executable, 1)
    done = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, check=True, text=True
    )
    assert "'arguments': '{\"path\":'" in done.stdout


def test_a_failure_of_a_driver_is_shown_with_a_pipe(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(f"--adapter={driver('own:Wrong')}", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    line = reproduced(result.outlines)
    done = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, check=True, text=True
    )
    _, answer = done.stdout.splitlines()
    assert json.loads(answer)["value"]["arguments"] == '{"path":'


def test_a_registry_that_ends_its_process_fails_and_says_so(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--adapter=own:Dies", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["failed: the subject exited with status 3 and did not answer `sanitize_tool_*"]
    )
    line = reproduced(result.outlines).replace("python", sys.executable, 1)
    assert subprocess.run(["/bin/sh", "-c", line], check=False).returncode == 3


def test_a_driver_that_fails_is_told_in_the_summary(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(f"--adapter={driver('own:Dies')}", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "conforms to the full profile: no (level full, *",
            "*exited with status 3 and did not answer *: a fault of the driver*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nothing:it", "cannot import nothing: ModuleNotFoundError: No module named"),
        ("nothing:it", "modules are looked for in {folder}, then where this Python"),
        ("nothing:it", "start the run elsewhere, set pytest's pythonpath, or install"),
        ("own:nothing", "own ({folder}/own.py) has no nothing"),
        ("own:REGISTRY.x", "own ({folder}/own.py) has no REGISTRY.x"),
        ("json:loads", "json:loads was called and raised TypeError: "),
        ("json:JSONDecoder", "a JSONDecoder with none of the methods convert_schemas,"),
    ],
)
def test_an_object_that_cannot_be_served_fails_and_says_so(
    pytester: pytest.Pytester, name: str, text: str
) -> None:
    result = pytester.runpytest_inprocess(f"--adapter={name}", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["conforms to the full profile: no (level wire*"])
    shown = " ".join(line.strip() for line in result.outlines)
    assert text.format(folder=pytester.path) in shown
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_command_that_is_not_there_is_a_usage_error(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--adapter=./nothing", ONE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --adapter: cannot start './nothing': *"])


@pytest.mark.parametrize("command", ["true", "false", "cat", "yes", "echo '{}'"])
def test_a_driver_that_does_nothing_passes_nothing(
    pytester: pytest.Pytester, command: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--adapter={command}", "--fuzz=0", GROUP, "interop/scenarios"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "passed" not in result.parseoutcomes()


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_value_is_a_usage_error(pytester: pytest.Pytester, value: str) -> None:
    result = pytester.runpytest_inprocess(f"--adapter={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: --adapter: '{value}': it is empty; *"])


def test_unbalanced_quotes_are_a_usage_error(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--adapter=./driver 'x")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --adapter: *: it cannot be split into words (No closing quotation)*"]
    )


# --- reports, catalogue, vectors


def test_a_report_is_written_as_its_schema_says(
    pytester: pytest.Pytester, read_report: ReadReport
) -> None:
    pytester.runpytest_inprocess(
        "--adapter=own:Wrong",
        "--compat-report=report.json",
        "--fuzz=2",
        GROUP,
        "interop/scenarios",
        "interop/initialize-request",
        "interop/sanitise-odd",
    )
    report = read_report()
    schema: Any = load_schema("report")
    jsonschema.validate(report, schema, jsonschema.Draft202012Validator)
    (subject,) = report["subjects"]
    assert (subject["protocol"], subject["target"]) == ("interop", "own:Wrong")
    assert (subject["level"], subject["starts"]) == ("full", 1)
    (failed,) = (one for one in subject["results"] if one["id"] == ONE)
    assert failed["verdict"] == "failed"
    assert failed["reproduce"].startswith("python -c 'import own; ")
    assert {one["dir"] for one in failed["transcript"]} == {"sent", "received"}


def test_the_checks_are_listed(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--list-vectors")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            f"{ONE} * must * INT-Z9 *",
            "interop/scenarios/layers-of-schema-adapters * must * INT-G1 *",
            "interop/fuzz/sanitise-any-text * must * INT-Z1 *",
        ]
    )


def test_a_clause_is_explained_with_its_vectors(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--explain=INT-Z2")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "INT-Z2 MUST [[]document] a text that breaks off, *",
            "interop/sanitise-broken/seed-fragment (must)",
            "    call sanitize_tool_call with *",
        ]
    )


def test_a_failing_example_is_saved_and_can_be_run_again(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess(
        "--adapter=own:NeverClosed",
        "--fuzz=30",
        "--fuzz-seed=1",
        "--save-vectors=found",
        "interop/fuzz/sanitise-broken-texts",
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    (path,) = (pytester.path / "found").iterdir()
    content = json.loads(path.read_bytes())
    check_vectors(content)
    (vector,) = content["vectors"]
    assert vector["clauses"] == ["INT-Z2"]
    assert len(vector["steps"]) == 1

    again = pytester.runpytest_inprocess("--adapter=own:NeverClosed", str(path))
    again.assert_outcomes(failed=1)
    pytester.runpytest_inprocess("--adapter=own:it", str(path)).assert_outcomes(
        passed=1
    )


@pytest.mark.usefixtures("unhurried")
def test_a_failing_property_is_reproduced_by_pytest(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(
        "--adapter=own:NeverClosed",
        "--fuzz=30",
        "--fuzz-seed=1",
        "interop/fuzz/sanitise-broken-texts",
    )
    line = reproduced(result.outlines)
    assert line.startswith("python -c 'import own; print(own.NeverClosed().sanitize_")
