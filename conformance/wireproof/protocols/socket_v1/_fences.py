"""Fences on a server's connections: on each of a check, on a new one, two together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.line import Missing, MissingCause
from wireproof.protocols.socket_v1._frames import succeeded
from wireproof.protocols.socket_v1._requests import SocketRequests

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.protocols.socket_v1._ledger import SocketArrival
    from wireproof.protocols.socket_v1._requests import Look


class SocketFences(SocketRequests):
    """What proves that one server serves its connections."""

    def fence_each(self, names: Sequence[str]) -> Missing | None:
        """Prove that connections are served, at once where round trips cost much."""
        if len(names) > 1 and self.is_slow:
            return self._fence_together(names)
        for self._name in names:
            if (missing := self.fence_unless_fenced()) is not None:
                return missing
        return None

    def fence_anew(self) -> Missing | None:
        """Prove that a new connection is served."""
        with self._on_another("new"):
            return self.fence()

    def _fence_together(self, names: Sequence[str]) -> Missing | None:
        """Send the control on several connections, then wait for all the answers."""
        if self._control is None:
            return Missing(MissingCause.REFUSED, "no plain valid request succeeds")
        looks: dict[str, Look] = {}
        for self._name in names:
            look = self.put(self._control)
            if isinstance(look, Missing):
                return look
            looks[self._name] = look
        for self._name, look in looks.items():
            answer = self._await(look)
            if isinstance(answer, Missing):
                return answer
            if not succeeded(answer):
                return Missing(MissingCause.REFUSED, "it was answered without success")
        return None

    def _stream_mark(self) -> tuple[str, int]:
        connection = self.current()
        frames = [] if isinstance(connection, Missing) else connection.ledger.frames
        return self._name, frames[-1].rank if frames else -1

    def _is_idle(self) -> bool:
        connection = self.current()
        if isinstance(connection, Missing):
            return False
        ledger = connection.ledger
        return not ledger.open and not self._delay and not ledger.size >> 16

    def _ask_control(self, control: Mapping[str, Any]) -> SocketArrival | Missing:
        return self.ask(control)

    def _succeeded(self, answer: SocketArrival) -> bool:
        return succeeded(answer)
