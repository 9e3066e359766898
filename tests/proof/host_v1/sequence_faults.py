"""Hosts that do well what is asked first, and go wrong at what comes after it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from tests.proof.host_v1.state_faults import StateHost
from tests.proof.host_v1.subject import broken

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.host_v1 import (
    BadRequest,
    Failure,
    Host,
    Request,
    Success,
    Tool,
    ToolContext,
)

NEW_STATE = {"conformance_counter": 0}


def tool_of(request: Request) -> Any:
    """Return the tool that a request calls, if it calls one."""
    return request.params.get("tool_name")


def is_failure(response: Success | Failure) -> bool:
    """Tell whether a call failed, in either way."""
    if isinstance(response, Failure):
        return True
    return isinstance(response.value, dict) and response.value.get("success") is False


@broken(
    "state-new-after-a-failure",
    "HV1-R11",
    "sends the state of init when a tool reports failure",
)
class StateNewAfterAFailure(Host):
    def success(
        self, request: Request, value: Any, state: JSONObject | None
    ) -> Success:
        if isinstance(value, dict) and value.get("success") is False:
            state = {**NEW_STATE}
        return super().success(request, value, state)


@broken("state-new-after-a-stream", "HV1-R11", "sends the state of init after a stream")
class StateNewAfterAStream(StateHost):
    def change(self, request: Request, state: JSONObject) -> Any:
        return {**NEW_STATE} if tool_of(request) == "conformance_stream" else state


class Mindful(Host):
    """Remembers what came of the request before."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.marked = False

    def marks(self, request: Request, response: Success | Failure) -> bool:
        """Whether the next request is the one that goes wrong."""
        raise NotImplementedError

    def respond(self, request: Request, response: Success | Failure) -> None:
        marked, self.marked = self.marked, self.marks(request, response)
        super().respond(request, self.next(request, response) if marked else response)

    def next(self, request: Request, response: Success | Failure) -> Success | Failure:
        """Return what is sent in place of the response after such a one."""
        raise NotImplementedError


class MindfulOfThrows(Mindful):
    """Goes wrong right after a tool that threw."""

    def marks(self, request: Request, response: Success | Failure) -> bool:
        return bool(tool_of(request) == "conformance_throw")


@broken(
    "state-new-after-a-throw",
    "HV1-R11",
    "forgets the state with which it is asked after a tool that threw",
)
class StateNewAfterAThrow(MindfulOfThrows):
    def next(self, request: Request, response: Success | Failure) -> Success | Failure:
        if isinstance(response, Success) and response.state is not None:
            return replace(response, state={**NEW_STATE})
        return response


@broken(
    "no-state-after-a-throw",
    "HV1-M6",
    "sends no state in the answer after a tool that threw",
    level="should",
)
class NoStateAfterAThrow(MindfulOfThrows):
    def next(self, request: Request, response: Success | Failure) -> Success | Failure:
        return (
            replace(response, state=None) if isinstance(response, Success) else response
        )


@broken(
    "state-new-after-a-bad-line",
    "HV1-R11",
    "sends the state of init after a line that is not JSON",
)
class StateNewAfterABadLine(StateHost):
    bad = False

    def handle_bad_request(self, bad: BadRequest) -> None:
        self.bad = True
        super().handle_bad_request(bad)

    def change(self, request: Request, state: JSONObject) -> Any:
        bad, self.bad = self.bad, False
        return {**NEW_STATE} if bad else state


@broken(
    "empty-state-stays",
    "HV1-R11",
    "goes on with an empty state once it was given one",
)
class EmptyStateStays(Host):
    empty = False

    def read_state(self, request: Request) -> JSONObject:
        state = super().read_state(request)
        given, self.empty = self.empty, request.params.get("state") == {}
        return {} if given else state


@broken(
    "second-init-goes-on",
    "HV1-R13",
    "answers a second init with the state that was last sent",
    level="should",
)
class SecondInitGoesOn(StateHost):
    last: JSONObject | None = None

    def change(self, request: Request, state: JSONObject) -> Any:
        if request.method == "init" and self.last is not None:
            return self.last
        self.last = {**state}
        return state


@broken(
    "older-states-end-with-a-second-init",
    "HV1-R13",
    "counts from nothing in the states that were sent before the last init",
    level="should",
)
class OlderStatesEndWithASecondInit(StateHost):
    number = 0

    def change(self, request: Request, state: JSONObject) -> Any:
        if request.method == "init":
            self.number += 1
        return {**state, "number": self.number}

    def success(
        self, request: Request, value: JSON, state: JSONObject | None
    ) -> Success:
        sent = super().success(request, value, state)
        return replace(sent, value=sent.state) if request.method == "init" else sent

    def read_state(self, request: Request) -> JSONObject:
        state = super().read_state(request)
        return state if state.get("number", self.number) == self.number else {}


@broken(
    "failure-comes-again",
    "HV1-R5",
    "answers the first call after a reported failure with that failure",
)
class FailureComesAgain(Mindful):
    def marks(self, request: Request, response: Success | Failure) -> bool:
        if tool_of(request) == "conformance_fail" and isinstance(response, Success):
            self.kept = response.value
            return True
        return False

    def next(self, request: Request, response: Success | Failure) -> Success | Failure:
        if isinstance(response, Success) and request.method == "execute_tool":
            return replace(response, value=self.kept)
        return response


class Collecting(Host):
    """Keeps the messages of failures."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.messages: list[str] = []


@broken(
    "failures-add-up",
    "HV1-R6",
    "reports the messages of all failures so far",
)
class FailuresAddUp(Collecting):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        value = await super().run_tool(tool, arguments, context)
        if value["success"] is False:
            self.messages.append(str(value["error"]))
            value["error"] = "; ".join(self.messages)
        return value


@broken(
    "first-throw-stays",
    "HV1-R7",
    "answers every throw with the message of the first",
)
class FirstThrowStays(Collecting):
    def call_failed(self, request: Request, error: BaseException) -> Failure:
        failure = super().call_failed(request, error)
        if tool_of(request) == "conformance_throw":
            self.messages.append(failure.detail)
            failure = replace(failure, detail=self.messages[0])
        return failure


@broken(
    "parts-add-up",
    "HV1-E6",
    "sends what the stream before emitted before what a stream emits",
)
class PartsAddUp(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.before: list[JSON] = []
        self.now: list[JSON] = []
        self.streaming = ""

    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        if request.id != self.streaming:
            self.streaming = request.id
            self.before, self.now = self.now, []
            for one in self.before:
                super().emit(request, event_type, one)
        self.now.append(payload)
        super().emit(request, event_type, payload)


@broken(
    "no-parts-after-a-throw",
    "HV1-E3",
    "emits nothing in the first stream after a tool that threw",
)
class NoPartsAfterAThrow(Host):
    thrown = False
    mute = ""

    def call_failed(self, request: Request, error: BaseException) -> Failure:
        self.thrown |= tool_of(request) == "conformance_throw"
        return super().call_failed(request, error)

    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        if self.thrown:
            self.thrown, self.mute = False, request.id
        if request.id != self.mute:
            super().emit(request, event_type, payload)


class Leaking(Host):
    """Has room for so many calls, and never clears that of some."""

    room = 6

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.leaked = 0

    def leaks(self, request: Request, response: Success | Failure) -> bool:
        """Whether the room of this call is lost."""
        raise NotImplementedError

    def respond(self, request: Request, response: Success | Failure) -> None:
        if request.method == "execute_tool" and self.leaked >= self.room:
            response = self.failure(request, "Busy", "too many calls in flight")
        self.leaked += self.leaks(request, response)
        super().respond(request, response)


@broken(
    "unknown-tools-stay-in-flight",
    "HV1-R5",
    "takes six calls of unknown tools for calls in flight, and refuses all others",
)
class UnknownToolsStayInFlight(Leaking):
    def leaks(self, request: Request, response: Success | Failure) -> bool:
        return isinstance(response, Failure) and response.type == "UnknownTool"


@broken(
    "throws-stay-in-flight",
    "HV1-R5",
    "takes eight calls that threw for calls in flight, and refuses all others",
)
class ThrowsStayInFlight(Leaking):
    room = 8

    def leaks(self, request: Request, response: Success | Failure) -> bool:
        return tool_of(request) == "conformance_throw" and is_failure(response)


@broken(
    "counts-twice-after-an-unknown-tool",
    "HV1-R11",
    "adds one more in the first count after a call of an unknown tool",
)
class CountsTwiceAfterAnUnknownTool(Host):
    owed = 0

    def find_tool(self, name: str) -> Tool:
        if name not in self.tools:
            self.owed = 1
        return super().find_tool(name)

    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        if tool.name == "conformance_counter":
            by: Any = arguments.get("by", 1)
            arguments = {**arguments, "by": by + self.owed}
            self.owed = 0
        return await super().run_tool(tool, arguments, context)


@broken(
    "failed-ids-stay",
    "HV1-M14",
    "answers an id that a call failed under with that failure for ever",
    level="should",
)
class FailedIdsStay(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.failures: dict[str, Failure] = {}

    def respond(self, request: Request, response: Success | Failure) -> None:
        if isinstance(response, Failure):
            self.failures.setdefault(request.id, response)
        super().respond(request, self.failures.get(request.id, response))


@broken(
    "listing-kills-streams",
    "HV1-E3",
    "sends no more events of a stream in flight once its tools were listed",
)
class ListingKillsStreams(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.streams: set[str] = set()
        self.mute: set[str] = set()

    def handle_request(self, request: Request) -> None:
        if request.method == "get_tool_schemas":
            self.mute |= self.streams
        if tool_of(request) == "conformance_stream":
            self.streams.add(request.id)
            self.mute.discard(request.id)
        super().handle_request(request)

    def respond(self, request: Request, response: Success | Failure) -> None:
        self.streams.discard(request.id)
        super().respond(request, response)

    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        if request.id not in self.mute:
            super().emit(request, event_type, payload)


@broken(
    "dies-of-the-third-bad-line",
    "HV1-T7",
    "bears two lines in a row that are no requests, and dies of the third",
    level="should",
)
class DiesOfTheThirdBadLine(Host):
    bad = 0

    def handle_bad_request(self, bad: BadRequest) -> None:
        self.bad += 1
        if self.bad == 3:
            os._exit(1)
        super().handle_bad_request(bad)

    def handle_request(self, request: Request) -> None:
        self.bad = 0
        super().handle_request(request)


@broken("formats-throws", "HV1-R7", "formats the message of a throw once more")
class FormatsThrows(Host):
    def call_failed(self, request: Request, error: BaseException) -> Failure:
        failure = super().call_failed(request, error)
        try:
            return replace(failure, detail=failure.detail % ())
        except (TypeError, ValueError) as again:
            return replace(failure, detail=str(again))
