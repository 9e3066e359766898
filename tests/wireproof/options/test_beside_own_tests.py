from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    TryHost = Callable[..., pytest.RunResult]

ONE = "host-v1/messages/version-of-a-success"

THEIRS = """
    import pytest

    @pytest.fixture(scope="session")
    def host():
        return "theirs"
"""


@pytest.fixture
def own_test(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(
        test_own="""
        import pytest

        def test_host(host):
            assert host.state == {"n": 0}
            assert host.execute("conformance_echo", {"value": [1]}) == {
                "success": True, "result": {"value": [1]}
            }
            assert host.request("no_such_method")["ok"] is False
        """
    )
    return pytester


def test_own_tests_are_not_run_without_being_named(
    own_test: pytest.Pytester, try_host: TryHost
) -> None:
    result = try_host("-k", "test_host or version-of-a-success")
    assert result.parseoutcomes()["passed"] == 1


@pytest.mark.parametrize("argument", ["test_own.py", ".", "test_own.py::test_host"])
def test_own_tests_are_run_beside_the_checks_when_they_are_named(
    own_test: pytest.Pytester, try_host: TryHost, argument: str
) -> None:
    result = try_host(argument, ONE, "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines([f"{ONE} PASSED*", "test_own.py::test_host PASSED*"])


def test_a_file_alone_brings_all_checks_along(
    own_test: pytest.Pytester, try_host: TryHost
) -> None:
    result = try_host("test_own.py", "--collect-only", "-q")
    listed = [line for line in result.outlines if "::" in line or "host-v1/" in line]
    assert len(listed) > 200
    assert listed[-1] == "test_own.py::test_host"


def test_an_own_test_that_fails_fails_the_run(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    pytester.makepyfile(test_own="def test_no(): assert 0")
    result = try_host("test_own.py", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["conforms to the full profile: nothing broken (level wire, *"]
    )


def test_a_host_that_does_not_come_up_is_an_error_of_the_fixture(
    own_test: pytest.Pytester, try_host: TryHost
) -> None:
    result = try_host("test_own.py", "-k", "test_host", fault="dies")
    result.assert_outcomes(errors=1, deselected=result.parseoutcomes()["deselected"])
    result.stdout.fnmatch_lines(
        [
            "*NoAnswer: the subject exited with status 1 *",
            "*the configuration is missing*",
        ]
    )


def test_own_tests_alone_decide_nothing_about_the_subject(
    own_test: pytest.Pytester, try_host: TryHost
) -> None:
    result = try_host("test_own.py", "-k", "test_host")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("*conformant*")


def test_own_tests_may_use_a_server_and_a_registry(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_own="""
        def test_both(socket_client, adapter):
            found = socket_client.call("conformance_echo", {"value": 1})
            assert found["content"] == {"value": 1}
            assert "convert_schemas" in adapter.description.ops
        """
    )
    result = pytester.runpytest_inprocess(
        "--socket=reference", "--adapter=reference", "test_own.py", "-k", "test_both"
    )
    result.assert_outcomes(passed=1, deselected=result.parseoutcomes()["deselected"])


@pytest.mark.parametrize("name", ["socket_client", "adapter"])
def test_a_fixture_whose_subject_was_not_given_skips_the_test(
    pytester: pytest.Pytester, try_host: TryHost, name: str
) -> None:
    pytester.makepyfile(test_own=f"def test_it({name}): pass")
    result = try_host("test_own.py", "-k", "test_it", "-rs")
    result.assert_outcomes(skipped=1, deselected=result.parseoutcomes()["deselected"])


def test_without_a_subject_the_users_run_is_as_it_was(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(
        """
        import sys

        from wireproof.protocols._registry import FOLDERS

        HEAVY = ("jsonschema", "hypothesis", "anyio", "orjson", "wireproof.checks")

        def test_nothing_heavy_was_imported():
            assert [name for name in HEAVY if name in sys.modules] == []
            assert {name for name in sys.modules if "wireproof" in name} == {
                "wireproof",
                "wireproof.plugin",
                "wireproof.protocols",
                "wireproof.protocols._exec_options",
                "wireproof.protocols._options",
                "wireproof.protocols._registry",
                *(f"wireproof.protocols.{folder}" for folder in FOLDERS),
                *(f"wireproof.protocols.{folder}._options" for folder in FOLDERS),
                "wireproof.pytest_run",
                "wireproof.pytest_run._fixtures",
                "wireproof.pytest_run._options",
            }
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:anyio", "-p", "no:syrupy")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("wireproof*")


@pytest.mark.parametrize("fixture", ["host", "socket_client", "adapter"])
def test_without_a_subject_a_test_that_needs_one_is_skipped(
    pytester: pytest.Pytester, fixture: str
) -> None:
    pytester.makepyfile(f"def test_it({fixture}): assert False")
    result = pytester.runpytest_inprocess("-rs")
    result.assert_outcomes(skipped=1)
    options = {"host": "host", "socket_client": "server", "adapter": "registry"}
    result.stdout.fnmatch_lines([f"SKIPPED * no {options[fixture]} was given (--*)"])


def test_a_fixture_of_this_name_in_a_conftest_is_theirs(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeconftest(THEIRS)
    pytester.makepyfile("def test_it(host): assert host == 'theirs'")
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


@pytest.mark.parametrize("name", ["aa_theirs", "zz_theirs"])
def test_a_fixture_of_this_name_in_another_plugin_is_theirs(
    pytester: pytest.Pytester, name: str
) -> None:
    pytester.makepyfile(their_plugin=THEIRS)
    info = pytester.mkdir("their_plugin-1.dist-info")
    (info / "METADATA").write_text("Name: their-plugin\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[pytest11]\n{name} = their_plugin\n")
    pytester.syspathinsert()
    pytester.makepyfile("def test_it(host): assert host == 'theirs'")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
