from __future__ import annotations

import pytest

from wireproof.plugin import REGISTERED
from wireproof.pytest_run._options import OPTIONS, SUBJECT_OPTIONS

THEIRS = """
    def pytest_addoption(parser):
        parser.addoption("--host", action="store", default="theirs", help="their host")
"""
CLASH = ("wireproof: warning: another plugin has --host; ours is --wireproof-host",)


@pytest.fixture
def user_test(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(
        test_user="""
        def test_option(request):
            assert request.config.getoption("--host") == "1.2.3.4"
        """
    )
    return pytester


def test_every_option_has_its_setting_and_its_help(pytester: pytest.Pytester) -> None:
    shown = pytester.runpytest_inprocess("--help").stdout.str()
    for option in OPTIONS:
        assert f"--{option.name}" in shown
        assert (f"wireproof_{option.name.replace('-', '_')} (" in shown) is (
            option.in_ini
        )


def test_the_subject_options_bring_in_the_runner() -> None:
    wakes = {option.name for option in OPTIONS if option.wakes}
    assert wakes == {*SUBJECT_OPTIONS, "runtime-config", "list-vectors", "explain"}


def test_our_options_have_their_own_names(pytester: pytest.Pytester) -> None:
    config = pytester.parseconfig()
    registered = config.stash[REGISTERED]
    assert registered.displaced == []
    assert registered.flags == {name: f"--{name}" for name in registered.flags}


def test_a_repeatable_option_that_is_not_given_is_an_empty_list(
    pytester: pytest.Pytester,
) -> None:
    config = pytester.parseconfig()
    registered = config.stash[REGISTERED]
    values = {
        option.name: registered.value(config, option)
        for option in OPTIONS
        if option.repeatable and option.in_ini
    }
    assert values == {
        "host": [],
        "socket": [],
        "adapter": [],
        "host-client": [],
        "exec": [],
        "exec-runtime": [],
        "exec-server": [],
        "tools": [],
        "compat-report": [],
        "subject-env": [],
        "host-offers": [],
        "allow-tool": [],
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ["--level=must"],
        ["--fuzz=0"],
        ["--compat-report=a.json"],
        ["--subject-env=A=1"],
        ["--save-vectors=found"],
    ],
)
def test_an_option_that_goes_with_a_subject_is_refused_without_one(
    pytester: pytest.Pytester, arguments: list[str]
) -> None:
    result = pytester.runpytest_inprocess(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    flag = arguments[0].partition("=")[0]
    subjects = (
        "--host, --socket, --adapter, --host-client, --exec, --exec-runtime, "
        "--exec-server, --tools"
    )
    result.stderr.fnmatch_lines([f"ERROR: {flag} goes with a subject: add {subjects}"])


@pytest.mark.parametrize("beside", [[], ["--adapter=reference"]])
@pytest.mark.parametrize(
    ("argument", "subject"),
    [
        ("--host-offers=get_tags", "--host"),
        ("--socket-home=.", "--socket"),
        ("--allow-tool=look", "--socket"),
    ],
)
def test_an_option_of_one_protocol_is_refused_without_a_subject_of_it(
    pytester: pytest.Pytester, argument: str, subject: str, beside: list[str]
) -> None:
    result = pytester.runpytest_inprocess(argument, *beside)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    flag = argument.partition("=")[0]
    result.stderr.fnmatch_lines([f"ERROR: {flag} goes with a subject: add {subject}"])


def test_a_setting_without_a_subject_disturbs_nobody(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeini("[pytest]\nwireproof_level = must\nwireproof_fuzz = 3\n")
    pytester.makepyfile("def test_a(): pass")
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


def test_options_cannot_be_shortened_into_ours(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--hos=reference")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*unrecognized arguments: --hos=reference*", "  --hos: did you mean --host[?]"]
    )


@pytest.mark.parametrize(
    ("argument", "near"), [("--hots=x", "--host"), ("--exec-serve=x", "--exec-server")]
)
def test_an_unknown_option_near_one_of_ours_gets_its_name(
    pytester: pytest.Pytester, argument: str, near: str
) -> None:
    result = pytester.runpytest_inprocess(argument)
    name = argument.partition("=")[0]
    result.stderr.fnmatch_lines([f"  {name}: did you mean {near}[?]"])


def test_an_unknown_option_near_none_of_ours_gets_none(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--quality=x")
    result.stderr.no_fnmatch_line("*did you mean*")


def test_workers_without_their_plugin_name_the_package(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_subprocess("-p", "no:xdist", "-n", "4")
    result.stderr.fnmatch_lines(
        ["  -n: an option of pytest-xdist; install it with pip"]
    )


def test_an_option_of_a_conftest_keeps_its_name(user_test: pytest.Pytester) -> None:
    user_test.makeconftest(THEIRS)
    result = user_test.runpytest_inprocess("--host=1.2.3.4")
    result.assert_outcomes(passed=1)
    assert "wireproof" not in result.stdout.str().partition("plugins:")[0]


def test_an_option_of_a_plugin_named_on_the_command_line_keeps_its_name(
    user_test: pytest.Pytester,
) -> None:
    user_test.makepyfile(their_plugin=THEIRS)
    user_test.syspathinsert()
    result = user_test.runpytest_inprocess("-p", "their_plugin", "--host=1.2.3.4")
    result.assert_outcomes(passed=1)


def test_an_option_of_an_installed_plugin_keeps_its_name(
    user_test: pytest.Pytester,
) -> None:
    user_test.makepyfile(their_plugin=THEIRS)
    info = user_test.mkdir("their_plugin-1.dist-info")
    (info / "METADATA").write_text("Name: their-plugin\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[pytest11]\nzz_theirs = their_plugin\n")
    user_test.syspathinsert()
    result = user_test.runpytest_subprocess("--host=1.2.3.4")
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize("place", ["conftest", "plugin"])
def test_ours_is_then_reached_by_its_long_name(
    pytester: pytest.Pytester, place: str, tiny: str
) -> None:
    arguments: list[str] = []
    if place == "conftest":
        pytester.makeconftest(THEIRS)
    else:
        pytester.makepyfile(their_plugin=THEIRS)
        pytester.syspathinsert()
        arguments = ["-p", "their_plugin"]
    result = pytester.runpytest_inprocess(
        *arguments,
        f"--wireproof-host={tiny}",
        "host-v1/messages/version-of-a-success",
        "--fuzz-seed=1",
    )
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(CLASH)


def test_a_clash_is_told_where_the_subject_comes_from_the_settings(
    pytester: pytest.Pytester, tiny: str
) -> None:
    pytester.makeconftest(THEIRS)
    pytester.makeini(f"[pytest]\nwireproof_host = {tiny}\n")
    result = pytester.runpytest_inprocess("host-v1/messages/version-of-a-success")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(CLASH)


def test_a_reproduction_uses_the_name_that_works(
    pytester: pytest.Pytester, tiny: str
) -> None:
    pytester.makeconftest(THEIRS)
    result = pytester.runpytest_inprocess(
        f"--wireproof-host={tiny} dies-of-two",
        "host-v1/transport/one-byte-a-write",
        "--fuzz=0",
        "--subject-timeout=0.5",
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*pytest *'--wireproof-host=*"])
