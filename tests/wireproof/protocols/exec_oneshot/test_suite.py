"""What the checks of one-shot tools come to, on small tools in ``sh``."""

from __future__ import annotations

from pathlib import Path

from tests.inputs import inputs_of

from wireproof.checks import Result, Settings, Target, Verdict
from wireproof.protocols._exec_tools import ExecSettings
from wireproof.protocols.exec_oneshot._protocol import PROTOCOL
from wireproof_vectors import Vector


def vector(name: str) -> Vector:
    return PROTOCOL.vectors(Settings(Path.cwd()))[f"exec-oneshot/{name}"]


def tried(folder: Path, script: str, tried: Vector) -> Result:
    """Return what a check comes to on a tool that runs a line of ``sh``."""
    path = folder / "tool.sh"
    path.write_text(f"#!/bin/sh\ncat >/dev/null\n{script}\n")
    path.chmod(0o755)
    target = Target("exec-oneshot", str(path), (str(path),), "tool")
    settings = Settings(folder, timeout=3.0, own=ExecSettings(arguments=[{}]))
    suite = PROTOCOL.bind(inputs_of(PROTOCOL, target, settings, [tried]))
    result = suite.run(suite.checks[0])
    suite.finish()
    return result


def test_a_plain_answer_passes(tmp_path: Path) -> None:
    result = tried(tmp_path, "echo '{\"result\":1}'", vector("output/one-object"))
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")


def test_what_breaks_a_must_fails_the_must_and_shows_the_line(tmp_path: Path) -> None:
    result = tried(tmp_path, r"printf 'caf\351'", vector("output/one-object"))
    assert (result.verdict, result.reason) == (Verdict.FAILED, "stdout is not UTF-8")
    assert [one.data for one in result.entries][:2] == [b'{"args":{}}', b"caf\xe9"]
    assert result.reproduce is not None
    assert result.reproduce.startswith("printf '{\"args\":{}}' | ")


def test_what_runs_do_to_each_other_is_shown_again_by_several(tmp_path: Path) -> None:
    # A second run finds what the first has left; the control comes first.
    script = "mkdir first 2>/dev/null && { echo '{\"result\":1}'; exit; }\n"
    script += "mkdir again 2>/dev/null && echo '{\"result\":1}' || exit 3"
    result = tried(tmp_path, script, vector("at-once/same-arguments"))
    assert result.verdict is Verdict.FAILED
    assert result.reproduce is not None
    assert "exec-oneshot/at-once/same-arguments" in result.reproduce


def test_an_object_that_nests_without_measure_proves_nothing(tmp_path: Path) -> None:
    script = """awk 'BEGIN { for (i = 0; i < 99999; i++) printf "{\\"result\\":" }'"""
    result = tried(tmp_path, script, vector("output/one-object"))
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, None)
    assert "nests too deep" in result.reason
