"""Clients that change some values where one passes: HV1-C3, C4, C11."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable
from typing import Any

from tests.proof.host_client.subject import (
    RewritingConnection,
    WiredClient,
    broken,
)

from wireproof_reference.framing import encode


def with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value with a change applied to each text and key inside."""
    if isinstance(value, list):
        return [with_texts(one, change) for one in value]
    if isinstance(value, dict):
        return {change(key): with_texts(one, change) for key, one in value.items()}
    return change(value) if isinstance(value, str) else value


def without_empty_lists(value: Any) -> Any:
    """Return a value whose objects have lost the members that are empty lists."""
    if isinstance(value, list):
        return [without_empty_lists(one) for one in value]
    if isinstance(value, dict):
        kept = {key: one for key, one in value.items() if one != []}
        return {key: without_empty_lists(one) for key, one in kept.items()}
    return value


class ComposedArguments(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        params: dict[str, Any] = frame["params"]
        if "arguments" in params:
            arguments = params["arguments"]
            params["arguments"] = with_texts(
                arguments, lambda text: unicodedata.normalize("NFC", text)
            )
        return encode(frame)


@broken("arguments-composed", "HV1-C11", "normalises the texts of arguments to NFC")
class ArgumentsComposed(WiredClient):
    connection_type = ComposedArguments


class UnescapedResults(RewritingConnection):
    def rewrite_message(self, frame: dict[str, Any]) -> None:
        result: Any = frame.get("result") or {}
        if isinstance(result.get("value"), dict) and "success" in result["value"]:
            result["value"] = with_texts(result["value"], html.unescape)


@broken("results-unescaped", "HV1-C11", "reads HTML's entities in what a tool answered")
class ResultsUnescaped(WiredClient):
    connection_type = UnescapedResults


class TrimmedPayloads(RewritingConnection):
    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame.get("event") and "payload" in frame["event"]:
            payload = frame["event"]["payload"]
            frame["event"]["payload"] = with_texts(payload, str.rstrip)


@broken("payloads-trimmed", "HV1-C3", "cuts the white space at the end of payloads")
class PayloadsTrimmed(WiredClient):
    connection_type = TrimmedPayloads


class SparseStates(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        params: dict[str, Any] = frame["params"]
        if isinstance(params.get("state"), dict):
            params["state"] = without_empty_lists(params["state"])
        return encode(frame)


@broken("states-without-lists", "HV1-C4", "leaves empty lists out of the state")
class StatesWithoutLists(WiredClient):
    connection_type = SparseStates
