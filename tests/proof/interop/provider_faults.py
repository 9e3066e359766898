"""Providers that break the flow of tools: INT-Q1 to Q11, R8."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from tests.proof.interop.subject import Json, Subject, body_of, broken

from wireproof_reference.interop import DEFAULT_TOOL_INTEROP_REGISTRY
from wireproof_reference.interop.providers import (
    ChatProvider,
    ResponsesProvider,
    execute_calls,
)

CHAT_FUNCTION = "openai.chat_completions.function"
NAMES_IN_CHAT = ("function", "custom")


class ChatSubject(Subject):
    """The reference with its chat provider, and the names that scenarios look for."""

    ChatProvider: Any = ChatProvider
    execute_calls: Any = staticmethod(execute_calls)

    def __init__(self) -> None:
        super().__init__(self.ChatProvider())


class ResponsesSubject(Subject):
    """The reference with its Responses provider."""

    def __init__(self) -> None:
        super().__init__(ResponsesProvider())


class _KeepsRegistry(ChatProvider):
    def initialize_request(self, *args: Any, **named: Any) -> Any:
        messages, state = super().initialize_request(*args, **named)
        interop: Any = named["context"]["tool_interop"]
        return messages, {**state, "registry": interop["registry"]}


@broken(
    "registry-in-the-state",
    "INT-G5",
    "keeps the registry in the state of a request",
    level="should",
    bridged=False,
)
class RegistryInTheState(ChatSubject):
    ChatProvider = _KeepsRegistry


class RequestSubject(ChatSubject):
    """Changes the requests of the chat provider."""

    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        """Change a payload, or the state after the request.

        Args:
            payload: What the reference sends.
            before: The payload as it was given.
            state: The state after the request.
        """
        raise NotImplementedError

    def initialize_request(
        self,
        native_messages: list[Any],
        state: Json,
        target_formats: list[str] | None = None,
    ) -> Any:
        given = copy.deepcopy(state)
        made: Any = super().initialize_request(native_messages, state, target_formats)
        after = copy.deepcopy(made["state"])
        payload = after.setdefault("request", {}).setdefault("payload", {})
        before = (given.get("request") or {}).get("payload") or {}
        self.requested(payload, before, after)
        return {**made, "state": after}


class FinalSubject(ChatSubject):
    """Changes what the chat provider leaves of a stream."""

    def left(self, made: Json, given: Json) -> Any:
        """Change what is left; ``given`` has the same three keys."""
        raise NotImplementedError

    def finalize(
        self, final_messages: list[Any], native_messages: list[Any], state: Json
    ) -> Any:
        given = copy.deepcopy(
            {
                "final_messages": final_messages,
                "native_messages": native_messages,
                "state": state,
            }
        )
        made: Any = super().finalize(final_messages, native_messages, state)
        made = copy.deepcopy(made)
        self.left(made, given)
        return made


def injected(payload: Json, before: Json) -> bool:
    """Whether the provider has put tools into a payload."""
    return "tools" in payload and "tools" not in before


def streamed(state: Json) -> list[Json]:
    """The calls that a stream has left in a state."""
    return (state.get("partial") or {}).get("tool_calls") or []


# --- INT-Q1


@broken(
    "tools-unconverted",
    "INT-Q1",
    "sends the tools as they were authored",
)
class ToolsUnconverted(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if injected(payload, before):
            payload["tools"] = copy.deepcopy(state["_tools"])


@broken("tools-backwards", "INT-Q1", "sends the tools backwards")
class ToolsBackwards(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if injected(payload, before):
            payload["tools"].reverse()


@broken("functions-alone", "INT-Q1", "accepts functions whatever the context says")
class FunctionsAlone(ChatSubject):
    def initialize_request(
        self,
        native_messages: list[Any],
        state: Json,
        target_formats: list[str] | None = None,
    ) -> Any:
        return super().initialize_request(native_messages, state, [CHAT_FUNCTION])


@broken(
    "calls-unsanitised",
    "INT-Q1",
    "keeps what begins as an object as it is",
)
class CallsUnsanitised(FinalSubject):
    def left(self, made: Json, given: Json) -> Any:
        calls = streamed(given["state"])
        for number, call in enumerate(calls):
            if body_of(call).get("arguments", "").startswith("{"):
                made["state"]["partial"]["tool_calls"][number] = call


@broken(
    "first-call-alone",
    "INT-Q1",
    "sanitises the first of the streamed calls",
)
class FirstCallAlone(FinalSubject):
    def left(self, made: Json, given: Json) -> Any:
        calls = streamed(given["state"])
        if len(calls) > 1:
            made["state"]["partial"]["tool_calls"][1:] = calls[1:]


@broken(
    "broken-calls-dropped",
    "INT-Q1",
    "drops calls that were cut",
)
class BrokenCallsDropped(FinalSubject):
    def left(self, made: Json, given: Json) -> Any:
        partial = made["state"].get("partial") or {}
        calls = streamed(given["state"])
        if "tool_calls" in partial:
            partial["tool_calls"] = [
                one
                for one, call in zip(partial["tool_calls"], calls, strict=True)
                if one == call or not body_of(call)["arguments"].startswith("{")
            ]


@broken("calls-re-encoded", "INT-Q1", "encodes the arguments of whole calls again")
class CallsReEncoded(FinalSubject):
    def left(self, made: Json, given: Json) -> Any:
        for call in streamed(made["state"]):
            if "function" in call:
                found = json.loads(call["function"]["arguments"])
                call["function"]["arguments"] = json.dumps(found)


@broken(
    "calls-out-of-nothing", "INT-Q1", "adds a list of calls where none was streamed"
)
class CallsOutOfNothing(ChatSubject):
    def finalize(
        self, final_messages: list[Any], native_messages: list[Any], state: Json
    ) -> Any:
        if not state.get("partial"):
            raise KeyError("partial")
        return super().finalize(final_messages, native_messages, state)


@broken(
    "results-as-they-are",
    "INT-Q1",
    "sends stored results as core has them",
)
class ResultsAsTheyAre(ChatSubject):
    def to_native_messages(self, messages: list[Any]) -> Any:
        made: list[Any] = super().to_native_messages(messages)
        return [
            copy.deepcopy(core) if core.get("role") == "tool" else one
            for one, core in zip(made, messages, strict=True)
        ]


@broken(
    "custom-results-as-function",
    "INT-Q1",
    "sends each result as that of a function",
)
class CustomResultsAsFunction(ResponsesSubject):
    def to_native_messages(self, messages: list[Any]) -> Any:
        made: list[Any] = super().to_native_messages(messages)
        for one in made:
            if one.get("type") == "custom_tool_call_output":
                one["type"] = "function_call_output"
        return made


@broken("custom-calls-emptied", "INT-Q1", "makes {} of streamed raw input")
class CustomCallsEmptied(ResponsesSubject):
    def finalize(
        self, final_messages: list[Any], native_messages: list[Any], state: Json
    ) -> Any:
        made: Any = super().finalize(final_messages, native_messages, state)
        for call in streamed(made["state"]):
            if "input" in call:
                call["input"] = "{}"
        return made


# --- INT-Q2


@broken(
    "fragments-beside",
    "INT-Q2",
    "keeps each fragment beside the sanitised call",
)
class FragmentsBeside(FinalSubject):
    def left(self, made: Json, given: Json) -> Any:
        calls = streamed(given["state"])
        if calls:
            made["state"]["partial"]["raw_tool_calls"] = calls


@broken("fragments-remembered", "INT-Q2", "sends the fragment that it remembers")
class FragmentsRemembered(ChatSubject):
    def __init__(self) -> None:
        super().__init__()
        self.remembered: dict[str, str] = {}

    def finalize(
        self, final_messages: list[Any], native_messages: list[Any], state: Json
    ) -> Any:
        calls = streamed(state)
        self.remembered = {
            one["id"]: one["function"]["arguments"]
            for one in calls
            if "function" in one
        }
        return super().finalize(final_messages, native_messages, state)

    def to_native_messages(self, messages: list[Any]) -> Any:
        made: list[Any] = super().to_native_messages(messages)
        for one in made:
            for call in one.get("tool_calls") or ():
                if (
                    call["id"] in self.remembered
                    and call["function"]["arguments"] == "{}"
                ):
                    call["function"]["arguments"] = self.remembered[call["id"]]
        self.remembered = {}
        return made


# --- INT-Q4


def with_converted(payload: Json, before: Json, state: Json) -> None:
    """Put the converted tools of the state into a payload."""
    tools = state.get("_tools") or []
    made = DEFAULT_TOOL_INTEROP_REGISTRY.convert_schemas(
        tools, "openai.chat_completions"
    )
    payload["tools"] = made


@broken(
    "overwrites-tools",
    "INT-Q4",
    "overwrites the tools of a payload",
)
class OverwritesTools(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if before.get("tools") and state.get("_tools"):
            with_converted(payload, before, state)


@broken("empty-is-none", "INT-Q4", "takes an empty list of tools for none")
class EmptyIsNone(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if before.get("tools") == [] and state.get("_tools"):
            with_converted(payload, before, state)


@broken(
    "adds-to-tools",
    "INT-Q4",
    "adds its tools to those of a payload",
)
class AddsToTools(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if before.get("tools") and state.get("_tools"):
            with_converted(payload, before, state)
            payload["tools"] = [*before["tools"], *payload["tools"]]


@broken(
    "cleans-tools-there", "INT-Q4", "drops tools of a payload that it does not know"
)
class CleansToolsThere(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if before.get("tools"):
            known = [one for one in before["tools"] if one.get("type") in NAMES_IN_CHAT]
            payload["tools"] = known


# --- INT-Q5


@broken("replaces-the-tools", "INT-Q5", "puts the converted tools into the state")
class ReplacesTheTools(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if injected(payload, before):
            state["_tools"] = copy.deepcopy(payload["tools"])


@broken("removes-the-tools", "INT-Q5", "takes the tools out of the state")
class RemovesTheTools(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if injected(payload, before):
            state.pop("_tools")


@broken("completes-the-tools", "INT-Q5", "adds what is missing to the authored tools")
class CompletesTheTools(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        for tool in state.get("_tools") or ():
            body_of(tool).setdefault("strict", None)


# --- INT-Q6


class _DefaultForTools(ChatProvider):
    def initialize_request(
        self, native_messages: Any, state: Any, *, context: Any = None
    ) -> Any:
        if context:
            own = {**context["tool_interop"], "registry": DEFAULT_TOOL_INTEROP_REGISTRY}
            context = {**context, "tool_interop": own}
        return super().initialize_request(native_messages, state, context=context)


class _DefaultForCalls(ChatProvider):
    def finalize(
        self,
        final_messages: Any,
        native_messages: Any,
        state: Any,
        *,
        context: Any = None,
    ) -> Any:
        return super().finalize(final_messages, native_messages, state)


class _Both(ChatProvider):
    def finalize(
        self,
        final_messages: Any,
        native_messages: Any,
        state: Any,
        *,
        context: Any = None,
    ) -> Any:
        super().finalize(final_messages, native_messages, state, context=context)
        return super().finalize(final_messages, native_messages, state)


@broken(
    "default-for-tools",
    "INT-Q6",
    "converts tools with the default registry",
    bridged=False,
)
class DefaultForTools(ChatSubject):
    ChatProvider = _DefaultForTools


@broken(
    "default-for-calls", "INT-Q6", "sanitises with the default registry", bridged=False
)
class DefaultForCalls(ChatSubject):
    ChatProvider = _DefaultForCalls


@broken(
    "asks-both",
    "INT-Q6",
    "asks the context's registry and takes the default's word",
    bridged=False,
)
class AsksBoth(ChatSubject):
    ChatProvider = _Both


# --- INT-Q7


@broken("choice-overwritten", "INT-Q7", "makes every choice auto")
class ChoiceOverwritten(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if injected(payload, before):
            payload["tool_choice"] = "auto"


@broken(
    "no-choice",
    "INT-Q7",
    "adds no choice to the tools that it injects",
)
class NoChoice(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if "tool_choice" not in before:
            payload.pop("tool_choice", None)


@broken(
    "choice-required",
    "INT-Q7",
    "requires a call where nothing was chosen",
)
class ChoiceRequired(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if injected(payload, before) and "tool_choice" not in before:
            payload["tool_choice"] = "required"


@broken("choice-always", "INT-Q7", "adds a choice where there are no tools")
class ChoiceAlways(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if "tools" not in payload:
            payload["tool_choice"] = "auto"


@broken(
    "choice-for-tools-there",
    "INT-Q7",
    "adds a choice to tools that were there",
)
class ChoiceForToolsThere(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if "tools" in before:
            payload.setdefault("tool_choice", "auto")


# --- INT-Q8


class CoreSubject(ChatSubject):
    """Changes core messages that have calls."""

    def core(self, message: Json) -> Any:
        """Change a message in which `metadata.tool_calls` stands."""
        raise NotImplementedError

    def from_native_messages(self, native_messages: list[Any]) -> Any:
        made: list[Any] = super().from_native_messages(native_messages)
        for message in made:
            if "tool_calls" in message.get("metadata", {}):
                self.core(message)
        return made


@broken(
    "calls-beside-metadata",
    "INT-Q8",
    "keeps a single call beside metadata",
)
class CallsBesideMetadata(CoreSubject):
    def core(self, message: Json) -> Any:
        if len(message["metadata"]["tool_calls"]) == 1:
            message["tool_calls"] = message["metadata"].pop("tool_calls")


@broken(
    "last-call-alone",
    "INT-Q8",
    "keeps the last of several calls",
)
class LastCallAlone(CoreSubject):
    def core(self, message: Json) -> Any:
        del message["metadata"]["tool_calls"][:-1]


@broken(
    "text-beside-calls-lost",
    "INT-Q8",
    "loses the text beside a call",
)
class TextBesideCallsLost(CoreSubject):
    def core(self, message: Json) -> Any:
        message["content"] = ""


@broken(
    "calls-decoded",
    "INT-Q8",
    "keeps the arguments of calls as objects",
)
class CallsDecoded(CoreSubject):
    def core(self, message: Json) -> Any:
        for call in message["metadata"]["tool_calls"]:
            if "function" in call:
                text = call["function"]["arguments"]
                call["function"]["arguments"] = json.loads(text)


@broken(
    "role-model",
    "INT-Q8",
    "calls the assistant model",
)
class RoleModel(CoreSubject):
    def core(self, message: Json) -> Any:
        message["role"] = "model"


class ItemSubject(ResponsesSubject):
    """Changes the calls in core messages of the Responses provider."""

    def call(self, call: Json) -> Any:
        """Return the call in place of this one."""
        raise NotImplementedError

    def from_native_messages(self, native_messages: list[Any]) -> Any:
        made: list[Any] = super().from_native_messages(native_messages)
        for message in made:
            metadata = message.get("metadata", {})
            if "tool_calls" in metadata:
                metadata["tool_calls"] = list(map(self.call, metadata["tool_calls"]))
        return made


@broken("items-in-core", "INT-Q8", "keeps Responses items in core")
class ItemsInCore(ItemSubject):
    def call(self, call: Json) -> Any:
        if "function" not in call:
            return call
        return {"type": "function_call", "call_id": call["id"], **call["function"]}


@broken(
    "raw-input-in-arguments",
    "INT-Q8",
    "makes a function call of a custom item",
)
class RawInputInArguments(ItemSubject):
    def call(self, call: Json) -> Any:
        raw = call.get("custom", call)
        if "input" not in raw:
            return call
        arguments = json.dumps({"input": raw["input"]})
        function = {"name": raw["name"], "arguments": arguments}
        call_id = call.get("id", call.get("call_id"))
        return {"id": call_id, "type": "function", "function": function}


@broken("raw-json-in-core", "INT-Q8", "decodes raw input that is JSON")
class RawJsonInCore(ItemSubject):
    def call(self, call: Json) -> Any:
        raw = call.get("custom", call)
        with suppress(ValueError):
            raw["input"] = json.loads(raw.get("input", ""))
        return call


# --- INT-Q9


class _Asked(dict[str, Any]):
    """Tools that are given something else than their payload."""

    def __init__(self, tools: Mapping[str, Any], gives: Callable[[Any], Any]) -> None:
        super().__init__(
            {
                name: lambda payload, t=tool: t(gives(payload))
                for name, tool in tools.items()
            }
        )


@broken("objects-as-text", "INT-Q9", "gives every tool a text", bridged=False)
class ObjectsAsText(ChatSubject):
    @staticmethod
    def execute_calls(calls: Any, tools: Any) -> Any:
        """Run the calls."""
        gives = lambda p: p if isinstance(p, str) else json.dumps(p)  # noqa: E731
        return execute_calls(calls, _Asked(tools, gives))


@broken("texts-as-objects", "INT-Q9", "decodes the raw text for a tool", bridged=False)
class TextsAsObjects(ChatSubject):
    @staticmethod
    def execute_calls(calls: Any, tools: Any) -> Any:
        """Run the calls."""
        gives = lambda p: json.loads(p) if isinstance(p, str) else p  # noqa: E731
        return execute_calls(calls, _Asked(tools, gives))


@broken("text-in-input", "INT-Q9", "gives the raw text in an object", bridged=False)
class TextInInput(ChatSubject):
    @staticmethod
    def execute_calls(calls: Any, tools: Any) -> Any:
        """Run the calls."""
        gives = lambda p: {"input": p} if isinstance(p, str) else p  # noqa: E731
        return execute_calls(calls, _Asked(tools, gives))


# --- INT-Q10


class HistorySubject(ChatSubject):
    """Changes the messages that a request sends, and hands on."""

    def history(self, messages: list[Any]) -> Any:
        """Return what is sent in place of these."""
        raise NotImplementedError

    def initialize_request(
        self,
        native_messages: list[Any],
        state: Json,
        target_formats: list[str] | None = None,
    ) -> Any:
        made: Any = super().initialize_request(native_messages, state, target_formats)
        return {
            **made,
            "native_messages": self.history(copy.deepcopy(made["native_messages"])),
        }


@broken("history-trimmed", "INT-Q10", "drops messages but the last ones")
class HistoryTrimmed(HistorySubject):
    def history(self, messages: list[Any]) -> Any:
        return messages[-2:]


@broken("history-cleaned", "INT-Q10", "drops keys of messages that it does not know")
class HistoryCleaned(HistorySubject):
    def history(self, messages: list[Any]) -> Any:
        keys = ("role", "content", "tool_calls", "tool_call_id")
        return [{k: v for k, v in one.items() if k in keys} for one in messages]


@broken("history-greeted", "INT-Q10", "puts a message of its own first")
class HistoryGreeted(HistorySubject):
    def history(self, messages: list[Any]) -> Any:
        return [{"role": "system", "content": "You have tools."}, *messages]


class RebuiltSubject(ChatSubject):
    """Changes native messages that were rebuilt from core ones."""

    def rebuilt(self, message: Json) -> Any:
        """Return what is given in place of this message."""
        raise NotImplementedError

    def to_native_messages(self, messages: list[Any]) -> Any:
        made: list[Any] = super().to_native_messages(messages)
        return list(map(self.rebuilt, made))


@broken(
    "rebuilt-without-calls",
    "INT-Q10",
    "loses calls where it rebuilds history",
)
class RebuiltWithoutCalls(RebuiltSubject):
    def rebuilt(self, message: Json) -> Any:
        return {k: v for k, v in message.items() if k != "tool_calls"}


@broken("rebuilt-re-encoded", "INT-Q10", "encodes arguments again where it rebuilds")
class RebuiltReEncoded(RebuiltSubject):
    def rebuilt(self, message: Json) -> Any:
        for call in message.get("tool_calls") or ():
            found = json.loads(call["function"]["arguments"])
            call["function"]["arguments"] = json.dumps(found, indent=1)
        return message


@broken(
    "rebuilt-without-text", "INT-Q10", "loses the text beside calls where it rebuilds"
)
class RebuiltWithoutText(RebuiltSubject):
    def rebuilt(self, message: Json) -> Any:
        if message.get("tool_calls"):
            message["content"] = None
        return message


@broken(
    "rebuilt-ids",
    "INT-Q10",
    "gives calls new ids where it rebuilds",
)
class RebuiltIds(RebuiltSubject):
    def rebuilt(self, message: Json) -> Any:
        for call in message.get("tool_calls") or ():
            call["id"] = f"re_{call['id']}"
        return message


@broken("items-rebuilt-sorted", "INT-Q10", "rebuilds custom items first")
class ItemsRebuiltSorted(ResponsesSubject):
    def to_native_messages(self, messages: list[Any]) -> Any:
        made: list[Any] = super().to_native_messages(messages)
        return sorted(made, key=lambda one: one.get("type") != "custom_tool_call")


@broken(
    "custom-rebuilt-as-function", "INT-Q10", "rebuilds a custom item as a function's"
)
class CustomRebuiltAsFunction(ResponsesSubject):
    def to_native_messages(self, messages: list[Any]) -> Any:
        made: list[Any] = super().to_native_messages(messages)
        for one in made:
            if one.get("type") == "custom_tool_call":
                one |= {"type": "function_call", "arguments": one.pop("input")}
        return made


# --- INT-Q12


@broken(
    "own-keys-sent",
    "INT-Q12",
    "sends its own notes on a message to the provider",
    level="should",
)
class OwnKeysSent(ChatSubject):
    def initialize_request(
        self,
        native_messages: list[Any],
        state: Json,
        target_formats: list[str] | None = None,
    ) -> Any:
        made: Any = super().initialize_request(native_messages, state, target_formats)
        sent = made["state"]["request"]["payload"]["messages"]
        for message, given in zip(sent, native_messages, strict=True):
            if "_metadata" in given:
                message["_metadata"] = given["_metadata"]
        return made


@broken(
    "history-changed-in-place",
    "INT-Q12",
    "takes its own notes out of the messages that it was given",
    level="should",
)
class HistoryChangedInPlace(ChatSubject):
    def initialize_request(
        self,
        native_messages: list[Any],
        state: Json,
        target_formats: list[str] | None = None,
    ) -> Any:
        for message in native_messages:
            message.pop("_metadata", None)
        return super().initialize_request(native_messages, state, target_formats)


# --- INT-Q11


@broken(
    "waits-for-an-extension",
    "INT-Q11",
    "adds a choice and leaves the tools to an extension",
)
class WaitsForAnExtension(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if injected(payload, before):
            payload.pop("tools")


@broken(
    "overrides-an-extension", "INT-Q11", "converts tools anew that have the same names"
)
class OverridesAnExtension(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        names = {body_of(one).get("name") for one in before.get("tools") or ()}
        own = {body_of(one).get("name") for one in state.get("_tools") or ()}
        if names and names == own:
            with_converted(payload, before, state)


# --- INT-R8


class _Early(ChatProvider):
    def to_native_messages(self, messages: Any, *, context: Any = None) -> Any:
        made = super().to_native_messages(messages, context=context)
        state: Any = super().initialize_request(made, {"request": {"payload": {}}})[1]
        return state["request"]["payload"]["messages"]


class _Never(ChatProvider):
    def initialize_request(
        self, native_messages: Any, state: Any, *, context: Any = None
    ) -> Any:
        made: Any = super().initialize_request([], state, context=context)[1]
        sent = [
            {key: value for key, value in message.items() if key != "_metadata"}
            for message in native_messages
        ]
        made["request"]["payload"]["messages"] = sent
        return sent, made


class _InPlace(ChatProvider):
    def initialize_request(
        self, native_messages: Any, state: Any, *, context: Any = None
    ) -> Any:
        made: Any = super().initialize_request(native_messages, state, context=context)
        sent = made[1]["request"]["payload"]["messages"]
        for message, one in zip(native_messages, sent, strict=True):
            message["content"] = one["content"]
        return made


@broken(
    "attachments-early",
    "INT-R8",
    "expands attachments for the history",
    level="should",
    bridged=False,
)
class AttachmentsEarly(ChatSubject):
    ChatProvider = _Early


@broken(
    "attachments-never",
    "INT-R8",
    "sends references as they are",
    level="should",
    bridged=False,
)
class AttachmentsNever(ChatSubject):
    ChatProvider = _Never


@broken(
    "attachments-in-place",
    "INT-R8",
    "expands attachments in the history",
    level="should",
    bridged=False,
)
class AttachmentsInPlace(ChatSubject):
    ChatProvider = _InPlace
