"""Where a server under test lives: its socket, its home, a folder for tools' files."""

from __future__ import annotations

import shutil
import socket
import tempfile
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING

from wireproof.patterns import is_object
from wireproof.protocols.socket_v1._connection import try_connect
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Sequence

SOCKET = "{socket}"
HOME = "{home}"
RUNTIME_FOLDER = ".meith"
"""Where below a user's home the runtime of the protocol's document keeps its files."""

CONFIG = "config.json"
"""The file in a server's home that names its socket and its data (SOCK-D1)."""

AUDIT_LOG = "audit.jsonl"
"""The file to which a server adds a line for each call (SOCK-A1)."""

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

    def __init__(self, path: str | None, home: Path | None, *, names: bool) -> None:
        """Make the folders.

        Args:
            path: Path of a running server's socket, or None for one to be launched.
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
        self.socket = path or str(run / "s")
        self.home = home or (self.user_home / RUNTIME_FOLDER if names else None)
        self._stand_in: socket.socket | None = None

    def fill(self, command: Sequence[str]) -> tuple[str, ...]:
        """Put the paths into a command."""
        return tuple(
            word.replace(SOCKET, self.socket).replace(HOME, str(self.user_home))
            for word in command
        )

    def beside(self) -> Place:
        """Return the same place with another path for the socket."""
        other = copy(self)
        other.socket = f"{self.socket}2"
        return other

    def audit_logs(self) -> list[Path]:
        """Return the server's logs, in its home or where that says (SOCK-A1)."""
        if self.home is None:
            return []
        folders = [self.home]
        with suppress(JsonError, OSError):
            config = loads(Path(self.home, CONFIG).read_bytes())
            named = config.get("userDataPath") if is_object(config) else None
            if isinstance(named, str):
                folders.append(Path(self.home, named))
        logs = dict.fromkeys(folder / AUDIT_LOG for folder in folders)
        return [path for path in logs if path.is_file()]

    def stand_in(self) -> None:
        """Put a socket of our own where the server's is."""
        Path(self.socket).unlink(missing_ok=True)
        self._stand_in = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._stand_in.bind(self.socket)
        self._stand_in.listen()

    def stand_in_stands(self) -> bool:
        """Tell whether nobody has removed it."""
        found = try_connect(self.socket)
        if isinstance(found, OSError):
            return False
        found.close()
        return True

    def close_stand_in(self) -> None:
        """Listen no longer in the server's place, if that was done."""
        if self._stand_in is not None:
            self._stand_in.close()
            self._stand_in = None

    def remove(self) -> None:
        """Remove the folders and all that is in them."""
        self.close_stand_in()
        shutil.rmtree(self.folder, ignore_errors=True)
