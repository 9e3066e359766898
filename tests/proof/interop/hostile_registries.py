"""Registries that misuse the process in which they are tried."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

from tests.proof.interop.subject import Subject

LIFETIME = 120
"""Seconds after which the system ends a process that nobody ended."""

LATER = 8
"""Calls that are sanitised soundly before the trouble begins."""


class Late(Subject):
    """Makes trouble after some calls."""

    def __init__(self) -> None:
        super().__init__()
        signal.alarm(LIFETIME)
        self.count = 0

    def trouble(self) -> None:
        """Make it."""
        raise NotImplementedError

    def sanitize_tool_call(self, call: Any) -> Any:
        self.count += 1
        if self.count > LATER:
            self.trouble()
        return super().sanitize_tool_call(call)


class ExitsAtOnce(Late):
    """Ends the process."""

    def trouble(self) -> None:
        os._exit(3)


class ExitsPolitely(Late):
    """Ends the process in Python's way."""

    def trouble(self) -> None:
        sys.exit(3)


class Segfaults(Late):
    """Reads memory that is not there."""

    def trouble(self) -> None:
        ctypes.string_at(0)


class Loops(Late):
    """Never comes back."""

    def trouble(self) -> None:
        while True:
            time.sleep(1)


class Overflows(Late):
    """Recurses without end."""

    def trouble(self) -> None:
        self.trouble()


class InterruptsItself(Late):
    """Raises what is no exception of a program."""

    def trouble(self) -> None:
        raise KeyboardInterrupt


class FloodsStdout(Late):
    """Prints much."""

    def trouble(self) -> None:
        os.write(1, b"flood\n" * 100_000)


class FloodsStderr(Late):
    """Writes without end on stderr from a thread."""

    def trouble(self) -> None:
        if self.count == LATER + 1:
            threading.Thread(target=self.flood, daemon=True).start()

    def flood(self) -> None:
        """Write."""
        while True:
            os.write(2, b"x" * 65536)


class GivesMuch(Late):
    """Gives a hundred megabytes once."""

    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        return {**made, "more": "x" * 100_000_000} if self.count == LATER else made

    def trouble(self) -> None:
        """Make none here."""


class GivesACycle(Late):
    """Gives an object that is part of itself."""

    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if self.count > LATER:
            made["self"] = made
        return made

    def trouble(self) -> None:
        """Make none here."""


class ClosesEverything(Late):
    """Closes every descriptor."""

    def trouble(self) -> None:
        os.closerange(0, 64)


class LeavesAChild(Late):
    """Leaves a child that ignores SIGTERM and holds the pipes."""

    def __init__(self) -> None:
        super().__init__()
        ignore = (
            "import signal,time;signal.signal(15,1);signal.alarm(120);time.sleep(120)"
        )
        words = [sys.executable, "-I", "-S", "-c", ignore, "hostile_registries"]
        subprocess.Popen(words, close_fds=False)

    def trouble(self) -> None:
        """Make none here."""


class IgnoresTheEnd(Late):
    """Ignores every signal that can be ignored, and the end of its input."""

    def __init__(self) -> None:
        super().__init__()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        threading.Thread(target=time.sleep, args=(LIFETIME,)).start()

    def trouble(self) -> None:
        """Make none here."""


class RaisesAtTheStart:
    """Cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("no database")


class ExitsAtTheStart:
    """Ends the process where it is made."""

    def __init__(self) -> None:
        sys.exit(4)


class DiesAtTheStart:
    """Ends the process without a word where it is made."""

    def __init__(self) -> None:
        os._exit(5)


class HasNoOps:
    """Has none of the methods."""


class ForgetsDescribe(Subject):
    """Fails where it is to describe itself."""

    def describe(self) -> Any:
        raise RuntimeError("who am I?")


NO_OBJECT = 3
"""Something that is no registry."""

ONE_BY_ONE = (
    ExitsAtOnce,
    ExitsPolitely,
    Segfaults,
    Loops,
    Overflows,
    InterruptsItself,
    FloodsStdout,
    FloodsStderr,
    GivesMuch,
    GivesACycle,
    ClosesEverything,
    LeavesAChild,
    IgnoresTheEnd,
    RaisesAtTheStart,
    ExitsAtTheStart,
    DiesAtTheStart,
    HasNoOps,
    ForgetsDescribe,
)
"""Those that are tried."""
