"""The tools that the suite supplies in one check: a thread that plays and watches them.

Theory of operation. A runtime starts the processes itself, whenever it likes; the suite
knows of one what comes over its FIFOs. One thread watches them all and plays the
scripts, while the suite waits for the runtime's answer. All state is under one lock,
and whoever waits for a change of it is told of each. The thread ends all processes when
it ends: where that is before its time, nothing more is seen, and the check is told.
"""

from __future__ import annotations

import os
import select
import shutil
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Self

from wireproof.checks import VectorDefect
from wireproof.protocols.exec_runtime._script import Script, Wait
from wireproof.protocols.exec_runtime._tool import SPARE, Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from types import TracebackType

    from wireproof.protocols.exec_runtime._tool_process import ToolProcess

    Does = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]
    """For each mode what a tool does, by what it is told."""

MOST_REMOVALS = 100
"""Tries to remove the folder of all tools."""

LOOK_SECONDS = 0.05
"""Seconds between two looks for what no tool tells of."""

REMOVAL_SECONDS = 0.05
"""Seconds between two of them."""


@dataclass(slots=True)
class _Played:
    """A process whose script is being played."""

    process: ToolProcess
    script: Generator[Wait]
    wait: Wait | None = None


class SuppliedTools:
    """Tools for a runtime to start; a context manager.

    Attributes:
        fault: Why no check can be judged by what is seen; None where each can.
    """

    def __init__(self, does: Does, time_scale: int = 1) -> None:
        """Prepare.

        Args:
            does: What tools that serve as told do.
            time_scale: Factor for the delays in scripts.
        """
        self.fault: Exception | None = None
        self._does = does
        self._scale = time_scale
        self._tools: list[Tool] = []
        self._playing: list[_Played] = []
        self._news = threading.Condition()
        self._release_at: float | None = None
        self._released = self._ending = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._root = Path(mkdtemp(prefix="wp-exec-"))
        self._woken, self._wake = os.pipe()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End all that is left of all tools."""
        with self._news:
            self._ending = True
            self._rouse()
        self._thread.join()
        os.close(self._woken)
        os.close(self._wake)
        _remove(self._root)

    # --- what a check does

    def add(
        self,
        name: str,
        *,
        server: bool,
        plays: Sequence[Sequence[Mapping[str, Any]]],
        folder: str = "",
        beside: str = "",
    ) -> Tool:
        """Supply a tool.

        Args:
            name: Its name, which its folder has too.
            server: Whether it serves many calls.
            plays: What its processes play, in the order of their starts.
            folder: The name of its folder, where that is to be another.
            beside: What lies beside it, one of ``FILES``; nothing where it is empty.

        Raises:
            Exception: Nobody watches any more.
        """
        tool = Tool(self._root / (folder or name), server, plays, SPARE)
        tool.lay(beside)
        with self._news:
            self.raise_fault()
            tool.make_places()
            self._tools.append(tool)
            self._rouse()
        return tool

    def make_room(self, tool: Tool, count: int) -> None:
        """Prepare for so many processes of a tool that are started together."""
        with self._news:
            tool.spare = SPARE + count
            tool.make_places()
            self._rouse()

    def raise_fault(self) -> None:
        """Raise what is wrong with the suite itself; nothing where nothing is.

        Raises:
            VectorDefect: A script cannot be carried out as it is written.
            Exception: The thread that watches has failed.
        """
        if self.fault is not None:
            raise self.fault

    def release_at(self, moment: float | None) -> bool:
        """Let go of all processes at a moment on the clock of the run, or never.

        Returns:
            Whether they were let go since the moment that was set before.
        """
        with self._news:
            released, self._released = self._released, False
            self._release_at = moment
            self._rouse()
            return released

    def await_that(self, true: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is true of what was seen.

        Returns:
            Whether it is.
        """
        with self._news:
            limit = time.monotonic() + seconds
            while not (self.fault or true()) and time.monotonic() < limit:
                self._news.wait(min(seconds, LOOK_SECONDS))
            return true()

    def private_folder(self) -> Path:
        """Make a folder for files of the check."""
        return Path(mkdtemp(dir=self._root))

    @property
    def started(self) -> int:
        """How many processes were started."""
        return sum(len(tool.processes) for tool in self._tools)

    # --- the thread

    def _run(self) -> None:
        try:
            self._watch()
        except Exception as error:  # noqa: BLE001 - raised again where it is heard
            with self._news:
                self.fault = error
        finally:
            with self._news:
                for tool in self._tools:
                    for process in tool.places:
                        process.kill()
                self._news.notify_all()

    def _watch(self) -> None:
        while True:
            with self._news:
                if self._ending:
                    return
                watched = self._watched()
                timeout = self._timeout()
            # What is found ready is looked at even where the end has come meanwhile:
            # nothing is closed before this thread is gone.
            ready = _polled(watched, timeout)
            with self._news:
                for number in ready:
                    for _, call in watched[number]:
                        call()
                self._look()
                self._news.notify_all()

    def _watched(self) -> dict[int, list[tuple[int, Callable[[], None]]]]:
        found: dict[int, list[tuple[int, Callable[[], None]]]] = {
            self._woken: [(select.POLLIN, self._awake)]
        }
        for tool in self._tools:
            for process in tool.places:
                for number, call in process.readable:
                    found.setdefault(number, []).append((select.POLLIN, call))
                for number, call in process.writable:
                    found.setdefault(number, []).append((select.POLLOUT, call))
        return found

    def _timeout(self) -> float | None:
        moments = [one.wait.until for one in self._playing if one.wait is not None]
        given = [one for one in (*moments, self._release_at) if one is not None]
        return max(0.0, min(given) - time.monotonic()) if given else None

    def _look(self) -> None:
        """Play on, and see who has come."""
        for tool in self._tools:
            for process in tool.places:
                if process.up and process not in tool.processes:
                    self._begin(tool, process)
            alive = sum(not one.gone for one in tool.seen)
            tool.together = max(tool.together, alive)
        if self._release_at is not None and time.monotonic() >= self._release_at:
            self._released = True
            self._release()
        for one in tuple(self._playing):
            if one.process.seen.gone:
                self._playing.remove(one)
            else:
                self._play_on(one)

    def _begin(self, tool: Tool, process: ToolProcess) -> None:
        tool.processes.append(process)
        with suppress(FileNotFoundError):  # a runtime may remove the tool's folder
            tool.make_places()
        steps = tool.script(len(tool.processes) - 1)
        does = self._does["server" if tool.server else "exec"]
        script = Script(process, steps, lambda: len(tool.processes), does, self._scale)
        self._playing.append(_Played(process, script.play()))

    def _play_on(self, one: _Played) -> None:
        try:
            while one.wait is None or _is_over(one.wait):
                one.wait = next(one.script)
        except StopIteration:
            self._playing.remove(one)
        except VectorDefect as error:
            self.fault = error
            self._let_go(one)
        except FileNotFoundError:  # a runtime may remove the tool's folder
            self._let_go(one)

    def _let_go(self, one: _Played) -> None:
        self._playing.remove(one)
        one.process.release()

    def _release(self) -> None:
        self._release_at = None
        self._playing.clear()
        for tool in self._tools:
            for process in tool.processes:
                process.release()

    def _rouse(self) -> None:
        os.write(self._wake, b"!")

    def _awake(self) -> None:
        os.read(self._woken, 1 << 10)


def _remove(folder: Path) -> None:
    """Remove a folder, into which programs that start only now may still write."""
    for _ in range(MOST_REMOVALS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(REMOVAL_SECONDS)


def _is_over(wait: Wait) -> bool:
    if wait.until is not None and time.monotonic() >= wait.until:
        return True
    return wait.ready()


def _polled(
    watched: Mapping[int, Sequence[tuple[int, Callable[[], None]]]],
    timeout: float | None,
) -> list[int]:
    poll = select.poll()
    for number, calls in watched.items():
        mask = 0
        for wanted, _ in calls:
            mask |= wanted
        poll.register(number, mask)
    milliseconds = None if timeout is None else timeout * 1000
    return [number for number, _ in poll.poll(milliseconds)]
