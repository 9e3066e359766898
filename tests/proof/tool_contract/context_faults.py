"""Registries that tell tools the wrong context, or lose writes: TOOL-C1 to C4."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.proof.tool_contract.subject import (
    Json,
    Subject,
    broken,
    data_tools,
    files,
    put,
    subject_module,
)

from wireproof_reference.tool_contract import Failure, ReadRecord

seen = data_tools.context_as_json
write_file = files._write
mtime_of = files._mtime_ms
record_read = files._record
STALE = "STALE_WRITE"


def tells(change: Any) -> None:
    """Let a tool be told `change(fields)`."""
    put("context_as_json", lambda context: change(seen(context)), data_tools)


# --- C1


@broken(
    "context-without-the-count", "TOOL-C1", "does not tell tools the number of messages"
)
def _without_count(subject: Subject) -> None:
    tells(lambda it: {key: one for key, one in it.items() if key != "messageCount"})


@broken(
    "falsy-fields-have-defaults",
    "TOOL-C1",
    "puts defaults in the place of falsy fields",
)
def _defaults(subject: Subject) -> None:
    tells(
        lambda it: {
            **it,
            "sessionId": it["sessionId"] or "default",
            "messageCount": it["messageCount"] or 1,
        }
    )


@broken(
    "optional-fields-always",
    "TOOL-C1",
    "tells tools a memoryScope though none is given",
)
def _always(subject: Subject) -> None:
    tells(lambda it: {"memoryScope": "global", **it})


@broken(
    "context-of-the-first-turn", "TOOL-C1", "tells tools the session of the first turn"
)
def _first_turn(subject: Subject) -> None:
    first: Json = {}
    reset = subject.reset

    def change(it: Json) -> Any:
        first.setdefault("sessionId", it["sessionId"])
        return {**it, **first}

    def forget() -> Any:
        first.clear()
        reset()

    put("reset", forget, subject)
    tells(change)


@broken("turns-told-from-zero", "TOOL-C1", "counts turns from 0")
def _from_zero(subject: Subject) -> None:
    tells(lambda it: {**it, "currentTurn": it["currentTurn"] - 1})


def turns(subject: Subject, change: Any) -> None:
    """Let what is given of a turn be changed before its context is made."""

    def asked(told: Json) -> Json:
        return {**told, "context": change(dict(told.get("context") or {}))}

    subject.asked = asked


@broken(
    "empty-optional-fields-dropped",
    "TOOL-C1",
    "takes optional fields that are empty for absent",
)
def _empty_dropped(subject: Subject) -> None:
    optional = subject_module._OPTIONAL_FIELDS
    turns(
        subject,
        lambda it: {key: one for key, one in it.items() if one or key not in optional},
    )


@broken(
    "session-key-of-the-id",
    "TOOL-C1",
    "tells the session's id for an empty session key",
)
def _key_of_id(subject: Subject) -> None:
    tells(lambda it: {**it, "sessionKey": it["sessionKey"] or it["sessionId"]})


@broken("session-key-trimmed", "TOOL-C1", "trims session keys")
def _key_trimmed(subject: Subject) -> None:
    tells(lambda it: {**it, "sessionKey": it["sessionKey"].strip()})


@broken(
    "known-platforms-only", "TOOL-C1", "takes platforms that it does not know for cli"
)
def _known_platforms(subject: Subject) -> None:
    known = {"cli", "telegram", "discord", "slack", "whatsapp", "email"}
    tells(
        lambda it: {
            **it,
            "platform": it["platform"] if it["platform"] in known else "cli",
        }
    )


@broken(
    "folder-normalised", "TOOL-C1", "writes the working folder in its shortest form"
)
def _folder(subject: Subject) -> None:
    tells(lambda it: {**it, "workingDir": posixpath.normpath(it["workingDir"])})


# --- C2


def writes(is_stale: Any) -> None:
    """Let `is_stale(file, record)` say whether a write is refused."""

    def write(path: str, text: str, context: Any) -> Any:
        read = (context.read_mtimes or {}).get(path)
        if read is not None and is_stale(Path(path), read):
            return Failure("changed since it was read", STALE)
        kept = dict(context.read_mtimes or {})
        if context.read_mtimes is not None:
            context.read_mtimes.pop(path, None)
        found = write_file(path, text, context)
        if found is not None and context.read_mtimes is not None:
            context.read_mtimes.update(kept)
        return found

    put("_write", write, files)


@broken(
    "never-stale",
    "TOOL-C2",
    "writes whatever has become of the file",
)
def _never(subject: Subject) -> None:
    writes(lambda file, read: False)


@broken(
    "stale-only-if-newer",
    "TOOL-C2",
    "writes a file that is older than it was when read",
)
def _newer(subject: Subject) -> None:
    writes(lambda file, read: mtime_of(file) > read.mtime_ms)


@broken(
    "stale-after-two-seconds", "TOOL-C2", "lets two seconds pass before a file is stale"
)
def _two_seconds(subject: Subject) -> None:
    writes(lambda file, read: abs(mtime_of(file) - read.mtime_ms) > 2_000)


@broken(
    "stale-by-whole-seconds", "TOOL-C2", "compares the times of files in whole seconds"
)
def _whole_seconds(subject: Subject) -> None:
    writes(lambda file, read: mtime_of(file) // 1_000 != read.mtime_ms // 1_000)


@broken("writes-and-refuses", "TOOL-C2", "writes, and then says that the file is stale")
def _writes_and_refuses(subject: Subject) -> None:
    def write(path: str, text: str, context: Any) -> Any:
        found = write_file(path, text, context)
        if found is not None:
            Path(path).write_text(text, encoding="utf-8")
        return found

    put("_write", write, files)


@broken(
    "stale-without-the-map", "TOOL-C2", "refuses a write where there is no map of reads"
)
def _without_map(subject: Subject) -> None:
    def write(path: str, text: str, context: Any) -> Any:
        if context.read_mtimes is None and Path(path).exists():
            return Failure("read it first", STALE)
        return write_file(path, text, context)

    put("_write", write, files)


@broken(
    "reads-of-one-turn",
    "TOOL-C2",
    "forgets the reads of earlier turns at the next read",
)
def _of_one_turn(subject: Subject) -> None:
    def record(path: str, mtime_ms: float, context: Any) -> None:
        known = context.read_mtimes
        if known is not None:
            old = [
                one for one in known if known[one].read_at_turn != context.current_turn
            ]
            for one in old:
                del known[one]
        record_read(path, mtime_ms, context)

    put("_record", record, files)


# --- C3


@broken("unread-is-stale", "TOOL-C3", "refuses to write a file that was never read")
def _unread(subject: Subject) -> None:
    def write(path: str, text: str, context: Any) -> Any:
        known = context.read_mtimes
        if known is not None and path not in known and Path(path).exists():
            return Failure("read it first", STALE)
        return write_file(path, text, context)

    put("_write", write, files)


@broken("missing-is-stale", "TOOL-C3", "refuses to write a file that is not there yet")
def _missing(subject: Subject) -> None:
    def write(path: str, text: str, context: Any) -> Any:
        if context.read_mtimes is not None and not Path(path).exists():
            return Failure("there is no such file", STALE)
        return write_file(path, text, context)

    put("_write", write, files)


@broken("stays-stale", "TOOL-C3", "refuses a file for ever once it was stale")
def _stays(subject: Subject) -> None:
    stale: set[str] = set()

    def write(path: str, text: str, context: Any) -> Any:
        if path in stale:
            return Failure("changed since it was read", STALE)
        found = write_file(path, text, context)
        if found is not None:
            stale.add(path)
        return found

    put("_write", write, files)


@broken(
    "reads-by-base-name", "TOOL-C3", "looks reads up by the name without its folder"
)
def _by_base_name(subject: Subject) -> None:
    def write(path: str, text: str, context: Any) -> Any:
        known = context.read_mtimes or {}
        same = [one for one in known if Path(one).name == Path(path).name]
        if same:
            known[path] = known[same[0]]
        return write_file(path, text, context)

    put("_write", write, files)


# --- C4


def records(change: Any) -> None:
    """Let `change(map, path, record)` record a read."""

    def record(path: str, mtime_ms: float, context: Any) -> Any:
        if context.read_mtimes is not None:
            found = ReadRecord(mtime_ms, context.current_turn)
            change(context.read_mtimes, path, found)

    put("_record", record, files)


@broken("reads-of-turn-zero", "TOOL-C4", "records turn 0 for each read")
def _turn_zero(subject: Subject) -> None:
    records(lambda known, path, it: known.update({path: replace(it, read_at_turn=0)}))


@broken(
    "first-read-only",
    "TOOL-C4",
    "records the first read of a file only",
)
def _first_only(subject: Subject) -> None:
    records(lambda known, path, it: known.setdefault(path, it))


@broken(
    "one-read-only",
    "TOOL-C4",
    "records the read of one file at a time",
)
def _one_only(subject: Subject) -> None:
    def change(known: Any, path: str, it: ReadRecord) -> Any:
        known.clear()
        known[path] = it

    records(change)


@broken("reads-in-seconds", "TOOL-C4", "records times in seconds")
def _seconds(subject: Subject) -> None:
    def context_told(context: Any) -> Any:
        told: Any = seen(context)
        reads = told.get("readMtimes", {})
        told["readMtimes"] = {
            path: {**one, "mtimeMs": one["mtimeMs"] / 1_000}
            for path, one in reads.items()
        }
        return told

    def asked(told: Json) -> Any:
        context = {**(told.get("context") or {})}
        if context.get("readMtimes"):
            context["readMtimes"] = {
                path: {**one, "mtimeMs": one["mtimeMs"] * 1_000}
                for path, one in context["readMtimes"].items()
            }
        return {**told, "context": context}

    subject.asked = asked
    put("context_as_json", context_told, subject_module)


@broken(
    "records-by-base-name", "TOOL-C4", "keeps one read for all files of the same name"
)
def _records_by_base_name(subject: Subject) -> None:
    def change(known: Any, path: str, it: ReadRecord) -> Any:
        for one in [one for one in known if Path(one).name == Path(path).name]:
            del known[one]
        known[path] = it

    records(change)
