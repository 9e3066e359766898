"""Runtimes that lose step with a server: EXEC-R11, R12, R16."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import (
    Binding,
    Failure,
    Outcome,
    Reported,
    Runtime,
)
from tests.proof.exec_runtime.subject import broken


@broken(
    "any-answer",
    "EXEC-R11",
    "takes the next answer for that of the call, whatever its id",
)
class AnyAnswer(Runtime):
    def is_answer(self, answer: Any, number: Any) -> bool:
        return isinstance(answer, dict) and bool(answer.keys() & {"result", "error"})


@broken(
    "ids-as-texts",
    "EXEC-R11",
    'compares ids as texts, so that 1 and "1" are one',
)
class IdsAsTexts(Runtime):
    def is_answer(self, answer: Any, number: Any) -> bool:
        return isinstance(answer, dict) and str(answer.get("id")) == str(number)


class KeptServer(Runtime):
    """Goes on with a server after a fault, where it still runs."""

    def drop(self, binding: Binding) -> None:
        process = binding.server
        if process is not None and (process.status is not None or process.closed):
            super().drop(binding)

    def end_server(self, binding: Binding, until: float) -> None:
        super().end_server(binding, until)
        super().drop(binding)


@broken(
    "late-answer-counts",
    "EXEC-R11",
    "keeps a late server, and takes its late answer for that of the next call",
)
class LateAnswerCounts(KeptServer):
    def is_answer(self, answer: Any, number: Any) -> bool:
        return isinstance(answer, dict) and bool(answer.keys() & {"result", "error"})


@broken(
    "shifted-by-one",
    "EXEC-R11",
    "is one answer behind once a server has answered twice",
)
class ShiftedByOne(Runtime):
    def is_answer(self, answer: Any, number: Any) -> bool:
        if not isinstance(answer, dict):
            return False
        return isinstance(answer.get("id"), int) and answer["id"] <= number


@broken(
    "last-result-again",
    "EXEC-R11",
    "gives the last result where a server has died",
)
class LastResultAgain(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, Any] = {}

    def call_server(self, binding: Binding, args: Any) -> Any:
        try:
            self.last[binding.name] = super().call_server(binding, args)
        except Reported:
            raise
        except Failure:
            if binding.name not in self.last:
                raise
        return self.last[binding.name]


@broken(
    "ends-at-a-broken-pipe",
    "EXEC-R11",
    "ends where a server does not read what it is asked",
    shown_by="exec-runtime/after-faults/closes-stdin",
)
class EndsAtABrokenPipe(Runtime):
    def call_server(self, binding: Binding, args: Any) -> Any:
        former = binding.server
        try:
            return super().call_server(binding, args)
        finally:
            if former is not None and former.refused:
                os._exit(1)


@broken(
    "dead-for-ever",
    "EXEC-R11",
    "never starts a server again that was late or has died",
    level="should",
)
class DeadForEver(Runtime):
    def server_of(self, binding: Binding) -> Running:
        if binding.number and binding.server is None:
            raise Failure(f"{binding.name} is dead")
        return super().server_of(binding)


@broken(
    "found-gone",
    "EXEC-R11",
    "learns that a server is gone by the call that it asks of it",
    level="should",
    shown_by="exec-runtime/after-faults/served-again-when-it-has-gone",
)
class FoundGone(Runtime):
    def server_of(self, binding: Binding) -> Running:
        return binding.server or super().server_of(binding)


@broken(
    "stray-line-ends-it",
    "EXEC-R12",
    "gives up a server for ever that writes a stray line",
    level="should",
)
class StrayLineEndsIt(Runtime):
    def next_answer(self, binding: Binding, process: Running, until: float) -> Any:
        answer = super().next_answer(binding, process, until)
        if not self.is_answer(answer, binding.number):
            binding.command = "/gone"
            raise Failure("the tool has lost step")
        return answer


@broken(
    "stray-line-fails-two",
    "EXEC-R12",
    "fails a call at a stray line, and the next at the answer that was left",
    level="should",
)
class StrayLineFailsTwo(Runtime):
    def call_server(self, binding: Binding, args: Any) -> Any:
        until = time.monotonic() + self.limit(binding)
        process = self.server_of(binding)
        number = self.next_id(binding)
        request = self.request_of_server(number, args)
        process.send(json.dumps(request).encode() + b"\n")
        try:
            answer = self.next_answer(binding, process, until)
        except Failure:
            self.drop(binding)
            raise
        if not self.is_answer(answer, number):
            raise Failure("the tool has lost step")
        return self.read_answer(answer)


@broken(
    "one-at-a-time",
    "EXEC-R16",
    "carries out one call of one-shot tools after the other",
    level="should",
)
class OneAtATime(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.only = threading.Lock()

    def call_once(self, binding: Binding, args: Any) -> Any:
        with self.only:
            return super().call_once(binding, args)


@broken(
    "matched-by-order",
    "EXEC-R16",
    "gives the answers of a server to its calls in the order in which they come",
    level="should",
)
class MatchedByOrder(Runtime):
    def call_many(self, calls: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        first = self.bindings[calls[0]["tool"]]
        if first.runtime != "server" or len({one["tool"] for one in calls}) > 1:
            return super().call_many(calls)
        until = time.monotonic() + self.limit(first)
        process = self.server_of(first)
        for call in calls:
            request = self.request_of_server(self.next_id(first), call["args"])
            process.send(json.dumps(request).encode() + b"\n")
        return [
            {"result": self.read_answer(self.next_answer(first, process, until))}
            for _ in calls
        ]


@broken(
    "one-waiting-call",
    "EXEC-R16",
    "forgets a call that waits for a server once another is sent to it",
    level="should",
)
class OneWaitingCall(Runtime):
    def call_many(self, calls: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        last = {one["tool"]: place for place, one in enumerate(calls)}

        def carry_out(place: int) -> Outcome:
            tool, args = calls[place]["tool"], calls[place]["args"]
            is_server = self.bindings[tool].runtime == "server"
            if is_server and last[tool] != place:
                return {"error": f"{tool} did not answer"}
            return self.call(tool, args)

        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(carry_out, range(len(calls))))
