"""Servers that end, forget or block: EXEC-S1, S10, S11, S13, S14."""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from tests.proof.exec_server.server import Refusal, Server
from tests.proof.exec_server.subject import broken

MANY = 40


@broken(
    "one-call",
    "EXEC-S1",
    "ends after its first call",
)
class OneCall(Server):
    def receive(self, line: bytes) -> None:
        super().receive(line)
        raise SystemExit(0)


@broken(
    "ends-after-many",
    "EXEC-S1",
    "ends after forty lines",
)
class EndsAfterMany(Server):
    count = 0

    def receive(self, line: bytes) -> None:
        super().receive(line)
        self.count += 1
        if self.count >= MANY:
            raise SystemExit(0)


@broken(
    "stops-reading",
    "EXEC-S1",
    "stops reading after its second call",
)
class StopsReading(Server):
    def lines(self) -> Iterator[bytes]:
        for count, line in enumerate(super().lines()):
            yield line
            if count:
                time.sleep(600)


@broken(
    "misses-the-drain",
    "EXEC-S1",
    "drops what it answers while the pipe has not taken all of the answer before",
    shown_by="exec-server/calls/large-answers-together",
)
class MissesTheDrain(Server):
    def __init__(self) -> None:
        super().__init__()
        self.turn = threading.Lock()
        self.rest = b""

    def write(self, data: bytes) -> None:
        os.set_blocking(1, False)
        with self.turn:
            if self.rest:
                return
            self.rest = data
            self.push()
            if not self.rest:
                return
        threading.Thread(target=self.drain).start()

    def push(self) -> None:
        with suppress(BlockingIOError):
            self.rest = self.rest[os.write(1, self.rest) :]

    def drain(self) -> None:
        while self.rest:
            select.select([], [1], [])
            with self.turn:
                self.push()


@broken(
    "counts-anew",
    "EXEC-S10",
    "begins anew with each call",
)
class CountsAnew(Server):
    def do_counter(self, arguments: dict[str, Any]) -> Any:
        return {"counter": arguments.get("by", 1)}


@broken(
    "forgets-at-failures",
    "EXEC-S10",
    "forgets its state at a failure",
    shown_by="exec-server/state/after-a-failure",
)
class ForgetsAtFailures(Server):
    def error(self, code: int, message: str) -> dict[str, Any]:
        self.total = 0
        return super().error(code, message)


@broken(
    "a-process-a-call",
    "EXEC-S10",
    "carries out each call in a copy of itself",
)
class ProcessACall(Server):
    def receive(self, line: bytes) -> None:
        sys.stdout.flush()
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            return
        super().receive(line)
        os._exit(0)


@broken("stays", "EXEC-S11", "stays when stdin closes", level="should")
class Stays(Server):
    def run(self) -> int:
        super().run()
        time.sleep(600)
        return 0


@broken("ends-with-1", "EXEC-S11", "exits with 1 when stdin closes", level="should")
class EndsWithOne(Server):
    def run(self) -> int:
        super().run()
        return 1


@broken(
    "waits-for-stderr",
    "EXEC-S13",
    "hands its log to a pipe that nobody reads",
    shown_by="exec-server/stderr/more-than-a-pipe",
)
class OwnPipe(Server):
    def do_stderr(self, arguments: dict[str, Any]) -> Any:
        if arguments["size"] > 1 << 16:
            time.sleep(600)
        return super().do_stderr(arguments)


@broken(
    "ends-at-a-flood",
    "EXEC-S13",
    "ends where it logs much",
    shown_by="exec-server/stderr/4-mib",
)
class EndsAtFlood(Server):
    def do_stderr(self, arguments: dict[str, Any]) -> Any:
        if arguments["size"] > 1 << 16:
            raise SystemExit("the log is full")
        return super().do_stderr(arguments)


@broken(
    "log-to-stdout",
    "EXEC-S13",
    "fails calls that log more than 64 KiB",
    shown_by="exec-server/stderr/more-than-a-pipe",
)
class FailsLogging(Server):
    def do_stderr(self, arguments: dict[str, Any]) -> Any:
        if arguments["size"] > 1 << 16:
            raise Refusal(-32000, "[Errno 11] Resource temporarily unavailable")
        return super().do_stderr(arguments)


@broken(
    "throw-ends-it",
    "EXEC-S14",
    "ends at an error that nothing catches",
)
class ThrowEnds(Server):
    def do_throw(self, arguments: dict[str, Any]) -> Any:
        raise RuntimeError(arguments["message"])


@broken(
    "failure-ends-it",
    "EXEC-S14",
    "exits after it has reported a failure",
)
class FailureEnds(Server):
    def respond(self, key: Any, answer: dict[str, Any]) -> None:
        super().respond(key, answer)
        if answer.get("error", {}).get("code") == -32000:
            raise SystemExit(1)


@broken(
    "silent-after-a-throw",
    "EXEC-S14",
    "answers nothing after an error that nothing catches",
)
class SilentAfterThrow(Server):
    def do_throw(self, arguments: dict[str, Any]) -> Any:
        time.sleep(600)


@broken("zero-is-one", "EXEC-S10", "takes a step of 0 for none")
class ZeroIsOne(Server):
    def do_counter(self, arguments: dict[str, Any]) -> Any:
        return super().do_counter({"by": arguments.get("by") or 1})


@broken("last-step-stays", "EXEC-S10", "goes on with a step that was left out since")
class LastStepStays(Server):
    step = 1

    def do_counter(self, arguments: dict[str, Any]) -> Any:
        self.step = arguments.get("by", self.step)
        return super().do_counter({"by": self.step})
