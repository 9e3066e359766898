"""Examples that are drawn in a process of their own, while a subject is asked.

To draw the examples of all properties takes a quarter of the time of a run, and the
subject has nothing to do meanwhile. A core that is left can do it while the vectors are
carried out. What is drawn is the same: the process has the strategies and the seed.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
from concurrent.futures import Future
from threading import Thread
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.fuzzing._search import Drawn

PROGRAM = "wireproof.fuzzing._draw"
"""The module that the process runs."""

LONGEST_WAIT = 10.0
"""Seconds after which a property is drawn by who needs it, as without this process."""

ENDING_SECONDS = 5.0
"""Seconds in which the process ends when it is told to, its folder removed."""


class DrawnAhead:
    """What a process of its own draws, property by property.

    Where it does not start or ends early, nothing of the rest is drawn ahead.
    """

    def __init__(
        self, plans: str, names: Sequence[str], *, examples: int, seed: int
    ) -> None:
        """Begin to draw.

        Args:
            plans: The module of the protocol's strategies.
            names: The properties, in the order in which they are fuzzed.
            examples: As of `fuzz`.
            seed: As of `fuzz`.

        Raises:
            OSError: If there is room for no further process.
        """
        self._found: dict[str, Future[Sequence[Drawn]]] = {
            name: Future() for name in names
        }
        # Nothing that lies in the user's folder takes part.
        program = [sys.executable, "-P", "-m", PROGRAM]
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [*program, plans, str(examples), str(seed), *names],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # A pipe holds little: what is drawn is taken in as it comes.
        self._reader = Thread(
            target=self._read, args=[self._process.stdout], daemon=True
        )
        self._reader.start()

    def of(self, name: str) -> Sequence[Drawn]:
        """Wait for the examples of a property; none where they do not come."""
        if name not in self._found:
            return ()
        try:
            return self._found[name].result(LONGEST_WAIT)
        except TimeoutError:
            return ()

    def end(self) -> None:
        """End the process, whatever it is at; a second time changes nothing."""
        self._process.terminate()
        try:
            self._process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()

    def _read(self, stream: IO[bytes]) -> None:
        ended = contextlib.suppress(EOFError, OSError, pickle.UnpicklingError)
        try:
            with stream, ended:
                for future in self._found.values():
                    future.set_result(pickle.load(stream))  # noqa: S301 - our own
        finally:
            for future in self._found.values():
                if not future.done():
                    future.set_result(())
