"""Runtimes that start commands otherwise: EXEC-R17, R18."""

from __future__ import annotations

import os
import shlex
import sys
import time
from dataclasses import replace
from typing import Any

from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import Binding, Failure, Outcome, Runtime
from tests.proof.exec_runtime.subject import broken


@broken(
    "through-a-shell",
    "EXEC-R17",
    "joins command and arguments for a shell",
)
class ThroughAShell(Runtime):
    def argv(self, binding: Binding) -> list[str]:
        return ["/bin/sh", "-c", " ".join(super().argv(binding))]


@broken(
    "words-split",
    "EXEC-R17",
    "splits command and arguments at blanks",
)
class WordsSplit(Runtime):
    def argv(self, binding: Binding) -> list[str]:
        return " ".join(super().argv(binding)).split()


@broken("arguments-split", "EXEC-R17", "splits arguments as a shell does")
class ArgumentsSplit(Runtime):
    def argv(self, binding: Binding) -> list[str]:
        command, *args = super().argv(binding)
        try:
            return [command, *shlex.split(" ".join(args))]
        except ValueError:
            return [command, *args[:1]]


@broken("variables-expanded", "EXEC-R17", "puts the values of variables into arguments")
class VariablesExpanded(Runtime):
    def argv(self, binding: Binding) -> list[str]:
        return [os.path.expandvars(one) for one in super().argv(binding)]


@broken("empty-arguments-dropped", "EXEC-R17", "leaves out arguments that are empty")
class EmptyArgumentsDropped(Runtime):
    def argv(self, binding: Binding) -> list[str]:
        return [one for one in super().argv(binding) if one]


@broken(
    "arguments-grow",
    "EXEC-R17",
    "adds what is its own to the arguments of a binding, again with each call",
    shown_by="exec-runtime/commands/arguments-of-each-call",
)
class ArgumentsGrow(Runtime):
    def start(self, binding: Binding) -> Running:
        started = super().start(binding)
        binding.args = [*binding.args, "--again"]
        return started


@broken("home-expanded", "EXEC-R17", "puts the home folder for a tilde")
class HomeExpanded(Runtime):
    def argv(self, binding: Binding) -> list[str]:
        return [os.path.expanduser(one) for one in super().argv(binding)]  # noqa: PTH111


@broken("equal-arguments-once", "EXEC-R17", "hands equal arguments on once")
class EqualArgumentsOnce(Runtime):
    def argv(self, binding: Binding) -> list[str]:
        command, *args = super().argv(binding)
        return [command, *dict.fromkeys(args)]


@broken("arguments-trimmed", "EXEC-R17", "takes line ends off arguments")
class ArgumentsTrimmed(Runtime):
    def argv(self, binding: Binding) -> list[str]:
        command, *args = super().argv(binding)
        return [command, *(one.rstrip("\r\n") for one in args)]


@broken("templates-filled-in", "EXEC-R17", "puts the tool's name for {tool}")
class TemplatesFilledIn(Runtime):
    def argv(self, binding: Binding) -> list[str]:
        command, *args = super().argv(binding)
        return [command, *(one.replace("{tool}", binding.name) for one in args)]


@broken(
    "arguments-of-the-call-filled-in",
    "EXEC-R17",
    "puts arguments of the call into those of the command",
    shown_by="exec-runtime/commands/arguments-like-templates-of-the-call",
)
class ArgumentsOfTheCallFilledIn(Runtime):
    def call_once(self, binding: Binding, args: Any) -> Any:
        filled = [one.replace("{n}", str(args.get("n"))) for one in binding.args]
        return super().call_once(replace(binding, args=filled), args)


@broken(
    "command-unnamed",
    "EXEC-R18",
    "does not name a command that it cannot start",
    level="should",
)
class CommandUnnamed(Runtime):
    def start(self, binding: Binding) -> Running:
        try:
            return super().start(binding)
        except Failure as error:
            raise Failure("the tool could not be started") from error


@broken("missing-is-null", "EXEC-R18", "gives null where a command does not exist")
class MissingIsNull(Runtime):
    def call(self, tool: str, args: Any) -> dict[str, Any]:
        outcome = super().call(tool, args)
        if "cannot start" in str(outcome.get("error")):
            return {"result": None}
        return outcome


@broken("missing-ends-it", "EXEC-R18", "ends where a command does not exist")
class MissingEndsIt(Runtime):
    def start(self, binding: Binding) -> Running:
        try:
            return super().start(binding)
        except Failure as error:
            sys.exit(str(error))


@broken(
    "missing-is-late",
    "EXEC-R18",
    "fails by its limit where a command does not exist",
    level="should",
)
class MissingIsLate(Runtime):
    def start(self, binding: Binding) -> Running:
        try:
            return super().start(binding)
        except Failure as error:
            time.sleep(min(1.0, self.limit(binding)))
            raise Failure(f"{binding.name} did not answer") from error


@broken(
    "keeps-the-lock",
    "EXEC-R18",
    "keeps the turn of a server tool whose command it cannot start",
    shown_by="exec-runtime/commands/server-missing-again",
)
class KeepsTheLock(Runtime):
    def call(self, tool: str, args: Any) -> Outcome:
        binding = self.bindings[tool]
        if binding.runtime != "server":
            return super().call(tool, args)
        binding.turn.acquire()
        try:
            self.check(binding, args)
            result = self.call_server(binding, args)
        except Failure as error:
            if "cannot start" not in str(error):
                binding.turn.release()
            return {"error": str(error)}
        binding.turn.release()
        return {"result": result}
