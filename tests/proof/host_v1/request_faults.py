"""Hosts that treat requests wrongly: HV1-M7, M8, M9, M12, M13, M14."""

from __future__ import annotations

import json
import unicodedata
from typing import Any, cast

from tests.proof.host_v1.input_faults import FirstInText, LineHost, crash
from tests.proof.host_v1.subject import broken

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

_KEYS = {"v", "id", "method", "params"}


class _AnyVersion(HostConnection):
    def read_request(self, value: JSON) -> Request | Flaw:
        return read_request({**value, "v": 1} if isinstance(value, dict) else value)


@broken("any-version", "HV1-M7", "does not look at v", level="should")
class AnyVersion(Host):
    def make_connection(self) -> HostConnection:
        return _AnyVersion()


class _IntegerVersion(HostConnection):
    def read_request(self, value: JSON) -> Request | Flaw:
        request = read_request(value)
        if (
            isinstance(request, Request)
            and isinstance(value, dict)
            and isinstance(value["v"], float)
        ):
            return Flaw("v must be an integer", request.id, "UnsupportedVersion")
        return request


@broken(
    "version-of-an-integer-type",
    "HV1-M7",
    "reads v into an integer type, which 1.0 does not fit",
    level="should",
    shown_by="host-v1/messages/version-with-a-fraction",
)
class VersionOfAnIntegerType(Host):
    def make_connection(self) -> HostConnection:
        return _IntegerVersion()


class _NewerVersion(HostConnection):
    def read_request(self, value: JSON) -> Request | Flaw:
        if isinstance(value, dict) and value.get("v") == 2:
            value = {**value, "v": 1}
        return read_request(value)


@broken(
    "version-two-too", "HV1-M7", "carries out requests of version 2", level="should"
)
class VersionTwoToo(Host):
    def make_connection(self) -> HostConnection:
        return _NewerVersion()


class _VersionAsText(HostConnection):
    def read_request(self, value: JSON) -> Request | Flaw:
        if isinstance(value, dict) and value.get("v") == "1":
            value = {**value, "v": 1}
        return read_request(value)


@broken("version-as-text", "HV1-M7", 'takes the version "1" for 1', level="should")
class VersionAsText(Host):
    def make_connection(self) -> HostConnection:
        return _VersionAsText()


@broken(
    "dies-of-a-version", "HV1-M7", "ends when the version is another", level="should"
)
class DiesOfAVersion(LineHost):
    def handle_line(self, line: bytes) -> None:
        value = _json(line)
        if isinstance(value, dict) and {"id", "method"} <= value.keys():
            v = value.get("v")
            if isinstance(v, bool) or v != 1:
                crash()
        super().handle_line(line)


@broken(
    "null-for-the-unknown",
    "HV1-M8",
    "answers an unknown method with null",
)
class NullForTheUnknown(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        if request.method not in self.methods and not _is_optional(request.method):
            return self.success(request, None, {})
        return super().dispatch(request)


@broken("methods-by-prefix", "HV1-M8", "takes the first method that begins so")
class MethodsByPrefix(Host):
    def handle_request(self, request: Request) -> None:
        names = [*self.methods, "execute_tool"]
        found = next((name for name in names if name.startswith(request.method)), None)
        if found and request.method:
            request = Request(request.id, found, request.params)
        super().handle_request(request)


@broken("methods-by-case", "HV1-M8", "ignores case and spaces in a method")
class MethodsByCase(Host):
    def handle_request(self, request: Request) -> None:
        method = request.method.strip().lower()
        super().handle_request(Request(request.id, method, request.params))


@broken(
    "methods-in-nfkc",
    "HV1-M8",
    "normalises a method to NFKC",
    shown_by="host-v1/messages/method-that-looks-alike",
)
class MethodsInNfkc(Host):
    def handle_request(self, request: Request) -> None:
        method = unicodedata.normalize("NFKC", request.method)
        super().handle_request(Request(request.id, method, request.params))


@broken(
    "methods-by-their-end",
    "HV1-M8",
    "takes the first method that ends so",
    shown_by="host-v1/messages/piece-of-a-method",
)
class MethodsByTheirEnd(Host):
    def handle_request(self, request: Request) -> None:
        names = [*self.methods, "execute_tool"]
        found = next((name for name in names if name.endswith(request.method)), None)
        if found and request.method:
            request = Request(request.id, found, request.params)
        super().handle_request(request)


@broken(
    "first-method-of-a-line",
    "HV1-M8",
    "looks for the method in the text of the line",
    shown_by="host-v1/messages/method-behind-params",
)
class FirstMethodOfALine(FirstInText):
    key = "method"


@broken("cuts-methods-at-nul", "HV1-M8", "reads a method up to a NUL")
class CutsMethodsAtNul(Host):
    def handle_request(self, request: Request) -> None:
        method = request.method.partition("\0")[0]
        super().handle_request(Request(request.id, method, request.params))


@broken("tools-as-methods", "HV1-M8", "takes a tool's name for a method")
class ToolsAsMethods(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        if request.method in self.tools:
            return self.success(request, {"success": True, "result": None}, None)
        return super().dispatch(request)


@broken(
    "null-for-the-optional",
    "HV1-O1",
    "answers an optional method that it lacks with null",
)
class NullForTheOptional(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        if _is_optional(request.method):
            return self.success(request, None, self.result_state(request, {}))
        return super().dispatch(request)


@broken(
    "dies-of-an-unknown-method",
    "HV1-M8",
    "dies of an unknown method",
)
class DiesOfAnUnknownMethod(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        if request.method not in self.methods:
            crash()
        return super().dispatch(request)


@broken(
    "strict-about-keys",
    "HV1-M9",
    "fails a request with a key that it does not know",
    level="should",
)
class StrictAboutKeys(Host):
    def make_connection(self) -> HostConnection:
        class Connection(HostConnection):
            def read_request(self, value: JSON) -> Request | Flaw:
                request = read_request(value)
                keys = value.keys() if isinstance(value, dict) else set[str]()
                if isinstance(request, Request) and keys - _KEYS:
                    return Flaw("unknown key", request.id, "InvalidRequest")
                return request

        return Connection()


@broken(
    "keys-in-any-case",
    "HV1-M9",
    "takes keys for its own that differ in case, the last of them",
    level="should",
)
class KeysInAnyCase(Host):
    def make_connection(self) -> HostConnection:
        class Connection(HostConnection):
            def read_request(self, value: JSON) -> Request | Flaw:
                folded = _folded(value)
                if isinstance(folded, dict) and "params" in folded:
                    folded["params"] = _folded(folded["params"])
                return read_request(folded)

        return Connection()


def _folded(value: JSON) -> JSON:
    """Return an object with the keys of a request or of its params in lower case."""
    if not isinstance(value, dict):
        return value
    return {
        key.lower() if key.lower() in _ANY_CASE else key: value[key] for key in value
    }


_ANY_CASE = frozenset(
    {"v", "id", "method", "params", "tool_name", "arguments", "state", "config"}
)


@broken(
    "params-as-arguments",
    "HV1-M9",
    "calls a function with the params by name",
    level="should",
)
class ParamsAsArguments(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        known = {"init": {"config"}, "get_tool_schemas": {"state"}}
        extra = request.params.keys() - known.get(request.method, request.params.keys())
        if extra:
            detail = f"unexpected keyword argument {min(extra)!r}"
            return self.failure(request, "TypeError", detail)
        return super().dispatch(request)


@broken(
    "dies-of-unknown-keys", "HV1-M9", "dies of a key beside the four", level="should"
)
class DiesOfUnknownKeys(LineHost):
    def handle_line(self, line: bytes) -> None:
        value = _json(line)
        # A long line is one of those that are nested deep.
        if isinstance(value, dict) and value.keys() > _KEYS and len(line) < 10_000:
            crash()
        super().handle_line(line)


@broken(
    "dies-without-params", "HV1-M12", "dies where params are absent", level="should"
)
class DiesWithoutParams(LineHost):
    def handle_line(self, line: bytes) -> None:
        value = _json(line)
        if isinstance(value, dict) and "method" in value and "params" not in value:
            crash()
        super().handle_line(line)


@broken(
    "dies-without-arguments",
    "HV1-M3",
    "dies of a call that has no arguments, whatever it calls",
    shown_by="host-v1/messages/one-answer-without-arguments",
)
class DiesWithoutArguments(Host):
    async def execute_tool(self, request: Request) -> Success | Failure:
        if "tool_name" in request.params and "arguments" not in request.params:
            crash()
        return await super().execute_tool(request)


@broken(
    "silent-tools-without-arguments",
    "HV1-M3",
    "finds a tool, and loses the call where it has no arguments",
    shown_by="host-v1/messages/one-answer-of-a-tool-without-arguments",
)
class SilentToolsWithoutArguments(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        is_known = str(request.params.get("tool_name")) in self.tools
        if not is_known or "arguments" in request.params:
            super().respond(request, response)


@broken("dies-of-null-params", "HV1-M12", "dies where params are null", level="should")
class DiesOfNullParams(LineHost):
    def handle_line(self, line: bytes) -> None:
        value = _json(line)
        if isinstance(value, dict) and value.get("params", {}) is None:
            crash()
        super().handle_line(line)


@broken(
    "silent-about-odd-params",
    "HV1-M12",
    "drops a request whose params are a list",
    level="should",
)
class SilentAboutOddParams(LineHost):
    def handle_line(self, line: bytes) -> None:
        value = _json(line)
        if not isinstance(value, dict) or not isinstance(value.get("params"), list):
            super().handle_line(line)


@broken(
    "dies-of-odd-state",
    "HV1-M12",
    "dies where the state is neither an object nor null",
    level="should",
)
class DiesOfOddState(Host):
    def handle_request(self, request: Request) -> None:
        if not isinstance(request.params.get("state"), dict | None):
            crash()
        super().handle_request(request)


@broken(
    "silent-about-a-null-state",
    "HV1-M12",
    "drops a call whose state is null",
    level="should",
)
class SilentAboutANullState(Host):
    def handle_request(self, request: Request) -> None:
        calls = request.method == "execute_tool"
        if not calls or request.params.get("state", {}) is not None:
            super().handle_request(request)


class _ParamsOfAText(HostConnection):
    def read_request(self, value: JSON) -> Request | Flaw:
        if isinstance(value, dict) and isinstance(text := value.get("params"), str):
            value = {**value, "params": _json(text.encode())}
        return read_request(value)


@broken(
    "params-as-text-too",
    "HV1-M12",
    "takes the JSON text of params for them",
    level="should",
    shown_by="host-v1/messages/params-of-a-call-in-a-text-or-an-array",
)
class ParamsAsTextToo(Host):
    def make_connection(self) -> HostConnection:
        return _ParamsOfAText()


class _ParamsOfAList(HostConnection):
    def read_request(self, value: JSON) -> Request | Flaw:
        if isinstance(value, dict):
            params = value.get("params")
            if isinstance(params, list) and len(params) == 1:
                value = {**value, "params": params[0]}
        return read_request(value)


@broken(
    "first-of-the-params",
    "HV1-M12",
    "takes the first object of params that are a list",
    level="should",
    shown_by="host-v1/messages/params-of-a-call-in-a-text-or-an-array",
)
class FirstOfTheParams(Host):
    def make_connection(self) -> HostConnection:
        return _ParamsOfAList()


@broken("ten-at-most", "HV1-M13", "drops what comes beyond ten requests at once")
class TenAtMost(Host):
    def handle_data(self, data: bytes) -> None:
        self.room = 10
        super().handle_data(data)

    def handle_request(self, request: Request) -> None:
        self.room -= 1
        if self.room >= 0:
            super().handle_request(request)


@broken(
    "one-of-a-kind",
    "HV1-M13",
    "keeps what is in flight by its method and tool, and so one of each",
)
class OneOfAKind(Host):
    def handle_data(self, data: bytes) -> None:
        self.kinds = set[tuple[str, str]]()
        super().handle_data(data)

    def handle_request(self, request: Request) -> None:
        kind = (request.method, str(request.params.get("tool_name")))
        if kind not in self.kinds:
            self.kinds.add(kind)
            super().handle_request(request)


@broken("fifty-at-most", "HV1-M13", "drops what comes while fifty calls are running")
class FiftyAtMost(Host):
    def handle_request(self, request: Request) -> None:
        if len(self.connection.in_flight) <= 50 or request.method != "execute_tool":
            super().handle_request(request)


@broken(
    "hundred-at-most",
    "HV1-M13",
    "drops what comes while a hundred calls are running",
    shown_by="host-v1/pipelining/hundred-and-sixty-sleepers",
)
class HundredAtMost(Host):
    def handle_request(self, request: Request) -> None:
        if len(self.connection.in_flight) <= 100 or request.method != "execute_tool":
            super().handle_request(request)


@broken(
    "busy",
    "HV1-M13",
    "drops what comes while a tool sleeps",
)
class Busy(Host):
    sleeper = ""

    def handle_request(self, request: Request) -> None:
        if self.sleeper in self.connection.in_flight - {request.id}:
            return
        if request.params.get("tool_name") == "conformance_sleep":
            self.sleeper = request.id
        super().handle_request(request)


@broken(
    "swaps-answers",
    "HV1-M13",
    "answers echoes that wait together in each other's name",
)
class SwapsAnswers(Host):
    def handle_data(self, data: bytes) -> None:
        self.waiting: list[Request] = []
        super().handle_data(data)
        ids = [request.id for request in self.waiting]
        for request, key in zip(self.waiting, reversed(ids), strict=True):
            super().handle_request(Request(key, request.method, request.params))

    def handle_request(self, request: Request) -> None:
        if request.params.get("tool_name") == "conformance_echo":
            self.waiting.append(request)
        else:
            super().handle_request(request)


@broken(
    "remembers-answers",
    "HV1-M14",
    "answers a used id with the first answer again",
    level="should",
)
class RemembersAnswers(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        memory: dict[str, Success | Failure] = self.__dict__.setdefault("memory", {})
        super().respond(request, memory.setdefault(request.id, response))


@broken(
    "remembers-responses",
    "HV1-M14",
    "answers a request that was made before with its response, without its events",
    level="should",
    shown_by="host-v1/messages/streaming-call-repeated",
)
class RemembersResponses(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.responses: dict[str, Success | Failure] = {}

    def handle_request(self, request: Request) -> None:
        known = self.responses.get(repr(request))
        if known is None:
            super().handle_request(request)
        else:
            super().respond(request, known)

    def respond(self, request: Request, response: Success | Failure) -> None:
        self.responses[repr(request)] = response
        super().respond(request, response)


@broken(
    "drops-used-ids", "HV1-M14", "drops a request whose id was used", level="should"
)
class DropsUsedIds(Host):
    def handle_request(self, request: Request) -> None:
        used: set[str] = self.__dict__.setdefault("used", set())
        if request.id not in used:
            used.add(request.id)
            super().handle_request(request)


@broken(
    "refuses-used-ids", "HV1-M14", "fails a request whose id was used", level="should"
)
class RefusesUsedIds(Host):
    def handle_request(self, request: Request) -> None:
        used: set[str] = self.__dict__.setdefault("used", set())
        if request.id in used:
            self.send(self.failure(request, "DuplicateId", "this id was used"))
        else:
            used.add(request.id)
            super().handle_request(request)


def _is_optional(method: str) -> bool:
    return method.startswith(
        ("get_", "required_", "format_", "to_")
    ) and method not in {
        "get_tool_schemas",
        "get_tool_schema",
    }


def _json(line: bytes) -> Any:
    try:
        return cast("Any", json.loads(line))
    except (ValueError, RecursionError):
        return None
