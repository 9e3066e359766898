"""A started server for a user's own tests: arguments in, a result out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import NoAnswer
from wireproof.line import LineHandle, Missing
from wireproof.protocols.exec_server._session import ServerSession
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from wireproof.checks import Settings, Target


class ServerHandle(LineHandle[ServerSession]):
    """A server that was started and answers, to be used in a ``with`` block."""

    def __init__(self, target: Target, settings: Settings) -> None:
        """Prepare; the server is started on entering the block."""
        super().__init__(ServerSession(target, settings, load_setup("exec-server")))

    def answer(self, args: Any) -> dict[str, Any]:
        """Call the tool and return the response, with ``result`` or ``error``.

        Raises:
            NoAnswer: If none comes.
        """
        __tracebackhide__ = True
        answer = self._session.call(args)
        if isinstance(answer, Missing):
            raise NoAnswer(f"execute: {answer.text}")
        response: dict[str, Any] = answer.value
        return response

    def call(self, args: Any) -> Any:
        """Call the tool and return its result.

        Raises:
            NoAnswer: If none comes, or an error.
        """
        __tracebackhide__ = True
        response = self.answer(args)
        if "result" not in response:
            raise NoAnswer(f"it answered with the error {response.get('error')!r}")
        return response["result"]
