"""Servers that believe too much, or too little: SOCK-I1 to I7."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.proof.socket_v1.subject import broken

from wireproof_reference.socket_v1 import (
    Call,
    CallContext,
    Caller,
    Peer,
    SocketServer,
    ToolCall,
    ToolDefinition,
    ToolResult,
)

DENIED = ToolResult.failure("PERMISSION_DENIED", "it was denied")


@broken(
    "believes-every-caller",
    "SOCK-I1",
    "believes whatever caller is claimed",
)
class BelievesEveryCaller(SocketServer):
    def downgrade(self, caller: Caller) -> Caller:
        return caller


@broken(
    "believes-agents",
    "SOCK-I1",
    "believes a claim of agent",
)
class BelievesAgents(SocketServer):
    def downgrade(self, caller: Caller) -> Caller:
        return caller if caller == "agent" else super().downgrade(caller)


@broken(
    "all-are-cli",
    "SOCK-I1",
    "takes a plugin for cli",
)
class AllAreCli(SocketServer):
    def downgrade(self, caller: Caller) -> Caller:
        return "cli"


@broken("session-of-the-client", "SOCK-I2", "takes the session that a client claims")
class SessionOfTheClient(SocketServer):
    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        context = super().make_context(peer, message)
        claimed = message.client_info.session_id
        return replace(context, session_id=claimed or context.session_id)


@broken("one-session", "SOCK-I2", "has one session for all connections")
class OneSession(SocketServer):
    def new_session_id(self) -> str:
        return "Kd83jsLq0xPzW5vB7nMt"


@broken(
    "session-of-a-call",
    "SOCK-I2",
    "has a new session for each call",
)
class SessionOfACall(SocketServer):
    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        context = super().make_context(peer, message)
        return replace(context, session_id=self.new_session_id())


class CountingServer(SocketServer):
    """Counts its sessions."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._sessions = 0

    def new_session_id(self) -> str:
        self._sessions += 1
        return self.spell(self._sessions)

    def spell(self, number: int) -> str:
        """Return the id of a session by its number."""
        raise NotImplementedError


@broken("counted-sessions", "SOCK-I2", "counts its sessions", level="should")
class CountedSessions(CountingServer):
    def spell(self, number: int) -> str:
        return f"socket-session-{number:06}"


@broken("short-sessions", "SOCK-I2", "has short session ids", level="should")
class ShortSessions(SocketServer):
    def new_session_id(self) -> str:
        return super().new_session_id()[:8]


@broken("loses-cwd", "SOCK-I3", "does not hand on cwd", level="should")
class LosesCwd(SocketServer):
    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        return replace(super().make_context(peer, message), cwd=None)


@broken("tab-sticks", "SOCK-I3", "keeps the tab of the call before", level="should")
class TabSticks(SocketServer):
    tab: str | None = None

    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        self.tab = message.client_info.tab_id or self.tab
        return replace(super().make_context(peer, message), tab_id=self.tab)


@broken("internal-may-all", "SOCK-I4", "denies nothing to who claims to be internal")
class InternalMayAll(SocketServer):
    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        if call.message.client_info.caller == "internal":
            return None
        return super().check_permission(call, tool)


@broken(
    "sessions-may-all",
    "SOCK-I4",
    "denies nothing to who claims a session",
)
class SessionsMayAll(SocketServer):
    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        if call.message.client_info.session_id is not None:
            return None
        return super().check_permission(call, tool)


@broken("runs-the-denied", "SOCK-I4", "runs a call that it denies")
class RunsTheDenied(SocketServer):
    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        refusal = super().check_permission(call, tool)
        if refusal is not None:
            Path(str(call.message.arguments["path"])).write_bytes(b"")
        return refusal


@broken(
    "denial-as-failure",
    "SOCK-I4",
    "calls a denial TOOL_FAILED",
)
class DenialAsFailure(SocketServer):
    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        if super().check_permission(call, tool) is None:
            return None
        return ToolResult.failure("TOOL_FAILED", "not permitted")


@broken(
    "plugins-read-nothing",
    "SOCK-I5",
    "denies read-only tools to plugins",
    level="should",
)
class PluginsReadNothing(SocketServer):
    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        if call.context.caller == "plugin":
            return DENIED
        return super().check_permission(call, tool)


@broken(
    "no-grant-needed",
    "SOCK-I7",
    "lets a tool write files without a grant",
    level="should",
)
class NoGrantNeeded(SocketServer):
    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        return None


@broken("asked-twice", "SOCK-I7", "grants what was denied twice", level="should")
class AskedTwice(SocketServer):
    times = 0

    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        refusal = super().check_permission(call, tool)
        if refusal is not None:
            self.times += 1
        return refusal if self.times % 3 else None


@broken(
    "socket-for-all",
    "SOCK-I6",
    "lets everybody use its socket file",
    level="should",
)
class SocketForAll(SocketServer):
    def publish(self) -> None:
        self.path.chmod(0o666)
        super().publish()


@broken(
    "socket-of-0722",
    "SOCK-I6",
    "lets everybody write its socket file, though not read it",
    level="should",
)
class SocketOf0722(SocketServer):
    def publish(self) -> None:
        self.path.chmod(0o722)
        super().publish()


@broken(
    "session-of-the-former",
    "SOCK-I2",
    "gives a new connection the session id of one that has closed",
)
class SessionOfTheFormer(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._left: list[str] = []

    def new_session_id(self) -> str:
        return self._left.pop() if self._left else super().new_session_id()

    def handle_close(self, peer: Peer) -> None:
        self._left.append(peer.session_id)
        super().handle_close(peer)


@broken(
    "believes-who-has-called",
    "SOCK-I1",
    "downgrades the first call of a connection, and no other",
)
class BelievesWhoHasCalled(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._known: set[str] = set()

    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        context = super().make_context(peer, message)
        if peer.session_id in self._known:
            return replace(context, caller=message.client_info.caller)
        self._known.add(peer.session_id)
        return context
