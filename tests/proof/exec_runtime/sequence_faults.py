"""Runtimes in which one call leaves a trace in the next: EXEC-R1, R2, R4."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.proof.exec_runtime.runtime import (
    Binding,
    Failure,
    Outcome,
    Reported,
    Runtime,
)
from tests.proof.exec_runtime.subject import broken


@broken(
    "one-failure-fails-all",
    "EXEC-R4",
    "fails all calls that were started together where one of them fails",
)
class OneFailureFailsAll(Runtime):
    def call_many(self, calls: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        outcomes = super().call_many(calls)
        failed = [one for one in outcomes if "error" in one]
        return len(calls) * failed[:1] or outcomes


@broken(
    "failures-stay",
    "EXEC-R1",
    "fails the call of a tool after one that has failed by its word as that did",
)
class FailuresStay(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.failures: dict[str, str] = {}

    def call(self, tool: str, args: Any) -> Outcome:
        if tool in self.failures:
            return {"error": self.failures.pop(tool)}
        outcome = super().call(tool, args)
        if "error" in outcome and outcome["error"].startswith("no "):
            self.failures[tool] = outcome["error"]
        return outcome


@broken(
    "failures-end-servers",
    "EXEC-R2",
    "starts a server anew once its tool has reported a failure",
)
class FailuresEndServers(Runtime):
    def call_server(self, binding: Binding, args: Any) -> Any:
        try:
            return super().call_server(binding, args)
        except Reported:
            self.drop(binding)
            raise


@broken(
    "results-by-program",
    "EXEC-R4",
    "gives what the last call of a program came to where two tools share one",
)
class ResultsByProgram(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, tuple[str, Outcome]] = {}

    def call(self, tool: str, args: Any) -> Outcome:
        binding = self.bindings[tool]
        program = json.dumps([binding.command, *binding.args])
        asker, outcome = self.last.get(program, (tool, {}))
        if asker == tool:
            outcome = super().call(tool, args)
        self.last[program] = (tool, outcome)
        return outcome


@broken(
    "faults-spread",
    "EXEC-R4",
    "fails the next call of any tool once a server has gone wrong",
)
class FaultsSpread(Runtime):
    wrong = ""

    def call_server(self, binding: Binding, args: Any) -> Any:
        try:
            return super().call_server(binding, args)
        except Failure as error:
            if not isinstance(error, Reported):
                self.wrong = f"the runtime is not well: {error}"
            raise

    def check(self, binding: Binding, args: Any) -> None:
        wrong, self.wrong = self.wrong, ""
        if wrong:
            raise Failure(wrong)
        super().check(binding, args)
