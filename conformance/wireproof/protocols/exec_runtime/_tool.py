"""A tool that the suite supplies: its folder, its processes, and what these play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wireproof.protocols.exec_runtime import _shell as shell
from wireproof.protocols.exec_runtime._tool_process import ToolProcess
from wireproof.subjects._system import is_linux

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from wireproof.protocols.exec_runtime._seen import Seen

SPARE = 3
"""Places that are ready for processes to come, where calls come one by one."""

MOST_STARTS = 64
"""Processes of one tool; further ones exit at once."""

FILES = {
    "notes.txt": "these are notes\n",
    "folder": None,
    "broken": "#!/no/such/interpreter\n",
}
"""What may lie beside a tool for a command to name; None is a folder."""

DEFAULT: Sequence[Mapping[str, Any]] = ({"serve": "as-told"},)
"""What a process plays whose script is not given: its arguments come back, but where
they say what to do."""


@dataclass(slots=True)
class Tool:
    """A tool that the suite supplies.

    Attributes:
        folder: Its private folder.
        server: Whether it is started once and serves many calls.
        plays: What the first process plays, the second, and so on.
        spare: How many may be started at a time.
        processes: Those that were started, in order.
        places: These, and the places of those to come.
        together: How many of them were there at one time.
    """

    folder: Path
    server: bool
    plays: Sequence[Sequence[Mapping[str, Any]]]
    spare: int = SPARE
    processes: list[ToolProcess] = field(default_factory=list[ToolProcess])
    places: list[ToolProcess] = field(default_factory=list[ToolProcess])
    together: int = 0

    @property
    def program(self) -> Path:
        """The script that a runtime has to start."""
        return self.folder / "tool"

    @property
    def seen(self) -> list[Seen]:
        """What was seen of each process, in the order of their starts."""
        return [process.seen for process in self.processes]

    def script(self, index: int) -> Sequence[Mapping[str, Any]]:
        """Return what the process with this number plays."""
        return self.plays[index] if index < len(self.plays) else DEFAULT

    def lay(self, beside: str = "") -> None:
        """Make its folder, with its program.

        Args:
            beside: What lies beside it, one of ``FILES``; nothing where it is empty.
        """
        self.folder.mkdir()
        said = shell.SAY_END if is_linux() else shell.SAY_ENVIRONMENT
        text = shell.PROGRAM.replace("MOST", str(MOST_STARTS)).replace("TELL", said)
        self.program.write_text(text)
        self.program.chmod(0o700)
        if beside:
            _lay(self.folder / beside, FILES[beside])

    def make_places(self) -> None:
        """Make the places of the processes that may come next.

        Raises:
            OSError: Its folder is gone, or the system has no room for more.
        """
        while len(self.places) < min(len(self.processes) + self.spare, MOST_STARTS):
            place = ToolProcess(self.folder, len(self.places), server=self.server)
            self.places.append(place)


def _lay(path: Path, content: str | None) -> None:
    if content is None:
        path.mkdir()
        return
    path.write_text(content)
    path.chmod(0o700 if content.startswith("#!") else 0o600)
