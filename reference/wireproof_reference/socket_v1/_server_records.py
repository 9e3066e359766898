"""What a server writes down: its log, and the records by which others find it."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio

from wireproof_reference.socket_v1.core import redact_text, summarise

if TYPE_CHECKING:
    from pathlib import Path

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.socket_v1._home import Home
    from wireproof_reference.socket_v1._peer import Call
    from wireproof_reference.socket_v1.core import ToolResult


class ServerRecords:
    """The log and the records of a server.

    Args:
        path: Where the socket file is made.
        home: Where the log and the records go; nowhere where it is None.
    """

    def __init__(self, path: Path, home: Home | None = None) -> None:
        self.path = path
        self.home = home

    def audit(self, call: Call, result: ToolResult) -> None:
        """Write the line about a call (SOCK-A1)."""
        if self.home is None:
            return
        try:
            self.home.append_audit(self.audit_entry(call, result))
        except OSError as error:
            # The call is carried out already; no client can mend a full disk.
            sys.stderr.write(f"cannot write the audit log: {error}\n")

    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        """What the log says about a call (SOCK-A3)."""
        message = call.message
        duration_ms = (anyio.current_time() - call.started) * 1000
        entry: JSONObject = {
            "time": self.now().isoformat(),
            "requestId": redact_text(message.request_id),
            "sessionId": call.context.session_id,
            "caller": call.context.caller,
            "toolName": redact_text(message.tool_name),
            "capabilities": list(call.tool.capabilities) if call.tool else [],
            "decision": "allow" if call.allowed else "deny",
            "durationMs": round(duration_ms, 3),
            "arguments": self.redact(message.arguments),
            "result": self.redact(result.json),
        }
        return entry

    def redact(self, value: JSON) -> JSON:
        """A value as the log may show it (SOCK-A2)."""
        return summarise(value)

    def now(self) -> datetime:
        """The time of day."""
        return datetime.now(UTC)

    def publish(self) -> None:
        """Leave the records by which others find the server (SOCK-D1, D2)."""
        if self.home is not None:
            self.home.create()
            self.home.reap_instances()
            self.home.write_config(self.path)
            self.home.write_instance(os.getpid(), self.instance_record(self.home))

    def instance_record(self, home: Home) -> JSONObject:
        """What `instances/<pid>.json` says (SOCK-D2)."""
        return {
            "pid": os.getpid(),
            "socketPath": str(self.path),
            "userDataPath": str(home.folder),
            "startedAt": self.now().isoformat(),
        }

    def withdraw(self) -> None:
        """Remove what `publish` left about this process (SOCK-D2)."""
        if self.home is not None:
            self.home.remove_instance(os.getpid())
