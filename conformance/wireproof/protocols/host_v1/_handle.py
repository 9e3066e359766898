"""A started host for a user's own tests: one call, one answer, no ceremony."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from wireproof.checks import NoAnswer
from wireproof.patterns import is_object
from wireproof.run import EngineHandle

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.judge import Reason
    from wireproof.protocols.host_v1._driver import HostDriver
    from wireproof.run import Runner


class HostHandle(EngineHandle):
    """A host that was started and initialised, to be used in a ``with`` block.

    Attributes:
        state: The state that ``init`` gave, or the latest that a response carried.
        parts: The payloads of the ``part`` events of the latest request, in order.
    """

    def __init__(
        self, driver: HostDriver, runner: Runner, sentence: Callable[[Reason], str]
    ) -> None:
        """Prepare; the host is started on entering the block."""
        super().__init__(runner, sentence)
        self._driver = driver
        self.state: Any = {}
        self.parts: list[Any] = []

    def __enter__(self) -> Self:
        """Start the host and send ``init``.

        Raises:
            NoAnswer: If it does not come up.
        """
        __tracebackhide__ = True
        super().__enter__()
        self.state = self._driver.names["state"]
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
        response: dict[str, Any] = self._ask(
            self._driver.any_request(method, params or {}), method
        )
        events = [one.get("event") for one in self._runner.before_answer]
        self.parts = [
            one["payload"]
            for one in events
            if is_object(one) and one.get("type") == "part" and "payload" in one
        ]
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
