from __future__ import annotations

import subprocess
import sys

import pytest

from wireproof import plugin

SHARE = 0.5
"""Of the time that importing pytest takes; a tenth is usual, machines are noisy."""

HEAVY = ("anyio", "hypothesis", "jsonschema", "orjson", "wireproof.checks")


def import_times() -> dict[str, int]:
    """Return how many microseconds each import took, those it led to included."""
    command = [
        sys.executable,
        "-X",
        "importtime",
        "-c",
        "import pytest, wireproof.plugin",
    ]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    rows = (line.split("|") for line in done.stderr.splitlines()[1:])
    return {row[2].strip(): int(row[1]) for row in rows}


def test_the_plugin_costs_a_start_of_pytest_next_to_nothing() -> None:
    times = import_times()
    assert times["wireproof.plugin"] < SHARE * times["pytest"]


def test_the_plugin_brings_in_nothing_heavy() -> None:
    assert not set(HEAVY) & set(import_times())


def test_the_plugin_is_loaded_by_its_entry_point(pytester: pytest.Pytester) -> None:
    config = pytester.parseconfig()
    assert config.pluginmanager.get_plugin("wireproof") is plugin


def test_a_plugin_that_is_loaded_late_disturbs_nobody(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest("pytest_plugins = ['wireproof.plugin']")
    pytester.makepyfile("def test_mine(): pass")
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


def test_a_plugin_that_is_blocked_is_not_there(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_mine(): pass")
    pytester.runpytest_inprocess("-p", "no:wireproof").assert_outcomes(passed=1)
