"""Hosts whose library does otherwise than they think: HV1-T2, M1, M5, M10, E2, R11."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.proof.host_v1.subject import RewritingHost, broken

from wireproof_reference.framing import JSON, JSONObject
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
    "lines-of-unicode",
    "HV1-M10",
    "takes U+2028, U+0085 and their like for ends of lines",
    allows={
        "HV1-E4": "a payload may hold them",
        "HV1-M2": "an id may hold them",
        "HV1-M9": "an unknown key may hold them",
        "HV1-M3": "a request cut in two gets no answer",
        "HV1-T3": "they are no ends of lines",
        "HV1-T4": "a request is cut in two",
        "HV1-T8": "its halves are bad lines",
    },
)
class LinesOfUnicode(Host):
    def handle_data(self, data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        split = re.sub("[\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029]", "\n", text)
        super().handle_data(split.encode("utf-8", "surrogateescape"))


@broken(
    "notice-at-the-first-call",
    "HV1-T2",
    "prints a line when its tools are first loaded, at the first call",
    allows={"HV1-T1": "the line is no message"},
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
    allows={"HV1-T8": "such an answer is no response"},
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
    allows={"HV1-R7": "the message is inside", "HV1-T8": "such a failure is none"},
)
class DetailsInAnObject(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False:
            frame["error"]["detail"] = {"message": frame["error"]["detail"]}
        return frame


@broken(
    "caches-listings",
    "HV1-R11",
    "answers a listing with the state that came with the first",
    allows={"HV1-R10": "a listing with an older state has another"},
)
class CachesListings(Host):
    cached: JSONObject | None = None

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        if request.method == "get_tool_schemas" and "state" in request.params:
            self.cached = self.cached or state
            return self.cached
        return super().result_state(request, state)
