from __future__ import annotations

import json
import subprocess
import sys
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


WITHOUT_PYYAML = """
import sys
sys.modules["yaml"] = None
from wireproof_reference.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def without_pyyaml(*arguments: str, given: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PYYAML, "exec", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_without_pyyaml_a_file_of_yaml_is_refused_with_the_remedy(
    tmp_path: Path,
) -> None:
    path = tmp_path / "runtimeconfig.yaml"
    path.write_text("spec: {}\n")
    remedy = "PyYAML is not installed: install wireproof[yaml], or use JSON"
    assert without_pyyaml("call", "echo", f"--config={path}") == (
        2,
        "",
        f"{path}: {remedy}\n",
    )


def test_without_pyyaml_json_does(config: str) -> None:
    assert without_pyyaml("call", "echo", config) == (0, '{"args":{}}\n', "")


def test_without_pyyaml_the_runtime_offers_no_loading() -> None:
    status, out, _ = without_pyyaml("runtime", given='{"id":1,"op":"describe"}\n')
    assert (status, json.loads(out)["value"]["ops"]) == (
        0,
        ["bind", "setenv", "set_default_timeout", "call", "call_many", "close"],
    )
