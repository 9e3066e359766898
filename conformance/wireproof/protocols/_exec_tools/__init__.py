"""Exec tools of both modes: what a user says of one, and how it is reached."""

from __future__ import annotations

from wireproof.protocols._exec_tools._answers import KEYS, null_companion, plain
from wireproof.protocols._exec_tools._protocol import ExecProtocol
from wireproof.protocols._exec_tools._settings import (
    Binding,
    ExecSettings,
    read_settings,
)
from wireproof.protocols._exec_tools._subject import (
    ExecSubject,
    exec_subject,
)

__all__ = [
    "KEYS",
    "Binding",
    "ExecProtocol",
    "ExecSettings",
    "ExecSubject",
    "exec_subject",
    "null_companion",
    "plain",
    "read_settings",
]
