"""Runtimes that conform in their own way; none may fail anything."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.proof.exec_runtime.request_faults import DigitsLost
from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import (
    Binding,
    Driver,
    Failure,
    Outcome,
    Reported,
    Runtime,
)
from tests.proof.exec_runtime.subject import legal


@legal("plain", "is the plain one")
class Plain(Runtime):
    pass


@legal("severe", "fails a call at any stray line, and starts the server anew")
class Severe(Runtime):
    def next_answer(self, binding: Binding, process: Running, until: float) -> Any:
        answer = super().next_answer(binding, process, until)
        if not self.is_answer(answer, binding.number):
            raise Failure("the tool has lost step")
        return answer


@legal("resynchronises", "goes on with a server whose answer was none")
class Resynchronises(Runtime):
    def read_answer(self, answer: dict[str, Any]) -> Any:
        try:
            return super().read_answer(answer)
        except Failure as error:
            raise NoAnswer(str(error)) from error

    def drop(self, binding: Binding) -> None:
        if not self.answered:
            super().drop(binding)

    answered = False

    def call_server(self, binding: Binding, args: Any) -> Any:
        try:
            return super().call_server(binding, args)
        finally:
            self.answered = False

    def is_answer(self, answer: Any, number: Any) -> bool:
        self.answered = super().is_answer(answer, number)
        return self.answered


class NoAnswer(Failure):
    """An answer that is none."""


@legal(
    "serialises",
    "carries out one call after the other",
    warns={"EXEC-R16": "calls of one-shot tools should run in parallel"},
)
class Serialises(Runtime):
    def call_many(self, calls: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        return [self.call(one["tool"], one["args"]) for one in calls]


@legal("pipelines", "sends calls of one server together, and matches them by id")
class Pipelines(Runtime):
    def call_many(self, calls: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        first = self.bindings[calls[0]["tool"]]
        if first.runtime != "server" or len({one["tool"] for one in calls}) > 1:
            return super().call_many(calls)
        numbers = [self.next_id(first) for _ in calls]
        found: dict[Any, Outcome] = {}
        try:
            process = self.server_of(first)
            for number, call in zip(numbers, calls, strict=True):
                try:
                    self.check(first, call["args"])
                except Failure as error:
                    found[number] = {"error": str(error)}
                    continue
                request = self.request_of_server(number, call["args"])
                process.send(json.dumps(request).encode() + b"\n")
            self.take_answers(first, process, numbers, found)
        except (Failure, ValueError) as error:
            self.drop(first)
            left = {number: {"error": str(error)} for number in numbers}
            found = {**left, **found}
        return [found[number] for number in numbers]

    def take_answers(
        self,
        binding: Binding,
        process: Running,
        numbers: Sequence[Any],
        found: dict[Any, Outcome],
    ) -> None:
        """Read until each call has its answer, whatever else comes."""
        until = time.monotonic() + self.limit(binding)
        while len(found) < len(numbers):
            answer = self.next_answer(binding, process, until)
            for number in numbers:
                if number in found or not self.is_answer(answer, number):
                    continue
                try:
                    found[number] = {"result": self.read_answer(answer)}
                except Reported as error:
                    found[number] = {"error": str(error)}


@legal("adds-path", "gives tools PATH, and variables of its own making")
class AddsPath(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        own = {"PATH": os.environ["PATH"], "TOOL_NAME": binding.name}
        return {**own, "LC_CTYPE": "C.UTF-8", **super().environment(binding)}


@legal("starts-early", "starts a server as soon as it is bound")
class StartsEarly(Runtime):
    def bind(self, name: str, given: Mapping[str, Any], parameters: Any = None) -> None:
        super().bind(name, given, parameters)
        binding = self.bindings[name]
        if binding.runtime == "server":
            binding.server = self.start(binding)


@legal("starts-again-at-once", "starts a server again as soon as it has ended it")
class StartsAgainAtOnce(Runtime):
    def drop(self, binding: Binding) -> None:
        had = binding.server is not None
        super().drop(binding)
        stands = self.bindings[binding.name] is binding
        if had and stands and not self.ending:
            binding.server = self.start(binding)

    ending = False

    def close(self) -> None:
        self.ending = True
        super().close()


class FolderDriver(Driver):
    def load(self, config: Path, pack: str | None) -> dict[str, Any]:
        loaded = super().load(config, pack)
        for name in loaded["bound"]:
            binding = self.runtime.bindings[name]
            binding.args = [
                str(config.parent / one) if one.startswith((".", "..")) else one
                for one in binding.args
            ]
        return loaded


@legal(
    "beside-the-file",
    "resolves arguments against the folder of the file",
    driver=FolderDriver,
)
class BesideTheFile(Runtime):
    pass


class RefusingDriver(Driver):
    def load(self, config: Path, pack: str | None) -> dict[str, Any]:
        loaded = super().load(config, pack)
        if loaded["warnings"]:
            raise ValueError(loaded["warnings"][0])
        return loaded


@legal("refuses", "refuses a file whose tools the pack lacks", driver=RefusingDriver)
class Refuses(Runtime):
    pass


@legal("text-ids", "has texts for ids, and members of its own in a request")
class TextIds(Runtime):
    def next_id(self, binding: Binding) -> Any:
        return f"call-{super().next_id(binding)}"

    def request_of_server(self, number: Any, args: Any) -> dict[str, Any]:
        request = super().request_of_server(number, args)
        return dict(reversed({**request, "traceparent": "00-1"}.items()))


class Spacious(Runtime):
    def request_once(self, args: Any) -> bytes:
        text = json.dumps({"args": args}, indent=2, ensure_ascii=False)
        return f"\n{text}\n\n".encode("utf-8", "surrogatepass")


@legal("spacious", "spreads the object of a one-shot tool over several lines")
class SpaciousObject(Spacious):
    pass


class WordyDriver(Driver):
    def carry_out(self, request: dict[str, Any]) -> Any:
        value = super().carry_out(request)
        if request["op"] == "call":
            return self.wordy(value)
        if request["op"] == "call_many":
            return [self.wordy(one) for one in value]
        return value

    def wordy(self, outcome: Outcome) -> Outcome:
        """Return an outcome with all that may stand in one."""
        error = outcome.get("error")
        if error is None:
            return {**outcome, "error": None, "took_ms": 1}
        return {"error": {"type": "ToolError", "message": f"the tool failed: {error}"}}


@legal(
    "wordy", "has objects for errors, and null where there is none", driver=WordyDriver
)
class Wordy(Runtime):
    pass


class CarefulDriver(Driver):
    def carry_out(self, request: dict[str, Any]) -> Any:
        if request["op"] == "bind":
            command = request["exec"]["command"]
            if shutil.which(command) is None:
                raise Failure(f"cannot start {command}")
        return super().carry_out(request)


@legal(
    "looks-when-bound",
    "refuses to bind a command that is not there",
    driver=CarefulDriver,
)
class LooksWhenBound(Runtime):
    pass


class Gentle(Running):
    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGTERM)
        until = time.monotonic() + 0.15
        while self.status is None and time.monotonic() < until:
            self.pump(until)
        super().kill()


@legal("gentle", "sends SIGTERM first, and SIGKILL a moment later")
class GentleRuntime(Runtime):
    running = Gentle


@legal(
    "generous", "keeps up to 64 MiB of output, and waits long for the end of a server"
)
class Generous(Runtime):
    most_output = 1 << 26
    grace = 2.0


@legal("sparing", "keeps no more than 128 KiB of output")
class Sparing(Runtime):
    most_output = 1 << 17


class FewOpsDriver(Driver):
    ops = ("bind", "call")


@legal("few-ops", "offers bind and call alone", driver=FewOpsDriver)
class FewOps(Runtime):
    pass


@legal("slow", "takes its time")
class Slow(Runtime):
    def start(self, binding: Binding) -> Running:
        time.sleep(0.08)
        return super().start(binding)


@legal("talkative", "writes much to its own stderr")
class Talkative(Runtime):
    def start(self, binding: Binding) -> Running:
        os.write(2, b"starting a tool\n" * 2_000)
        return super().start(binding)


@legal("a-thread-a-call", "carries out each call in a thread of its own")
class ThreadForEachCall(Runtime):
    def call(self, tool: str, args: Any) -> Outcome:
        found: list[Outcome] = []
        thread = threading.Thread(target=lambda: found.append(self._call(tool, args)))
        thread.start()
        thread.join()
        return found[0]

    def _call(self, tool: str, args: Any) -> Outcome:
        return super().call(tool, args)


@legal(
    "as-doubles",
    "has doubles for numbers, and leaves schemas to its tools",
    warns={
        "EXEC-R3": "integers beyond 2^53 should keep their digits",
        "EXEC-Y4": "arguments should be held to the schema",
    },
)
class AsDoubles(DigitsLost):
    def check(self, binding: Binding, args: Any) -> None:
        pass
