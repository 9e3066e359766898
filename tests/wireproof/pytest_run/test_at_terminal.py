"""What a terminal shows, and what is shown where there is none."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from typing import TYPE_CHECKING

import pytest

from wireproof.checks import Settings
from wireproof.protocols import protocol_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    AtTerminal = Callable[..., str]

COLOR = re.compile(r"\x1b\[[0-9;]*m")
LEFT = re.compile(r"\x1b7\x1b\[K\x1b\[(\d+)G(.*?)\x1b8")
RED, BOLD = "\x1b[31m", "\x1b[1m"
FIRST = "host-v1/init/first-init"
CHECKS = ("host-v1/places", "host-v1/init", "-x")
"""Checks of a host that loses nulls: the slow ones come after the one that fails."""


@pytest.fixture
def at_terminal(tmp_path: Path, tiny: str) -> AtTerminal:
    """Return what runs pytest at a terminal and gives what it wrote there."""

    def run(
        *options: str,
        columns: int = 80,
        fault: str = "loses-nulls",
        checks: Sequence[str] = CHECKS,
        **environment: str,
    ) -> str:
        own, other = pty.openpty()
        size = struct.pack("HHHH", 24, columns, 0, 0)
        fcntl.ioctl(other, termios.TIOCSWINSZ, size)
        unset = {"CI", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "PY_COLORS"}
        kept = {key: one for key, one in os.environ.items() if key not in unset}
        plain = {"TERM": "xterm"}
        words = [sys.executable, "-m", "pytest", f"--host={tiny} {fault}"]
        with subprocess.Popen(
            [*words, "--fuzz=0", *checks, *options],
            cwd=tmp_path,
            env=kept | plain | environment,
            stdin=subprocess.DEVNULL,
            stdout=other,
            stderr=other,
        ):
            os.close(other)
            written = bytearray()
            while data := _read(own):
                written += data
        os.close(own)
        return written.decode().replace("\r\n", "\n")

    return run


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so when nobody has the other end any more
        return b""


def shown(written: str) -> list[str]:
    """Return the lines that stand there at the end, without their colors."""
    return COLOR.sub("", LEFT.sub("", written)).replace("\x1b[K", "").split("\n")


def test_a_person_sees_the_time_left_and_what_to_mend_on_the_last_screen(
    at_terminal: AtTerminal,
) -> None:
    written = at_terminal()

    found = LEFT.findall(written)
    assert {(int(at), len(COLOR.sub("", text))) for at, text in found} <= {
        (80 - width, width) for width in range(8, 12)
    }
    assert any(COLOR.sub("", text).endswith(" s left") for _, text in found)
    # Before anything else is written it is erased.
    assert all(rest.startswith("\x1b[K") for rest in re.split(r"\x1b8", written)[1:])
    lines = shown(written)
    screen = lines[-24:]
    title = next(n for n, one in enumerate(screen) if "first to mend" in one)
    assert "first to mend: host-v1/places/argument" in screen[title]
    assert screen[title + 1].startswith("HV1-M10 MUST [inferred] JSON values")
    assert [one for one in screen if " → " in one]
    assert [one for one in screen if " ← " in one]
    pasted = screen.index("reproduce") + 1
    assert screen[pasted].startswith("  (printf ")
    fitted = [one for one in lines if "printf" not in one and "FAILED" not in one]
    told = fitted[fitted.index("A value given as an argument comes back as it was.") :]
    assert max(map(len, told)) <= 80
    assert "\x1b[1m\x1b[31mconforms to the full profile: no" in written


def test_colors_that_are_asked_for_are_in_a_log_too(
    pytester: pytest.Pytester, tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PY_COLORS")  # pytester sets it
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    run = [f"--host={tiny} wrong-version", "--fuzz=0", FIRST]
    colored = pytester.runpytest_inprocess(*run).stdout.str()
    assert f"{BOLD}{RED}conforms to the full profile: no (level wire, " in colored
    # It is a log still: no line is fitted to a width, and no cursor moves.
    assert "\nHV1-M1 MUST [document] every message has `v` equal" in colored
    assert set(re.findall(r"\x1b[^m]*(.)", colored)) == {"m"}


def test_of_what_does_not_come_up_the_cause_stands_once(
    at_terminal: AtTerminal,
) -> None:
    written = at_terminal(fault="dies", checks=("host-v1/request-ids",))
    # With the failure, and with the checks that could not be tried.
    assert written.count("the configuration is missing") == 2
    assert "first to mend" not in written


def test_without_colors_nothing_is_colored(at_terminal: AtTerminal) -> None:
    assert COLOR.findall(at_terminal("--collect-only", NO_COLOR="1")) == []
    assert COLOR.findall(at_terminal("-q", NO_COLOR="1")) == []
    assert COLOR.findall(at_terminal("-q", "--color=no")) == []


def test_a_terminal_that_knows_no_cursor_gets_none(at_terminal: AtTerminal) -> None:
    assert "\x1b" not in at_terminal("-q", TERM="dumb")


@pytest.mark.parametrize("option", ["", "-q", "-v"])
def test_a_log_has_no_time_left_and_no_width(
    pytester: pytest.Pytester, tiny: str, option: str
) -> None:
    words = [f"--host={tiny} loses-nulls", "--fuzz=0", *CHECKS, *option.split()]
    result = pytester.runpytest_inprocess(*words)

    assert "\x1b" not in str(result.stdout)
    result.stdout.no_fnmatch_line("* left*")
    result.stdout.no_fnmatch_line("*first to mend*")
    # The line of shell is long, and stands with the failure.
    again = "next: see host-v1/places/argument again: pytest host-v1/places/argument *"
    result.stdout.fnmatch_lines(["  (printf *", again])


def test_a_log_is_colored_where_that_is_asked_for(
    pytester: pytest.Pytester, tiny: str
) -> None:
    words = [f"--host={tiny} loses-nulls", "--fuzz=0", *CHECKS, "--color=yes"]
    result = pytester.runpytest_inprocess(*words)

    assert "\x1b[1m\x1b[31mconforms to the full profile: no (level wire, " in str(
        result.stdout
    )
    assert "\x1b7" not in str(result.stdout)


def test_a_very_quiet_run_says_what_it_comes_to_and_no_more(
    pytester: pytest.Pytester, tiny: str
) -> None:
    words = [f"--host={tiny}", "--fuzz=0", "host-v1/init", "-qq"]
    result = pytester.runpytest_inprocess(*words)

    there_are = len(protocol_for("host").checks(Settings(pytester.path, fuzz=0)))
    assert [
        one for one in result.outlines if one and not one.startswith(("=", "."))
    ] == [
        f"conforms to the {profile}: nothing broken (level wire, 9 of {there_are} "
        "checks)"
        for profile in ("document", "full profile")
    ]


def test_a_verbose_run_names_every_check_and_shows_each_failure_whole(
    pytester: pytest.Pytester, tiny: str
) -> None:
    words = [f"--host={tiny} wrong-version", "--fuzz=0", "host-v1/state", "-v"]
    result = pytester.runpytest_inprocess(*words)

    text = str(result.stdout)
    assert "in the same way as" not in text
    assert "more, and" not in text
