"""Clients that trip over odd bytes on stderr, or leave a host behind: HV1-C7, C12."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import Any

import anyio
from tests.proof.host_client.changes import on_link
from tests.proof.host_client.subject import TABLES, WiredClient

fault = TABLES.faults(__name__, WiredClient)
variant = TABLES.variants(__name__, WiredClient)

FOREVER = 3600.0
"""Seconds that no run of the suite waits."""


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


async def _read_while_text(link: Any, _: Any) -> None:
    """Read stderr until a read of it is not UTF-8."""
    while data := await link._stderr.receive():
        if not _is_text(data):
            return
        link._stderr.keep(data)


async def _fail_at_odd_bytes(link: Any, _: Any) -> None:
    while data := await link._stderr.receive():
        if not _is_text(data):
            link._fail_calls("wrote what is not UTF-8", None)
        link._stderr.keep(data)


async def _kill_at_odd_bytes(link: Any, _: Any) -> None:
    while data := await link._stderr.receive():
        if not _is_text(data):
            await link._process.kill()
        link._stderr.keep(data)


async def _read_one_line(link: Any, _: Any) -> None:
    """Read stderr line by line, each of 64 KiB at most."""
    held = b""
    while data := await link._stderr.receive():
        held = (held + data).rpartition(b"\n")[2]
        if len(held) > 1 << 16:
            return
        link._stderr.keep(data)


fault(
    "stderr-read-while-it-is-text",
    "HV1-C7",
    "reads stderr no longer when a read of it is not UTF-8",
    on_link("_read_stderr", _read_while_text),
    shown_by="host-client/stderr/a-mebibyte-during-a-call",
)
fault(
    "odd-bytes-fail-all-calls",
    "HV1-C7",
    "fails all calls when stderr is not UTF-8",
    on_link("_read_stderr", _fail_at_odd_bytes),
    shown_by="host-client/stderr/a-line-during-a-call",
)
fault(
    "odd-bytes-kill-the-host",
    "HV1-C7",
    "kills the host when stderr is not UTF-8",
    on_link("_read_stderr", _kill_at_odd_bytes),
    shown_by="host-client/stderr/a-line-between-calls",
)
fault(
    "stderr-read-by-lines",
    "HV1-C7",
    "reads stderr no longer at a line of more than 64 KiB",
    on_link("_read_stderr", _read_one_line),
    shown_by="host-client/stderr/a-mebibyte-without-a-line-feed",
)


async def _only_close_input(link: Any, _: Any, grace: float) -> None:
    link._process.close_stdin()


async def _wait_for_its_end(link: Any, close: Any, grace: float) -> None:
    await close(FOREVER)


async def _only_terminate(link: Any, _: Any, grace: float) -> None:
    link._process.close_stdin()
    with anyio.move_on_after(grace):
        await link._process.process.wait()
    with suppress(ProcessLookupError):
        os.kill(link._process.process.pid, signal.SIGTERM)


fault(
    "leaves-the-host",
    "HV1-C12",
    "closes the host's stdin, and leaves it to the host to end",
    on_link("close", _only_close_input),
    level="should",
    shown_by="host-client/closes/host-that-stays",
)
fault(
    "waits-for-the-host",
    "HV1-C12",
    "waits for the end of a host that ignores the end of its input",
    on_link("close", _wait_for_its_end),
    level="should",
    shown_by="host-client/closes/host-that-stays",
)
fault(
    "only-terminates-the-host",
    "HV1-C12",
    "ends a host by SIGTERM alone",
    on_link("close", _only_terminate),
    level="should",
    shown_by="host-client/closes/host-that-ignores-sigterm",
)


async def _terminate_first(link: Any, close: Any, grace: float) -> None:
    with suppress(ProcessLookupError):
        os.kill(link._process.process.pid, signal.SIGTERM)
    await close(grace)


def _say_nothing(link: Any, fail: Any, reason: str, status: int | None) -> None:
    if link._loss is None:
        link._loss = ("is gone", None, "")
    fail(reason, status)


async def _throw_away(link: Any, _: Any) -> None:
    while await link._stderr.receive():
        pass


variant(
    "terminates-first",
    "sends SIGTERM, closes the host's stdin, waits, and kills it",
    on_link("close", _terminate_first),
)
variant(
    "closes-in-no-time",
    "gives a host no time to end when its stdin is closed",
    on_link("close", lambda link, close, grace: close(0.01)),
)
variant(
    "says-nothing-of-the-end",
    "says only that a host is gone",
    on_link("_fail_calls", _say_nothing),
    warns={"HV1-C7": "the wording of the error is a SHOULD"},
)
variant(
    "throws-stderr-away",
    "reads stderr, and keeps nothing of it",
    on_link("_read_stderr", _throw_away),
    on_link("_last_line", lambda link, _: ""),
    warns={"HV1-C7": "the last line of stderr in the error is a SHOULD"},
)
