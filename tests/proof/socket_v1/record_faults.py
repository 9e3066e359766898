"""Servers whose records and log others cannot use: SOCK-A1, D1, D2."""

from __future__ import annotations

import json
import os
from typing import Any

from tests.proof.socket_v1.subject import broken

from wireproof_reference.framing import JSONObject, dumps
from wireproof_reference.socket_v1 import Call, Peer, SocketServer, ToolResult


class OwnLog(SocketServer):
    """Writes its log in its own way."""

    def written(self, size: int, entry: JSONObject) -> tuple[int, str]:
        """Return where in a log of this size is written, and what."""
        raise NotImplementedError

    def audit(self, call: Call, result: ToolResult) -> None:
        if self.home is not None:
            path = self.home.folder / "audit.jsonl"
            path.touch()
            with path.open("r+b") as file:
                size = file.seek(0, os.SEEK_END)
                start, text = self.written(size, self.audit_entry(call, result))
                file.truncate(start)
                file.seek(start)
                file.write(text.encode())


@broken(
    "pretty-log",
    "SOCK-A1",
    "spreads an entry over lines",
)
class PrettyLog(OwnLog):
    def written(self, size: int, entry: JSONObject) -> tuple[int, str]:
        return size, f"{json.dumps(entry, indent=2)}\n"


@broken(
    "log-is-an-array",
    "SOCK-A1",
    "keeps its log as one array",
)
class LogIsAnArray(OwnLog):
    def written(self, size: int, entry: JSONObject) -> tuple[int, str]:
        text = f"{json.dumps(entry)}]"
        return (size - 1, f", {text}") if size else (0, f"[{text}")


@broken(
    "latest-entry-alone",
    "SOCK-A1",
    "writes each entry over the one before",
)
class LatestEntryAlone(OwnLog):
    def written(self, size: int, entry: JSONObject) -> tuple[int, str]:
        return 0, f"{json.dumps(entry)}\n"


@broken("long-entries-left-out", "SOCK-A1", "leaves out entries of more than 4 KiB")
class LongEntriesLeftOut(OwnLog):
    def written(self, size: int, entry: JSONObject) -> tuple[int, str]:
        line = f"{json.dumps(entry)}\n"
        return size, line if len(line) <= 4096 else ""


@broken(
    "log-of-each-connection",
    "SOCK-A1",
    "writes to its log where the latest entry of the connection ended",
    shown_by="socket-v1/audit/two-connections-in-turn",
)
class LogOfEachConnection(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._ends: dict[Peer, int] = {}

    def audit(self, call: Call, result: ToolResult) -> None:
        if self.home is None:
            return
        path = self.home.folder / "audit.jsonl"
        path.touch()
        line = dumps(self.audit_entry(call, result)) + b"\n"
        with path.open("r+b") as file:
            size = file.seek(0, os.SEEK_END)
            start = self._ends.get(call.peer, size)
            file.seek(start)
            file.write(line)
        self._ends[call.peer] = start + len(line)


@broken("config-by-name", "SOCK-D1", "names its socket by the name of the file alone")
class ConfigByName(SocketServer):
    def publish(self) -> None:
        super().publish()
        if self.home is not None:
            config: JSONObject = {"socketPath": self.path.name}
            (self.home.folder / "config.json").write_bytes(dumps(config))


@broken(
    "one-file-for-all",
    "SOCK-D2",
    "keeps the records of all instances in one file beside the folder",
)
class OneFileForAll(SocketServer):
    def publish(self) -> None:
        super().publish()
        if self.home is not None:
            super().withdraw()
            records = [self.instance_record(self.home)]
            (self.home.folder / "instances.json").write_text(json.dumps(records))


@broken(
    "record-goes-with-a-client",
    "SOCK-D2",
    "withdraws its record when a client has gone",
)
class RecordGoesWithAClient(SocketServer):
    async def serve_peer(self, connected: Any) -> None:
        await super().serve_peer(connected)
        self.withdraw()


@broken(
    "empty-record",
    "SOCK-D2",
    "leaves an empty file for a record",
)
class EmptyRecord(SocketServer):
    def publish(self) -> None:
        super().publish()
        if self.home is not None:
            path = self.home.folder / "instances" / f"{os.getpid()}.json"
            path.write_bytes(b"")


@broken(
    "stopped-by-a-stranger",
    "SOCK-D2",
    "does not start where a file among the instances has no number for a name",
    level="should",
)
class StoppedByAStranger(SocketServer):
    def publish(self) -> None:
        if self.home is not None:
            self.home.create()
            for path in (self.home.folder / "instances").glob("*.json"):
                int(path.stem)
        super().publish()
