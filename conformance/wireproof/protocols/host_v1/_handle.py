"""A started host for a user's own tests: one call, one answer, no ceremony."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from wireproof.checks import NoAnswer
from wireproof.line import LineHandle, Missing
from wireproof.patterns import is_object
from wireproof.protocols.host_v1._session import HostSession
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from wireproof.checks import Settings, Target


class HostHandle(LineHandle[HostSession]):
    """A host that was started and initialised, to be used in a ``with`` block.

    Attributes:
        state: The state that ``init`` gave, or the latest that a response carried.
        parts: The payloads of the ``part`` events of the latest request, in order.
    """

    def __init__(self, target: Target, settings: Settings) -> None:
        """Prepare; the host is started on entering the block."""
        super().__init__(HostSession(target, settings, load_setup("host-v1")))
        self.state: Any = {}
        self.parts: list[Any] = []

    def __enter__(self) -> Self:
        """Start the host and send ``init``.

        Raises:
            NoAnswer: If it does not come up.
        """
        __tracebackhide__ = True
        super().__enter__()
        self.state = self._session.names["state"]
        return self

    def request(
        self, method: str, params: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Send a request and return its response, the whole JSON object.

        Args:
            method: Such as ``get_tool_schemas``.
            params: Its params; ``{}`` where absent.

        Raises:
            NoAnswer: If none comes.
        """
        __tracebackhide__ = True
        answer = self._session.request(method, params or {})
        if isinstance(answer, Missing):
            raise NoAnswer(f"{method}: {answer.text}")
        self.parts = self._session.last_parts()
        response: dict[str, Any] = answer.value
        result = response.get("result")
        if is_object(result) and is_object(result.get("state")):
            self.state = result["state"]
        return response

    def execute(self, tool_name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool with the latest state and return ``result.value``.

        Raises:
            NoAnswer: If no answer comes, or a failure response.
        """
        __tracebackhide__ = True
        params = {"tool_name": tool_name, "arguments": arguments, "state": self.state}
        response = self.request("execute_tool", params)
        if response.get("ok") is not True:
            raise NoAnswer(f"{tool_name}: {response.get('error')}")
        return response["result"]["value"]
