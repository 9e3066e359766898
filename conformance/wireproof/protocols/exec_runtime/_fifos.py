"""The FIFOs of one place in a tool's folder, opened so that nobody waits for an end.

A FIFO that is to be read is held open for writing too until somebody else writes to
it, and one that is to be written to for reading: no open blocks, neither here nor in
the program, and an end that is seen is an end.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

READ_SIZE = 1 << 16


class Fifos:
    """The open FIFOs of one place.

    Attributes:
        folder: Where they lie.
        place: The number of the place, which their names begin with.
    """

    def __init__(self, folder: Path, place: int) -> None:
        """Make and hold those that a program opens before it says anything."""
        self.folder = folder
        self.place = place
        self._numbers: dict[str, int] = {}
        # A program that comes before its time ends where there is no ``ctl``; it would
        # make a plain file of a ``say`` that is not there.
        try:
            for kind in ("say", "ctl"):
                self.hold(kind)
        except OSError:
            # A runtime may have removed the folder meanwhile.
            self.close_all()
            raise

    def hold(self, kind: str) -> None:
        """Make a FIFO, and hold both of its ends."""
        path = self._path(kind)
        os.mkfifo(path, 0o600)
        self._numbers[kind] = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def take(self, kind: str, *, to_write: bool = False) -> int:
        """Keep one end of a FIFO, whose other end the program has opened by now.

        Returns:
            The number of its descriptor.

        Raises:
            OSError: The program is gone already.
        """
        mode = os.O_WRONLY if to_write else os.O_RDONLY
        number = os.open(self._path(kind), mode | os.O_NONBLOCK)
        os.close(self._numbers[kind])
        self._numbers[kind] = number
        return number

    def number(self, kind: str) -> int:
        """Return the descriptor of a FIFO that is open; -1 for one that is not."""
        return self._numbers.get(kind, -1)

    def read(self, kind: str) -> bytes | None:
        """Read what is there: ``b""`` at the end, None where nothing is there."""
        try:
            return os.read(self._numbers[kind], READ_SIZE)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def close(self, kind: str) -> None:
        """Close one; safe to call more than once."""
        if kind in self._numbers:
            os.close(self._numbers.pop(kind))

    def close_all(self) -> None:
        """Close all of them; a program that comes now finds none to wait at."""
        for kind in self._numbers:
            with suppress(OSError):
                self._path(kind).unlink()
        for kind in tuple(self._numbers):
            with suppress(OSError):
                self.close(kind)

    def _path(self, kind: str) -> Path:
        return self.folder / f"{self.place}.{kind}"
