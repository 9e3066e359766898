"""Subjects: processes, the system, objects in Python, scripted peers."""

from __future__ import annotations

from wireproof.subjects._command import missing_program, subject_environment
from wireproof.subjects._computing import Computing
from wireproof.subjects._in_process import (
    IN_PROCESS_PROGRAM,
    IN_PROCESS_VARIABLE,
    placed,
    signature_of,
)
from wireproof.subjects._in_python import (
    driver_command,
    driver_environment,
    driver_start_problem,
    is_in_process,
    names_object,
)
from wireproof.subjects._memory import memory_held, memory_peak
from wireproof.subjects._notice import Notice
from wireproof.subjects._process import SubjectProcess, kill_strays, new_marker
from wireproof.subjects._reproduce import (
    UNBUFFERED,
    Ending,
    launched_line,
    pipe_line,
    socket_line,
)
from wireproof.subjects._rerun import python_line, run_line, shown_folder
from wireproof.subjects._scripted_peer import Playing, ScriptedPeer
from wireproof.subjects._system import awaited_end, cores, peer_pid, unread_by_peer

__all__ = [
    "IN_PROCESS_PROGRAM",
    "IN_PROCESS_VARIABLE",
    "UNBUFFERED",
    "Computing",
    "Ending",
    "Notice",
    "Playing",
    "ScriptedPeer",
    "SubjectProcess",
    "awaited_end",
    "cores",
    "driver_command",
    "driver_environment",
    "driver_start_problem",
    "is_in_process",
    "kill_strays",
    "launched_line",
    "memory_held",
    "memory_peak",
    "missing_program",
    "names_object",
    "new_marker",
    "peer_pid",
    "pipe_line",
    "placed",
    "python_line",
    "run_line",
    "shown_folder",
    "signature_of",
    "socket_line",
    "subject_environment",
    "unread_by_peer",
]
