from __future__ import annotations

import json
from pathlib import Path

import pytest

from wireproof_reference.__main__ import main

TOOLS = {
    "one": {"exec": {"command": "/bin/sh", "args": ["-c", "cat"]}},
    "echo": {
        "exec": {
            "command": "/bin/sh",
            "args": ["-c", """printf '{"result":'; cat; printf '}'"""],
        }
    },
}
SCHEMA = {"type": "object", "required": ["text"]}


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "runtimeconfig.json"
    path.write_text(json.dumps({"spec": {"tools": TOOLS}}))
    return f"--config={path}"


@pytest.fixture
def pack(tmp_path: Path) -> str:
    path = tmp_path / "pack.json"
    path.write_text(json.dumps({"tools": {"echo": {"parameters": SCHEMA}}}))
    return f"--pack={path}"


def test_the_result_is_printed(
    config: str, pack: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    arguments = [config, pack, '--args={"text":"\u2028"}']
    assert main(["exec", "call", "echo", *arguments]) == 0
    out, err = capfdbinary.readouterr()
    assert out == '{"args":{"text":"\u2028"}}\n'.encode()
    assert err.startswith(b"warning: ")
    assert err.endswith(b"pack.json defines no such tool\n")


def test_without_arguments_there_is_an_empty_object(
    config: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["exec", "call", "echo", config]) == 0
    assert capfdbinary.readouterr() == (b'{"args":{}}\n', b"")


@pytest.mark.parametrize(
    ("tool", "error"),
    [
        ("one", "one wrote neither result nor error\n"),
        ("echo", 'echo was not called: arguments must satisfy {"required":["text"]}\n'),
    ],
)
def test_a_call_that_fails_says_why(
    config: str,
    pack: str,
    tool: str,
    error: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["exec", "call", tool, config, pack]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(error)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["nope"], "runtimeconfig.json does not bind nope; it binds one, echo\n"),
        (["echo", "--args={"], "--args is not JSON: not-json: "),
        (["echo", "--args=\udcff"], "--args is not JSON: "),
        (["echo", "--pack=/no/pack"], "/no/pack: cannot be read: "),
        ([], "the following arguments are required: TOOL\n"),
        (["echo", "--nope"], "unrecognized arguments: --nope\n"),
    ],
)
def test_a_wrong_command_line_runs_nothing(
    config: str,
    arguments: list[str],
    error: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["exec", "call", config, *arguments])
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert error in err


def test_a_file_that_binds_nothing_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.json"
    path.write_text('{"spec":{"tools":{}}}')
    with pytest.raises(SystemExit):
        main(["exec", "call", "one", f"--config={path}"])
    assert "does not bind one; it binds nothing" in capsys.readouterr().err
