from __future__ import annotations

import runpy
import subprocess
import sys

import pytest

from wireproof_reference.__main__ import main
from wireproof_reference.host_v1 import _program


@pytest.mark.parametrize("arguments", [[], ["nope"]])
def test_a_program_must_be_named(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("usage: python -m wireproof_reference ")


def test_the_status_is_that_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "wireproof_reference.__main__")
    monkeypatch.setattr(sys, "argv", ["wireproof_reference"])
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("wireproof_reference", run_name="__main__")
    assert caught.value.code == 2


def test_the_host_refuses_other_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["host", "--loud"]) == 2
    assert "[--backend=asyncio|trio]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "backend"),
    [
        (["host"], "asyncio"),
        (["host", "--backend=asyncio"], "asyncio"),
        (["host", "--backend=trio"], "trio"),
    ],
)
def test_the_host_runs_on_either_event_loop(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], backend: str
) -> None:
    used: list[str] = []

    def run(plugin: object, *, backend: str) -> int:
        used.append(backend)
        return 7

    monkeypatch.setattr(_program, "run_stdio", run)
    assert main(arguments) == 7
    assert used == [backend]


def test_the_package_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wireproof_reference", "host"],
        input=b'{"v":1,"id":"1","method":"required_tags"}\n',
        capture_output=True,
        check=True,
    )
    assert (
        done.stdout
        == b'{"v":1,"id":"1","ok":true,"result":{"value":["conformance"]}}\n'
    )
    assert done.stderr == b""
