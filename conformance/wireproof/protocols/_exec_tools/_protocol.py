"""What the entries of both modes share: how a tool is named, and what a run needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from wireproof.checks import VectorProtocol, split_command
from wireproof.protocols._exec_tools._settings import (
    ONE_OF,
    ExecSettings,
    read_settings,
)
from wireproof.protocols._exec_tools._subject import exec_subject

if TYPE_CHECKING:
    from wireproof.checks import OptionReader, Settings, Target


class ExecProtocol(VectorProtocol):
    """Exec tools of one mode as an entry of the registry.

    Attributes:
        serves: Whether it is server mode.
    """

    serves: ClassVar[bool]

    takes = "a tool that behaves as the conformance toolset says (--exec-toolset)"
    toolset = ("vectors/wireproof_vectors/toolset.json",)

    def command(self, text: str) -> tuple[str, ...]:
        """Return the words of a command line.

        Raises:
            ValueError: With the remedy, if the text cannot be split into words.
        """
        return split_command(text)

    def reach(self, text: str, options: OptionReader) -> tuple[str, ...]:
        """Return the words of a command line, if it is said what to call it with.

        Raises:
            ValueError: With the remedy, if they cannot be told, or it is not said.
        """
        given = options.text("exec-args") or options.text("pack")
        if not given and not options.switch("exec-toolset"):
            raise ValueError(
                f"nobody knows what to call this tool with; give one of {ONE_OF}"
            )
        return self.command(text)

    def several(self, options: OptionReader) -> list[tuple[str, tuple[str, ...]]]:
        """Return the bindings of a runtime configuration that are of this mode.

        Raises:
            Exception: As the reader makes it, if the file cannot be used.
        """
        found = read_settings(options).bindings
        return [
            (text, binding.command)
            for text, binding in found.items()
            if binding.is_server is self.serves
        ]

    def settings(self, options: OptionReader) -> ExecSettings:
        """Read the options of exec tools."""
        return read_settings(options)

    def start_problem(self, target: Target, settings: Settings) -> str | None:
        """Return why the system cannot start a tool, or None; nothing is started."""
        from wireproof.subjects import missing_program

        variables = exec_subject(target, settings).environment
        return missing_program(target.command, settings.folder, variables)
