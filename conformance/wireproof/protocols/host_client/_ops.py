"""What a host client is asked to do: the ops of the bridge, as methods.

Any object with these methods can be tried, whatever is behind it: a library in this
process, or a driver at the other end of a pipe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from wireproof.checks import VectorDefect
from wireproof.patterns import expand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

JSONObject = dict[str, Any]


class HostClientOps(Protocol):
    """The ops of a host client, with the names, arguments and shapes of the bridge.

    A call that fails is a value, ``{"error": {"type", "detail"}}``. An op that cannot
    be carried out at all raises; over a bridge that is its own ``"ok": false``.
    """

    async def start(self, command: list[str], config: JSONObject) -> Any:
        """Start the host and call ``init``; give ``{"state"}``."""
        ...

    async def request(self, method: str, params: JSONObject) -> Any:
        """Call a method with params as given; give ``{"value", "state"?}``."""
        ...

    async def execute(
        self, tool_name: str, arguments: JSONObject, timeout_ms: int | None = None
    ) -> Any:
        """Run a tool with the current state; give ``{"chunks", "result", "state"}``."""
        ...

    async def request_many(self, requests: Sequence[JSONObject]) -> Any:
        """Start several requests together; give their outcomes in this order."""
        ...

    async def execute_many(self, calls: Sequence[JSONObject]) -> Any:
        """Start several executions together; give their outcomes in this order."""
        ...

    async def format_result(self, result: Any) -> Any:
        """Have a result formatted; give ``{"text"}`` or ``{"envelope"}``."""
        ...

    async def state(self) -> Any:
        """Give the state that the next call would carry."""
        ...

    async def close(self) -> Any:
        """End the host."""
        ...


_NOT_ARGUMENTS = frozenset({"op", "expect"})


async def perform(
    client: HostClientOps, op: Mapping[str, Any], command: list[str]
) -> Any:
    """Have a client carry out one op of a vector.

    Args:
        client: The client.
        op: The op as the vector has it.
        command: What ``start`` is to start.

    Raises:
        VectorDefect: If no client has such an op.
    """
    given = {key: value for key, value in op.items() if key not in _NOT_ARGUMENTS}
    match {"op": op["op"], **expand(given, {})}:
        case {"op": "start", **rest}:
            return await client.start(command, rest.get("config", {}))
        case {"op": "request", "method": str(method), "params": params}:
            return await client.request(method, params)
        case {"op": "execute", "tool_name": str(name), "arguments": arguments, **rest}:
            return await client.execute(name, arguments, rest.get("timeout_ms"))
        case {"op": "request_many", "requests": [*requests]}:
            return await client.request_many(requests)
        case {"op": "execute_many", "calls": [*calls]}:
            return await client.execute_many(calls)
        case {"op": "format_result", "result": result}:
            return await client.format_result(result)
        case {"op": "state"}:
            return await client.state()
        case _:
            raise VectorDefect(f"no client has an op such as {op!r}")
