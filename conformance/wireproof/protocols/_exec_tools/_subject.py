"""How one exec tool is reached: its environment, and arguments with which it succeeds.

At full level a tool is given a tool of the conformance toolset and its arguments; else
what the user gives: nobody but the user knows what the tool does with that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wireproof.protocols._exec_tools._settings import ExecSettings
from wireproof.subjects import subject_environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Settings, Target
    from wireproof.protocols._exec_tools._settings import Binding

REFERENCE = "reference"
"""The subject that is the project's own; it behaves as the toolset says."""

ECHO = {"tool": "conformance_echo", "arguments": {"value": "control"}}
"""The arguments of the control at full level."""

ECHOED = {"value": "control"}
"""What it results in."""


@dataclass(frozen=True, slots=True)
class ExecSubject:
    """An exec tool as it is started and asked.

    Attributes:
        command: The argument vector.
        environment: All its variables.
        toolset: Whether it behaves as the conformance toolset says.
        candidates: Arguments for the control, the first that succeeds counts.
        binding: The binding that it is, or None.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str]
    toolset: bool = False
    candidates: Sequence[Any] = field(default_factory=tuple[Any, ...])
    binding: Binding | None = None

    @property
    def listed(self) -> Sequence[str]:
        """The variables that its binding lists."""
        return () if self.binding is None else self.binding.listed

    @property
    def forwarded(self) -> Sequence[str] | None:
        """The only variables that it gets; None where it gets the user's."""
        return None if self.binding is None else tuple(self.environment)

    def is_control(self, result: Any) -> bool:
        """Tell whether this is the result of the control, as far as can be said."""
        return not self.toolset or result == ECHOED


def exec_subject(target: Target, settings: Settings) -> ExecSubject:
    """Return how the tool is reached that a user named."""
    own = settings.of(ExecSettings)
    toolset = own.toolset or target.text == REFERENCE
    binding = own.bindings.get(target.text)
    candidates: Sequence[Any] = [ECHO] if toolset else own.arguments
    if binding is None:
        environment = subject_environment(settings.environment)
        return ExecSubject(target.command, environment, toolset, candidates)
    candidates = candidates or binding.arguments
    return ExecSubject(
        target.command, binding.environment, toolset, candidates, binding
    )
