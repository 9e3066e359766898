"""Servers whose files are wrong, or whose end is: SOCK-A1 to A3, D1 to D3, S1."""

from __future__ import annotations

import os
import re
from typing import Any

import anyio
from anyio import TASK_STATUS_IGNORED
from anyio.abc import TaskStatus
from tests.proof.socket_v1.subject import broken

from wireproof_reference.framing import JSON, JSONObject, dumps
from wireproof_reference.socket_v1 import (
    REDACTED,
    SECRET_KEYS,
    Call,
    Home,
    SocketPathTaken,
    SocketServer,
    ToolResult,
    is_secret_key,
)


@broken(
    "no-log",
    "SOCK-A1",
    "keeps no log",
)
class NoLog(SocketServer):
    def audit(self, call: Call, result: ToolResult) -> None:
        pass


@broken(
    "logs-successes",
    "SOCK-A1",
    "logs the calls that succeeded",
)
class LogsSuccesses(SocketServer):
    def audit(self, call: Call, result: ToolResult) -> None:
        if result.ok:
            super().audit(call, result)


@broken(
    "logs-by-id",
    "SOCK-A1",
    "keeps what is to be logged by its id, whatever the connection",
    shown_by="socket-v1/audit/same-id-on-two-connections",
)
class LogsById(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.noted: dict[str, Call] = {}

    async def run_call(self, call: Call) -> None:
        self.noted[call.message.request_id] = call
        await super().run_call(call)

    def audit(self, call: Call, result: ToolResult) -> None:
        noted = self.noted.get(call.message.request_id, call)
        if noted is call:
            super().audit(call, result)


@broken(
    "logs-the-allowed",
    "SOCK-A1",
    "logs the calls that it allowed",
)
class LogsTheAllowed(SocketServer):
    def audit(self, call: Call, result: ToolResult) -> None:
        if call.allowed:
            super().audit(call, result)


@broken(
    "logs-messages-as-they-are",
    "SOCK-A1",
    "puts the message of a failure into its line without escapes",
    shown_by="socket-v1/audit/failure-with-odd-characters",
)
class LogsMessagesAsTheyAre(SocketServer):
    def audit(self, call: Call, result: ToolResult) -> None:
        error: Any = result.json.get("error", {})
        if self.home is None or '"' not in str(error.get("message")):
            super().audit(call, result)
            return
        with self.home._audit.open("a") as log:
            log.write(f'{{"error": "{error["message"]}"}}\n')


@broken(
    "logs-late",
    "SOCK-A1",
    "logs a call five seconds later",
)
class LogsLate(SocketServer):
    def audit(self, call: Call, result: ToolResult) -> None:
        self._tasks.start_soon(self._later, call, result)

    async def _later(self, call: Call, result: ToolResult) -> None:
        await anyio.sleep(5)
        super().audit(call, result)


@broken(
    "logs-no-unknown-tool",
    "SOCK-A1",
    "does not log the call of an unknown tool",
    level="should",
)
class LogsNoUnknownTool(SocketServer):
    def audit(self, call: Call, result: ToolResult) -> None:
        if call.tool is not None:
            super().audit(call, result)


def mapped(value: Any, key: str, change: Any) -> Any:
    """Return a copy of a value, each text in it changed by its key."""
    if isinstance(value, dict):
        return {name: mapped(member, name, change) for name, member in value.items()}
    if isinstance(value, list):
        return [mapped(item, key, change) for item in value]
    return change(key, value)


@broken("shows-all", "SOCK-A2", "logs arguments and results as they are")
class ShowsAll(SocketServer):
    def redact(self, value: JSON) -> JSON:
        return value


@broken("shows-results", "SOCK-A2", "logs results as they are")
class ShowsResults(SocketServer):
    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        return {**super().audit_entry(call, result), "result": result.json}


LARGE = 1 << 15
"""Bytes of a value that is copied at the most."""


class OwnRedaction(SocketServer):
    """Takes texts out of a value in its own way."""

    def shown(self, key: str, value: Any) -> Any:
        """Return what is logged for a value that holds no other."""
        if is_secret_key(key):
            return REDACTED
        text = str(value)
        secret = re.search("(?i)bearer|PRIVATE KEY", text)
        return REDACTED if secret or len(text) > 1000 else value

    def redact(self, value: JSON) -> JSON:
        try:
            return self.of_all(mapped(self.objects(value), "", self.shown))
        except RecursionError:
            return "[nested too deep]"

    def of_all(self, shown: JSON) -> JSON:
        """Return what is logged for all that is left."""
        size = len(dumps(shown))
        return f"[{size} bytes]" if size > LARGE else shown

    def objects(self, value: Any) -> Any:
        """Return a value whose secret objects are taken out."""
        if isinstance(value, dict):
            return {
                key: REDACTED if self.hides(key) else self.objects(member)
                for key, member in value.items()
            }
        if isinstance(value, list):
            return [self.objects(item) for item in value]
        return value

    def hides(self, key: str) -> bool:
        """Whether all that is under a key is taken out."""
        return is_secret_key(key)


@broken("exact-keys", "SOCK-A2", "knows the keys of secrets in one spelling")
class ExactKeys(OwnRedaction):
    def hides(self, key: str) -> bool:
        return key in SECRET_KEYS or key.replace("_", "") in SECRET_KEYS

    def shown(self, key: str, value: Any) -> Any:
        return super().shown("", value)


@broken("texts-alone", "SOCK-A2", "takes texts for secrets and nothing else")
class TextsAlone(OwnRedaction):
    def hides(self, key: str) -> bool:
        return False

    def shown(self, key: str, value: Any) -> Any:
        return super().shown(key if isinstance(value, str) else "", value)


@broken("shows-bearers", "SOCK-A2", "logs bearer tokens in clear")
class ShowsBearers(OwnRedaction):
    def shown(self, key: str, value: Any) -> Any:
        return value if "Bearer" in str(value) else super().shown(key, value)


@broken("shows-private-keys", "SOCK-A2", "logs PEM private keys in clear")
class ShowsPrivateKeys(OwnRedaction):
    def shown(self, key: str, value: Any) -> Any:
        return value if "PRIVATE KEY" in str(value) else super().shown(key, value)


@broken("copies-large", "SOCK-A2", "copies large payloads")
class CopiesLarge(OwnRedaction):
    def shown(self, key: str, value: Any) -> Any:
        return value if len(str(value)) > 1000 else super().shown(key, value)


@broken("long-texts-alone", "SOCK-A2", "takes long texts for large, and nothing else")
class LongTextsAlone(OwnRedaction):
    def of_all(self, shown: JSON) -> JSON:
        return shown


@broken("each-level-alone", "SOCK-A2", "shows 32 members of an object, at each depth")
class EachLevelAlone(LongTextsAlone):
    def objects(self, value: Any) -> Any:
        value = super().objects(value)
        return dict([*value.items()][:32]) if isinstance(value, dict) else value


@broken("redacts-to-a-quote", "SOCK-A2", "takes a quote in a secret for its end")
class RedactsToAQuote(OwnRedaction):
    def objects(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.member(key, member) for key, member in value.items()}
        return super().objects(value)

    def member(self, key: str, member: Any) -> Any:
        """Return a member; texts are looked at later."""
        if isinstance(member, str) or not is_secret_key(key):
            return self.objects(member)
        return REDACTED

    def shown(self, key: str, value: Any) -> Any:
        if is_secret_key(key):
            return REDACTED + str(value).partition('"')[2]
        return super().shown(key, value)


@broken("logs-the-claim", "SOCK-A3", "logs the caller that was claimed", level="should")
class LogsTheClaim(SocketServer):
    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        claimed = call.message.client_info.caller
        return {**super().audit_entry(call, result), "caller": claimed}


class ShortEntries(SocketServer):
    """Leaves a field out of its entries."""

    lacks = ""

    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        entry = super().audit_entry(call, result)
        del entry[self.lacks]
        return entry


@broken("no-decision", "SOCK-A3", "logs no decision", level="should")
class NoDecision(ShortEntries):
    lacks = "decision"


@broken("no-session", "SOCK-A3", "logs no session", level="should")
class NoSession(ShortEntries):
    lacks = "sessionId"


@broken("no-capabilities", "SOCK-A3", "logs no capabilities", level="should")
class NoCapabilities(ShortEntries):
    lacks = "capabilities"


@broken("own-config", "SOCK-D1", "names its socket under another key")
class OwnConfig(SocketServer):
    def publish(self) -> None:
        super().publish()
        if self.home is not None:
            config: JSONObject = {"socket": str(self.path)}
            (self.home.folder / "config.json").write_bytes(dumps(config))


@broken("old-config", "SOCK-D1", "leaves the path of another socket in its config")
class OldConfig(SocketServer):
    def publish(self) -> None:
        super().publish()
        if self.home is not None:
            config: JSONObject = {"socketPath": "/nowhere/tools.sock"}
            (self.home.folder / "config.json").write_bytes(dumps(config))


@broken(
    "config-of-its-first-start",
    "SOCK-D1",
    "leaves its config as it is where there is one",
    shown_by="socket-v1/discovery/config-of-an-earlier-run",
)
class ConfigOfItsFirstStart(SocketServer):
    def publish(self) -> None:
        config = None if self.home is None else self.home.folder / "config.json"
        former = config.read_bytes() if config is not None and config.exists() else b""
        super().publish()
        if config is not None and former:
            config.write_bytes(former)


@broken("no-record", "SOCK-D2", "leaves no record of itself")
class NoRecord(SocketServer):
    def publish(self) -> None:
        super().publish()
        super().withdraw()


@broken("short-record", "SOCK-D2", "records nothing but its pid", level="should")
class ShortRecord(SocketServer):
    def instance_record(self, home: Home) -> JSONObject:
        return {"pid": os.getpid()}


@broken("record-stays", "SOCK-D2", "leaves its record when it ends", level="should")
class RecordStays(SocketServer):
    def withdraw(self) -> None:
        pass


def clear_records(home: Home | None) -> None:
    """Remove the records of all instances."""
    if home is not None:
        for record in (home.folder / "instances").glob("*.json"):
            record.unlink(missing_ok=True)


NEIGHBOUR = "socket-v1/discovery/some-record-beside-a-neighbour"


@broken(
    "clears-records-at-its-start",
    "SOCK-D2",
    "removes all records when it starts",
    shown_by=NEIGHBOUR,
)
class ClearsAtItsStart(SocketServer):
    def publish(self) -> None:
        clear_records(self.home)
        super().publish()


@broken(
    "clears-records-at-its-end",
    "SOCK-D2",
    "removes all records when it ends",
    shown_by=NEIGHBOUR,
)
class ClearsAtItsEnd(SocketServer):
    def withdraw(self) -> None:
        super().withdraw()
        clear_records(self.home)


@broken("reaps-nothing", "SOCK-D2", "keeps the records of the dead", level="should")
class ReapsNothing(SocketServer):
    def publish(self) -> None:
        if self.home is not None:
            self.home.create()
            self.home.write_config(self.path)
            self.home.write_instance(os.getpid(), self.instance_record(self.home))


@broken(
    "stopped-by-a-stale-file",
    "SOCK-D3",
    "does not start where a socket file is",
    level="should",
)
class StoppedByAStaleFile(SocketServer):
    async def serve(
        self, *, task_status: TaskStatus[None] = TASK_STATUS_IGNORED
    ) -> None:
        if self.path.exists():
            raise SocketPathTaken(self.path, "it is there already")
        await super().serve(task_status=task_status)


@broken(
    "takes-over",
    "SOCK-D3",
    "takes the socket of a live server",
    level="should",
)
class TakesOver(SocketServer):
    async def serve(
        self, *, task_status: TaskStatus[None] = TASK_STATUS_IGNORED
    ) -> None:
        self.path.unlink(missing_ok=True)
        await super().serve(task_status=task_status)


@broken(
    "leaves-its-file",
    "SOCK-S1",
    "leaves its socket file behind",
    level="should",
)
class LeavesItsFile(SocketServer):
    def withdraw(self) -> None:
        super().withdraw()
        os._exit(0)


@broken(
    "waits-for-calls",
    "SOCK-S1",
    "waits at SIGTERM for every call in flight",
    level="should",
)
class WaitsForCalls(SocketServer):
    async def shutdown(self) -> None:
        for peer in list(self.peers):
            if peer.calls:
                await peer.idle.wait()
        await super().shutdown()


@broken(
    "hangs-at-the-end",
    "SOCK-S1",
    "does not end at SIGTERM",
    level="should",
)
class HangsAtTheEnd(SocketServer):
    async def shutdown(self) -> None:
        await anyio.sleep(60)


class AfterAStaleFile(SocketServer):
    """Looks at its start whether a socket file was there."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.was_stale = self.path.exists()

    async def serve_peer(self, connected: Any) -> None:
        if self.was_stale:
            self._tasks.start_soon(self.clean_up)
        await super().serve_peer(connected)

    async def clean_up(self) -> None:
        """Clean up after the one before."""
        raise NotImplementedError


@broken(
    "removes-its-new-socket",
    "SOCK-D3",
    "removes the socket it serves while it cleans up after a crash",
    level="should",
)
class RemovesItsNewSocket(AfterAStaleFile):
    async def clean_up(self) -> None:
        self.path.unlink(missing_ok=True)


@broken(
    "removes-its-new-socket-later",
    "SOCK-D3",
    "removes the socket it serves half a second after a crash was cleaned up",
    level="should",
)
class RemovesItsNewSocketLater(AfterAStaleFile):
    async def clean_up(self) -> None:
        await anyio.sleep(0.5)
        self.path.unlink(missing_ok=True)


@broken(
    "removes-the-next-socket",
    "SOCK-D3",
    "removes at its end whatever lies at its path",
    level="should",
)
class RemovesTheNextSocket(SocketServer):
    def withdraw(self) -> None:
        self.path.unlink(missing_ok=True)
        super().withdraw()


@broken(
    "shows-odd-keys",
    "SOCK-A2",
    "knows the keys of secrets with one mark between their words, and no other",
    level="should",
)
class ShowsOddKeys(OwnRedaction):
    def hides(self, key: str) -> bool:
        return "__" not in key and is_secret_key(key)

    def shown(self, key: str, value: Any) -> Any:
        return super().shown("" if "__" in key else key, value)


def hide_within(value: Any) -> None:
    """Take the secrets out of a value itself."""
    if isinstance(value, list):
        for item in value:
            hide_within(item)
    elif isinstance(value, dict):
        for key, member in value.items():
            if is_secret_key(key):
                value[key] = REDACTED
            else:
                hide_within(member)


@broken(
    "hides-from-the-client",
    "SOCK-C4",
    "takes secrets out of the result itself before it is sent, not out of a copy",
)
class HidesFromTheClient(SocketServer):
    def resolve(self, call: Call, result: ToolResult) -> None:
        hide_within(result.json)
        super().resolve(call, result)


@broken(
    "hides-details",
    "SOCK-C14",
    "takes secrets out of the details of an error before it is sent",
)
class HidesDetails(SocketServer):
    def resolve(self, call: Call, result: ToolResult) -> None:
        hide_within(result.json.get("error"))
        super().resolve(call, result)
