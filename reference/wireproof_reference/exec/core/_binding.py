"""What a tool's name is bound to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from wireproof_reference.framing import JSONObject

Mode: TypeAlias = Literal["exec", "server"]
"""A new process for each call, or one for all."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A tool, and the process that carries out its calls.

    Attributes:
        name: What the tool is called by.
        command: The program: a path, or a name that is looked for in our own PATH.
        args: Its arguments, handed on as they are; no shell is involved (EXEC-R17).
        runtime: A new process for each call, or one for all.
        env: Names of the variables that it gets, and no others (EXEC-R6).
        timeout_ms: Milliseconds that a call may take; the runtime's own where None.
        parameters: JSON Schema of the arguments of a call, or None to check none.
    """

    name: str
    command: str
    args: tuple[str, ...] = ()
    runtime: Mode = "exec"
    env: tuple[str, ...] = ()
    timeout_ms: int | None = None
    parameters: JSONObject | None = None
