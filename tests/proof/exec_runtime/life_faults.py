"""Runtimes whose timers outlive their calls, whose servers leave children, and that mix
what is in flight: EXEC-R2, R4, R10, R13, R19."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from tests.proof.exec_runtime.changes import running, saying
from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import (
    Binding,
    Failure,
    Outcome,
    Reported,
    Runtime,
)
from tests.proof.exec_runtime.subject import TABLES
from tests.proof.row import around

fault = TABLES.faults(__name__, Runtime)

# --- timers

BEHIND = 0.05
"""Seconds after a limit at which a timer that was left comes."""


def _end(process: Running | None) -> None:
    if process is not None and process.status is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _timer(self: Runtime, binding: Binding, end: Any) -> None:
    timer = threading.Timer(self.limit(binding) + BEHIND, end)
    timer.daemon = True
    timer.start()


def _ends_its_server(self: Any, call: Any, binding: Binding, args: Any) -> Any:
    _timer(self, binding, lambda: _end(binding.server))
    return call(binding, args)


def _ends_any_server(self: Any, call: Any, binding: Binding, args: Any) -> Any:
    def end() -> None:
        for one in self.bindings.values():
            _end(one.server)

    _timer(self, binding, end)
    return call(binding, args)


def _ends_after_errors(self: Any, call: Any, binding: Binding, args: Any) -> Any:
    try:
        return call(binding, args)
    except Reported:
        _timer(self, binding, lambda: _end(binding.server))
        raise


LATEST: dict[str, Running] = {}


def _notes_the_latest(_: Any, start: Any, binding: Binding) -> Any:
    LATEST[binding.name] = start(binding)
    return LATEST[binding.name]


def _ends_the_latest(self: Any, call: Any, binding: Binding, args: Any) -> Any:
    _timer(self, binding, lambda: _end(LATEST.get(binding.name)))
    return call(binding, args)


fault(
    "timers-left",
    "EXEC-R19",
    "ends a server when the limit of a call passes that has ended long before",
    around("call_server", _ends_its_server),
    shown_by="exec-runtime/limits/server-several-in-time",
)
fault(
    "timers-end-all",
    "EXEC-R19",
    "ends all servers when the limit of a call passes that has ended long before",
    around("call_server", _ends_any_server),
    shown_by="exec-runtime/limits/server-one-early-of-two",
)
fault(
    "timers-left-after-errors",
    "EXEC-R19",
    "ends a server when the limit of a call passes that its tool has failed",
    around("call_server", _ends_after_errors),
    shown_by="exec-runtime/limits/server-after-an-error-in-time",
)
fault(
    "timers-of-one-shot-tools-left",
    "EXEC-R19",
    "ends the process of a later call when the limit of one before it passes",
    around("start", _notes_the_latest),
    around("call_once", _ends_the_latest),
    shown_by="exec-runtime/limits/one-shot-several-in-time",
)

# --- the default limit

fault(
    "says-it-has-no-default",
    "EXEC-R10",
    "says of itself that it has no default limit",
    driver=saying(default_timeout_ms=None),
)

# --- children of servers


class LetsGo(Running):
    """Leaves the children of a process that has ended in good order."""

    def kill(self) -> None:
        if self.status == 0:
            self.release()
        else:
            super().kill()


fault(
    "children-of-the-good-left",
    "EXEC-R13",
    "leaves the children of a server that has ended in good order",
    running(LetsGo),
    shown_by="exec-runtime/closing/ends-with-a-child",
)


def _of_the_ended(_: Any, end: Any, binding: Binding, until: float) -> None:
    process = binding.server
    assert process is not None
    process.pump(time.monotonic())
    while process.status is None and time.monotonic() < until:
        process.pump(until)
    if process.status is None:
        end(binding, until)
    else:
        process.release()
        binding.server = None


fault(
    "children-of-those-in-time-left",
    "EXEC-R13",
    "kills what is left of a server at the end only where that is late itself",
    around("end_server", _of_the_ended),
    shown_by="exec-runtime/closing/two-servers-with-children",
)


def _forgets_the_ended(self: Any, close: Any) -> None:
    for binding in self.bindings.values():
        if binding.server is not None:
            binding.server.pump(time.monotonic())
            if binding.server.status is not None:
                binding.server.release()
                binding.server = None
    close()


fault(
    "ended-servers-forgotten",
    "EXEC-R13",
    "forgets a server that has ended before the runtime is closed",
    around("close", _forgets_the_ended),
    shown_by="exec-runtime/closing/ended-before-with-a-child",
)

# --- much in flight

PIPE = 1 << 16


def _in_turns(self: Any, call_many: Any, calls: Sequence[Mapping[str, Any]]) -> Any:
    """Write two long requests to a server in turns, a pipe's length at a time."""
    binding = self.bindings[calls[0]["tool"]]
    together = {one["tool"] for one in calls}
    if len(calls) < 2 or len(together) > 1 or binding.runtime != "server":
        return call_many(calls)
    requests = [
        self.request_of_server(self.next_id(binding), one["args"]) for one in calls[:2]
    ]
    lines = [json.dumps(one).encode() + b"\n" for one in requests]
    if min(map(len, lines)) <= PIPE:
        return call_many(calls)
    lost: Outcome = {"error": f"{binding.name} gave no answer"}
    try:
        with binding.turn:
            process = self.server_of(binding)
            while any(lines):
                for index, line in enumerate(lines):
                    process.send(line[:PIPE])
                    lines[index] = line[PIPE:]
            until = time.monotonic() + 1.0
            while process.status is None and time.monotonic() < until:
                process.pump(until)
            self.drop(binding)
    except Failure:
        pass
    return [lost, lost, *(call_many(calls[2:]) if calls[2:] else ())]


fault(
    "long-requests-in-turns",
    "EXEC-R2",
    "writes two requests longer than a pipe holds to a server in turns",
    around("call_many", _in_turns),
    shown_by="exec-runtime/concurrency/server-large-requests",
)


class WritesFirst(Running):
    """Writes all before it reads anything."""

    def send(self, data: bytes, *, last: bool = False) -> None:
        os.set_blocking(self._stdin, True)
        super().send(data, last=last)


fault(
    "writes-before-it-reads",
    "EXEC-R4",
    "writes all arguments to a tool before it reads what that writes",
    running(WritesFirst),
    shown_by="exec-runtime/concurrency/one-shot-large-both-ways",
)
