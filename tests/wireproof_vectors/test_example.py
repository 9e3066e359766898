"""The example runner in JavaScript works on the JSON alone."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

VECTORS = Path(__file__).parents[2] / "vectors"
REFERENCE = [sys.executable, "-m", "wireproof_reference", "host"]


def run_example(group: str, *host: str) -> "subprocess.CompletedProcess[str]":
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    file = VECTORS / "wireproof_vectors" / "host_v1" / f"{group}.json"
    return subprocess.run(
        [node, str(VECTORS / "examples" / "run.mjs"), str(file), *host],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("group", ["bad-input", "events", "state", "values"])
def test_the_reference_passes_in_the_example_runner(group: str) -> None:
    done = run_example(group, *REFERENCE)
    assert done.stderr == ""
    assert {line.split(" ")[0] for line in done.stdout.splitlines()} == {"ok"}
    assert done.returncode == 0


# A host that answers everything with success and nothing else.
YES = """
import json, sys
for line in sys.stdin:
    answer = {"v": 1, "id": json.loads(line).get("id"), "ok": True}
    print(json.dumps(answer | {"result": {"value": [], "state": {}}}), flush=True)
"""


def test_a_host_that_answers_everything_alike_fails_in_the_example_runner() -> None:
    done = run_example("get-tool-schemas", sys.executable, "-c", YES)
    assert "FAIL" not in done.stdout
    done = run_example("messages", sys.executable, "-c", YES)
    assert "FAIL host-v1/messages/unknown-method HV1-M8: expected" in done.stdout
    assert done.returncode == 1
