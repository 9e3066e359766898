"""Clients that lose or mix bytes, lines or values on their way: HV1-C1, C2, C3, C11."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import Callable
from typing import Any

from tests.proof.host_client.changes import (
    on_bytes,
    on_connection,
    on_lines,
    on_message,
    on_request,
    on_write,
)
from tests.proof.host_client.subject import (
    TABLES,
    RewritingConnection,
    WiredClient,
)
from tests.proof.row import Change, around

from wireproof_reference import RemoteProtocolError
from wireproof_reference.host_v1 import HostFailure, Reply

PIPE = 65_536
"""Bytes that a pipe holds on Linux."""

MOST = 1_000
"""Parts that a bounded queue of a broken client holds."""


class Client(WiredClient):
    """The reference client, whose messages can be changed."""

    connection_type = RewritingConnection


fault = TABLES.faults(__name__, Client)


# --- HV1-C2: bytes and spellings


def _only_whole(connection: Any, receive: Callable[[bytes], None], data: bytes) -> None:
    """Skip a read that is not UTF-8 by itself."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return
    receive(data)


def _line_a_read(
    connection: Any, receive: Callable[[bytes], None], data: bytes
) -> None:
    receive(data if data.endswith(b"\n") else data + b"\n")


fault(
    "reads-with-replacements",
    "HV1-C2",
    "decodes each read by itself, and replaces what is cut",
    on_bytes(lambda data: data.decode(errors="replace").encode()),
)
fault(
    "reads-without-the-rest",
    "HV1-C2",
    "decodes each read by itself, and leaves out what is cut",
    on_bytes(lambda data: data.decode(errors="ignore").encode()),
)
fault(
    "skips-cut-reads",
    "HV1-C2",
    "skips a read that ends inside a character",
    on_connection("receive_data", _only_whole),
)
fault(
    "a-line-a-read",
    "HV1-C2",
    "takes each read for a line",
    on_connection("receive_data", _line_a_read),
)
fault(
    "searches-for-the-id",
    "HV1-C2",
    "takes a line for a message only where it finds its id in the text",
    on_lines(lambda line: b'"id":"' in line),
)
fault(
    "wants-a-brace-first",
    "HV1-C2",
    "takes a line for a message only where it begins with a brace",
    on_lines(lambda line: line.startswith(b"{")),
)
fault(
    "wants-the-version-first",
    "HV1-C2",
    "takes a line for a message only where v is its first key",
    on_lines(lambda line: line.lstrip().startswith(b'{"v"')),
)
fault(
    "wants-compact-lines",
    "HV1-C2",
    "takes a line for a message only where no blank follows a colon",
    on_lines(lambda line: b": " not in line),
)
fault(
    "wants-no-tabs",
    "HV1-C2",
    "skips a line with a tab in it, as one of a log",
    on_lines(lambda line: b"\t" not in line),
)
fault(
    "splits-at-carriage-returns",
    "HV1-C8",
    "takes a carriage return for the end of a line",
    on_bytes(lambda data: data.replace(b"\r", b"\n")),
    level="should",
    shown_by="host-client/stray-lines/carriage-returns-between-tokens",
)


# --- HV1-C3: bursts


def on_chunks(change: Callable[[list[Any]], list[Any]]) -> Change:
    """Change the chunks of a call when its answer has come."""

    async def finish(client: Any, finish: Any, call: Any, *args: Any) -> Any:
        answer = await finish(call, *args)
        call.chunks = change(call.chunks)
        return answer

    return around("_finish", finish)


def on_outcomes(change: Callable[[list[Any]], list[Any]]) -> Change:
    """The same, of each of several calls."""

    async def outcomes(client: Any, outcomes: Any, calls: Any) -> Any:
        found = await outcomes(calls)
        for call, _ in found:
            call.chunks = change(call.chunks)
        return found

    return around("_outcomes", outcomes)


def _fewer(change: Callable[[list[Any]], list[Any]]) -> tuple[Change, Change]:
    return on_chunks(change), on_outcomes(change)


fault(
    "drops-the-newest-parts",
    "HV1-C3",
    "has a queue of 1,000 parts, and drops what comes when it is full",
    *_fewer(lambda chunks: chunks[:MOST]),
)
fault(
    "drops-the-oldest-parts",
    "HV1-C3",
    "has a queue of 1,000 parts, and drops the oldest for a new one",
    *_fewer(lambda chunks: chunks[-MOST:]),
)
fault(
    "repeats-parts-of-a-burst",
    "HV1-C3",
    "takes the last part of every thousand twice",
    *_fewer(
        lambda chunks: [
            part
            for place, chunk in enumerate(chunks, 1)
            for part in ([chunk] if place % MOST else [chunk, chunk])
        ]
    ),
)
fault(
    "mixes-parts-of-a-burst",
    "HV1-C3",
    "hands on every second thousand of parts first",
    *_fewer(
        lambda chunks: chunks[MOST : 2 * MOST] + chunks[:MOST] + chunks[2 * MOST :]
    ),
)
fault(
    "drops-parts-beyond-five-thousand",
    "HV1-C3",
    "has a queue of 5,000 parts, and drops what comes when it is full",
    *_fewer(lambda chunks: chunks[: 5 * MOST]),
    shown_by="host-client/bursts/ten-thousand",
)


# --- HV1-C1: requests in flight


def _in_turn(link: Any, write: Callable[[bytes], None], data: bytes) -> None:
    """Write long lines in flight by turns, as much of each as a pipe holds."""
    pieces = [data[at : at + PIPE] for at in range(0, len(data), PIPE)]
    link.lines.append(pieces)
    if len(link.lines) > 1:
        return

    def flush() -> None:
        while any(link.lines):
            for one in link.lines:
                if one:
                    write(one.pop(0))
        link.lines.clear()

    asyncio.get_running_loop().call_soon(flush)


def _cut_short(link: Any, write: Callable[[bytes], None], data: bytes) -> None:
    """Lose what the pipe does not take at once, where more is in flight."""
    write(data if len(link._calls) <= 1 else data[:PIPE] + data[-1:])


def _without_line_feed(link: Any, write: Callable[[bytes], None], data: bytes) -> None:
    """Lose the line feed of what waits for another line to be written."""
    waits = link._writer.backlog_bytes > 0
    write(data[:-1] if waits else data)


def _waiting(link: Any, write: Callable[[bytes], None], data: bytes) -> None:
    """Read nothing while a line is written."""
    rest = memoryview(data)
    while rest:
        select.select([], [link._process.stdin], [])
        rest = rest[os.write(link._process.stdin, rest[: select.PIPE_BUF]) :]


fault(
    "writes-in-turn",
    "HV1-C1",
    "writes requests in flight by turns, as much of each as a pipe holds",
    on_write(_in_turn),
    shown_by="host-client/in-flight/two-calls",
)
fault(
    "writes-cut-short",
    "HV1-C1",
    "loses of a second request in flight what a pipe does not take at once",
    on_write(_cut_short),
    shown_by="host-client/in-flight/two-calls",
)
fault(
    "joins-lines-in-flight",
    "HV1-C1",
    "loses the line feed of a request that waits for another to be written",
    on_write(_without_line_feed),
    shown_by="host-client/in-flight/two-requests",
)
fault(
    "writes-before-it-reads",
    "HV1-C1",
    "reads no answer while it writes a request",
    on_write(_waiting),
    shown_by="host-client/in-flight/answers-while-calls-are-written",
)


# --- HV1-C11: null and false


def _without_nulls(frame: dict[str, Any]) -> None:
    if arguments := frame["params"].get("arguments"):
        kept = {key: one for key, one in arguments.items() if one is not None}
        frame["params"]["arguments"] = kept


def _without_false(frame: dict[str, Any]) -> None:
    if arguments := frame["params"].get("arguments"):
        kept = {key: one for key, one in arguments.items() if one is not False}
        frame["params"]["arguments"] = kept


def on_result(change: Callable[[Any], Any]) -> Change:
    """Change the `result` of a tool that reports success."""

    def rewrite(_: Any, frame: dict[str, Any]) -> None:
        result: Any = frame.get("result")
        value: Any = result.get("value") if isinstance(result, dict) else None
        if isinstance(value, dict) and "success" in value:
            value["result"] = change(value.get("result"))

    return on_message(rewrite)


async def _value_or_null(
    _: Any, request: Any, method: str, *args: Any, **more: Any
) -> Any:
    reply: Reply = await request(method, *args, **more)
    return Reply(reply.value or None, reply.state)


async def _value_needed(
    _: Any, request: Any, method: str, *args: Any, **more: Any
) -> Any:
    reply: Reply = await request(method, *args, **more)
    if reply.value is None:
        raise RemoteProtocolError("the answer has no value")
    return reply


async def _false_fails(
    _: Any, request: Any, method: str, *args: Any, **more: Any
) -> Any:
    reply: Reply = await request(method, *args, **more)
    if reply.value is False:
        raise HostFailure("Failed", f"{method} gave false")
    return reply


fault(
    "drops-null-arguments",
    "HV1-C11",
    "leaves arguments out that are null",
    on_request(_without_nulls),
    shown_by="host-client/values/null-as-an-argument",
)
fault(
    "drops-false-arguments",
    "HV1-C11",
    "leaves arguments out that are false",
    on_request(_without_false),
    shown_by="host-client/values/false-as-an-argument",
)
fault(
    "falsy-results-are-null",
    "HV1-C11",
    "makes null of a result that is false, 0 or empty",
    on_result(lambda result: result or None),
    shown_by="host-client/values/false-as-a-result",
)
fault(
    "null-results-are-empty",
    "HV1-C11",
    "makes an empty text of a result that is null",
    on_result(lambda result: "" if result is None else result),
    shown_by="host-client/values/null-as-a-result",
)
fault(
    "falsy-values-are-null",
    "HV1-C11",
    "makes null of the value of a request that is false, 0 or empty",
    around("request", _value_or_null),
    shown_by="host-client/values/false-as-a-value",
)
fault(
    "null-values-are-errors",
    "HV1-C11",
    "fails a request whose value is null",
    around("request", _value_needed),
    shown_by="host-client/values/null-as-a-value",
)
fault(
    "false-values-are-errors",
    "HV1-C11",
    "fails a request whose value is false",
    around("request", _false_fails),
    shown_by="host-client/values/false-as-a-value",
)
