"""Subjects: processes, the system, the bridge, scripted peers, patience."""

from __future__ import annotations

from wireproof.subjects._bridge import Bridge
from wireproof.subjects._bridge_messages import (
    Answer,
    Description,
    DriverFault,
    Op,
    Outcome,
    description_of,
    misfit,
    read_answer,
)
from wireproof.subjects._command import missing_program, subject_environment
from wireproof.subjects._computing import Computing
from wireproof.subjects._in_process import (
    IN_PROCESS_PROGRAM,
    IN_PROCESS_VARIABLE,
    placed,
    signature_of,
)
from wireproof.subjects._memory import memory_held, memory_peak
from wireproof.subjects._misfits import misfit_in
from wireproof.subjects._notice import Notice
from wireproof.subjects._patience import (
    FLOOR_SECONDS,
    Patience,
)
from wireproof.subjects._process import SubjectProcess, kill_strays, new_marker
from wireproof.subjects._reproduce import (
    Ending,
    launched_line,
    pipe_line,
    socket_line,
)
from wireproof.subjects._rerun import python_line, run_line, shown_folder
from wireproof.subjects._scripted_peer import Playing, ScriptedPeer
from wireproof.subjects._system import awaited_end, cores, peer_pid, unread_by_peer
from wireproof.subjects._unflushed import UNBUFFERED, Silence, first_silence

__all__ = [
    "FLOOR_SECONDS",
    "IN_PROCESS_PROGRAM",
    "IN_PROCESS_VARIABLE",
    "UNBUFFERED",
    "Answer",
    "Bridge",
    "Computing",
    "Description",
    "DriverFault",
    "Ending",
    "Notice",
    "Op",
    "Outcome",
    "Patience",
    "Playing",
    "ScriptedPeer",
    "Silence",
    "SubjectProcess",
    "awaited_end",
    "cores",
    "description_of",
    "first_silence",
    "kill_strays",
    "launched_line",
    "memory_held",
    "memory_peak",
    "misfit",
    "misfit_in",
    "missing_program",
    "new_marker",
    "peer_pid",
    "pipe_line",
    "placed",
    "python_line",
    "read_answer",
    "run_line",
    "shown_folder",
    "signature_of",
    "socket_line",
    "subject_environment",
    "unread_by_peer",
]
