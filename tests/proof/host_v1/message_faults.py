"""Hosts whose messages have the wrong shape: HV1-M1, M3, M4, M5."""

from __future__ import annotations

from typing import Any

import anyio
from tests.proof.host_v1.subject import RewritingHost, broken

from wireproof_reference.framing import JSON, encode
from wireproof_reference.host_v1 import Event, Failure, Host, Request, Success


@broken("v-is-text", "HV1-M1", "writes v as a string")
class VIsText(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        return {**frame, "v": "1"}


@broken("v-is-true", "HV1-M1", "writes v as true")
class VIsTrue(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        return {**frame, "v": True}


@broken("v-two", "HV1-M1", "writes v 2")
class VTwo(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        return {**frame, "v": 2}


@broken("events-without-v", "HV1-M1", "leaves v out of events")
class EventsWithoutV(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if "event" in frame:
            del frame["v"]
        return frame


@broken("failures-without-v", "HV1-M1", "leaves v out of failures")
class FailuresWithoutV(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False:
            del frame["v"]
        return frame


@broken(
    "answers-twice",
    "HV1-M3",
    "sends each response twice",
)
class AnswersTwice(Host):
    def encode(self, message: Success | Failure | Event) -> bytes:
        data = super().encode(message)
        return data if isinstance(message, Event) else data * 2


@broken(
    "gives-up-and-answers-again",
    "HV1-M3",
    "fails a call after one second, and answers it again when its tool ends",
    shown_by="host-v1/scenarios/three-seconds",
)
class GivesUpAndAnswersAgain(Host):
    async def execute_tool(self, request: Request) -> Success | Failure:
        limit = anyio.CancelScope()
        self._tasks.start_soon(self.give_up, request, limit)
        response = await super().execute_tool(request)
        limit.cancel()
        return response

    async def give_up(self, request: Request, limit: anyio.CancelScope) -> None:
        with limit:
            await anyio.sleep(1)
            error: JSON = {"type": "Timeout", "detail": "it took more than 1 s"}
            failure: JSON = {"v": 1, "id": request.id, "ok": False, "error": error}
            self.write(encode(failure))


@broken(
    "waits-for-params",
    "HV1-M3",
    "never answers to_display_format without a text",
    shown_by="host-v1/messages/one-answer-without-params",
)
class WaitsForParams(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        if request.method != "to_display_format" or "text" in request.params:
            super().respond(request, response)


@broken("fails-and-succeeds", "HV1-M3", "sends a success after the failure of a throw")
class FailsAndSucceeds(RewritingHost):
    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        if isinstance(response, Failure) and response.type == "RuntimeError":
            self.connection._exchanges.advance(request.id, Request)
            super().respond(request, Success(request.id, None, {}))

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        return frame


@broken(
    "repeats-late",
    "HV1-M3",
    "sends each response to a call again after 20 ms",
)
class RepeatsLate(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        if request.method == "execute_tool":
            self._tasks.start_soon(self.repeat, request, response)

    async def repeat(self, request: Request, response: Success | Failure) -> None:
        await anyio.sleep(0.02)
        self.connection._exchanges.advance(request.id, Request)
        super().respond(request, response)


@broken(
    "silent-about-unknown-methods",
    "HV1-M3",
    "drops a request it cannot carry out",
)
class SilentAboutUnknownMethods(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        if not isinstance(response, Failure) or response.type != "UnknownMethod":
            super().respond(request, response)


@broken(
    "silent-about-bad-calls",
    "HV1-M3",
    "drops a call without a tool name",
)
class SilentAboutBadCalls(Host):
    def handle_request(self, request: Request) -> None:
        if request.method != "execute_tool" or "tool_name" in request.params:
            super().handle_request(request)


@broken("ok-is-text", "HV1-M4", "writes ok as a string")
class OkIsText(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if "ok" in frame:
            frame["ok"] = "true" if frame["ok"] else "false"
        return frame


@broken("ok-is-a-number", "HV1-M4", "writes ok as 1 and 0")
class OkIsANumber(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if "ok" in frame:
            frame["ok"] = int(frame["ok"])
        return frame


@broken(
    "failures-say-zero",
    "HV1-M4",
    "writes ok as 0 in a failure",
)
class FailuresSayZero(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False:
            frame["ok"] = 0
        return frame


@broken(
    "bare-result",
    "HV1-M4",
    "puts the value in the place of result",
)
class BareResult(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is True:
            frame["result"] = frame["result"]["value"]
        return frame


@broken("listing-without-value", "HV1-M4", "leaves value out of some results")
class ListingWithoutValue(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is True and frame["result"]["value"] == ["conformance"]:
            del frame["result"]["value"]
        return frame


@broken("error-beside-result", "HV1-M4", "has an empty error in a success")
class ErrorBesideResult(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is True:
            frame["error"] = {}
        return frame


@broken("error-text-beside-result", "HV1-M4", 'has error "" in a tool\'s success')
class ErrorTextBesideResult(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is True and "success" in (frame["result"]["value"] or {}):
            frame["error"] = ""
        return frame


@broken(
    "null-error-of-a-failed-tool",
    "HV1-M4",
    "has error null where a tool reported failure",
    level="should",
    shown_by="host-v1/messages/error-beside-a-reported-failure-is-absent",
)
class NullErrorOfAFailedTool(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        value = frame["result"]["value"] if frame.get("ok") is True else None
        failed = isinstance(value, dict) and value.get("success") is False
        return {**frame, "error": None} if failed else frame


@broken(
    "null-result-of-a-throw",
    "HV1-M5",
    "has result null where a tool threw",
    level="should",
    shown_by="host-v1/messages/result-of-a-failed-call-is-absent",
)
class NullResultOfAThrow(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        threw = frame.get("ok") is False and "stack" in frame["error"]
        return {**frame, "result": None} if threw else frame


@broken(
    "error-is-text",
    "HV1-M5",
    "writes error as a string",
)
class ErrorIsText(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False:
            frame["error"] = frame["error"]["detail"]
        return frame


@broken(
    "json-rpc-error",
    "HV1-M5",
    "has code and message in place of type and detail",
)
class JsonRpcError(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False:
            frame["error"] = {"code": -32603, "message": frame["error"]["detail"]}
        return frame


@broken(
    "type-is-a-number",
    "HV1-M5",
    "writes error.type as a number",
)
class TypeIsANumber(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False:
            frame["error"]["type"] = 500
        return frame


@broken("detail-is-null", "HV1-M5", "has detail null about an unknown method")
class DetailIsNull(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False and frame["error"]["type"] == "UnknownMethod":
            frame["error"]["detail"] = None
        return frame


@broken("stack-is-a-list", "HV1-M5", "writes stack as a list of lines")
class StackIsAList(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False and "stack" in frame["error"]:
            frame["error"]["stack"] = frame["error"]["stack"].splitlines()
        return frame


@broken(
    "result-beside-error",
    "HV1-M5",
    "has a result in a failure",
)
class ResultBesideError(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False:
            frame["result"] = {"value": None}
        return frame


@broken("error-is-null", "HV1-M4", "has error null in a success", level="should")
class ErrorIsNull(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        return {**frame, "error": None} if frame.get("ok") is True else frame


@broken("result-is-null", "HV1-M5", "has result null in a failure", level="should")
class ResultIsNull(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        return {**frame, "result": None} if frame.get("ok") is False else frame


@broken("stack-is-null", "HV1-M5", "has stack null in an error", level="should")
class StackIsNull(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is False:
            frame["error"].setdefault("stack", None)
        return frame
