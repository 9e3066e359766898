"""A started server for a user's own tests: arguments in, a result out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from wireproof.checks import NoAnswer
from wireproof.line import Missing
from wireproof.protocols.exec_server._session import ServerSession
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from types import TracebackType

    from wireproof.checks import Settings, Target


class ServerHandle:
    """A server that was started and answers, to be used in a ``with`` block."""

    def __init__(self, target: Target, settings: Settings) -> None:
        """Prepare; the server is started on entering the block."""
        self._session = ServerSession(target, settings, load_setup("exec-server"))

    def __enter__(self) -> Self:
        """Start the server and call it once.

        Raises:
            NoAnswer: If it does not come up.
        """
        self._session.begin()
        if (not_up := self._session.ensure_up()) is not None:
            __tracebackhide__ = True
            self._session.discard()
            raise NoAnswer(f"{not_up.text}\n{self._session.stderr_tail}".rstrip())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the server and whatever it started."""
        self._session.stop()

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
