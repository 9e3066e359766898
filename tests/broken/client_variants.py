"""Clients that conform in their own way; none may fail anything."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from tests.broken.client_subject import (
    RewritingConnection,
    WiredClient,
    legal_client,
)

from wireproof_reference.framing import JSON, JSONObject, encode
from wireproof_reference.host_v1 import HostClient


class WordyConnection(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        return json.dumps({"extra": 1, **frame, "v": 1.0}).encode() + b"\r\n"


@legal_client("numbers-and-extras", "has numeric strings as ids and keys of its own")
class NumbersAndExtras(WiredClient):
    connection_type = WordyConnection

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        numbers = count(1)
        super().__init__(*args, **kwargs, new_id=lambda: str(next(numbers)))


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
        frame["id"] = self.taken.get(wire_id)
        if "ok" in frame:
            self.taken.pop(wire_id, None)


@legal_client("ids-used-again", "uses an id again that has had its answer")
class IdsUsedAgain(WiredClient):
    connection_type = FreeIdConnection


@legal_client("spaced-text", "sorts and spaces the JSON text of an object")
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


@legal_client("bad-state-is-an-error", "fails a call whose state is no object")
class BadStateIsAnError(WiredClient):
    connection_type = SevereConnection


@legal_client("kills-at-once", "kills the host instead of closing its input")
class KillsAtOnce(HostClient):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, grace=0)
