"""The example runners in JavaScript work on the JSON alone."""

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


def test_the_example_runner_leaves_places_out() -> None:
    done = run_example("places", *REFERENCE)
    assert {line.split(" ")[0] for line in done.stdout.splitlines()} == {"skip"}
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


# A registry with one op, and the right answer of another hand.
SANITISER = """
import json, sys

def finite(text):
    raise ValueError(text)

def sanitise(call):
    kind = call.get("type", "function" if isinstance(call.get("function"), dict) else 0)
    if kind == "function_call":
        return call | {"arguments": repaired(call.get("arguments"))}
    if kind != "function":
        return call
    function = call["function"] if isinstance(call.get("function"), dict) else {}
    arguments = repaired(function.get("arguments"))
    return call | {"function": function | {"arguments": arguments}}

def repaired(text):
    try:
        # Python reads no integer of more than 4,300 digits, which need not be read.
        found = json.loads(text, parse_constant=finite, parse_int=str)
        whole = isinstance(found, dict)
    except (TypeError, ValueError, RecursionError):
        whole = False
    return text if whole else "{}"

for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "describe":
        value = {"name": "sanitiser", "ops": ["sanitize_tool_call"]}
    else:
        value = sanitise(request["call"])
    print(json.dumps({"id": request["id"], "ok": True, "value": value}), flush=True)
"""


def run_operations(group: str, driver: str) -> "subprocess.CompletedProcess[str]":
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    runner = str(VECTORS / "examples" / "run-operations.mjs")
    file = VECTORS / "wireproof_vectors" / "interop" / f"{group}.json"
    return subprocess.run(
        [node, runner, str(file), sys.executable, "-c", driver],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    "group",
    [
        "sanitise-broken",
        "sanitise-calls",
        "sanitise-custom",
        "sanitise-items",
        "sanitise-kept",
        "sanitise-not-objects",
        "sanitise-odd",
    ],
)
def test_a_right_sanitiser_passes_in_the_example_of_operations(group: str) -> None:
    done = run_operations(group, SANITISER)
    assert done.stderr == ""
    assert {line.split(" ")[0] for line in done.stdout.splitlines()} == {"ok"}
    assert done.returncode == 0


def test_what_a_driver_does_not_offer_is_skipped_in_the_example_of_operations() -> None:
    done = run_operations("schemas", SANITISER)
    assert {line.split(" ")[0] for line in done.stdout.splitlines()} == {"skip"}
    assert done.returncode == 0


def test_a_sanitiser_that_keeps_all_fails_in_the_example_of_operations() -> None:
    lazy = SANITISER.replace('if whole else "{}"', "")
    done = run_operations("sanitise-broken", lazy)
    failed = "FAIL interop/sanitise-broken/cut-in-key INT-Z2: "
    assert failed in done.stdout
    assert done.returncode == 1


def test_the_example_of_operations_is_short() -> None:
    runner = VECTORS / "examples" / "run-operations.mjs"
    assert len(runner.read_text().splitlines()) <= 40
