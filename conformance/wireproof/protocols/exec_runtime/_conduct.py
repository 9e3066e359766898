"""Carry out the steps of a vector: ops on the driver, and a look at the tools.

The driver carries out one op after the other; a thread plays the tools meanwhile. Each
step is judged as it is done, up to the first that comes out otherwise. Nothing here
waits for ever: a tool that a runtime waits for beyond its limit is let go, so that the
runtime goes on, and what comes of it is late.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, VectorDefect, Words
from wireproof.operations import AsExpected
from wireproof.patterns import expand, is_array, is_object, match
from wireproof.protocols.exec_runtime._bindings import LONGEST_SECONDS, Bindings
from wireproof.protocols.exec_runtime._call_outcome import call_outcome, judge_call
from wireproof.protocols.exec_runtime._config_files import without_head
from wireproof.protocols.exec_runtime._looks import (
    await_gone,
    await_reaped,
    count_descriptors,
    look_at,
    look_at_environment,
)
from wireproof.protocols.exec_runtime._outcome import (
    Differs,
    NotAnswered,
    StepsOutcome,
)
from wireproof.subjects import Answer, DriverFault, Op, memory_held, memory_peak

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from wireproof.protocols.exec_runtime._supplied_tools import SuppliedTools
    from wireproof.protocols.exec_runtime._tool import Tool
    from wireproof.subjects import Bridge

MOST_GROWN = 192
"""Mebibytes by which a runtime may grow while 256 are written to it: what it holds is
bounded where it is less, whatever its bound is (EXEC-R15)."""

BEYOND_SECONDS = 1.0
"""By how much a call may be longer than its limit (EXEC-R8)."""

CALL_SECONDS = 5.0
"""What a call may take beside the usual where no limit is tried."""

CLOSING_SECONDS = 10.0
"""The longest grace period that EXEC-R13 grants."""

SURELY_GONE_SECONDS = 4.0
"""What a process may take to be gone at the most, where the times of a check are longer
than usual; its own time where that is more."""

SHORT_SECONDS = 0.5
"""How long processes are waited for that were waited for in vain before."""


TOO_SOON = ", though `close` was answered: it is to be when all processes are gone"
"""What is said where a runtime has been closed and a process is left."""


class Conduct:
    """One carrying out of steps on a driver that is up.

    Attributes:
        overran: Whether calls are known to go on after their limits.
        overruns: Calls that went on after their limits by seconds.
        lingered: Whether a process was waited for in vain.
        early: Which call failed long before its limit; empty where none did.
    """

    def __init__(
        self,
        bridge: Bridge,
        tools: SuppliedTools,
        *,
        serial: str,
        parents: Collection[str],
        time_scale: int = 1,
        hurried: bool = False,
        overran: bool = False,
    ) -> None:
        """Prepare.

        Args:
            bridge: The driver.
            tools: Supplies the tools.
            serial: Makes the names of tools unlike those of any other check.
            parents: The names of the runtime's own variables.
            time_scale: Factor for all times in the steps.
            hurried: Whether processes that linger were waited for in vain before.
            overran: Whether calls went on after their limits by seconds before.
        """
        self.overran = overran
        self.overruns = 0
        self.lingered = False
        self.early = ""
        self._bridge = bridge
        self._tools = tools
        self._parents = set(parents)
        self._scale = time_scale
        self._hurried = hurried
        self._closed = False
        self._descriptors: int | None = None
        self._bindings = Bindings(tools, serial=serial, time_scale=time_scale)

    def limit_of(self, step: Mapping[str, Any]) -> float:
        """Return the shortest limit of the calls of a step, in seconds, as it stands.

        It is 0 where a tool was bound without one, or nothing is called.
        """
        given: Mapping[str, Any] = step.get("input", {})
        calls: Sequence[Mapping[str, Any]] = given.get("calls", [given])
        limits = [self._bindings.limit_of(call.get("tool", "")) for call in calls]
        return min(limits, default=0.0) / self._scale

    @property
    def supplied(self) -> Mapping[str, Tool]:
        """The tools so far, by the names that they have in the steps."""
        return self._bindings.supplied

    def carry_out(self, steps: Sequence[Mapping[str, Any]]) -> StepsOutcome:
        """Carry out steps in order, up to the first that comes out otherwise.

        Raises:
            VectorDefect: If a step cannot be carried out as it is written.
        """
        many = [step for step in steps if step.get("op") == "call_many"]
        together = max((len(step["outcomes"]) for step in many), default=1)
        self._bindings.together = together
        recorded: dict[str, str] = {}
        for index, step in enumerate(steps):
            found = self._carry_out(step, recorded)
            self._tools.raise_fault()
            if found is not None:
                return replace(found, step=index)
        return AsExpected(recorded)

    def _carry_out(
        self, step: Mapping[str, Any], recorded: dict[str, str]
    ) -> Differs | NotAnswered | None:
        match step:
            case {"op": "bind"}:
                return self._bind(step)
            case {"op": "call" | "call_many"}:
                found = None
                for _ in range(step.get("times", 1)):
                    found = found or self._call(step, recorded)
                return found
            case {"op": "load"}:
                return self._load(step, recorded)
            case {"op": "setenv" | "set_default_timeout" | "close" as name}:
                return self._plain(step, name)
            case {"seen": str(name), "match": pattern}:
                tool = self.supplied[name]
                return look_at(self._tools, tool, pattern, self._waiting)
            case {"environment": str(name)}:
                tool, listed = self.supplied[name], self._bindings.listed(name)
                given: Any = expand(step, {})
                return look_at_environment(tool, given, listed, self._parents)
            case {"gone": str(name)}:
                return self._await_gone(self.supplied[name], step)
            case {"reaped": str(name), "within_ms": int(ms)}:
                tool, parents = (
                    self.supplied[name],
                    {self._runtime_pid, self._bridge.pid},
                )
                return await_reaped(self._tools, tool, parents, ms / 1000)
            case {"descriptors": int(more)}:
                return self._look_at_descriptors(more)
            case _:
                raise VectorDefect(f"unknown step with the keys {sorted(step)}")

    # --- ops

    def _bind(self, step: Mapping[str, Any]) -> Differs | NotAnswered | None:
        outcome = self._bridge.ask(Op("bind", self._bindings.to_bind(step)))
        if isinstance(outcome, DriverFault):
            return NotAnswered(outcome)
        if not outcome.ok and "error" not in step:
            return _refused("bind", outcome)
        if not outcome.ok:
            # EXEC-R18: a runtime may look for the command before any call.
            self._bindings.refused(step["input"]["name"])
            return judge_call(step, {"error": outcome.refusal})
        return None

    def _call(
        self, step: Mapping[str, Any], recorded: dict[str, str]
    ) -> Differs | NotAnswered | None:
        given: dict[str, Any] = expand(step["input"], {})
        calls: list[dict[str, Any]] = given.get("calls", [given])
        for call in calls:
            call["tool"] = self._bindings.known_as(call["tool"])
        if not all(call["tool"] for call in calls):
            return None  # it could not be bound, which has been judged
        group = self._bridge.pid
        before = memory_held(group) if step.get("bounded") else None
        limit = step["limit_ms"] * self._scale / 1000 if "limit_ms" in step else None
        hurried = self._hurried or self.overran
        usual = SHORT_SECONDS if hurried else CALL_SECONDS
        allowed = usual * self._scale + self._longest_of(step["input"])
        if limit is not None:
            beyond = self._bridge.patience.clause_limit(BEYOND_SECONDS)
            allowed = limit + beyond
        self._tools.release_at(time.monotonic() + allowed)
        outcome = self._bridge.ask(Op(step["op"], given), seconds=allowed)
        # A tool that had to be let go was waited for too long, by whatever clock.
        released = self._tools.release_at(None)
        # Where one call outlives its limit by seconds, so do those after it.
        self.overran = self.overran or (released and self._bindings.longest > 0)
        self.overruns += released and limit is None and not hurried
        if isinstance(outcome, DriverFault):
            most = max(self._bindings.overlapping(step["input"]), default=0)
            return NotAnswered(outcome, overlapping=most)
        if not outcome.ok:
            return _refused(step["op"], outcome)
        if "record" in step:
            recorded[step["op"]] = _label(step["record"], outcome.value)
        self._note_early(step, outcome)
        if (found := self._judge(step, outcome.value)) is not None:
            return found
        if limit is not None and (released or outcome.seconds > allowed):
            bound = self._bindings.longest > 0
            return _late(step["op"], limit if bound else None, allowed, outcome.seconds)
        grown = _grown(before, memory_peak(group)) if before is not None else 0
        if grown > MOST_GROWN:
            wanted = Words(f"at most {MOST_GROWN} MiB more")
            difference = Difference("memory", wanted, Words(f"{grown} MiB more"))
            return Differs("the runtime keeps output without end", (difference,))
        return None

    def _longest_of(self, given: Mapping[str, Any]) -> float:
        """Return the longest limit of the calls of a step, in seconds."""
        calls: Sequence[Mapping[str, Any]] = given.get("calls", [given])
        limits = [self._bindings.limit_of(call["tool"]) for call in calls]
        if all(limits):
            return min(max(limits), LONGEST_SECONDS * self._scale)
        return self._bindings.longest * self._scale

    def _note_early(self, step: Mapping[str, Any], outcome: Answer) -> None:
        """Take note of a call that failed long before its limit."""
        name = step["input"].get("tool", "")
        limit = self._bindings.limit_of(name)
        # A failure that the tool reports, and that is wanted, has no matter of time.
        is_due = "expected" in step and "error" not in step
        hasty = is_due or not (limit and self.supplied[name].seen)
        if hasty and _failed(outcome.value) and outcome.seconds < limit / 2:
            took = f"after {outcome.seconds * 1000:.0f} ms"
            self.early = f"a call with a limit of {limit * 1000:.0f} ms failed {took}"

    def _judge(self, step: Mapping[str, Any], value: Any) -> Differs | None:
        if step["op"] == "call":
            return _judged(step, value)
        expectations = step["outcomes"]
        if not is_array(value) or len(value) != len(expectations):
            wanted = Words(f"{len(expectations)} outcomes")
            return Differs(
                "call_many came to something else", (Difference("", wanted, value),)
            )
        overlapping = self._bindings.overlapping(step["input"])
        wrong: list[Differs] = []
        for expectation, one, count in zip(
            expectations, value, overlapping, strict=True
        ):
            if found := _judged(expectation, one):
                clause = expectation.get("clause")
                wrong.append(replace(found, clause=clause, overlapping=count))
        # What goes wrong alone is not due to what is in flight beside it.
        return min(wrong, key=lambda one: one.overlapping > 0, default=None)

    def _load(
        self, step: Mapping[str, Any], recorded: dict[str, str]
    ) -> Differs | NotAnswered | None:
        paths = self._bindings.to_load(step)
        outcome = self._bridge.ask(Op("load", paths), seconds=CALL_SECONDS)
        if isinstance(outcome, DriverFault):
            return NotAnswered(outcome)
        if outcome.ok:
            value: Any = outcome.value
            if is_object(value):
                # Y3: said in the warnings, or on stderr.
                value = {**value, "said": self._bridge.stderr_tail}
            told: Any = {"result": value}
        else:
            told = {"error": outcome.refusal}
        if "record" in step:
            recorded["load"] = _label(step["record"], told)
        found, given = judge_call(step, told), step["input"]
        plain = None if outcome.ok else without_head(given["config"])
        if found is None or plain is None or "as_written" in step:
            return found
        # EXEC-Y6: a runtime that refuses the head is tried without it.
        again = {**step, "input": {**given, "config": plain}, "as_written": True}
        return self._load(again, recorded)

    def _plain(
        self, step: Mapping[str, Any], name: str
    ) -> Differs | NotAnswered | None:
        given: dict[str, Any] = expand(step.get("input", {}), {})
        if "timeout_ms" in given:
            given["timeout_ms"] *= self._scale
        if name == "setenv":
            self._parents.add(given["name"])
        self._closed = self._closed or name == "close"
        extra = CLOSING_SECONDS if name == "close" else 0.0
        outcome = self._bridge.ask(Op(name, given), seconds=extra)
        if isinstance(outcome, DriverFault):
            return NotAnswered(outcome)
        return None if outcome.ok else _refused(name, outcome)

    # --- a look at the runtime and the tools

    @property
    def _runtime_pid(self) -> int:
        """The process that starts the tools: the driver's, unless it names another."""
        described = self._bridge.ensure_up()
        if isinstance(described, DriverFault):
            return 0
        pid = described.told.get("pid")
        return pid if isinstance(pid, int) else self._bridge.pid

    def _look_at_descriptors(self, more: int) -> Differs | None:
        pid = self._runtime_pid
        if self._descriptors is None:
            self._descriptors = count_descriptors(pid)
            return None
        most = self._descriptors + more
        if self._tools.await_that(lambda: count_descriptors(pid) <= most, 1.0):
            return None
        text = f"the runtime has {count_descriptors(pid)} descriptors"
        return Differs(f"{text}, and had {self._descriptors} before its calls")

    def _await_gone(self, tool: Tool, step: Mapping[str, Any]) -> Differs | None:
        # A runtime may start a server again at once; what it closes leaves nothing.
        count = None if self._closed else max(1, len(tool.plays))
        within = step["within_ms"] / 1000
        # On a slow machine it may take longer: up to four seconds, where it has less.
        within = max(within, min(within * self._scale, SURELY_GONE_SECONDS))
        allowed = SHORT_SECONDS if self._hurried else within
        found = await_gone(self._tools, tool, count, within, allowed)
        if found is not None and found.about_time:
            self.lingered = True
            if self._closed:
                found = replace(found, text=f"{found.text}{TOO_SOON}")
        return found

    @property
    def _waiting(self) -> float:
        """How long what a tool sees is waited for."""
        return SHORT_SECONDS if self._hurried else self._bridge.patience.brief(1.0)


def _judged(step: Mapping[str, Any], value: Any) -> Differs | None:
    """Judge a call, and say of a failure whether it may have met with a short limit."""
    found = judge_call(step, value)
    return found and replace(found, about_time=_failed(value) and "expected" in step)


def _failed(value: Any) -> bool:
    outcome = call_outcome(value)
    return outcome is not None and outcome.error is not None


def _refused(op: str, outcome: Answer) -> Differs:
    wanted = Words("that it is carried out")
    shown = Words(f"an error ({outcome.refusal})")
    return Differs(
        f"{op} was refused: {outcome.refusal}", (Difference("", wanted, shown),)
    )


def _late(op: str, limit: float | None, allowed: float, seconds: float) -> Differs:
    wanted = Words(f"an outcome within {allowed * 1000:.0f} ms")
    found = Words(f"one after {seconds * 1000:.0f} ms, when the tool was let go")
    text = f"{op} was not over after {allowed * 1000:.0f} ms"
    if limit is not None:
        text = f"{op} went on after its limit of {limit * 1000:.0f} ms"
    return Differs(text, (Difference("time", wanted, found),), about_time=True)


def _label(labels: Mapping[str, Any], value: Any) -> str:
    for label, pattern in labels.items():
        if match(pattern, value, {}, {}) is None:
            return label
    return "other"


def _grown(before: int, after: int | None) -> int:
    return 0 if after is None else after - before
