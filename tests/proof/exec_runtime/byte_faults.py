"""Runtimes that deal badly with bytes that are no text, and with long lines: EXEC-R5,
R3, R14, R15."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from tests.proof.exec_runtime.changes import having, on_arguments, running
from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import Driver, Failure, Runtime
from tests.proof.exec_runtime.subject import TABLES
from tests.proof.row import Change, around

fault = TABLES.faults(__name__, Runtime)

FOR_EVER = 3600.0

UTF_16 = b"\xff\xfe"


def ends(*_: Any) -> Any:
    """End the runtime."""
    os._exit(1)


def hangs(*_: Any) -> Any:
    """Wait for ever."""
    time.sleep(FOR_EVER)


def undecodable(then: Any, method: str = "parse") -> Change:
    """Return the change that does something else with bytes that are not UTF-8."""

    def parse(_: Any, parse: Any, data: bytes) -> Any:
        try:
            data.decode()
        except UnicodeDecodeError:
            return then(data)
        return parse(data)

    return around(method, parse)


def replaced(errors: str) -> Change:
    """Return the change that reads bytes that are not UTF-8 all the same."""

    def parse(_: Any, parse: Any, data: bytes) -> Any:
        return parse(data.decode(errors=errors).encode())

    return around("parse", parse)


fault(
    "odd-bytes-end-it",
    "EXEC-R5",
    "ends at output that is not UTF-8",
    undecodable(ends),
    shown_by="exec-runtime/odd-bytes/one-shot-result",
)
fault(
    "odd-lines-end-it",
    "EXEC-R5",
    "ends at a line of a server that is not UTF-8",
    undecodable(ends, "parse_line"),
    shown_by="exec-runtime/odd-bytes/server-result",
)
fault(
    "odd-lines-hang-it",
    "EXEC-R5",
    "reads no more of a server whose line is not UTF-8, and waits for ever",
    undecodable(hangs, "parse_line"),
    shown_by="exec-runtime/odd-bytes/server-result",
)
fault(
    "utf-16-ends-it",
    "EXEC-R5",
    "ends at output that begins as UTF-16 does",
    around(
        "parse",
        lambda _, parse, data: ends() if data.startswith(UTF_16) else parse(data),
    ),
    shown_by="exec-runtime/odd-bytes/one-shot-alone",
)
fault(
    "odd-bytes-replaced",
    "EXEC-R5",
    "takes output that is not UTF-8 for a result, with other characters in it",
    replaced("replace"),
    level="should",
    shown_by="exec-runtime/odd-bytes/one-shot-result-fails",
)
fault(
    "odd-bytes-dropped",
    "EXEC-R5",
    "leaves out the bytes of output that are not UTF-8",
    replaced("ignore"),
    level="should",
    shown_by="exec-runtime/odd-bytes/one-shot-key-fails",
)
fault(
    "surrogates-decoded",
    "EXEC-R5",
    "reads the bytes of half a pair as if they were UTF-8",
    around(
        "parse",
        lambda _, parse, data: (
            parse(
                data.decode(errors="surrogatepass")
                .encode("ascii", "backslashreplace")
                .replace(b"\\x", b"\\u00")
            )
            if b"\xed\xa0" in data
            else parse(data)
        ),
    ),
    level="should",
    shown_by="exec-runtime/odd-bytes/one-shot-result-fails",
)

# --- halves of surrogate pairs


def _logged(value: Any) -> Any:
    """Return a value of which a line of a log can be written in UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        ends()
    return value


class RawDriver(Driver):
    """Writes answers as they are, without escapes."""

    def carry_out(self, request: dict[str, Any]) -> Any:
        return _logged(super().carry_out(request))


fault(
    "half-pairs-end-it",
    "EXEC-R5",
    "ends at a result with half of a surrogate pair",
    around("parse", lambda _, parse, data: _logged(parse(data))),
    shown_by="exec-runtime/odd-bytes/one-shot-half-pair",
)
fault(
    "half-pairs-in-errors-end-it",
    "EXEC-R5",
    "ends at an error with half of a surrogate pair",
    around("reported", lambda _, reported, error: reported(_logged(error))),
    around("read_answer", lambda _, read, found: read({**found, **_errors(found)})),
    shown_by="exec-runtime/odd-bytes/one-shot-half-pair-in-error",
)
fault(
    "half-pairs-unwritable",
    "EXEC-R5",
    "cannot write an outcome with half of a surrogate pair",
    driver=RawDriver,
    shown_by="exec-runtime/odd-bytes/server-half-pair",
)
fault(
    "half-pairs-in-arguments-end-it",
    "EXEC-R3",
    "ends at arguments with half of a surrogate pair",
    *on_arguments(_logged),
    shown_by="exec-runtime/odd-bytes/one-shot-half-pair-in-arguments",
)


def _errors(found: Any) -> dict[str, Any]:
    return {"error": _logged(found["error"])} if "error" in found else {}


# --- stderr


class StrictTail(Running):
    """Decodes what comes on stderr, and knows no other bytes."""

    def _read_errors(self) -> None:
        super()._read_errors()
        try:
            self.errors.decode()
        except UnicodeDecodeError:
            ends()


fault(
    "stderr-of-no-text-ends-it",
    "EXEC-R14",
    "ends at bytes on stderr that are not UTF-8",
    running(StrictTail),
    shown_by="exec-runtime/stderr/one-shot-no-text",
)
fault(
    "quotes-text-alone",
    "EXEC-R14",
    "ends where it is to quote bytes of stderr that are not UTF-8",
    around(
        "tail",
        lambda _, tail, process: (
            tail(process)
            if process.errors.decode(errors="replace").isprintable()
            or "\ufffd" not in process.errors.decode(errors="replace")
            else ends()
        ),
    ),
    shown_by="exec-runtime/stderr/one-shot-no-text-and-exit",
)

# --- long lines


class Forgetful(Running):
    """Lets go of a line that is too long, and reads on as if another began."""

    longest = 1 << 19

    def take_line(self) -> bytes | None:
        line = super().take_line()
        if line is None and len(self.output) > self.longest:
            self.output.clear()
            self._searched = 0
        return line


class Cutting(Forgetful):
    """Cuts a line that is too long into lines."""

    def take_line(self) -> bytes | None:
        if b"\n" not in self.output[: self.longest] and len(self.output) > self.longest:
            line = bytes(self.output[: self.longest])
            del self.output[: self.longest]
            self._searched = 0
            return line
        return super().take_line()


LONG = "exec-runtime/long-lines/"

fault(
    "lines-beyond-512-kib-forgotten",
    "EXEC-R15",
    "drops the beginning of a line of a server beyond 512 KiB, and reads the rest",
    running(Forgetful),
    shown_by=f"{LONG}server-1-mib",
)
fault(
    "lines-beyond-4-mib-forgotten",
    "EXEC-R15",
    "drops the beginning of a line of a server beyond 4 MiB, and reads the rest",
    running(Forgetful, longest=1 << 22),
    shown_by=f"{LONG}server-16-mib",
)
fault(
    "lines-cut",
    "EXEC-R15",
    "cuts a line of a server into pieces of 512 KiB, each a line",
    running(Cutting),
    shown_by=f"{LONG}server-1-mib",
)
fault(
    "last-64-kib-kept",
    "EXEC-R15",
    "keeps the last 64 KiB of the output of a one-shot tool, and reads them",
    around("output_of", lambda _, output, process: output(process)[-(1 << 16) :]),
    having(most_output=1 << 27),
    shown_by=f"{LONG}one-shot-16-mib",
)


def _after_failure(
    self: Any, look: Any, binding: Any, process: Any, until: Any
) -> None:
    try:
        look(binding, process, until)
    except Failure:
        if len(process.output) <= self.most_output:
            raise
        process.output.clear()


fault(
    "too-much-forgotten",
    "EXEC-R15",
    "drops what a tool has written beyond 8 MiB, and reads the rest",
    around("look", _after_failure),
    shown_by=f"{LONG}server-16-mib",
)
