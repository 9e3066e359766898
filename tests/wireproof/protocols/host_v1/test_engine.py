"""The checks of host-v1 on small hosts, by the interface that every suite has."""

from __future__ import annotations

import os
import select
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import AGAINST, Result, Settings, Suite, Target, Verdict
from wireproof.protocols import protocol_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Open = Callable[..., "Run"]

PLAIN = "request-ids/one-space"
SUCCESS = "messages/version-of-a-success"
FLUSHED = "transport/failure-while-stdin-is-open"

ANSWERS = """
import collections
asked = collections.Counter()
while (request := read())["method"] != "end":
    method = request["method"]
    asked[method] += 1
    if method in PLAIN: succeed(request)
    else: say({key}, ok=False, error={{"type": "t", "detail": "d"}})
"""

FORGETS_ITS_THIRD_ID = ANSWERS.format(key="request['id'] if asked[method] < 3 else 'x'")
"""Each process answers two requests for a method that it does not know."""

NEVER_FLUSHES = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    known = {"init": {}, "get_tool_schemas": []}
    reply = {"ok": False, "error": {"type": "t", "detail": "d"}}
    if request["method"] in known:
        value = known[request["method"]]
        reply = {"ok": True, "result": {"value": value, "state": {}}}
    print(json.dumps({"v": 1, "id": request["id"], **reply}))
"""


class Run:
    """A suite that is bound to one host."""

    def __init__(self, target: Target, **settings: Any) -> None:
        given = {"timeout": 5.0, "fuzz": 0, "reproduce_options": ("--host=./host",)}
        self.suite: Suite = protocol_for("host").open(
            target, Settings(Path.cwd(), **{**given, **settings})
        )
        self._checks = {check.id: check for check in self.suite.checks}

    def check(self, name: str) -> Result:
        return self.suite.run(self._checks[f"host-v1/{name}"])

    def announce(self, *names: str) -> None:
        self.suite.announce([self._checks[f"host-v1/{name}"] for name in names])

    def monitor(self, clause: str) -> Result:
        found = {result.id: result for result in self.suite.finish()}
        return found[f"host-v1/monitor/{clause}"]


@pytest.fixture
def run(target: Callable[..., Target]) -> Iterator[Open]:
    """Return what binds the checks to a host of Python code, or of a fault."""
    made: list[Run] = []

    def make(code: str = "", *, fault: str = "", **settings: Any) -> Run:
        made.append(Run(target(code, fault=fault), **settings))
        return made[-1]

    yield make
    for one in made:
        one.suite.finish()


def test_a_host_that_does_not_come_up_is_not_testable_and_shows_why(run: Open) -> None:
    result = run(fault="dies").check(PLAIN)
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, None)
    assert result.reason == (
        "the subject exited with status 1 before it answered anything"
    )
    assert result.ended == "the subject exited with status 1"
    assert result.stderr == "the configuration is missing\n"
    assert result.reproduce is not None


def test_a_failure_has_one_line_that_starts_the_host_and_shows_it(run: Open) -> None:
    result = run(fault="wrong-version").check(SUCCESS)
    assert (result.verdict, result.clauses) == (Verdict.FAILED, ("HV1-M1",))
    assert result.reproduce is not None
    assert result.reproduce.startswith('(printf \'{"v":1,"id":"start","method":"init"')
    assert "get_tool_schemas" in result.reproduce


def test_a_state_that_the_next_process_does_not_know_is_in_no_pipe(run: Open) -> None:
    host = run(fault="own-state")
    host.check(PLAIN)
    # It fails on a used process, and is tried again on a fresh one.
    result = host.check(SUCCESS)
    assert result.reproduce is not None
    assert result.reproduce.startswith(f"pytest host-v1/{SUCCESS}")


def test_what_the_host_does_not_offer_is_not_applicable(run: Open) -> None:
    host = run()
    tool, method = host.check("init/init-while-a-call-runs"), "optional-methods/tags"
    assert tool.verdict is Verdict.NOT_APPLICABLE
    assert tool.reason == "it needs conformance_sleep, which is not listed"
    assert tool.evidence["tools"] == ["conformance_sleep"]
    assert host.check(method).reason == "the host does not offer get_tags"


def test_a_fault_of_the_start_is_not_charged_to_the_check_in_hand(run: Open) -> None:
    host = run(fault="banner")
    result = host.check(PLAIN)
    assert (result.verdict, result.monitors) == (Verdict.PASSED, ())
    found = host.monitor("HV1-T2")
    assert (found.verdict, found.first_in) == (Verdict.FAILED, None)
    assert found.evidence["when"] == "when the subject was started"


def test_text_after_the_last_line_is_seen_when_the_run_ends(run: Open) -> None:
    host = run(fault="last-words")
    assert host.check(PLAIN).verdict is Verdict.PASSED
    found = host.monitor("HV1-T1")
    assert (found.verdict, found.first_in) == (Verdict.FAILED, None)
    assert found.evidence["when"] == "at the end of the run"


def test_a_finding_in_a_check_that_passes_has_a_line_of_shell(run: Open) -> None:
    host = run(fault="wrong-version")
    result = host.check(PLAIN)
    assert result.verdict is Verdict.PASSED
    assert [one.clause for one in result.monitors] == ["HV1-M1"]
    assert result.reproduce is not None
    assert host.monitor("HV1-M1").reproduce == result.reproduce


def test_a_failure_that_a_fresh_host_does_not_show_is_no_failure(run: Open) -> None:
    host = run(FORGETS_ITS_THIRD_ID)
    # The start asks once, and each check once.
    assert host.check(PLAIN).verdict is Verdict.PASSED
    result = host.check("request-ids/65-characters")
    assert result.verdict is Verdict.PASSED
    assert result.evidence["tries"] == 2
    assert host.suite.facts().starts == 2


def test_a_host_is_used_again_after_a_check_that_passes(run: Open) -> None:
    host = run()
    assert host.check(PLAIN).verdict is Verdict.PASSED
    assert host.check(SUCCESS).verdict is Verdict.PASSED
    assert host.suite.facts().starts == 1
    assert host.check("init/second-init").verdict is Verdict.PASSED


def test_facts_name_the_level_and_the_missing_tools(run: Open) -> None:
    host = run()
    host.check(PLAIN)
    facts = host.suite.facts()
    assert facts.level == "wire"
    assert "conformance_sleep" in facts.missing_tools
    assert "conformance_echo" not in facts.missing_tools
    assert facts.own_tools == ()


def test_a_host_that_does_not_flush_is_charged_once_and_tried_in_all_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    command = (sys.executable, "-S", "-c", NEVER_FLUSHES)
    host = Run(Target("host-v1", "naive", command, "naive"), timeout=1.5)
    flushed = host.check(FLUSHED)
    assert (flushed.verdict, flushed.clauses) == (Verdict.FAILED, ("HV1-T5",))
    assert flushed.reproduce is not None
    assert "PYTHONUNBUFFERED" not in flushed.reproduce
    assert "stdin ends only now" in flushed.reproduce
    assert host.check(PLAIN).verdict is Verdict.PASSED
    other = host.check("bad-input/plain-text")
    assert (other.verdict, other.clauses) == (Verdict.WARNED, ("HV1-T7",))
    assert other.reproduce is not None
    assert "| PYTHONUNBUFFERED=1 " in other.reproduce
    assert host.monitor("HV1-T5").verdict is Verdict.FAILED


HAS_A_TOOL = """
while (request := read())["method"] != "end":
    method, params = request["method"], request["params"]
    if method == "get_tool_schemas":
        listed = [{"name": "true", "parameters": {"type": "object"}}]
        say(request["id"], ok=True, result={"value": listed, "state": {}})
    elif method in PLAIN or params.get("tool_name") == "true":
        succeed(request)
    else:
        say(request["id"], ok=False, error={"type": "t", "detail": "d"})
"""


def test_a_tool_named_like_a_value_of_the_corpus_is_not_tried_as_unknown(
    run: Open,
) -> None:
    result = run(HAS_A_TOOL).check("places/tool-name")
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")


SAYS_ITS_PID = """
import pathlib
pathlib.Path({file!r}).write_text(str(os.getpid()))
""" + ANSWERS.format(key="request['id']").replace("{", "{{").replace("}", "}}")


@pytest.mark.skipif(sys.platform != "linux", reason="the end is awaited by a pidfd")
def test_a_host_that_exits_between_two_checks_is_noticed(
    run: Open, tmp_path: Path
) -> None:
    file = tmp_path / "pid"
    host = run(SAYS_ITS_PID.format(file=str(file)))
    assert host.check(PLAIN).verdict is Verdict.PASSED
    pid = int(file.read_text())
    end = os.pidfd_open(pid)
    os.kill(pid, signal.SIGTERM)
    assert select.select([end], [], [], 30.0)[0]
    os.close(end)

    result = host.check(SUCCESS)

    assert result.verdict is Verdict.PASSED
    found = host.monitor("HV1-T9")
    assert (found.verdict, found.why.kind) == (Verdict.WARNED, "ended-by-itself")


NOISY_BEFORE_A_FAILURE = ANSWERS.format(
    key="request['id'] if asked[method] < 3 else (put('noise\\\\n'), 'x')[1]"
)


def test_what_a_first_try_noticed_is_kept_when_the_second_one_passes(run: Open) -> None:
    host = run(NOISY_BEFORE_A_FAILURE)
    host.check(PLAIN)
    result = host.check("messages/unknown-method")
    assert result.evidence.get("tries") == 2
    assert host.monitor("HV1-T2").verdict is Verdict.FAILED


BARE = ("init/first-init", "init/state-of-the-first-init", "init/state-equals-value")

TELLS_ITS_PID = """
with open({fifo!r}, "w") as file: file.write(f"{{os.getpid()}}\\n")
while (request := read())["method"] != "end": succeed(request)
"""


def test_processes_are_started_before_they_are_needed_and_ended(
    run: Open, tmp_path: Path
) -> None:
    fifo = tmp_path / "started"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    host = run(TELLS_ITS_PID.format(fifo=str(fifo)), spare_core=True)
    host.announce(PLAIN, *BARE)

    assert host.check(PLAIN).verdict is Verdict.PASSED

    told = b""
    while told.count(b"\n") < 3:
        assert select.select([reader], [], [], 30.0)[0]
        told += os.read(reader, 4096)
    assert host.suite.facts().starts == 1
    assert [host.check(name).verdict for name in BARE] == [Verdict.PASSED] * 3
    host.suite.finish()
    os.close(reader)
    for pid in map(int, told.split()):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


STAYS_ALONE = """
import fcntl
held = open({file!r}, "w")
try: fcntl.flock(held, fcntl.LOCK_EX | {flags})
except OSError: sys.exit(print("another one runs"))
while (request := read())["method"] != "end": succeed(request)
"""


@pytest.mark.parametrize("flags", ["0", "fcntl.LOCK_NB"], ids=["waits", "gives up"])
def test_a_host_that_runs_once_at_a_time_is_not_charged(
    run: Open, tmp_path: Path, flags: str
) -> None:
    file = str(tmp_path / "lock")
    host = run(STAYS_ALONE.format(file=file, flags=flags), spare_core=True)
    host.announce(PLAIN, *BARE)
    assert host.check(PLAIN).verdict is Verdict.PASSED
    assert [host.check(name).verdict for name in BARE] == [Verdict.PASSED] * 3
    assert not any(one.verdict in AGAINST for one in host.suite.finish())


SUCCEEDS_WITHOUT_A_VALUE = """
while (request := read())["method"] != "end": say(request["id"], ok=True, result={})
"""


def test_a_check_of_the_first_request_is_tried_whatever_came_of_other_starts(
    run: Open,
) -> None:
    host = run(SUCCEEDS_WITHOUT_A_VALUE)
    for name in (PLAIN, SUCCESS, FLUSHED):
        assert host.check(name).verdict is Verdict.NOT_TESTABLE
    result = host.check(BARE[0])
    assert (result.verdict, result.clauses) == (Verdict.FAILED, ("HV1-R1",))
    assert host.check(PLAIN).verdict is Verdict.NOT_TESTABLE
