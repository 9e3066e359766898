"""Runtimes with other limits: EXEC-R8, R19, R20, R10."""

from __future__ import annotations

import os
import time

from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import Binding, Failure, Runtime
from tests.proof.exec_runtime.subject import broken

FOR_EVER = 3600.0


@broken(
    "no-limit",
    "EXEC-R8",
    "waits for ever",
)
class NoLimit(Runtime):
    def limit(self, binding: Binding) -> float:
        return FOR_EVER


@broken(
    "no-limit-no-kill",
    "EXEC-R8",
    "waits for ever, and leaves what it is done with to itself",
)
class NoLimitNoKill(Runtime):
    def limit(self, binding: Binding) -> float:
        return FOR_EVER

    def clean_up(self, process: Running) -> None:
        process.release()


@broken(
    "a-limit-and-some-grace",
    "EXEC-R8",
    "takes answers until 900 ms after the limit",
)
class ALimitAndSomeGrace(Runtime):
    def limit(self, binding: Binding) -> float:
        return super().limit(binding) + 0.9


@broken(
    "limit-in-seconds",
    "EXEC-R8",
    "takes the limit for seconds",
)
class LimitInSeconds(Runtime):
    def limit(self, binding: Binding) -> float:
        return super().limit(binding) * 1000


@broken(
    "servers-unlimited",
    "EXEC-R8",
    "has no limit for servers",
)
class ServersUnlimited(Runtime):
    def limit(self, binding: Binding) -> float:
        return FOR_EVER if binding.runtime == "server" else super().limit(binding)


@broken("limit-of-silence", "EXEC-R8", "begins the limit anew with any output")
class LimitOfSilence(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.heard: dict[int, tuple[int, float]] = {}

    def look(self, binding: Binding, process: Running, until: float) -> None:
        received, at = self.heard.get(process.pid, (-1, 0.0))
        if process.received != received or binding.number != self.calls:
            received, at, self.calls = (
                process.received,
                time.monotonic(),
                binding.number,
            )
            self.heard[process.pid] = (received, at)
        super().look(binding, process, at + self.limit(binding))

    calls = 0


@broken(
    "silence-unlimited",
    "EXEC-R8",
    "waits for the end of a tool that has closed its stdout and stderr, however long",
)
class SilenceUnlimited(Runtime):
    def look(self, binding: Binding, process: Running, until: float) -> None:
        ends = time.monotonic() + FOR_EVER if process.silent else until
        super().look(binding, process, ends)


class Blocking(Running):
    def send(self, data: bytes, *, last: bool = False) -> None:
        os.set_blocking(self._stdin, True)
        super().send(data, last=last)


@broken(
    "limit-after-writing",
    "EXEC-R8",
    "writes the arguments before it looks at anything else",
)
class LimitAfterWriting(Runtime):
    running = Blocking


@broken("late-answers-count", "EXEC-R8", "takes an answer that comes after the limit")
class LateAnswersCount(Runtime):
    def late(self, binding: Binding) -> Failure:
        time.sleep(self.limit(binding) + 2.5)
        return super().late(binding)


@broken("asks-first", "EXEC-R8", "asks a late tool to end, and waits for that")
class AsksFirst(Runtime):
    def late(self, binding: Binding) -> Failure:
        time.sleep(2.5)
        return super().late(binding)


@broken(
    "tenth-of-the-limit",
    "EXEC-R19",
    "fails a call in a tenth of its limit",
)
class TenthOfTheLimit(Runtime):
    def limit(self, binding: Binding) -> float:
        return super().limit(binding) / 10


@broken(
    "limit-in-whole-seconds",
    "EXEC-R19",
    "makes whole seconds of a limit, and fails at once what has less than one",
    shown_by="exec-runtime/limits/one-shot-less-than-a-second",
)
class LimitInWholeSeconds(Runtime):
    def limit(self, binding: Binding) -> float:
        return super().limit(binding) // 1


@broken(
    "limit-of-a-life",
    "EXEC-R19",
    "counts the limit of a server from its start",
)
class LimitOfALife(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.born: dict[int, float] = {}

    def start(self, binding: Binding) -> Running:
        process = super().start(binding)
        self.born[process.pid] = time.monotonic()
        return process

    def look(self, binding: Binding, process: Running, until: float) -> None:
        super().look(binding, process, self.born[process.pid] + self.limit(binding))


@broken(
    "limit-of-32-bits",
    "EXEC-R19",
    "takes a limit beyond 32 bits for one that has passed",
)
class LimitOf32Bits(Runtime):
    def limit(self, binding: Binding) -> float:
        limit = super().limit(binding)
        return limit if limit * 1000 < 1 << 31 else 0.001


@broken(
    "half-a-second",
    "EXEC-R19",
    "has a limit of half a second at most",
)
class HalfASecond(Runtime):
    def limit(self, binding: Binding) -> float:
        given = binding.timeout_ms
        return super().limit(binding) if given is None else min(given / 1000, 0.5)


@broken("says-timed-out", "EXEC-R20", "says no more than timed out", level="should")
class SaysTimedOut(Runtime):
    def late(self, binding: Binding) -> Failure:
        return Failure("timed out")


@broken("names-no-limit", "EXEC-R20", "does not name the limit", level="should")
class NamesNoLimit(Runtime):
    def late(self, binding: Binding) -> Failure:
        return Failure(f"{binding.name} took too long")


@broken("no-default", "EXEC-R10", "has no limit where a binding has none")
class NoDefault(Runtime):
    def limit(self, binding: Binding) -> float:
        return FOR_EVER if binding.timeout_ms is None else super().limit(binding)


@broken("fixed-default", "EXEC-R10", "has a limit of its own that cannot be set")
class FixedDefault(Runtime):
    def set_default_timeout(self, timeout_ms: int) -> None:
        pass


@broken("default-wins", "EXEC-R10", "has the limit of the runtime for all tools")
class DefaultWins(Runtime):
    is_set = False

    def set_default_timeout(self, timeout_ms: int) -> None:
        super().set_default_timeout(timeout_ms)
        self.is_set = True

    def limit(self, binding: Binding) -> float:
        return self.default_ms / 1000 if self.is_set else super().limit(binding)


@broken(
    "default-of-one-shot", "EXEC-R10", "has a default limit for one-shot tools alone"
)
class DefaultOfOneShot(Runtime):
    def limit(self, binding: Binding) -> float:
        if binding.runtime == "server" and binding.timeout_ms is None:
            return FOR_EVER
        return super().limit(binding)
