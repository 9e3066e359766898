"""Servers that lose, cut or refuse what they read: SOCK-F2 to F6, M3, M5, M9."""

from __future__ import annotations

from typing import Any

from tests.proof.socket_v1.frame_faults import is_json_fault
from tests.proof.socket_v1.subject import MendingServer, ReadingServer, broken

from wireproof_reference.framing import JSON
from wireproof_reference.socket_v1 import (
    BadMessage,
    Call,
    ClientMessage,
    Flaw,
    Peer,
    ServerConnection,
    SocketServer,
    ToolDefinition,
    ToolResult,
    read_client_message,
)


class SharedRest(ServerConnection):
    """Keeps what follows the last line feed in one place for all connections."""

    rest = b""

    def receive_data(self, data: bytes) -> None:
        whole, feed, SharedRest.rest = (SharedRest.rest + data).rpartition(b"\n")
        super().receive_data(whole + feed)


@broken(
    "one-buffer-for-all",
    "SOCK-F2",
    "keeps the unfinished lines of all connections in one buffer",
)
class OneBufferForAll(SocketServer):
    def make_connection(self) -> ServerConnection:
        return SharedRest()


class FirstOfARead(ServerConnection):
    """Hands on one line of each read; the others wait for the next."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = b""

    def receive_data(self, data: bytes) -> None:
        line, feed, self._waiting = (self._waiting + data).partition(b"\n")
        super().receive_data(line + feed)


@broken(
    "first-of-a-read",
    "SOCK-F2",
    "takes one line of each read, and the next of what waits with the next read",
)
class FirstOfAReadServer(SocketServer):
    def make_connection(self) -> ServerConnection:
        return FirstOfARead()


class ReadIsALine(ServerConnection):
    """Takes each read for one line."""

    def receive_data(self, data: bytes) -> None:
        super().receive_data(data.replace(b"\n", b" ") + b"\n" if data else data)


@broken(
    "a-read-is-a-line",
    "SOCK-F2",
    "takes each read for a line",
)
class ReadIsALineServer(SocketServer):
    def make_connection(self) -> ServerConnection:
        return ReadIsALine()


class ReadIsLines(ServerConnection):
    """Takes each read for whole lines."""

    def receive_data(self, data: bytes) -> None:
        super().receive_data(data + b"\n" if data else data)


@broken(
    "a-read-is-whole-lines",
    "SOCK-F2",
    "takes each read for whole lines",
)
class ReadIsLinesServer(SocketServer):
    def make_connection(self) -> ServerConnection:
        return ReadIsLines()


MOST_OF_A_READ = 16
"""Frames that are served of one read."""


class SixteenOfARead(ServerConnection):
    """Hands on a few lines of each read; the others wait for the next."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = b""

    def receive_data(self, data: bytes) -> None:
        waiting = self._waiting + data
        end = 0
        for _ in range(MOST_OF_A_READ):
            end = waiting.find(b"\n", end) + 1 or len(waiting)
        self._waiting = waiting[end:]
        super().receive_data(waiting[:end])


@broken(
    "sixteen-of-a-read",
    "SOCK-F2",
    "takes sixteen lines of each read, and the next of what waits with the next read",
    shown_by="socket-v1/calls/beside-three-hundred-calls",
)
class SixteenOfAReadServer(SocketServer):
    def make_connection(self) -> ServerConnection:
        return SixteenOfARead()


class SkippingServer(SocketServer):
    """Drops what came in one read with a line that is no JSON."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._skips: set[Peer] = set()

    async def handle_messages(self, peer: Peer) -> None:
        self._skips.discard(peer)
        await super().handle_messages(peer)

    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        super().handle_bad_message(peer, bad)
        if is_json_fault(bad):
            self._skips.add(peer)

    def handle_message(self, peer: Peer, message: ClientMessage) -> None:
        if peer not in self._skips:
            super().handle_message(peer, message)


@broken(
    "drops-the-rest-of-a-read",
    "SOCK-F4",
    "drops what has come in one read with a line that is no JSON",
)
class DropsTheRestOfARead(SkippingServer):
    pass


@broken(
    "bad-lines-abort-calls",
    "SOCK-F4",
    "aborts the calls of a connection at a line that is no JSON",
)
class BadLinesAbortCalls(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        super().handle_bad_message(peer, bad)
        if is_json_fault(bad):
            self.handle_close(peer)


@broken(
    "limit-of-a-million",
    "SOCK-F6",
    "refuses frames of more than a million bytes",
    level="should",
)
class LimitOfAMillion(SocketServer):
    def make_connection(self) -> ServerConnection:
        return ServerConnection(1_000_000)


class Prefixes(ServerConnection):
    """Takes each 512 KiB of a line for a line."""

    size = 512 * 1024

    def __init__(self) -> None:
        super().__init__()
        self._length = 0

    def receive_data(self, data: bytes) -> None:
        for line in data.splitlines(keepends=True):
            rest = line
            while self._length + len(rest) > self.size:
                cut = self.size - self._length
                super().receive_data(rest[:cut] + b"\n")
                rest, self._length = rest[cut:], 0
            super().receive_data(rest)
            self._length = 0 if rest.endswith(b"\n") else self._length + len(rest)


@broken(
    "prefix-of-a-line",
    "SOCK-F6",
    "takes each 512 KiB of a line for a line",
    level="should",
)
class PrefixOfALine(SocketServer):
    def make_connection(self) -> ServerConnection:
        return Prefixes()


@broken(
    "cancel-wants-protocol", "SOCK-M3", "refuses a cancel without protocol, but no call"
)
class CancelWantsProtocol(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if message.get("type") == "cancel_tool_call":
            return {"protocol": None, **message}
        return message


@broken(
    "silent-without-protocol", "SOCK-M3", "says nothing to a frame without protocol"
)
class SilentWithoutProtocol(ReadingServer):
    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        read = read_client_message(value)
        if isinstance(value, dict) and "protocol" not in value:
            return Flaw("no protocol") if not isinstance(read, Flaw) else read
        return read

    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if bad.answer.message != "no protocol":
            super().handle_bad_message(peer, bad)


@broken(
    "array-is-no-arguments",
    "SOCK-M5",
    "takes arguments that are an array for none",
)
class ArrayIsNoArguments(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if isinstance(message.get("arguments"), list):
            del message["arguments"]
        return message


class AbsentArguments(MendingServer):
    """Looks for the calls that have no arguments."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.lacking: set[str] = set()

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if message.get("type") == "tool_call" and "arguments" not in message:
            self.lacking.add(str(message.get("requestId")))
        return message


@broken(
    "absent-arguments-are-invalid",
    "SOCK-M9",
    "validates absent arguments as null",
    level="should",
)
class AbsentArgumentsAreInvalid(AbsentArguments):
    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        if call.message.request_id in self.lacking:
            return ToolResult.failure("VALIDATION_ERROR", "arguments is no object")
        return super().check_arguments(call, tool)


@broken(
    "absent-arguments-are-not-validated",
    "SOCK-M9",
    "does not validate arguments where there are none",
    level="should",
)
class AbsentArgumentsAreNotValidated(AbsentArguments):
    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        if call.message.request_id in self.lacking:
            return None
        return super().check_arguments(call, tool)


@broken(
    "arguments-of-the-call-before",
    "SOCK-M9",
    "takes those of the call before for absent arguments",
    level="should",
)
class ArgumentsOfTheCallBefore(MendingServer):
    latest: JSON = None

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if message.get("type") == "tool_call":
            message.setdefault("arguments", self.latest or {})
            if isinstance(message["arguments"], dict):
                self.latest = message["arguments"]
        return message


@broken(
    "timeouts-in-seconds",
    "SOCK-X5",
    "takes timeoutMs for seconds",
)
class TimeoutsInSeconds(SocketServer):
    def deadline_ms(self, call: Call) -> int:
        wanted = call.message.timeout_ms
        return super().deadline_ms(call) if wanted is None else wanted * 1000
