"""What the system tells of processes, pipes and sockets.

Theory of operation. Linux tells what POSIX does not: when a process ends that is not
ours to wait for (pidfd), its variables (``/proc``), and what the other end of a pipe
or a socket has not read yet. Everywhere else there is the portable path: processes
are looked at in turns, ``ps`` lists their variables, and what is unread counts as
read. A process that is ours is reaped there as soon as it is seen to have ended, for
``waitid`` with ``WNOWAIT`` came to macOS with Python 3.13. ``WIREPROOF_PORTABLE`` in
the environment forces the portable path: ``nox -s portable`` runs the tests with it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

SWITCH = "WIREPROOF_PORTABLE"
"""Name of the variable that forces the portable path."""

EXIT_POLL = 0.02
"""Seconds between two looks at a process on the portable path."""

PS_SECONDS = 10.0
"""Longest wait for a listing of processes, on a machine that has very many."""

STATE, PARENT, GROUP, SESSION, FLAGS, VARIABLES = 0, 1, 2, 3, 6, 47
"""Fields of ``/proc/PID/stat`` behind the name: the last is where the variables are."""

KERNEL_THREAD = 0x200000
"""The flag of a process that has no program."""

PASSES = 50
"""Listings of processes, the last of which has to show nothing new."""


def cores() -> int:
    """Return how many processes can run at once on this machine."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def is_linux() -> bool:
    """Tell whether Linux's own interfaces are used."""
    return sys.platform == "linux" and SWITCH not in os.environ


def open_pidfd(pid: int) -> int | None:
    """Return a descriptor that is readable once a process has ended; None without."""
    if sys.platform != "linux" or not is_linux():
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


def exit_status(process: subprocess.Popen[bytes]) -> int | None:
    """Return the exit status of a process of ours; None while it runs.

    It is not reaped on Linux, so that its id cannot pass to a stranger while its group
    is still to be killed.
    """
    if sys.platform != "linux" or not is_linux():
        return process.poll()
    found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if found is None:
        return None
    killed = found.si_code != os.CLD_EXITED
    return -found.si_status if killed else found.si_status


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the group that a process of ours leads, or led."""
    if process.returncode is not None and _exists(process.pid):
        # It was reaped, its group is empty, and a stranger has the id: that of a group
        # which still has a member is not given away.
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def awaited_end(pid: int, seconds: float) -> Generator[None]:
    """Wait, after what is done within, until a process that need not be ours is gone.

    Args:
        pid: The process; 0 for none.
        seconds: Most seconds to wait.
    """
    watched = open_pidfd(pid) if pid else None
    try:
        yield
        if watched is not None:
            select.select([watched], [], [], seconds)
        elif pid and not is_linux():
            limit = time.monotonic() + seconds
            while _runs(pid) and time.monotonic() < limit:
                select.select([], [], [], EXIT_POLL)
    finally:
        if watched is not None:
            os.close(watched)


def kill_marked(variable: str) -> None:
    """Kill whatever has a variable in its environment.

    A process that forks while it is looked for leaves a child that was not listed, so
    the listing is repeated until it shows nothing new.

    Args:
        variable: Name and value, ``NAME=value``; unlike any other text.
    """
    looked_at, needle = {os.getpid()}, variable.encode()
    for _ in range(PASSES):
        if is_linux():
            new = _processes() - looked_at
            told = {pid: _variables(pid) for pid in sorted(new)}
            found = [pid for pid, one in told.items() if _has(one, needle)]
            # What has no variables yet is looked at once more.
            begins = {pid for pid, one in told.items() if one == b"" and _begins(pid)}
            looked_at |= new - begins
        else:
            # A listing begins a process itself, so that one more is always new.
            new = set(marked(variable)) - looked_at
            found = sorted(new)
        if not new:
            return
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def marked(variable: str) -> list[int]:
    """Return the processes that have a variable in their environment.

    Args:
        variable: As for ``kill_marked``.
    """
    if is_linux():
        return _carriers(variable, _processes())
    lines = [line.split(None, 1) for line in _listing()]
    return sorted(int(words[0]) for words in lines if variable in words[-1])


def unread_in_pipe(number: int) -> int:
    """Return how many bytes of a pipe are unread; 0 where the system cannot say."""
    return _count(number, termios.FIONREAD) if is_linux() else 0


def unread_by_peer(sock: socket.socket) -> int:
    """Return how many bytes the other end of a Unix socket has not read.

    0 where the system cannot say.
    """
    return _count(sock.fileno(), termios.TIOCOUTQ) if is_linux() else 0


def peer_pid(sock: socket.socket) -> int | None:
    """Return the process that listens, or None where the system does not say.

    It may be another one than was started: a shell or a launcher may stand before it.
    """
    if sys.platform != "linux" or not is_linux():
        return None
    found = sock.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")
    )
    pid: int = struct.unpack("3i", found)[0]
    return pid or None


def _count(number: int, request: int) -> int:
    try:
        answer = fcntl.ioctl(number, request, b"\0\0\0\0")
    except OSError:
        return 0
    count: int = struct.unpack("i", answer)[0]
    return count


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's, or its number is beyond what there can be
        pass
    return True


def _runs(pid: int) -> bool:
    """Tell whether a process runs; one that only waits to be reaped does not."""
    if not _exists(pid):
        return False
    listed = _ps("-o", "stat=", "-p", str(pid))
    return bool(listed) and not listed[0].startswith("Z")


def _processes() -> set[int]:
    return {int(entry.name) for entry in Path("/proc").glob("[0-9]*")}


def _carriers(variable: str, among: set[int]) -> list[int]:
    needle = variable.encode()
    return [pid for pid in sorted(among) if _has(_variables(pid), needle)]


def _has(variables: bytes | None, needle: bytes) -> bool:
    return variables is not None and needle in variables.split(b"\0")


def _variables(pid: int) -> bytes | None:
    """Return the environment of a process, each variable with a NUL; None if hidden."""
    try:
        return Path("/proc", str(pid), "environ").read_bytes()
    except OSError:
        return None


def stat_fields(folder: Path) -> list[str]:
    """Return what Linux tells of a process or thread, from the field behind its name.

    Args:
        folder: Its folder below ``/proc``.

    Raises:
        OSError: If there is none any more.
    """
    return (folder / "stat").read_text().rpartition(")")[2].split()


def _begins(pid: int) -> bool:
    """Tell whether a process without variables begins a program, and gets them yet.

    Whoever started it may know already that the program was found.
    """
    try:
        fields = stat_fields(Path("/proc", str(pid)))
    except OSError:
        return False
    ended = fields[STATE] in "ZX"
    if ended or int(fields[FLAGS]) & KERNEL_THREAD:
        return False
    return fields[VARIABLES] == "0" or bool(_variables(pid))


def _listing() -> list[str]:
    """List all processes: the id, and the command with its variables."""
    system: str = sys.platform  # so that neither branch is unreachable to mypy
    if system == "linux":
        return _ps("axeww", "-o", "pid=,args=")
    return _ps("-A", "-E", "-ww", "-o", "pid=,command=")


def _ps(*options: str) -> list[str]:
    program = shutil.which("ps")
    if program is None:
        return []
    done = subprocess.run(  # noqa: S603 - the system's own listing
        [program, *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PS_SECONDS,
        check=False,
    )
    return done.stdout.decode(errors="replace").split("\n")[:-1]
