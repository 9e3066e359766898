"""Hosts whose replies are more or other than they think: HV1-T2, M1, M5, E2."""

from __future__ import annotations

import json
from typing import Any

from tests.proof.host_v1.subject import RewritingHost, broken

from wireproof_reference.framing import JSON
from wireproof_reference.host_v1 import (
    Failure,
    Flaw,
    Host,
    HostConnection,
    Request,
    Success,
    read_request,
)


@broken(
    "notice-at-the-first-call",
    "HV1-T2",
    "prints a line when its tools are first loaded, at the first call",
)
class NoticeAtTheFirstCall(Host):
    loaded = False

    async def execute_tool(self, request: Request) -> Success | Failure:
        if not self.loaded:
            self.write(b"loading tools ...\n")
            self.loaded = True
        return await super().execute_tool(request)


@broken(
    "copies-v",
    "HV1-M1",
    "answers with the v of the request, whatever it is",
    shown_by="host-v1/messages/version-2",
)
class CopiesV(RewritingHost):
    def __init__(self, *given: Any) -> None:
        self.versions: dict[str, Any] = {}
        super().__init__(*given)

    def make_connection(self) -> HostConnection:
        return _Versions(self.versions)

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        frame["v"] = self.versions.get(frame.get("id") or "", 1)
        return frame


class _Versions(HostConnection):
    def __init__(self, versions: dict[str, Any]) -> None:
        super().__init__()
        self.versions = versions

    def read_request(self, value: JSON) -> Request | Flaw:
        if isinstance(value, dict) and isinstance(value.get("id"), str):
            self.versions[str(value["id"])] = value.get("v")
        return read_request(value)


@broken(
    "bad-lines-without-v",
    "HV1-M1",
    "leaves v out of the answer to a bad line",
)
class BadLinesWithoutV(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if not frame.get("id"):
            frame.pop("v", None)
        return frame


@broken(
    "error-event-after-a-throw",
    "HV1-E2",
    "sends an event of type error after the response to a call that threw",
)
class ErrorEventAfterAThrow(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        if isinstance(response, Failure) and response.stack:
            line = '{"v":1,"id":%s,"event":{"type":"error"}}\n'
            self.write((line % json.dumps(request.id)).encode())


@broken(
    "details-in-an-object",
    "HV1-M5",
    "writes what is known of an error as an object in detail",
)
class DetailsInAnObject(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False:
            frame["error"]["detail"] = {"message": frame["error"]["detail"]}
        return frame
