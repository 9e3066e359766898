"""Where a server under test lives: its socket, its home, a folder for tools' files."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SOCKET = "{socket}"
HOME = "{home}"
RUNTIME_FOLDER = ".meith"
"""Where below a user's home the runtime of the protocol's document keeps its files."""

LONGEST_FOLDER = 60
"""Characters of a folder's path; a socket's path may have about a hundred."""


def is_launched(command: Sequence[str]) -> bool:
    """Tell whether the suite launches the server: its command names the socket."""
    return any(SOCKET in word for word in command)


class Place:
    """The private folders of one server, or the names of a running one's.

    Attributes:
        folder: The private folder that holds the others.
        socket: Path of the socket.
        scratch: Folder in which tools may be asked to write.
        user_home: Home folder of a launched server.
        home: Where its audit and discovery files are; None where that is not known.
    """

    def __init__(self, socket: str | None, home: Path | None, *, names: bool) -> None:
        """Make the folders.

        Args:
            socket: Path of a running server's socket, or None for one to be launched.
            home: The folder that the user named, or None.
            names: Whether the command names the home.
        """
        base = tempfile.gettempdir()
        if len(base) > LONGEST_FOLDER:
            base = "/tmp"  # noqa: S108 - mkdtemp makes a private folder there
        self.folder = Path(tempfile.mkdtemp(prefix="wireproof-", dir=base))
        self.scratch = self.folder / "scratch"
        self.user_home = self.folder / "home"
        self.scratch.mkdir()
        self.user_home.mkdir()
        run = self.folder / "run"
        run.mkdir()
        # Open, as the usual places of sockets are: who relies on a closed folder closes
        # it (SOCK-I6). That nobody else gets as far is the folder's around it.
        run.chmod(0o755)
        self.socket = socket or str(run / "s")
        self.home = home or (self.user_home / RUNTIME_FOLDER if names else None)

    def fill(self, command: Sequence[str]) -> tuple[str, ...]:
        """Put the paths into a command."""
        return tuple(
            word.replace(SOCKET, self.socket).replace(HOME, str(self.user_home))
            for word in command
        )

    def remove(self) -> None:
        """Remove the folders and all that is in them."""
        shutil.rmtree(self.folder, ignore_errors=True)
