"""Clients that send what is no request: HV1-C1."""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.proof.host_client.subject import (
    RewritingConnection,
    WiredClient,
    broken,
)

from wireproof_reference.framing import encode


class RawConnection(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        return encode(frame).replace(b"\\n", b"\n")


@broken("raw-line-feeds", "HV1-C1", "does not escape line feeds in strings")
class RawLineFeeds(WiredClient):
    connection_type = RawConnection


class TextVersionConnection(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        return encode({**frame, "v": "1"})


@broken("version-as-text", "HV1-C1", "sends its version as a string")
class VersionAsText(WiredClient):
    connection_type = TextVersionConnection


class NumericConnection(RewritingConnection):
    """Has ids that are numbers on the wire and strings on this side."""

    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        return encode({**frame, "id": int(frame["id"])})

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        frame["id"] = str(frame["id"])


@broken("numeric-ids", "HV1-C1", "has numbers as ids")
class NumericIds(WiredClient):
    connection_type = NumericConnection

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        numbers = count(1)
        super().__init__(*args, **kwargs, new_id=lambda: str(next(numbers)))


class OneIdConnection(RewritingConnection):
    """Has one id on the wire, and takes answers in the order of its requests."""

    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        return encode({**frame, "id": "request"})

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame["id"] == "request" and self.waiting:
            frame["id"] = self.waiting[0]


@broken("one-id", "HV1-C1", "gives every request the same id")
class OneId(WiredClient):
    connection_type = OneIdConnection


class KebabConnection(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        if frame["method"] == "required_tags":
            frame["method"] = "required-tags"
        return encode(frame)


@broken("kebab-case", "HV1-C1", "asks for required-tags")
class KebabCase(WiredClient):
    connection_type = KebabConnection


class SparseConnection(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        return encode({key: value for key, value in frame.items() if value != {}})


@broken("no-empty-params", "HV1-C1", "leaves params out where they are empty")
class NoEmptyParams(WiredClient):
    connection_type = SparseConnection


class ArrayConnection(RewritingConnection):
    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        return encode([frame])


@broken("batches", "HV1-C1", "wraps each request in an array")
class Batches(WiredClient):
    connection_type = ArrayConnection
