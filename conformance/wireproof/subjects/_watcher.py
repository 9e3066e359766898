"""Ends the subjects of a run that was killed, and all that they have started.

Theory of operation. A small shell script waits for the end of its input, which is a
pipe from this process: it comes when this process ends, whatever ends it. The script
then kills each group that it was told of and not told to forget, and on Linux whatever
else has the marker of such a subject among its variables.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading

SHELL = "/bin/sh"

SCRIPT = r"""
trap '' HUP INT QUIT TERM
subjects=
while read -r sign pid marker; do
  case $sign in
    +) subjects="$subjects $pid:$marker" ;;
    -) rest=
       for one in $subjects; do
         [ "${one%%:*}" = "$pid" ] || rest="$rest $one"
       done
       subjects=$rest ;;
  esac
done
for one in $subjects; do
  [ "${one%%:*}" = 0 ] || kill -KILL -- "-${one%%:*}"
  tries=0
  while [ "$tries" -lt 20 ] && [ -d /proc/self ]; do
    found=$(grep -lsz "^WIREPROOF_SUBJECT=${one#*:}\$" /proc/[0-9]*/environ)
    [ -n "$found" ] || break
    for file in $found; do
      pid=${file#/proc/}
      kill -KILL "${pid%%/*}"
    done
    tries=$((tries + 1))
  done
done 2>/dev/null
"""


class _Watcher:
    """The script of this process; it runs while there are subjects."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._input: int | None = None
        self._pid = 0
        self._ended: list[int] = []
        self._watched: set[int] = set()

    def watch(self, pid: int, marker: str) -> None:
        with self._lock:
            if self._input is None:
                self._start()
            self._watched.add(pid)
            self._tell(f"+ {pid} {marker}\n")

    def forget(self, pid: int) -> None:
        with self._lock:
            self._watched.discard(pid)
            self._tell(f"- {pid}\n")
            if not self._watched - {NOT_STARTED}:
                self._stop()

    def leave(self) -> None:
        """Let go of the script: it is no child of a copy of this process."""
        self._lock = threading.RLock()
        self._ended.clear()
        self._stop()
        self._ended.clear()

    def _start(self) -> None:
        self._reap()
        with contextlib.suppress(OSError):
            script = subprocess.Popen(  # noqa: S603 - a script of our own
                [SHELL, "-c", SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PATH": os.defpath},
                cwd="/",
                start_new_session=True,
            )
            if script.stdin is not None:
                self._input, self._pid = os.dup(script.stdin.fileno()), script.pid
                script.stdin.close()
            # Its end is not waited for: a copy of this process may hold its input.
            script.returncode = 0

    def _stop(self) -> None:
        self._watched.clear()
        if self._input is not None:
            os.close(self._input)
            self._input = None
            self._ended.append(self._pid)
            self._reap()

    def _reap(self) -> None:
        for pid in tuple(self._ended):
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG) == (0, 0):
                    continue
            self._ended.remove(pid)

    def _tell(self, line: str) -> None:
        if self._input is not None:
            with contextlib.suppress(OSError):
                os.write(self._input, line.encode())


NOT_STARTED = 0
"""Stands for the process that is about to be started."""

_watcher = _Watcher()

# A copy of this process would keep the pipe open after the end of this one.
os.register_at_fork(after_in_child=_watcher.leave)


def expect(marker: str) -> None:
    """End whatever has a marker, from now on, when this process ends before it."""
    _watcher.watch(NOT_STARTED, marker)


def watch(pid: int, marker: str) -> None:
    """End a subject when this process ends before it.

    Args:
        pid: The process, which leads a group of its own.
        marker: What its stray children are known by.
    """
    _watcher.watch(pid, marker)
    _watcher.forget(NOT_STARTED)


def forget(pid: int = NOT_STARTED) -> None:
    """Leave a subject alone that has been ended, or was not started."""
    _watcher.forget(pid)
