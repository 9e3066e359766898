"""Tools that answer in another form than they should: EXEC-O2 to O5."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

from tests.proof.exec_oneshot.subject import broken
from tests.proof.exec_oneshot.tool import Failure, Tool

LONG_KIB = 64


@broken(
    "cut-at-64-kib",
    "EXEC-O2",
    "exits before all of a long answer is written",
    shown_by="exec-oneshot/output/result-of-100-kib",
)
class CutAtPipe(Tool):
    def write(self, data: bytes) -> None:
        super().write(data[: LONG_KIB << 10])


@broken("progress-objects", "EXEC-O2", "writes an object of progress before the answer")
class ProgressObjects(Tool):
    def write(self, data: bytes) -> None:
        super().write(b'{"result": "started"}\n' + data)


@broken("writes-no-json", "EXEC-O2", "writes its language's own form of an object")
class WritesRepr(Tool):
    def dump(self, answer: Any) -> bytes:
        return repr(answer).encode()


@broken("array-around", "EXEC-O2", "writes an array of one object")
class ArrayAround(Tool):
    def dump(self, answer: Any) -> bytes:
        return json.dumps([answer]).encode()


@broken(
    "lines-escaped-by-hand",
    "EXEC-O2",
    "writes errors without escaping quotes",
    shown_by="exec-oneshot/failures/quotes",
)
class EscapesByHand(Tool):
    def dump(self, answer: Any) -> bytes:
        if "error" in answer:
            return f'{{"error": "{answer["error"]}"}}'.encode()
        return super().dump(answer)


@broken(
    "nothing-for-null",
    "EXEC-O2",
    "writes nothing for a result that is null",
    shown_by="exec-oneshot/values/result-null",
)
class NothingForNull(Tool):
    def write(self, data: bytes) -> None:
        if data.strip() != b'{"result": null}':
            super().write(data)


@broken(
    "stays-after-a-failure",
    "EXEC-O2",
    "does not exit after a failure, for a thread goes on",
    shown_by="exec-oneshot/failures/reported",
)
class StaysAfterFailure(Tool):
    def status(self, answer: dict[str, Any]) -> int:
        if "error" in answer:
            time.sleep(600)
        return 0


@broken(
    "throws-without-words",
    "EXEC-O2",
    "lets errors end it with a trace on stderr",
    level="should",
)
class ThrowsWithoutWords(Tool):
    def do_throw(self, arguments: dict[str, Any]) -> Any:
        raise RuntimeError(arguments["message"])


@broken(
    "fails-without-words",
    "EXEC-O2",
    "reports failures by its status, and on stderr",
    level="should",
)
class FailsWithoutWords(Tool):
    def do_fail(self, arguments: dict[str, Any]) -> Any:
        sys.exit(arguments["message"])


@broken(
    "bare-result",
    "EXEC-O3",
    "writes the result without result around it",
)
class BareResult(Tool):
    def dump(self, answer: Any) -> bytes:
        bare = answer.get("result", answer)
        return json.dumps(bare).encode()


@broken("empty-error-beside", "EXEC-O3", "writes an empty error beside each result")
class EmptyErrorBeside(Tool):
    def dump(self, answer: Any) -> bytes:
        return super().dump({"result": None, "error": "", **answer})


@broken(
    "error-object",
    "EXEC-O3",
    "reports an error as an object with a message",
    shown_by="exec-oneshot/failures/reported",
)
class ErrorObject(Tool):
    def failure(self, text: str) -> dict[str, Any]:
        return {"error": {"message": text}}


@broken(
    "empty-error-to-bad-input",
    "EXEC-O3",
    "answers bad input with an empty error",
)
class EmptyErrorToBadInput(Tool):
    def arguments(self, request: Any) -> dict[str, Any]:
        try:
            return super().arguments(request)
        except Failure as error:
            raise Failure("") from error

    def parse(self, data: bytes) -> Any:
        try:
            return super().parse(data)
        except Failure as error:
            raise Failure("") from error


@broken("ok-flag", "EXEC-O3", "answers with ok and value")
class OkFlag(Tool):
    def dump(self, answer: Any) -> bytes:
        if "error" in answer:
            return super().dump({"ok": False, **answer})
        return super().dump({"ok": True, "value": answer["result"]})


@broken(
    "null-left-out",
    "EXEC-O3",
    "leaves out a result that is null",
    shown_by="exec-oneshot/values/result-null",
)
class NullLeftOut(Tool):
    def dump(self, answer: Any) -> bytes:
        return super().dump({k: v for k, v in answer.items() if v is not None})


@broken(
    "failure-as-result",
    "EXEC-O3",
    "reports a failure inside of a result",
)
class FailureAsResult(Tool):
    def failure(self, text: str) -> dict[str, Any]:
        return {"result": {"success": False, "message": text}}


@broken(
    "error-without-text",
    "EXEC-O3",
    "reports uncaught errors by their empty text",
    shown_by="exec-oneshot/failures/thrown",
)
class ErrorWithoutText(Tool):
    def do_throw(self, arguments: dict[str, Any]) -> Any:
        raise Failure


@broken("logs-to-stdout", "EXEC-O4", "writes a log line to stdout")
class LogsToStdout(Tool):
    def execute(self, args: dict[str, Any]) -> Any:
        sys.stdout.write(f"INFO running {args.get('tool')}\n")
        sys.stdout.flush()
        return super().execute(args)


@broken(
    "print-leaks",
    "EXEC-O4",
    "lets what a tool prints reach stdout",
    shown_by="exec-oneshot/output/print",
)
class PrintLeaks(Tool):
    def do_print(self, arguments: dict[str, Any]) -> Any:
        sys.stdout.write(f"{arguments['text']}\n")
        sys.stdout.flush()
        return {"printed": True}


@broken("says-done", "EXEC-O4", "writes a word after its answer")
class SaysDone(Tool):
    def write(self, data: bytes) -> None:
        super().write(data + b"done\n")


@broken(
    "warns-of-failures",
    "EXEC-O4",
    "writes failures as text as well",
    shown_by="exec-oneshot/failures/reported",
)
class WarnsOfFailures(Tool):
    def write(self, data: bytes) -> None:
        super().write(b"ERROR\n" + data if data.startswith(b'{"error') else data)


@broken(
    "truth-as-status",
    "EXEC-O5",
    "exits with 1 where the result is false",
    shown_by="exec-oneshot/values/result-false",
)
class TruthAsStatus(Tool):
    def status(self, answer: dict[str, Any]) -> int:
        return 0 if "error" in answer or answer["result"] else 1


@broken("always-1", "EXEC-O5", "exits with 1 whatever came of it")
class AlwaysOne(Tool):
    def status(self, answer: dict[str, Any]) -> int:
        return 1


@broken("aborts-at-its-end", "EXEC-O5", "ends by a signal once it has answered")
class AbortsAtEnd(Tool):
    def status(self, answer: dict[str, Any]) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0


@broken("error-exits-1", "EXEC-O5", "exits with 1 after an error", level="should")
class ErrorExitsOne(Tool):
    def status(self, answer: dict[str, Any]) -> int:
        return 1 if "error" in answer else 0
