"""A socket-v1 server of one tool, quick to start: ``PATH [FAULT]``."""

from __future__ import annotations

import contextlib
import json
import signal
import socketserver
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH = sys.argv[1]
FAULT = sys.argv[2] if len(sys.argv) > 2 else ""
NAME = "conformance_echo" if FAULT == "echo" else "look"


def answer(message: dict[str, Any]) -> list[dict[str, Any]]:
    if message.get("protocol", 1) != 1 or message.get("type") not in (
        "list_tools",
        "tool_call",
        "cancel_tool_call",
    ):
        raise ValueError("no message")
    if message["type"] == "list_tools":
        tool = {"name": NAME, "description": "It looks.", "inputSchema": {}}
        kind = "tools" if FAULT == "other-type" else "tools_list"
        return [{"type": kind, "tools": [tool]}]
    key = message["requestId"]
    if FAULT == "ends-late" and message["type"] == "tool_call":
        # As if each tool had ended by itself before it is cancelled half a second on.
        ends = message["arguments"].get("ms", 0) < 500
        came = {"ok": True, "content": 1} if ends else {"ok": False}
        return [{"type": "tool_result", "requestId": key, "result": came}]
    if message["type"] == "cancel_tool_call":
        return []
    if message["toolName"] != NAME:
        error = {"code": "UNKNOWN_TOOL", "message": "there is none"}
        result: dict[str, Any] = {"ok": False, "error": error}
    else:
        result = {"ok": True, "content": message.get("arguments", {})}
    if FAULT == "meta-as-text":
        result["meta"] = "m"
    final = {"type": "tool_result", "requestId": key, "result": result}
    event = {"kind": "progress", "message": '{"looking":true}'}
    said = {"type": "tool_event", "requestId": key, "event": event}
    if message["toolName"] != NAME:
        return [final]
    if FAULT == "mute":
        return []
    if FAULT == "sleeps":
        time.sleep(message.get("arguments", {}).get("ms", 0) / 1000)
    return [final, said] if FAULT == "late-event" else [said, final]


class Handler(socketserver.StreamRequestHandler):
    def lines(self) -> Iterator[bytes]:
        if FAULT == "one-line-a-read":
            left = b""
            while data := self.request.recv(1 << 20):
                line, _, left = (left + data).partition(b"\n")
                yield line
        yield from self.rfile

    def handle(self) -> None:
        for line in self.lines():
            try:
                frames = answer(json.loads(line))
            except (ValueError, LookupError, TypeError, AttributeError):
                detail = "this is no message"
                frames = [
                    {"type": "error", "code": "PROTOCOL_ERROR", "message": detail}
                ]
            self.say(frames)

    def say(self, frames: list[dict[str, Any]]) -> None:
        for frame in frames:
            whole: dict[str, Any] = {"protocol": 1, **frame}
            if FAULT == "json-rpc":
                whole = {"jsonrpc": "2.0", "id": 1, "result": frame}
            data = json.dumps(whole).encode() + b"\n"
            with contextlib.suppress(OSError):
                self.wfile.write(data)


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 128


def stop(*_: object) -> None:
    Path(PATH).unlink(missing_ok=True)
    sys.exit(0)


if __name__ == "__main__":
    if FAULT == "dies":
        sys.exit("the configuration is missing")
    signal.signal(signal.SIGTERM, stop)
    if FAULT == "takes-over":
        Path(PATH).unlink(missing_ok=True)
    Server(PATH, Handler).serve_forever()
