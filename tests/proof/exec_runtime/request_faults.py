"""Runtimes that ask tools otherwise: EXEC-R1, R2, R3."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import Binding, Failure, Outcome, Runtime
from tests.proof.exec_runtime.subject import broken

IDLE_SECONDS = 0.5


class OpenEnded(Running):
    def send(self, data: bytes, *, last: bool = False) -> None:
        super().send(data, last=last and not data)


@broken("input-left-open", "EXEC-R1", "does not close the stdin of a one-shot tool")
class InputLeftOpen(Runtime):
    running = OpenEnded


class EndedIfTaken(Running):
    def send(self, data: bytes, *, last: bool = False) -> None:
        """Close stdin where all that was written went at once."""
        super().send(data)
        if last and not self._unsent:
            super().send(b"", last=True)


@broken(
    "ended-if-taken-at-once",
    "EXEC-R1",
    "closes the stdin of a one-shot tool only where a single write took it all",
)
class InputEndedIfTaken(Runtime):
    running = EndedIfTaken


@broken("bare-arguments", "EXEC-R1", "writes the arguments alone to a one-shot tool")
class BareArguments(Runtime):
    def request_once(self, args: Any) -> bytes:
        return json.dumps(args).encode()


@broken("object-twice", "EXEC-R1", "writes the object to a one-shot tool twice")
class ObjectTwice(Runtime):
    def request_once(self, args: Any) -> bytes:
        return super().request_once(args) + b"\n" + super().request_once(args)


@broken("tries-again", "EXEC-R1", "starts a one-shot tool that fails once more")
class TriesAgain(Runtime):
    def call_once(self, binding: Binding, args: Any) -> Any:
        try:
            return super().call_once(binding, args)
        except Failure:
            return super().call_once(binding, args)


@broken("remembers-results", "EXEC-R1", "answers a call again that it has seen before")
class RemembersResults(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.known: dict[str, Any] = {}

    def call_once(self, binding: Binding, args: Any) -> Any:
        key = binding.name + json.dumps(args)
        if key not in self.known:
            self.known[key] = super().call_once(binding, args)
        return self.known[key]


@broken(
    "more-keys", "EXEC-R1", "writes more than args to a one-shot tool", level="should"
)
class MoreKeys(Runtime):
    def request_once(self, args: Any) -> bytes:
        return json.dumps({"tool": "t", "args": args}).encode()


@broken("a-server-a-call", "EXEC-R2", "starts a server anew for each call")
class ServerForEachCall(Runtime):
    def call_server(self, binding: Binding, args: Any) -> Any:
        try:
            return super().call_server(binding, args)
        finally:
            self.drop(binding)


@broken(
    "a-server-a-first-call",
    "EXEC-R2",
    "starts a server for each of the first calls where they are started together",
    shown_by="exec-runtime/requests/one-process-for-calls-together",
)
class ServerForEachFirstCall(Runtime):
    def call_many(self, calls: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        for one in calls:
            binding = self.bindings[one["tool"]]
            is_server = binding.runtime == "server"
            if is_server and (binding.server is None or binding.number == 0):
                binding.server = self.start(binding)
        return super().call_many(calls)


@broken(
    "idle-servers-ended", "EXEC-R2", "ends a server that was not called for a moment"
)
class IdleServersEnded(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.called: dict[str, float] = {}

    def server_of(self, binding: Binding) -> Running:
        now = time.monotonic()
        if now - self.called.get(binding.name, now) > IDLE_SECONDS:
            self.drop(binding)
        return super().server_of(binding)

    def call_server(self, binding: Binding, args: Any) -> Any:
        try:
            return super().call_server(binding, args)
        finally:
            self.called[binding.name] = time.monotonic()


@broken("other-method", "EXEC-R2", "names the method tools/call")
class OtherMethod(Runtime):
    def request_of_server(self, number: Any, args: Any) -> dict[str, Any]:
        return {**super().request_of_server(number, args), "method": "tools/call"}


@broken("bare-params", "EXEC-R2", "has the arguments themselves for params")
class BareParams(Runtime):
    def request_of_server(self, number: Any, args: Any) -> dict[str, Any]:
        return {**super().request_of_server(number, args), "params": args}


@broken(
    "one-id",
    "EXEC-R2",
    "has the same id in each request",
)
class OneId(Runtime):
    def next_id(self, binding: Binding) -> Any:
        return 1


@broken("no-version", "EXEC-R2", "leaves jsonrpc out")
class NoVersion(Runtime):
    def request_of_server(self, number: Any, args: Any) -> dict[str, Any]:
        request = super().request_of_server(number, args)
        del request["jsonrpc"]
        return request


class SpreadOut(Running):
    def send(self, data: bytes, *, last: bool = False) -> None:
        if data.startswith(b'{"jsonrpc"'):
            data = json.dumps(json.loads(data), indent=1).encode() + b"\n"
        super().send(data, last=last)


@broken("several-lines", "EXEC-R2", "spreads a request over several lines")
class SeveralLines(Runtime):
    running = SpreadOut


@broken(
    "writes-into-each-other",
    "EXEC-R2",
    "writes one request into another where calls of a server are started together",
    shown_by="exec-runtime/concurrency/server-own-answers",
)
class WritesIntoEachOther(Runtime):
    def call_many(self, calls: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        together = {one["tool"] for one in calls[:2]}
        binding = self.bindings[calls[0]["tool"]]
        if len(calls) < 2 or len(together) > 1 or binding.runtime != "server":
            return super().call_many(calls)
        try:
            with binding.turn:
                process = self.server_of(binding)
                one, other = (self.line_of(binding, each["args"]) for each in calls[:2])
                middle = len(one) // 2
                process.send(one[:middle] + other + one[middle:])
        except Failure:
            return super().call_many(calls)
        lost: Outcome = {"error": f"{binding.name} gave no answer"}
        return [lost, lost, *super().call_many(calls[2:])]

    def line_of(self, binding: Binding, args: Any) -> bytes:
        """Return a request as it is written."""
        request = self.request_of_server(self.next_id(binding), args)
        return json.dumps(request).encode() + b"\n"


def changed(value: Any, change: Any) -> Any:
    """Return a value with each scalar in it changed."""
    if isinstance(value, dict):
        return {key: changed(one, change) for key, one in value.items()}
    if isinstance(value, list):
        return [changed(one, change) for one in value]
    return change(value)


class ChangedArguments(Runtime):
    """Changes the arguments of all calls."""

    def change(self, args: Any) -> Any:
        """Return other arguments."""
        return args

    def call_once(self, binding: Binding, args: Any) -> Any:
        return super().call_once(binding, self.change(args))

    def call_server(self, binding: Binding, args: Any) -> Any:
        return super().call_server(binding, self.change(args))


@broken("ascii-alone", "EXEC-R3", "replaces characters beyond ASCII by question marks")
class AsciiAlone(ChangedArguments):
    def change(self, args: Any) -> Any:
        return json.loads(
            json.dumps(args, ensure_ascii=False).encode("ascii", "replace")
        )


@broken("nulls-left-out", "EXEC-R3", "leaves out members that are null")
class NullsLeftOut(ChangedArguments):
    def change(self, args: Any) -> Any:
        return {key: one for key, one in args.items() if one is not None}


@broken(
    "defaults-filled-in", "EXEC-R3", "adds what the schema has as default to arguments"
)
class DefaultsFilledIn(Runtime):
    def call(self, tool: str, args: Any) -> Any:
        known = (self.bindings[tool].parameters or {}).get("properties", {})
        filled = {key: one["default"] for key, one in known.items() if "default" in one}
        return super().call(tool, {**filled, **args})


@broken(
    "unknown-keys-dropped",
    "EXEC-R3",
    "leaves out members that the schema does not name",
)
class UnknownKeysDropped(Runtime):
    def call(self, tool: str, args: Any) -> Any:
        known = (self.bindings[tool].parameters or {}).get("properties") or args
        # What tells a tool what to do would change what other clauses speak of.
        kept = {*known, "do", "text"}
        return super().call(tool, {key: args[key] for key in args if key in kept})


@broken("numbers-as-texts", "EXEC-R3", "turns numbers in arguments into texts")
class NumbersAsTexts(ChangedArguments):
    def change(self, args: Any) -> Any:
        return changed(args, lambda one: str(one) if type(one) in (int, float) else one)


@broken("texts-trimmed", "EXEC-R3", "trims the texts in arguments")
class TextsTrimmed(ChangedArguments):
    def change(self, args: Any) -> Any:
        return changed(args, lambda one: one.strip() if isinstance(one, str) else one)


@broken("arguments-kept", "EXEC-R3", "adds the arguments of a call to those before it")
class ArgumentsKept(ChangedArguments):
    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, dict[str, Any]] = {}

    def call(self, tool: str, args: Any) -> Any:
        kept = {**self.kept.get(tool, {}), **args}
        # What tells a tool what to do would change what other clauses speak of.
        told = {"do", "text"}
        self.kept[tool] = {key: kept[key] for key in kept.keys() - told}
        return super().call(tool, {**self.kept[tool], **args})


@broken(
    "digits-lost",
    "EXEC-R3",
    "rounds integers in arguments to doubles",
    level="should",
)
class DigitsLost(ChangedArguments):
    def change(self, args: Any) -> Any:
        return changed(args, lambda one: int(float(one)) if type(one) is int else one)
