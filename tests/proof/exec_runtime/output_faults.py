"""Runtimes that deal badly with much output: EXEC-R14, R15."""

from __future__ import annotations

import os
from contextlib import suppress

from tests.proof.exec_runtime.running import READ_SIZE, STDERR_KEPT, Running
from tests.proof.exec_runtime.runtime import Binding, Failure, Runtime
from tests.proof.exec_runtime.subject import broken

MEBIBYTE = 1 << 20


class Undrained(Running):
    drains_errors = False


@broken(
    "stderr-unread", "EXEC-R14", "reads stderr when a tool has ended, and not before"
)
class StderrUnread(Runtime):
    running = Undrained


@broken("stderr-of-servers-unread", "EXEC-R14", "does not read the stderr of servers")
class StderrOfServersUnread(Runtime):
    def start(self, binding: Binding) -> Running:
        process = super().start(binding)
        process.drains_errors = binding.runtime != "server"
        return process


class FirstOnly(Running):
    def _read_errors(self) -> None:
        super()._read_errors()
        if self.errors:
            self.drains_errors = False


@broken("stderr-read-once", "EXEC-R14", "reads the first that comes on stderr alone")
class StderrReadOnce(Runtime):
    running = FirstOnly


class FirstMebibyte(Running):
    logged = 0

    def _read_errors(self) -> None:
        with suppress(BlockingIOError):
            while self.drains_errors and (data := os.read(self._stderr, READ_SIZE)):
                self.logged += len(data)
                self.received += len(data)
                self.errors = (self.errors + data)[-STDERR_KEPT:]
                self.drains_errors = self.logged < MEBIBYTE


@broken("stderr-of-a-mebibyte", "EXEC-R14", "reads no more than 1 MiB of stderr")
class StderrOfAMebibyte(Runtime):
    running = FirstMebibyte


class TextAlone(Running):
    def _read_errors(self) -> None:
        super()._read_errors()
        try:
            self.errors.decode()
        except UnicodeDecodeError:
            self.drains_errors = False


@broken("stderr-of-text-alone", "EXEC-R14", "reads stderr until it is no text")
class StderrOfTextAlone(Runtime):
    running = TextAlone


@broken(
    "stderr-in-stdout",
    "EXEC-R4",
    "takes what a tool logs for a part of its output",
)
class StderrInStdout(Runtime):
    def output_of(self, process: Running) -> bytes:
        return process.errors + super().output_of(process)


@broken("stderr-unquoted", "EXEC-R14", "does not quote stderr", level="should")
class StderrUnquoted(Runtime):
    def tail(self, process: Running) -> str:
        return ""


class FromTheStart(Running):
    def _read_errors(self) -> None:
        before = self.errors
        super()._read_errors()
        self.errors = (before + self.errors.removeprefix(before))[:100]


@broken(
    "beginning-of-stderr", "EXEC-R14", "quotes the beginning of stderr", level="should"
)
class BeginningOfStderr(Runtime):
    running = FromTheStart


@broken("all-output-kept", "EXEC-R15", "keeps all that a tool writes")
class AllOutputKept(Runtime):
    most_output = 1 << 40


@broken("all-lines-kept", "EXEC-R15", "keeps all that a server writes")
class AllLinesKept(Runtime):
    def look(self, binding: Binding, process: Running, until: float) -> None:
        self.most_output = (1 << 40) if binding.runtime == "server" else 1 << 23
        super().look(binding, process, until)


@broken("cut-output-counts", "EXEC-R15", "takes output for a result that it has cut")
class CutOutputCounts(Runtime):
    def look(self, binding: Binding, process: Running, until: float) -> None:
        try:
            super().look(binding, process, until)
        except Failure as error:
            if "more than can be read" not in str(error):
                raise
            process.output[:] = b'{"result": "xxxxx"}'
            process.status = 0
