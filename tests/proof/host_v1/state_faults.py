"""Hosts that lose or mix up the tool state: HV1-M6, R10, R11."""

from __future__ import annotations

from typing import Any

import anyio.lowlevel
from tests.proof.host_v1.subject import broken

from wireproof_reference.framing import JSONObject, dumps
from wireproof_reference.host_v1 import Host, Request, Success, Tool


class StateHost(Host):
    """Sends another state than the reference."""

    def change(self, request: Request, state: JSONObject) -> Any:
        """Return the state that is sent in place of this one."""
        raise NotImplementedError

    def result_state(self, request: Request, state: JSONObject) -> Any:
        sent = super().result_state(request, state)
        return None if sent is None else self.change(request, sent)


@broken(
    "no-state-of-a-listing",
    "HV1-M6",
    "sends no state with the tool schemas",
    level="should",
)
class NoStateOfAListing(StateHost):
    def change(self, request: Request, state: JSONObject) -> Any:
        return None if request.method == "get_tool_schemas" else state


@broken(
    "no-state-of-a-call",
    "HV1-M6",
    "sends no state with a call's result",
    level="should",
)
class NoStateOfACall(StateHost):
    def change(self, request: Request, state: JSONObject) -> Any:
        return None if request.method == "execute_tool" else state


@broken(
    "no-state-of-init",
    "HV1-M6",
    "sends the state of init as the value only",
    level="should",
)
class NoStateOfInit(StateHost):
    def change(self, request: Request, state: JSONObject) -> Any:
        return None if request.method == "init" else state


@broken("state-as-text", "HV1-M6", "sends the state as JSON text", level="should")
class StateAsText(StateHost):
    def change(self, request: Request, state: JSONObject) -> Any:
        return dumps(state).decode()


@broken(
    "no-state-of-a-failure",
    "HV1-M6",
    "sends no state when a tool reports failure",
    level="should",
)
class NoStateOfAFailure(Host):
    def success(
        self, request: Request, value: Any, state: JSONObject | None
    ) -> Success:
        if isinstance(value, dict) and value.get("success") is False:
            state = None
        return super().success(request, value, state)


@broken(
    "keeps-its-own-state", "HV1-R10", "keeps the counter in the process", level="should"
)
class KeepsItsOwnState(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state: JSONObject = {}

    def read_state(self, request: Request) -> JSONObject:
        super().read_state(request)
        return self.state

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        sent = super().result_state(request, state)
        return None if sent is None else {**sent}


@broken(
    "counter-without-state",
    "HV1-R10",
    "keeps the counter in the process and sends no state at all",
    level="should",
)
class CounterWithoutState(KeepsItsOwnState):
    def result_state(self, request: Request, state: JSONObject) -> None:
        return None


@broken(
    "default-state-is-one",
    "HV1-R10",
    "gives every call without a state the same object, in which tools count",
    level="should",
    shown_by="host-v1/state/calls-without-a-state",
)
class DefaultStateIsOne(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.default: JSONObject = {}

    def read_state(self, request: Request) -> JSONObject:
        sent = request.params.get("state")
        return self.default if sent is None else super().read_state(request)


@broken(
    "last-state-for-none",
    "HV1-R10",
    "gives a call without a state that of the call before it",
    level="should",
    shown_by="host-v1/state/calls-without-a-state",
)
class LastStateForNone(DefaultStateIsOne):
    def read_state(self, request: Request) -> JSONObject:
        self.default = super().read_state(request)
        return self.default


class StateOfTheLastCall(Host):
    """Answers other methods with the state that the last call left."""

    method = ""
    last: JSONObject | None = None

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        sent = super().result_state(request, state)
        if request.method == "execute_tool":
            self.last = sent
        if request.method == self.method and sent is not None:
            return self.last or sent
        return sent


@broken(
    "last-state-of-a-listing",
    "HV1-R10",
    "answers get_tool_schemas with the state that the last call left",
    level="should",
    shown_by="host-v1/state/older-state-through-get-tool-schemas",
)
class LastStateOfAListing(StateOfTheLastCall):
    method = "get_tool_schemas"


@broken(
    "last-state-of-a-format",
    "HV1-R10",
    "answers format_tool_result with the state that the last call left",
    level="should",
    shown_by="host-v1/state/older-state-through-format-tool-result",
)
class LastStateOfAFormat(StateOfTheLastCall):
    method = "format_tool_result"


@broken(
    "last-state-of-a-preview",
    "HV1-R10",
    "answers format_tool_call_preview with the state that the last call left",
    level="should",
    shown_by="host-v1/state/older-state-through-call-preview",
)
class LastStateOfAPreview(StateOfTheLastCall):
    method = "format_tool_call_preview"


@broken(
    "last-state-of-a-display",
    "HV1-R10",
    "answers to_display_format with the state that the last call left",
    level="should",
    shown_by="host-v1/state/older-state-through-display-format",
)
class LastStateOfADisplay(StateOfTheLastCall):
    method = "to_display_format"


@broken(
    "keeps-the-highest", "HV1-R10", "never lets the counter go back", level="should"
)
class KeepsTheHighest(Host):
    highest = 0

    def read_state(self, request: Request) -> JSONObject:
        state = super().read_state(request)
        counter = state.get("conformance_counter")
        if isinstance(counter, int):
            state["conformance_counter"] = max(counter, self.highest)
        return state

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        counter = state.get("conformance_counter")
        if isinstance(counter, int):
            self.highest = max(counter, self.highest)
        return super().result_state(request, state)


@broken(
    "shares-state-in-flight",
    "HV1-R10",
    "shares one state among calls in flight",
    level="should",
)
class SharesStateInFlight(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.shared: JSONObject = {}

    def handle_data(self, data: bytes) -> None:
        self.shared = {}
        super().handle_data(data)

    def read_state(self, request: Request) -> JSONObject:
        if not self.shared:
            self.shared = super().read_state(request)
        return self.shared


@broken(
    "keeps-the-state-in-itself",
    "HV1-R10",
    "keeps the state of a call in itself while others may come between",
    level="should",
)
class KeepsTheStateInItself(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: Any
    ) -> JSONObject:
        self.state = context.state
        await anyio.lowlevel.checkpoint()
        context.state = self.state
        return await super().run_tool(tool, arguments, context)


@broken(
    "one-state-for-all-calls",
    "HV1-R10",
    "fills one object with the state of each call that begins",
    level="should",
)
class OneStateForAllCalls(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state: JSONObject = {}

    def read_state(self, request: Request) -> JSONObject:
        state = super().read_state(request)
        if request.method != "execute_tool":
            return state
        self.state.clear()
        self.state.update(state)
        return self.state


@broken(
    "sends-the-latest-state",
    "HV1-R11",
    "sends the state of the call that ended last after those that ended with it",
)
class SendsTheLatestState(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: Any
    ) -> JSONObject:
        result = await super().run_tool(tool, arguments, context)
        self.latest = context.state
        await anyio.lowlevel.checkpoint()
        context.state = self.latest
        return result


@broken(
    "stale-state",
    "HV1-R11",
    "sends the state as it was before the call",
)
class StaleState(StateHost):
    def change(self, request: Request, state: JSONObject) -> Any:
        if request.method == "init":
            return state
        return request.params["state"] if self.kept is None else self.kept

    def read_state(self, request: Request) -> JSONObject:
        state = super().read_state(request)
        self.kept: JSONObject | None = {**state}
        return state


@broken(
    "state-one-behind",
    "HV1-R11",
    "sends the state of the call before",
)
class StateOneBehind(StateHost):
    last: JSONObject | None = None

    def change(self, request: Request, state: JSONObject) -> Any:
        if request.method != "execute_tool":
            return state
        before, self.last = self.last, {**state}
        return {**state} if before is None else before


@broken("state-reset-by-others", "HV1-R11", "empties the state in any other tool")
class StateResetByOthers(StateHost):
    def change(self, request: Request, state: JSONObject) -> Any:
        if request.params.get("tool_name") == "conformance_echo":
            return {}
        return state


@broken("state-reset-by-listing", "HV1-R11", "sends a new state with the tool schemas")
class StateResetByListing(StateHost):
    def change(self, request: Request, state: JSONObject) -> Any:
        if request.method == "get_tool_schemas":
            return {"conformance_counter": 0}
        return state


@broken(
    "state-always-new",
    "HV1-R11",
    "sends the state of init after each call",
)
class StateAlwaysNew(StateHost):
    def change(self, request: Request, state: JSONObject) -> Any:
        return {"conformance_counter": 0}


@broken(
    "state-ignored",
    "HV1-R11",
    "does not read the state that a call carries",
)
class StateIgnored(Host):
    def read_state(self, request: Request) -> JSONObject:
        super().read_state(request)
        return {}


@broken(
    "caches-listings",
    "HV1-R11",
    "answers a listing with the state that came with the first",
)
class CachesListings(Host):
    cached: JSONObject | None = None

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        if request.method == "get_tool_schemas" and "state" in request.params:
            self.cached = self.cached or state
            return self.cached
        return super().result_state(request, state)


@broken(
    "merges-states",
    "HV1-R10",
    "merges the state of a request over what it kept of those before",
    level="should",
    shown_by="host-v1/state/empty-state-after-a-full-one",
)
class MergesStates(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.kept: JSONObject = {}

    def read_state(self, request: Request) -> JSONObject:
        self.kept.update(super().read_state(request))
        return {**self.kept}

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        self.kept.update(state)
        return super().result_state(request, state)


@broken(
    "reads-a-line-once",
    "HV1-R10",
    "keeps what it made of a line, with what tools have changed in it since",
    level="should",
    shown_by="host-v1/state/same-call-again",
)
class ReadsALineOnce(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.read: dict[tuple[str, bytes], JSONObject] = {}

    def read_state(self, request: Request) -> JSONObject:
        state = super().read_state(request)
        return self.read.setdefault((request.id, dumps(request.params)), state)
