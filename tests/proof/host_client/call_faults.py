"""Clients that change what a tool is given, or what it answers: HV1-C11."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.proof.host_client.subject import (
    RewritingConnection,
    WiredClient,
    broken,
)

from wireproof_reference.framing import encode
from wireproof_reference.host_v1 import Execution, HostClient, HostFailure

LARGE = 200_000
"""Bytes that no pipe takes at once."""


class CallConnection(RewritingConnection):
    """Changes the params of `execute_tool` before they are sent."""

    def rewrite_params(self, params: dict[str, Any]) -> None:
        """Change the params in place."""
        raise NotImplementedError

    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        if frame["method"] == "execute_tool":
            self.rewrite_params(frame["params"])
        return encode(frame)


class TextArguments(CallConnection):
    def rewrite_params(self, params: dict[str, Any]) -> None:
        params["arguments"] = json.dumps(params["arguments"])


@broken("arguments-as-text", "HV1-C11", "sends the arguments as JSON text")
class SendsArgumentsAsText(WiredClient):
    connection_type = TextArguments


class TwiceWhereLarge(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        line = encode(frame)
        return line * 2 if len(line) > LARGE else line


@broken(
    "sends-large-calls-twice",
    "HV1-C11",
    "writes a call once more that a pipe has not taken at once",
    shown_by="host-client/calls/large-arguments",
)
class SendsLargeCallsTwice(WiredClient):
    connection_type = TwiceWhereLarge


class FilledArguments(CallConnection):
    def rewrite_params(self, params: dict[str, Any]) -> None:
        given: dict[str, Any] = params["arguments"]
        params["arguments"] = {k: v for k, v in given.items() if v is not None}


@broken("no-null-arguments", "HV1-C11", "leaves out arguments that are null")
class LeavesOutNulls(WiredClient):
    connection_type = FilledArguments


class SparseArguments(CallConnection):
    def rewrite_params(self, params: dict[str, Any]) -> None:
        if not params["arguments"]:
            del params["arguments"]


@broken("no-empty-arguments", "HV1-C11", "leaves the arguments out where they are {}")
class LeavesOutEmptyArguments(WiredClient):
    connection_type = SparseArguments


class TrimmedName(CallConnection):
    def rewrite_params(self, params: dict[str, Any]) -> None:
        params["tool_name"] = params["tool_name"].strip().lower()


@broken("tidied-tool-names", "HV1-C11", "trims the tool's name and lowers its case")
class TidiesToolNames(WiredClient):
    connection_type = TrimmedName


class Stateless(CallConnection):
    def rewrite_params(self, params: dict[str, Any]) -> None:
        del params["state"]


@broken(
    "no-state",
    "HV1-C11",
    "sends no state with a call",
)
class SendsNoState(WiredClient):
    connection_type = Stateless


class Camel(CallConnection):
    def rewrite_params(self, params: dict[str, Any]) -> None:
        params["toolName"] = params.pop("tool_name")


@broken("camel-case-params", "HV1-C11", "sends toolName in place of tool_name")
class SendsCamelCase(WiredClient):
    connection_type = Camel


class ResultClient(HostClient):
    """Makes something else of what a tool answered."""

    def shape(self, result: Any) -> Any:
        """Return what is given in place of a result."""
        raise NotImplementedError

    async def execute(self, *args: Any, **kwargs: Any) -> Execution:
        done = await super().execute(*args, **kwargs)
        return replace(done, result=self.shape(done.result))


@broken("unwrapped-result", "HV1-C11", "gives the inner result without success")
class UnwrapsResults(ResultClient):
    def shape(self, result: Any) -> Any:
        return result.get("result", result.get("error"))


@broken("result-as-text", "HV1-C11", "gives results as text")
class GivesResultsAsText(ResultClient):
    def shape(self, result: Any) -> Any:
        if "result" in result and not isinstance(result["result"], str):
            return {**result, "result": json.dumps(result["result"])}
        return result


@broken("known-keys-alone", "HV1-C11", "keeps only success, result and error")
class KeepsKnownKeys(ResultClient):
    def shape(self, result: Any) -> Any:
        known = ("success", "result", "error")
        return {key: result[key] for key in known if key in result}


@broken("single-precision", "HV1-C11", "rounds numbers to six digits")
class RoundsNumbers(ResultClient):
    def shape(self, result: Any) -> Any:
        text = json.dumps(result)
        return json.loads(text, parse_float=lambda number: float(f"{float(number):g}"))


@broken("reported-failure-raises", "HV1-C11", "raises a failure that a tool reports")
class ReportedFailureRaises(HostClient):
    async def execute(self, *args: Any, **kwargs: Any) -> Execution:
        done = await super().execute(*args, **kwargs)
        if isinstance(done.result, dict) and done.result["success"] is False:
            raise HostFailure("ToolFailure", str(done.result["error"]))
        return done
