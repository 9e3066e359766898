from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof.plugin import REGISTERED
from wireproof.protocols.host_v1._settings import HostSettings
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.pytest_run._configure import Reader

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def read(pytester: pytest.Pytester) -> Callable[..., Reader]:
    """Return what reads the options of a command line."""

    def parse(*arguments: str) -> Reader:
        config = pytester.parseconfig(*arguments)
        return Reader(config, config.stash[REGISTERED])

    return parse


def everything(reader: Reader) -> object:
    settings = reader.settings()
    owned = [reader.settings_of(target, settings) for target in reader.targets()]
    return owned, reader.reports()


def test_without_options_the_defaults_hold(
    read: Callable[..., Reader], pytester: pytest.Pytester
) -> None:
    settings = read().settings()
    assert settings.folder == pytester.path
    assert settings.environment == {}
    assert settings.timeout is None
    assert settings.level == "may"
    assert settings.fail_on == "must"
    assert settings.fuzz == 20
    assert 0 <= settings.fuzz_seed < 2**32
    assert settings.save_vectors is None
    assert read().targets() == []
    assert read().reports() == []


def test_a_seed_that_is_drawn_differs_from_run_to_run(
    read: Callable[..., Reader],
) -> None:
    reader = read()
    seeds = {reader.settings().fuzz_seed for _ in range(5)}
    assert len(seeds) > 1


@pytest.mark.parametrize(
    ("cores", "options", "environment", "spare"),
    [
        (2, [], {}, True),
        (1, [], {}, False),
        (2, ["-n2"], {}, False),
        (2, [], {"PYTEST_XDIST_WORKER": "gw0"}, False),
    ],
)
def test_a_core_is_spare_where_no_worker_needs_it(
    read: Callable[..., Reader],
    monkeypatch: pytest.MonkeyPatch,
    cores: int,
    options: list[str],
    environment: dict[str, str],
    *,
    spare: bool,
) -> None:
    monkeypatch.setattr("wireproof.pytest_run._configure.cores", lambda: cores)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert read(*options).settings().spare_core is spare


def test_a_command_is_split_as_a_shell_would(read: Callable[..., Reader]) -> None:
    (target,) = read("--host=./my\\ host --flag 'a b' \"c\"").targets()
    assert target.protocol == "host-v1"
    assert target.command == ("./my host", "--flag", "a b", "c")
    assert target.text == "./my\\ host --flag 'a b' \"c\""
    assert target.name == target.text


def test_reference_stands_for_our_own(read: Callable[..., Reader]) -> None:
    (target,) = read("--host= reference ").targets()
    assert target.command == (sys.executable, "-m", "wireproof_reference", "host")
    assert target.text == "reference"


def test_subjects_of_one_name_are_numbered(read: Callable[..., Reader]) -> None:
    targets = read("--host=a", "--host=b", "--host=a", "--host=a").targets()
    assert [target.name for target in targets] == ["a", "b", "a #2", "a #3"]


def test_subjects_of_several_protocols_may_have_one_name(
    read: Callable[..., Reader],
) -> None:
    targets = read("--host=reference", "--socket=reference").targets()
    assert [(one.protocol, one.name) for one in targets] == [
        ("host-v1", "reference"),
        ("socket-v1", "reference"),
    ]


def test_all_settings_are_read(
    read: Callable[..., Reader],
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HERE", "from here")
    pytester.mkdir("sub")
    settings = read(
        "--level=should",
        "--fail-on=should",
        "--fuzz=0",
        "--fuzz-seed=18446744073709551",
        "--subject-timeout=2.5",
        "--subject-env=HERE",
        "--subject-env=EMPTY=",
        "--subject-env=SUM=1+1=2",
        "--subject-cwd=sub",
        "--save-vectors=new/found",
    ).settings()
    assert settings.level == "should"
    assert settings.fail_on == "should"
    assert settings.fuzz == 0
    assert settings.fuzz_seed == 18446744073709551
    assert settings.timeout == 2.5
    assert settings.environment == {
        "HERE": "from here",
        "EMPTY": "",
        "SUM": "1+1=2",
    }
    assert settings.folder == pytester.path / "sub"
    assert settings.save_vectors == pytester.path / "new/found"


def test_a_protocol_reads_its_own_options(
    read: Callable[..., Reader], pytester: pytest.Pytester
) -> None:
    reader = read(
        "--host=a",
        "--socket=./b {socket}",
        "--adapter=c",
        "--host-offers=get_tags, required_tags",
        "--host-offers=get_ui_elements,",
        "--socket-home=.",
        "--allow-tool=look",
        "--allow-tool=see",
    )
    found = [reader.settings_of(t, reader.settings()) for t in reader.targets()]
    host, server, registry = found
    offers = frozenset({"get_tags", "required_tags", "get_ui_elements"})
    assert host.of(HostSettings) == HostSettings(offers)
    assert host.of(SocketSettings) == SocketSettings()
    assert server.own == SocketSettings(pytester.path, ("look", "see"))
    assert registry.own is None


def test_the_last_variable_of_a_name_counts(read: Callable[..., Reader]) -> None:
    settings = read("--subject-env=A=1", "--subject-env=A=2").settings()
    assert settings.environment == {"A": "2"}


def test_reports_are_where_the_user_stands(
    read: Callable[..., Reader], pytester: pytest.Pytester
) -> None:
    reader = read("--compat-report=a.json", f"--compat-report={pytester.path}/b.json")
    assert reader.reports() == [pytester.path / "a.json", pytester.path / "b.json"]


def test_a_tilde_is_the_users_home(
    read: Callable[..., Reader],
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(pytester.mkdir("home")))
    reader = read(
        "--subject-cwd=~", "--compat-report=~/a.json", "--save-vectors=~/found"
    )
    assert reader.settings().folder == pytester.path / "home"
    assert reader.settings().save_vectors == pytester.path / "home" / "found"
    assert reader.reports() == [pytester.path / "home" / "a.json"]


def test_the_command_line_goes_before_the_settings(
    read: Callable[..., Reader], pytester: pytest.Pytester
) -> None:
    pytester.makeini("[pytest]\nwireproof_level = must\nwireproof_host = ./ini\n")
    assert read().settings().level == "must"
    assert read("--level=should").settings().level == "should"
    assert [target.text for target in read().targets()] == ["./ini"]
    assert [target.text for target in read("--host=./cmd").targets()] == ["./cmd"]


LEVELS = "give one of must, should, may"
SECONDS = "give seconds greater than 0, such as 10, up to 86400"
NUMBER = "give a whole number, 0 or more"
NAME = "give NAME or NAME=VALUE; a name has letters, digits and _"
METHODS = (
    "no such optional method; there are format_tool_call_preview, format_tool_result, "
    "get_config_schema, get_tags, get_ui_elements, required_tags, to_display_format"
)
EMPTY = "it is empty; give the subject's command line, or 'reference'"


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("host", "", EMPTY),
        ("host", "  ", EMPTY),
        (
            "host",
            "./a 'b",
            "it cannot be split into words (No closing quotation); check the quotes",
        ),
        ("level", "all", LEVELS),
        ("level", "MUST", LEVELS),
        ("level", "", LEVELS),
        ("fail-on", "may", "give one of must, should"),
        ("fail-on", "", "give one of must, should"),
        ("fuzz", "-1", NUMBER),
        ("fuzz", "1.5", NUMBER),
        ("fuzz", "many", NUMBER),
        ("fuzz", "1_000", NUMBER),
        ("fuzz", "\u0661", NUMBER),
        ("fuzz", "9999999999999999999", NUMBER),
        ("fuzz", "", NUMBER),
        ("fuzz-seed", "-1", NUMBER),
        ("fuzz-seed", "0x1f", NUMBER),
        ("subject-timeout", "0", SECONDS),
        ("subject-timeout", "-1", SECONDS),
        ("subject-timeout", "nan", SECONDS),
        ("subject-timeout", "inf", SECONDS),
        ("subject-timeout", "1e9", SECONDS),
        ("subject-timeout", "86400.1", SECONDS),
        ("subject-timeout", "10s", SECONDS),
        ("subject-timeout", "", SECONDS),
        ("subject-env", "", NAME),
        ("subject-env", "=x", NAME),
        ("subject-env", "A B=x", NAME),
        ("subject-env", "1A=x", NAME),
        (
            "subject-env",
            "WIREPROOF_NOT_SET",
            "WIREPROOF_NOT_SET is not set here; give WIREPROOF_NOT_SET=VALUE",
        ),
        ("subject-cwd", "nowhere", "there is no such folder"),
        ("subject-cwd", "file", "there is no such folder"),
        ("host-offers", "get_tag", METHODS),
        (
            "compat-report",
            "report.txt",
            "the ending says which kind of report; give one of .json",
        ),
        ("save-vectors", "file", "it is a file; give a folder"),
    ],
)
def test_a_bad_value_is_refused_with_the_option_and_the_remedy(
    read: Callable[..., Reader],
    pytester: pytest.Pytester,
    name: str,
    value: str,
    remedy: str,
) -> None:
    (pytester.path / "file").touch()
    reader = read("--host=reference", f"--{name}={value}")
    with pytest.raises(pytest.UsageError) as raised:
        everything(reader)
    assert str(raised.value).startswith(f"--{name}: {value!r}: {remedy}")


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("host", "./a 'b", "it cannot be split into words"),
        ("level", "all", LEVELS),
        ("fail_on", "may", "give one of must, should"),
        ("fuzz", "many", NUMBER),
        ("fuzz_seed", "-1", NUMBER),
        ("subject_timeout", "0", SECONDS),
        ("subject_env", "1A=x", NAME),
        ("subject_cwd", "nowhere", "there is no such folder"),
        ("host_offers", "get_tag", METHODS),
        ("compat_report", "report.txt", "the ending says which kind of report"),
        ("save_vectors", "tox.ini", "it is a file; give a folder"),
    ],
)
def test_a_bad_setting_is_refused_with_its_name_and_the_remedy(
    read: Callable[..., Reader],
    pytester: pytest.Pytester,
    name: str,
    value: str,
    remedy: str,
) -> None:
    pytester.makeini(f"[pytest]\nwireproof_{name} = {value}\n")
    reader = read("--socket=reference" if name == "host" else "--host=reference")
    with pytest.raises(pytest.UsageError) as raised:
        everything(reader)
    assert str(raised.value).startswith(
        f"setting wireproof_{name}: {value!r}: {remedy}"
    )


def test_a_check_is_run_again_with_the_options_that_bear_on_it(
    read: Callable[..., Reader], pytester: pytest.Pytester
) -> None:
    reader = read(
        "--host=./a b",
        "--host=./c",
        "--fuzz=3",
        "--fuzz-seed=4",
        "--subject-timeout=9",
        "--subject-cwd=.",
        "--fail-on=should",
        "--subject-env=A=1",
        "--host-offers=get_tags",
        "--level=must",
        "--compat-report=a.json",
    )
    first, second = reader.targets()
    settings = reader.settings()
    rest = (
        "--fail-on=should",
        "--subject-timeout=9",
        "--subject-env=A=1",
        "--subject-cwd=.",
        "--host-offers=get_tags",
        "--fuzz=3",
        "--fuzz-seed=4",
    )
    assert reader.reproduce_options(first, settings) == ("--host=./a b", *rest)
    assert reader.reproduce_options(second, settings) == ("--host=./c", *rest)


def test_the_seed_that_was_drawn_is_repeated(read: Callable[..., Reader]) -> None:
    reader = read("--host=./a")
    (target,) = reader.targets()
    settings = reader.settings()
    assert reader.reproduce_options(target, settings) == (
        "--host=./a",
        f"--fuzz-seed={settings.fuzz_seed}",
    )


def test_the_folder_is_that_in_which_pytest_was_called(
    read: Callable[..., Reader], pytester: pytest.Pytester
) -> None:
    assert read("--subject-cwd=/").settings().folder == Path("/")
