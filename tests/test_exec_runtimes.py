"""The example drivers of runtimes, as templates for authors in other languages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.bridge import Driver

RUNTIMES = Path(__file__).parent.parent / "reference" / "runtimes"
SERVER = {
    "command": sys.executable,
    "args": ["-m", "wireproof_reference", "exec", "server"],
    "runtime": "server",
}


@pytest.fixture(params=["node", "python"])
def driver(request: pytest.FixtureRequest, node: str) -> Iterator[Driver]:
    """Give the driver of each runtime."""
    program, name = {
        "node": (node, "node/driver.mjs"),
        "python": (sys.executable, "python/driver.py"),
    }[request.param]
    with Driver(program, str(RUNTIMES / name)) as driver:
        yield driver


def shell(script: str, **more: Any) -> Any:
    return {"command": "sh", "args": ["-c", script], **more}


def counted(driver: Driver) -> Any:
    return driver.value("call", tool="tool", args={"tool": "conformance_counter"})


def failure(driver: Driver, exec_block: Any) -> str:
    driver.value("bind", name="tool", exec=exec_block)
    outcome = driver.value("call", tool="tool", args={})
    detail: str = outcome["error"]["detail"]
    return detail


def test_a_driver_describes_itself(driver: Driver) -> None:
    described = driver.value("describe")
    told = {"name", "version", "language", "ops", "default_timeout_ms", "halfPairs"}
    assert set(described) == told
    assert {"bind", "call", "call_many", "close"} <= set(described["ops"])


def test_a_one_shot_tool_is_called(driver: Driver) -> None:
    script = """printf '{"result":'; cat; printf '}'"""
    driver.value("bind", name="tool", exec=shell(script))
    args = {"n": 12345678901234567890, "s": "\u2028 \U0001f600 \x00"}
    assert driver.value("call", tool="tool", args=args) == {"result": {"args": args}}


def test_a_server_tool_is_called_again(driver: Driver) -> None:
    driver.value("bind", name="tool", exec=SERVER)
    assert counted(driver) == {"result": {"counter": 1}}
    assert counted(driver) == {"result": {"counter": 2}}
    assert driver.value("close") is None


def test_calls_are_started_together(driver: Driver) -> None:
    driver.value("bind", name="tool", exec=shell("""echo '{"result":1}'"""))
    call = {"tool": "tool", "args": {}}
    assert driver.value("call_many", calls=[call, call]) == [{"result": 1}] * 2


def test_a_failure_has_words(driver: Driver) -> None:
    assert "no model" in failure(driver, shell("""echo '{"error":"no model"}'"""))
    assert "boom" in failure(driver, shell("echo boom >&2; exit 3"))
    assert "/no/such" in failure(driver, {"command": "/no/such"})
    assert "100 ms" in failure(driver, shell("sleep 100", timeout_ms=100))


def test_the_environment_is_that_of_the_driver(driver: Driver) -> None:
    script = """printf '{"result":"%s%s"}' "$WP_A" "$WP_B" """
    driver.value("setenv", name="WP_A", value="1")
    driver.value("setenv", name="WP_B", value="2")
    driver.value("bind", name="tool", exec=shell(script, env=["WP_A"]))
    assert driver.value("call", tool="tool", args={}) == {"result": "1"}
    driver.value("setenv", name="WP_A", value=None)
    assert driver.value("call", tool="tool", args={}) == {"result": ""}


def test_the_default_limit_is_set(driver: Driver) -> None:
    driver.value("set_default_timeout", timeout_ms=100)
    assert "100 ms" in failure(driver, shell("sleep 100"))


def test_a_binding_that_is_wrong_is_refused(driver: Driver) -> None:
    answer = driver.ask("bind", name="tool", exec={"comand": "x"})
    assert answer["ok"] is False


NULLS = {
    '{"result":1,"error":null}': {"result": 1},
    '{"result":null,"error":null}': {"result": None},
    '{"result":null,"error":"no model"}': None,
}


@pytest.mark.parametrize(("written", "outcome"), NULLS.items())
def test_a_null_beside_its_partner_counts_as_absent(
    driver: Driver, written: str, outcome: Any
) -> None:
    driver.value("bind", name="tool", exec=shell(f"echo '{written}'"))
    told = driver.value("call", tool="tool", args={})
    if outcome is not None:
        assert told == outcome
    else:
        assert "no model" in told["error"]["detail"]


def test_a_driver_that_was_closed_binds_again(driver: Driver) -> None:
    for _ in range(2):
        driver.value("bind", name="tool", exec=SERVER)
        assert counted(driver) == {"result": {"counter": 1}}
        driver.value("close")


PRINTING_NODE = """
JSON.parse = ((parse) => (...given) => {
  process.stdout.write("hi\\n");
  return parse(...given);
})(JSON.parse);
"""

NOISE = {
    "node": ("--import", f"data:text/javascript,{quote(PRINTING_NODE)}"),
    "python": (
        "-c",
        """
import os, runpy, sys
from wireproof_reference.exec import ExecRuntime
bind = ExecRuntime.bind
def noisy(self, binding):
    print("hi", flush=True)
    os.system("echo hi")
    return bind(self, binding)
ExecRuntime.bind = noisy
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0])
""",
    ),
}
"""What prints something in the process of a driver while it carries out an op."""


@pytest.mark.parametrize("language", ["node", "python"])
def test_what_a_runtime_prints_stands_beside_the_answers(
    language: str, node: str
) -> None:
    program = node if language == "node" else sys.executable
    name = "node/driver.mjs" if language == "node" else "python/driver.py"
    with Driver(program, *NOISE[language], str(RUNTIMES / name)) as driver:
        driver.value("bind", name="tool", exec=shell("echo '{}'"))
        assert "error" in driver.value("call", tool="tool", args={})


@pytest.mark.parametrize("name", ["node/driver.mjs", "python/driver.py"])
def test_a_driver_is_short(name: str) -> None:
    assert len((RUNTIMES / name).read_text().splitlines()) <= 90


def test_the_page_has_every_op() -> None:
    page = (RUNTIMES / "README.md").read_text()
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [
        "bind",
        "call",
        "call_many",
        "load",
        "setenv",
        "set_default_timeout",
        "close",
    ]
