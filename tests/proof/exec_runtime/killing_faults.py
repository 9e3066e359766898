"""Runtimes that leave processes: EXEC-R9, R13."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

from tests.proof.exec_runtime.running import READ_SIZE, Running
from tests.proof.exec_runtime.runtime import Binding, Runtime
from tests.proof.exec_runtime.subject import broken


@broken(
    "no-kill",
    "EXEC-R9",
    "leaves a tool that is late to itself",
)
class NoKill(Runtime):
    def clean_up(self, process: Running) -> None:
        process.release()

    def drop(self, binding: Binding) -> None:
        if binding.server is not None and binding.server.status is None:
            binding.server.release()
            binding.server = None
        super().drop(binding)


class Alone(Running):
    kills_group = False


@broken(
    "children-left",
    "EXEC-R9",
    "kills a late tool and leaves its children",
)
class ChildrenLeft(Runtime):
    running = Alone


class Polite(Running):
    signal = signal.SIGTERM


@broken(
    "asks-to-end",
    "EXEC-R9",
    "sends a late tool SIGTERM and no more",
)
class AsksToEnd(Runtime):
    running = Polite


@broken(
    "servers-kept",
    "EXEC-R9",
    "keeps a server that is late",
)
class ServersKept(Runtime):
    def drop(self, binding: Binding) -> None:
        process = binding.server
        if process is not None and (process.status is not None or process.closed):
            super().drop(binding)

    def end_server(self, binding: Binding, until: float) -> None:
        super().end_server(binding, until)
        super().drop(binding)


@broken("waits-for-the-pipes", "EXEC-R9", "waits for the end of a tool's stdout")
class WaitsForThePipes(Runtime):
    def is_over(self, process: Running) -> bool:
        return super().is_over(process) and process.closed

    def look(self, binding: Binding, process: Running, until: float) -> None:
        super().look(binding, process, until)
        if time.monotonic() >= until:
            raise self.late(binding)


class Patient(Running):
    def kill(self) -> None:
        if not self.closed:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            os.set_blocking(self._stdout, True)
            while os.read(self._stdout, READ_SIZE):
                pass
        super().kill()


@broken(
    "waits-for-all-holders",
    "EXEC-R9",
    "waits, when it has killed a tool, until nobody holds its stdout",
)
class WaitsForAllHolders(Runtime):
    running = Patient


@broken(
    "nothing-closed",
    "EXEC-R13",
    "leaves its servers when it is closed",
)
class NothingClosed(Runtime):
    def close(self) -> None:
        pass


@broken("killed-at-once", "EXEC-R13", "kills its servers without a word")
class KilledAtOnce(Runtime):
    def close(self) -> None:
        for binding in self.bindings.values():
            self.drop(binding)


@broken(
    "never-killed", "EXEC-R13", "closes the stdin of a server and leaves the rest to it"
)
class NeverKilled(Runtime):
    def end_server(self, binding: Binding, until: float) -> None:
        if binding.server is not None:
            binding.server.release()
            binding.server = None


@broken("first-alone", "EXEC-R13", "closes its first server alone")
class FirstAlone(Runtime):
    def close(self) -> None:
        servers = [one for one in self.bindings.values() if one.server is not None]
        for binding in servers[:1]:
            self.close_input(binding)
            self.end_server(binding, time.monotonic() + self.grace)


@broken("children-stay", "EXEC-R13", "kills a server at the end without its children")
class ChildrenStay(Runtime):
    def end_server(self, binding: Binding, until: float) -> None:
        if binding.server is not None:
            binding.server.kills_group = False
        super().end_server(binding, until)


@broken(
    "children-of-the-dead",
    "EXEC-R13",
    "lets go of a server that has died, and of its children",
)
class ChildrenOfTheDead(Runtime):
    def drop(self, binding: Binding) -> None:
        process = binding.server
        if process is not None and process.status is not None:
            process.release()
            binding.server = None
        super().drop(binding)


@broken(
    "former-server-left",
    "EXEC-R13",
    "leaves the server of a tool that is bound anew to itself",
    shown_by="exec-runtime/closing/bound-twice",
)
class FormerServerLeft(Runtime):
    def replaced(self, former: Binding) -> None:
        pass
