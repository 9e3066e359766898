"""Clients that conform in their own way; none may fail anything."""

from __future__ import annotations

import json
import sys
from itertools import count
from typing import Any, Self

import anyio
from tests.proof.host_client.subject import (
    RewritingConnection,
    WiredClient,
    legal,
)

from wireproof_reference.framing import JSON, JSONObject, encode
from wireproof_reference.host_v1 import (
    CallTimeout,
    Execution,
    HostClient,
    HostLost,
    Reply,
    is_envelope,
)
from wireproof_reference.host_v1._bridge import ClientBridge
from wireproof_reference.host_v1._link import HostLink


class WordyConnection(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        return json.dumps({"extra": 1, **frame, "v": 1.0}).encode() + b"\r\n"


@legal("numbers-and-extras", "has numeric strings as ids and keys of its own")
class NumbersAndExtras(WiredClient):
    connection_type = WordyConnection

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        numbers = count(1)
        super().__init__(*args, **kwargs, new_id=lambda: str(next(numbers)))


class KeysConnection(RewritingConnection):
    """Tells events from answers by their keys, whatever stands there."""

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        for key in ("ok", "event"):
            if key in frame and frame[key] is None:
                frame[key] = {}


@legal("keys-tell", "takes a message with both ok and event for neither")
class KeysTell(WiredClient):
    connection_type = KeysConnection


class FreeIdConnection(RewritingConnection):
    """Uses the lowest id on the wire that is free; one that timed out never is."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: dict[str, str] = {}

    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        wire_id = next(str(n) for n in count() if str(n) not in self.taken)
        self.taken[wire_id] = frame["id"]
        return encode({**frame, "id": wire_id})

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        wire_id = frame["id"]
        frame["id"] = None
        if isinstance(wire_id, str):
            frame["id"] = self.taken.get(wire_id)
            if frame.get("ok") is not None:
                self.taken.pop(wire_id, None)


@legal("ids-used-again", "uses an id again that has had its answer")
class IdsUsedAgain(WiredClient):
    connection_type = FreeIdConnection


@legal("spaced-text", "sorts and spaces the JSON text of an object")
class SpacedText(HostClient):
    async def format_tool_result(
        self, result: JSON, *, within: float | None = None
    ) -> str | JSONObject:
        shown = await super().format_tool_result(result, within=within)
        if isinstance(shown, str) and shown.startswith("{") and '": ' not in shown:
            return json.dumps(json.loads(shown), indent=2, sort_keys=True)
        return shown


class SevereConnection(RewritingConnection):
    def rewrite_message(self, frame: dict[str, Any]) -> None:
        result = frame.get("result")
        if isinstance(result, dict) and isinstance(result.get("state"), str | list):
            del frame["result"]


@legal("bad-state-is-an-error", "fails a call whose state is no object")
class BadStateIsAnError(WiredClient):
    connection_type = SevereConnection


@legal("kills-at-once", "kills the host instead of closing its input")
class KillsAtOnce(HostClient):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, grace=0)


@legal("asks-for-schemas", "asks for the tools at the start by itself")
class AsksForSchemas(HostClient):
    async def _init(self) -> None:
        await super()._init()
        await self.request("get_tool_schemas", {"state": self.state})


@legal("plain", "is the reference")
class Plain(HostClient):
    pass


class SerialBridge(ClientBridge):
    async def _describe(self, op: JSONObject) -> JSON:
        said: Any = await super()._describe(op)
        return {**said, "serial": True}


@legal("serial", "sends one request at a time, and says so", bridge=SerialBridge)
class Serial(HostClient):
    async def __aenter__(self) -> Self:
        self._turn = anyio.Lock()
        return await super().__aenter__()

    async def _in_turn(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        async with self._turn:
            return await call(*args, **kwargs)

    async def request(self, method: str, *args: Any, **kwargs: Any) -> Reply:
        call = super().request
        if method == "init":
            return await call(method, *args, **kwargs)
        answer: Reply = await self._in_turn(call, method, *args, **kwargs)
        return answer

    async def execute(self, *args: Any, **kwargs: Any) -> Execution:
        done: Execution = await self._in_turn(super().execute, *args, **kwargs)
        return done


class FewOpsBridge(ClientBridge):
    async def _describe(self, op: JSONObject) -> JSON:
        said: Any = await super()._describe(op)
        return {**said, "ops": ["start", "execute"]}


@legal("few-ops", "offers start and execute alone", bridge=FewOpsBridge)
class FewOps(HostClient):
    pass


class RestartingClient(HostClient):
    """Starts a host anew when a call finds it dead."""

    gone = False

    async def execute(self, *args: Any, **kwargs: Any) -> Execution:
        if self.gone or self._link._loss is not None:
            if not self.gone:
                await self._close()
            self.gone = True
            await super().__aenter__()
            self.gone = False
        return await super().execute(*args, **kwargs)

    async def __aexit__(self, *args: object) -> None:
        if not self.gone:
            await super().__aexit__(None, None, None)


@legal("restarts-the-host", "starts the host anew after its death")
class RestartsTheHost(RestartingClient):
    pass


async def expire(client: HostClient, *args: Any) -> Any:
    """Wait for a call, and kill the host where it does not answer in time."""
    try:
        return await HostClient._finish(client, *args)
    except CallTimeout:
        await client._process.kill()
        raise


@legal("kills-on-expiry", "kills the host at a deadline")
class KillsOnExpiry(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        return await expire(self, *args)


@legal("kills-and-restarts", "kills the host at a deadline, and starts it anew")
class KillsAndRestarts(RestartingClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        return await expire(self, *args)


class OwnStatesLink(HostLink):
    """Heeds no state but those of `init` and `execute_tool`."""

    def _receive(self, data: bytes) -> None:
        before = self.state
        counted = [
            call.request.method in {"init", "execute_tool"}
            for call in self._calls.values()
        ]
        super()._receive(data)
        if not any(counted):
            self.state = before


@legal("own-states-alone", "heeds states of init and execute_tool alone")
class OwnStatesAlone(WiredClient):
    link_type = OwnStatesLink


class WordyLoss(HostLost):
    def __str__(self) -> str:
        if self.status is not None and self.status < 0:
            ended = f"was ended by signal {-self.status}"
        else:
            ended = f"ended with exit code {self.status}"
        return f"Plug-in {ended}. It said: {self.last_line}"


@legal("own-words", "has words of its own for a host that died")
class OwnWords(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except HostLost as error:
            raise WordyLoss(error.reason, error.status, error.last_line) from error


@legal("slow-start", "takes its time to start a host")
class SlowStart(HostClient):
    async def __aenter__(self) -> Self:
        await anyio.sleep(0.3)
        return await super().__aenter__()


@legal("chatty", "writes much to stderr")
class Chatty(HostClient):
    async def __aenter__(self) -> Self:
        sys.stderr.write("starting a host\n" * 10_000)
        return await super().__aenter__()


class BackwardsConnection(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        return encode(dict(reversed(frame.items())))


@legal("keys-backwards", "writes the keys of a request in another order")
class KeysBackwards(WiredClient):
    connection_type = BackwardsConnection


class PatientLink(HostLink):
    """Gives what a dead host has written a moment to come."""

    async def _await_exit(self) -> None:
        await self._process.process.wait()
        await anyio.sleep(0.2)
        await super()._await_exit()


@legal("waits-for-last-words", "reads on for a moment when the host has died")
class WaitsForLastWords(WiredClient):
    link_type = PatientLink


@legal("content-not-needed", "keeps an envelope that has no content")
class ContentNotNeeded(HostClient):
    async def format_tool_result(
        self, result: JSON, *, within: float | None = None
    ) -> str | JSONObject:
        shown = await super().format_tool_result(result, within=within)
        text = shown if isinstance(shown, str) and shown.startswith("{") else "null"
        value: JSON = json.loads(text)
        if isinstance(value, dict) and "content" not in value:
            return value if is_envelope({**value, "content": None}) else shown
        return shown
