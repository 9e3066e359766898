"""A started server for a user's own tests: arguments in, a result out."""

from __future__ import annotations

from typing import Any

from wireproof.checks import NoAnswer
from wireproof.protocols.exec_server._driver import ServerDriver
from wireproof.run import EngineHandle


class ServerHandle(EngineHandle):
    """A server that was started and answers, to be used in a ``with`` block."""

    def answer(self, args: Any) -> dict[str, Any]:
        """Call the tool and return the response, with ``result`` or ``error``.

        Raises:
            NoAnswer: If none comes.
        """
        __tracebackhide__ = True
        response: dict[str, Any] = self._ask(ServerDriver.call(args), "execute")
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
