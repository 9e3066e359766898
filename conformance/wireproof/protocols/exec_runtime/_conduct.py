"""Carries out the steps of a check: ops on the driver, and a look at the tools.

The driver carries out one op after the other; a thread plays the tools meanwhile.
Nothing here waits for ever: a tool that a runtime waits for beyond its limit is let go,
so that the runtime goes on, and what comes of it is late.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from wireproof.bridge import BridgeOps
from wireproof.checks import VectorDefect
from wireproof.judge import Look, Noted
from wireproof.patterns import expand
from wireproof.protocols.exec_runtime._bindings import (
    LONGEST_SECONDS,
    Bindings,
    scaled_ms,
)
from wireproof.protocols.exec_runtime._config_files import without_head
from wireproof.protocols.exec_runtime._looks import (
    await_gone,
    await_reaped,
    await_seen,
    count_descriptors,
    take_notes,
    variables_of,
)
from wireproof.protocols.exec_runtime._reading import look, told_of_load
from wireproof.protocols.exec_runtime._supplied_tools import SuppliedTools
from wireproof.run import BEYOND_SECONDS
from wireproof.subjects import memory_held, memory_peak

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from wireproof.bridge import Told
    from wireproof.checks import SuiteInputs
    from wireproof.protocols.exec_runtime._tool import Tool
    from wireproof.run import Hands

    Step = Mapping[str, Any]

CALL_SECONDS = 5.0
"""What a call may take beside its limit if that is not what is tried."""

CLOSING_SECONDS = 10.0
"""The longest grace period that EXEC-R13 grants."""

SURELY_GONE_MS = 4_000
"""What a process may take to be gone on a slow machine."""

SEEN_SECONDS = 1.0
"""How long what a tool saw may be on its way."""

ENDS_THE_RUNTIME = frozenset({"close", "load", "set_default_timeout"})
"""Ops after which the runtime is not what it was: a new one is started."""


class _Bench:
    """What one check has: its tools, and what it did to the runtime.

    Attributes:
        tools: Supplies the tools.
        bindings: Which of them are bound.
        parents: The names of the runtime's own variables.
        is_closed: Whether the runtime was closed.
        is_spent: Whether it is not what it was.
        descriptors: How many descriptors it had when they were first counted.
    """

    def __init__(
        self, does: Any, serial: str, parents: Collection[str], time_scale: int
    ) -> None:
        """Begin without a tool."""
        self.tools = SuppliedTools(does, time_scale)
        self.bindings = Bindings(self.tools, serial=serial, time_scale=time_scale)
        self.parents = set(parents)
        self.is_closed = self.is_spent = False
        self.descriptors: int | None = None


class RuntimeOps(BridgeOps):
    """The ops of a runtime's driver, and the tools that it starts.

    Attributes:
        started: How many processes of tools were started.
        told_pid: The process that starts the tools, if the driver names one.
        tells: Whether what the tools saw is told for the traffic.
    """

    def __init__(self, inputs: SuiteInputs, environment: Mapping[str, str]) -> None:
        """Prepare; nothing is started.

        Args:
            inputs: What the suite is made of.
            environment: All variables of the driver.
        """
        super().__init__(inputs.target, inputs.settings, environment)
        self.started = 0
        self.told_pid: int | None = None
        self.tells = True
        self._parents = frozenset(environment)
        self._does = inputs.setup["does"]
        self._serial = 0
        self._bench: _Bench | None = None

    def end(self) -> None:
        """End a check: nothing is left of its tools."""
        bench, self._bench = self._bench, None
        if bench is None:
            return
        self.started += bench.tools.started
        bench.tools.__exit__(None, None, None)
        if bench.is_spent and self.process is not None:
            self.process.close_input()

    def carry_out(self, step: Step, hands: Hands) -> Any:
        """Carry out a step; return what it saw, as JSON.

        Raises:
            VectorDefect: If it cannot be carried out as it is written.
        """
        if self._bench is None:
            self._serial += 1
            scale = hands.time_scale
            bench = _Bench(self._does, str(self._serial), self._parents, scale)
            bench.tools.__enter__()
            self._bench = bench
        seen = self._carry_out(step, hands, self._bench)
        self._bench.tools.raise_fault()
        if self.tells:
            self._tell()
        return seen

    def _carry_out(self, step: Step, hands: Hands, bench: _Bench) -> Any:
        match step:
            case {"op": str(op)}:
                bench.is_spent |= op in ENDS_THE_RUNTIME
                return self._ask(op, step, hands, bench)
            case {"seen": str(name), "match": pattern}:
                tool = bench.bindings.supplied[name]
                seconds = hands.seconds(SEEN_SECONDS)
                return await_seen(bench.tools, tool, pattern, seconds)
            case {"environment": str(name)}:
                tool = bench.bindings.supplied[name]
                listed = bench.bindings.listed(name)
                return variables_of(tool, expand(step, {}), listed, bench.parents)
            case {"gone": str(name), "within_ms": int(ms)}:
                return self._await_gone(bench.bindings.supplied[name], ms, hands, bench)
            case {"reaped": str(name), "within_ms": int(ms)}:
                tool = bench.bindings.supplied[name]
                parents = {self._runtime_pid, self._pid}
                return await_reaped(bench.tools, tool, parents, ms / 1000)
            case {"descriptors": int(more)}:
                return self._count_descriptors(more, bench)
            case _:
                raise VectorDefect(f"unknown step with the keys {sorted(step)}")

    def _tell(self) -> None:
        """Tell what the tools saw and did, for the traffic."""
        if self._bench is None or self.sink is None:
            return
        supplied = self._bench.bindings.supplied.items()
        notes = [one for name, tool in supplied for one in take_notes(name, tool)]
        for note in sorted(notes):
            self.sink.noted(Noted(note.time, note.text, note.by_suite))

    # --- ops

    def _ask(self, op: str, step: Step, hands: Hands, bench: _Bench) -> Any:
        match op:
            case "bind":
                given = bench.bindings.to_bind(step)
                told = self._carried(op, given, hands)
                if told.answer is not None and not told.answer.ok:
                    bench.bindings.refused(step["input"]["name"])
                return told.seen
            case "call" | "call_many":
                return self._call(op, step, hands, bench)
            case "load":
                return self._load(step, hands, bench)
            case "setenv":
                bench.parents.add(step["input"]["name"])
            case "close":
                bench.is_closed = True
            case _:
                pass
        given = expand(step.get("input", {}), {})
        if "timeout_ms" in given:
            given["timeout_ms"] = scaled_ms(given["timeout_ms"], hands.time_scale)
        extra = CLOSING_SECONDS if op == "close" else 0.0
        return self._carried(op, given, hands, extra).seen

    def _carried(
        self, op: str, given: Mapping[str, Any], hands: Hands, extra: float = 0.0
    ) -> Told:
        return self.told(op, hands.carry(self.request(op, given), extra))

    def _call(self, op: str, step: Step, hands: Hands, bench: _Bench) -> Any:
        given: dict[str, Any] = expand(step["input"], {})
        calls: list[dict[str, Any]] = given.get("calls", [given])
        for call in calls:
            tool = bench.bindings.supplied[call["tool"]]
            bench.tools.make_room(tool, len(calls))
            call["tool"] = bench.bindings.known_as(call["tool"])
        if not all(call["tool"] for call in calls):
            return None
        seen: Any = None
        for _ in range(step.get("times", 1)):
            seen = self._call_once(op, step, given, hands)
            if isinstance(look(step, seen, {}), Look):
                break
        return seen

    def _call_once(
        self, op: str, step: Step, given: Mapping[str, Any], hands: Hands
    ) -> dict[str, Any]:
        bench = self._bench
        if bench is None:
            raise TypeError("no call is carried out outside of a check")
        before = memory_held(self._pid) if step.get("bounded") else None
        limit = scaled_ms(step.get("limit_ms", 0), hands.time_scale) / 1000
        allowed = limit + BEYOND_SECONDS
        if not limit:
            longest = self._longest_of(step["input"], bench.bindings)
            allowed = hands.seconds(CALL_SECONDS) + longest
        bench.tools.release_at(time.monotonic() + allowed)
        told = self._carried(op, given, hands, allowed)
        # A tool that had to be let go was waited for too long, by whatever clock.
        let_go = bench.tools.release_at(None)
        if let_go and not limit:
            hands.in_vain()
        peak = memory_peak(self._pid) if before is not None else None
        return told.seen | {
            "choices": _choices(step, op, told.seen.get("value")),
            "is_limited": bool(limit),
            "limit": limit if bench.bindings.longest else None,
            "allowed": allowed,
            "let_go": let_go,
            "grown": 0 if before is None or peak is None else peak - before,
        }

    def _longest_of(self, given: Mapping[str, Any], bindings: Bindings) -> float:
        """Return the longest limit of the calls of a step, in seconds."""
        calls: Sequence[Mapping[str, Any]] = given.get("calls", [given])
        limits = [bindings.limit_of(call["tool"]) for call in calls]
        if all(limits):
            return min(max(limits), LONGEST_SECONDS)
        return bindings.longest

    def _load(self, step: Step, hands: Hands, bench: _Bench) -> Any:
        paths = bench.bindings.to_load(step)
        told = self._carried("load", paths, hands, hands.seconds(CALL_SECONDS))
        said = self.process.stderr_tail() if self.process is not None else ""
        seen = told.seen | {"said": said}
        if told.answer is None:
            return seen
        seen["choices"] = _choices(step, "load", told_of_load(seen))
        given = step["input"]
        plain = None if told.answer.ok else without_head(given["config"])
        is_right = not isinstance(look(step, seen, {}), Look)
        if is_right or plain is None or "as_written" in step:
            return seen
        # EXEC-Y6: a runtime that refuses the head is tried without it.
        again = {**step, "input": {**given, "config": plain}, "as_written": True}
        return self._load(again, hands, bench)

    # --- a look at the runtime and the tools

    @property
    def _pid(self) -> int:
        return self.process.pid if self.process is not None else 0

    @property
    def _runtime_pid(self) -> int:
        """The process that starts the tools: the driver's, unless it names another."""
        return self.told_pid or self._pid

    def _count_descriptors(self, more: int, bench: _Bench) -> dict[str, int]:
        pid = self._runtime_pid
        before = bench.descriptors
        if before is None:
            before = bench.descriptors = count_descriptors(pid)
        most = before + more
        bench.tools.await_that(lambda: count_descriptors(pid) <= most, SEEN_SECONDS)
        return {"before": before, "now": count_descriptors(pid)}

    def _await_gone(
        self, tool: Tool, ms: int, hands: Hands, bench: _Bench
    ) -> dict[str, Any]:
        # A runtime may start a server again at once; what it closes leaves nothing.
        count = None if bench.is_closed else max(1, len(tool.plays))
        # On a slow machine it may take longer.
        within = max(ms, min(ms * hands.time_scale, SURELY_GONE_MS)) / 1000
        allowed = min(within, hands.seconds(within))
        seen = await_gone(bench.tools, tool, count, allowed)
        if seen["left"]:
            hands.in_vain()
        return seen | {"seconds": within, "is_closed": bench.is_closed}


def _choices(step: Step, op: str, value: Any) -> list[Any]:
    return [[op, step["record"], value]] if "record" in step else []
