"""A socket file of our own: made, and removed, but never taken from the living."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from wireproof_reference._errors import WireproofReferenceError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

# Connections that wait to be accepted; the system may allow fewer.
_BACKLOG: Final = 4096

_OWNER_ONLY_UMASK: Final = 0o177  # leaves 0600


class SocketPathTaken(WireproofReferenceError):
    """The path of the socket cannot be had.

    Attributes:
        path: The path.
        reason: Why, in a few words.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"cannot listen on {path}: {reason}")


class ClaimedSocket:
    """A socket file of our own; nobody can connect before `listen`.

    Args:
        bound: The socket.
        path: Its file.
    """

    def __init__(self, bound: socket.socket, path: Path) -> None:
        self._bound = bound
        self._path = path
        self._identity = _identity(path)

    @property
    def is_ours(self) -> bool:
        """Whether the file is still the one that we made."""
        return self._identity is not None and _identity(self._path) == self._identity

    def listen(self) -> socket.socket:
        """Let clients connect.

        Raises:
            SocketPathTaken: Another server started at the same time and has it now.
        """
        self._bound.listen(_BACKLOG)
        if not self.is_ours:
            raise SocketPathTaken(self._path, "another server has taken it")
        return self._bound


@contextmanager
def claim_socket(path: Path) -> Generator[ClaimedSocket]:
    """Make a socket file, and remove it when left.

    A file that a crash has left is replaced (SOCK-D3), and only the owner may use the
    new one, from the start (SOCK-I6).

    Raises:
        SocketPathTaken: A live server listens there, it is no socket, or the system
            refuses.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as bound:
        bound.settimeout(0)
        try:
            _remove_stale(path)
            # A mode that is set after `bind` is set too late.
            umask = os.umask(_OWNER_ONLY_UMASK)
            try:
                bound.bind(str(path))
            finally:
                os.umask(umask)
        except OSError as error:
            raise SocketPathTaken(path, error.strerror or str(error)) from error
        claimed = ClaimedSocket(bound, path)
        try:
            yield claimed
        finally:
            # Someone may have put another one there meanwhile.
            if claimed.is_ours:
                path.unlink(missing_ok=True)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.lstat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _remove_stale(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise SocketPathTaken(path, "it is there already and is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(0)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except FileNotFoundError:
            return
        except BlockingIOError:  # so many wait that no more may
            pass
    raise SocketPathTaken(path, "a live server listens there")
