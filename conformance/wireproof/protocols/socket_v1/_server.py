"""A server under test as a process in a place: started, also ahead, and ended.

A server that was launched has folders of its own; one that ran before is reached in its
place, of which the user may have told where its files are.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import SubjectStartError
from wireproof.line import LineSession
from wireproof.protocols.socket_v1._ledger import SocketArrival
from wireproof.protocols.socket_v1._place import HOME, Place, is_launched
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.subjects import SubjectProcess, awaited_end, subject_environment

if TYPE_CHECKING:
    import signal
    from collections.abc import Mapping

    from wireproof.checks import Settings, Target

ENDING_SECONDS = 5.0
"""How long a launched server may take to end once it is asked to."""


class ServerProcess(LineSession[SocketArrival]):
    """The process and the place of one server, over all its starts.

    Attributes:
        launched: Whether the suite launches the server.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The server's command, or the path of its socket.
            settings: The user's options.
            setup: The data of ``socket_v1/setup.json``.
        """
        super().__init__(target, settings, setup)
        own_path = settings.of(SocketSettings).path
        named = is_launched(target.command)
        # What runs already is reached by the path of a socket that is there.
        runs = own_path is None or Path(target.command[0]).is_socket()
        self.launched = named or not runs
        self._own_path = None if named or runs else own_path
        self._place: Place | None = None
        self._spare_places: dict[int, Place] = {}
        self._pid = 0
        self._listener: int | None = None

    @property
    def knows_home(self) -> bool:
        """Whether it is known where the server's files are."""
        return self._names_home or self._settings.of(SocketSettings).home is not None

    @property
    def _names_home(self) -> bool:
        words = (*self.target.command, self._own_path or "")
        return any(HOME in word for word in words)

    def place(self) -> Place:
        """Return where the server lives, making it where there is none yet."""
        if self._place is None:
            self._place = self._new_place()
        self.names |= {
            "socket_path": self._place.socket,
            "scratch": str(self._place.scratch),
            "home": str(self._place.home or ""),
            "pid": self._pid,
        }
        return self._place

    def _new_place(self) -> Place:
        path = None if self.launched else self.target.command[0]
        home = self._settings.of(SocketSettings).home
        place = Place(path, home, names=self._names_home)
        if self._own_path is not None:
            (chosen,) = place.fill([self._own_path])
            place.socket = str(Path(self._settings.folder, chosen))
        return place

    def prepare_start(self, count: int) -> None:
        """Start one more server ahead, in a place that it shares with no other."""
        home = self._settings.of(SocketSettings).home
        if self.launched and home is None and self._own_path is None:
            super().prepare_start(count)

    def _start_spare(self) -> SubjectProcess:
        place = self._new_place()
        try:
            spare = self.start_process(place)
        except SubjectStartError:
            place.remove()
            raise
        self.starts += 1
        self._spare_places[spare.pid] = place
        return spare

    def _end_spare(self, spare: SubjectProcess) -> None:
        super()._end_spare(spare)
        self._spare_places.pop(spare.pid).remove()

    def start_process(self, place: Place) -> SubjectProcess:
        """Start the server's command in a place.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        environment = subject_environment(
            {"HOME": str(place.user_home), **self._settings.environment}
        )
        return SubjectProcess(
            place.fill(self.target.command),
            environment=environment,
            folder=self._settings.folder,
            on_stdout=self._note_output,
            on_stderr=self._note_output,
        )

    @property
    def process(self) -> SubjectProcess | None:
        """The launched server's process."""
        return self._process

    def end_process(self) -> None:
        """Kill the process and all that it started."""
        if self._process is not None:
            with awaited_end(self._pid, ENDING_SECONDS):
                # What was started may be a shell that stands before the server.
                self._process.kill()
            self._last_stderr = self._process.stderr_tail()
            self._process = None
            self._pid = 0
            self._listener = None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the server, and to what it was started by.

        What the server has started is the server's to end: a tool that runs in a
        process of its own would be seen to die first.
        """
        process = self._process
        if process is None or process.exit_status is not None:
            return
        if self._listener is None:
            # Nobody knows which process of the group it is.
            os.killpg(process.pid, number)
            return
        for pid in {process.pid, self._listener}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _note_output(self, data: bytes) -> None:
        self.transcript.add(time.monotonic(), "stderr", data)
