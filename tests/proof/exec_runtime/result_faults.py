"""Runtimes that take what tools write for something else: EXEC-R4, R5."""

from __future__ import annotations

import contextlib
import json
import os
from typing import Any

from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import Binding, Failure, Runtime
from tests.proof.exec_runtime.subject import broken


class ChangedResults(Runtime):
    """Changes the results of all calls."""

    def change(self, result: Any) -> Any:
        """Return another result."""
        return result

    def call_once(self, binding: Binding, args: Any) -> Any:
        return self.change(super().call_once(binding, args))

    def call_server(self, binding: Binding, args: Any) -> Any:
        return self.change(super().call_server(binding, args))


@broken("null-is-a-failure", "EXEC-R4", "takes the result null for a failure")
class NullIsAFailure(ChangedResults):
    def change(self, result: Any) -> Any:
        if result is None:
            raise Failure("the tool gave no result")
        return result


@broken("falsy-is-empty", "EXEC-R4", "makes an empty object of what counts as false")
class FalsyIsEmpty(ChangedResults):
    def change(self, result: Any) -> Any:
        return result or {}


@broken(
    "falsy-is-missing",
    "EXEC-R4",
    "fails a call whose required argument counts as false",
)
class FalsyIsMissing(Runtime):
    def is_given(self, args: Any, name: str) -> bool:
        return bool(args.get(name))


@broken("results-as-texts", "EXEC-R4", "gives each result as JSON text")
class ResultsAsTexts(ChangedResults):
    def change(self, result: Any) -> Any:
        return result if isinstance(result, dict) else json.dumps(result)


@broken("texts-parsed", "EXEC-R4", "parses a text that is JSON")
class TextsParsed(ChangedResults):
    def change(self, result: Any) -> Any:
        try:
            return json.loads(result) if isinstance(result, str) else result
        except ValueError:
            return result


@broken("text-results-trimmed", "EXEC-R4", "trims a result that is a text")
class TextResultsTrimmed(ChangedResults):
    def change(self, result: Any) -> Any:
        return result.strip() if isinstance(result, str) else result


@broken("results-unwrapped", "EXEC-R4", "takes the result out of a result")
class ResultsUnwrapped(ChangedResults):
    def change(self, result: Any) -> Any:
        wrapped = isinstance(result, dict) and result.keys() == {"result"}
        return result["result"] if wrapped else result


@broken("own-words", "EXEC-R4", "has words of its own for what a tool reports")
class OwnWords(Runtime):
    def reported(self, error: Any) -> Failure:
        return Failure("the tool reported an error")

    def read_answer(self, answer: dict[str, Any]) -> Any:
        if isinstance(answer.get("error"), dict):
            answer["error"] |= {"message": "the tool reported an error"}
        return super().read_answer(answer)


class Touchy(Running):
    def pump(self, until: float) -> None:
        super().pump(until)
        if self.status is not None and self.refused:
            raise Failure("the tool did not read its input: broken pipe")


@broken("broken-pipe", "EXEC-R4", "fails a call whose tool has not read its stdin")
class BrokenPipe(Runtime):
    running = Touchy


class Hasty(Running):
    """Reads no more than 4 KiB once the process has ended."""

    def _read_output(self) -> None:
        if self._process.poll() is None:
            super()._read_output()
            return
        with contextlib.suppress(BlockingIOError):
            self.output += os.read(self._stdout, 1 << 12)
        self.closed = True


@broken(
    "the-rest-unread",
    "EXEC-R4",
    "leaves what a tool has written when it ends, but for 4 KiB",
    shown_by="exec-runtime/concurrency/one-shot-large-answers",
)
class RestUnread(Runtime):
    running = Hasty


class DecodedPieces(Running):
    def _read_output(self) -> None:
        before = len(self.output)
        super()._read_output()
        piece = self.output[before:].decode(errors="replace")
        self.output[before:] = piece.encode()


@broken("pieces-decoded", "EXEC-R4", "decodes each piece of output by itself")
class PiecesDecoded(Runtime):
    running = DecodedPieces


class OddLines(Running):
    def take_line(self) -> bytes | None:
        line = super().take_line()
        if line is None:
            return None
        first, *others = line.decode(errors="replace").splitlines() or [""]
        self.output[:0] = "".join(f"{one}\n" for one in others).encode()
        return first.encode()


@broken("any-line-end", "EXEC-R4", "ends a line at U+2028 and the like")
class AnyLineEnd(Runtime):
    running = OddLines


class ShortLines(Running):
    def take_line(self) -> bytes | None:
        line = super().take_line()
        if line is not None and len(line) > 1 << 16:
            raise Failure("the line is too long")
        return line


@broken("lines-of-64-kib", "EXEC-R4", "fails a call whose answer is over 64 KiB")
class LinesOf64KiB(Runtime):
    running = ShortLines


@broken("status-ignored", "EXEC-R5", "does not look at the status of a one-shot tool")
class StatusIgnored(Runtime):
    def check_status(self, process: Running) -> None:
        pass


@broken("signals-ignored", "EXEC-R5", "takes the death by a signal for success")
class SignalsIgnored(Runtime):
    def check_status(self, process: Running) -> None:
        if process.status and process.status > 0:
            super().check_status(process)


@broken("nothing-is-null", "EXEC-R5", "takes no output for the result null")
class NothingIsNull(Runtime):
    def parse(self, data: bytes) -> Any:
        return super().parse(data) if data.strip() else {"result": None}


@broken("first-object-counts", "EXEC-R5", "takes the first object and leaves the rest")
class FirstObjectCounts(Runtime):
    def parse(self, data: bytes) -> Any:
        try:
            found, _ = json.JSONDecoder().raw_decode(data.decode().lstrip())
        except ValueError as error:
            raise Failure(f"the tool wrote no JSON: {error}") from error
        return found


@broken("last-line-counts", "EXEC-R5", "takes the last line of the output alone")
class LastLineCounts(Runtime):
    def output_of(self, process: Running) -> bytes:
        data = super().output_of(process)
        try:
            json.loads(data)
        except ValueError:
            return data.strip().rpartition(b"\n")[2]
        return data


@broken("text-counts", "EXEC-R5", "takes output that is no JSON for a result")
class TextCounts(Runtime):
    def call_once(self, binding: Binding, args: Any) -> Any:
        self.raw = b""
        return super().call_once(binding, args)

    def parse(self, data: bytes) -> Any:
        try:
            return super().parse(data)
        except Failure:
            if not data.strip():
                raise
            return {"result": data.decode(errors="replace")}

    def parse_line(self, line: bytes) -> Any:
        try:
            return Runtime.parse(self, line)
        except Failure:
            return None


@broken("any-value-counts", "EXEC-R5", "takes any JSON value for a result")
class AnyValueCounts(Runtime):
    def read_result(self, found: Any) -> Any:
        if isinstance(found, dict) and found.keys() & {"result", "error"}:
            return super().read_result(found)
        return found


@broken(
    "result-before-error",
    "EXEC-R5",
    "takes the result where there is an error too",
)
class ResultBeforeError(Runtime):
    def read_result(self, found: Any) -> Any:
        if isinstance(found, dict) and "result" in found:
            return found["result"]
        return super().read_result(found)

    def read_answer(self, answer: dict[str, Any]) -> Any:
        if "result" in answer:
            return answer["result"]
        return super().read_answer(answer)


@broken(
    "falsy-error-is-none", "EXEC-R5", "takes an error that counts as false for none"
)
class FalsyErrorIsNone(Runtime):
    def read_result(self, found: Any) -> Any:
        if isinstance(found, dict) and not found.get("error", True):
            return found.get("result")
        return super().read_result(found)


@broken(
    "falsy-error-beside-a-result",
    "EXEC-R5",
    "takes a result beside an error that counts as false",
    shown_by="exec-runtime/failures/one-shot-both-falsy",
)
class FalsyErrorBesideResult(Runtime):
    def read_result(self, found: Any) -> Any:
        return super().read_result(without_falsy_error(found))

    def read_answer(self, answer: dict[str, Any]) -> Any:
        return super().read_answer(without_falsy_error(answer))


def without_falsy_error(found: Any) -> Any:
    """Return an object without an error that counts as false beside a result."""
    if isinstance(found, dict) and "result" in found and not found.get("error", True):
        return {key: one for key, one in found.items() if key != "error"}
    return found


@broken("empty-error-is-none", "EXEC-R5", "takes an error without words for none")
class EmptyErrorIsNone(Runtime):
    def read_result(self, found: Any) -> Any:
        return None if found == {"error": ""} else super().read_result(found)

    def read_answer(self, answer: dict[str, Any]) -> Any:
        error = answer.get("error")
        if isinstance(error, dict) and error.get("message") == "":
            return None
        return super().read_answer(answer)


@broken(
    "asks-the-next-server", "EXEC-R5", "asks a new process what the last one died of"
)
class AsksTheNextServer(Runtime):
    def call_server(self, binding: Binding, args: Any) -> Any:
        try:
            return super().call_server(binding, args)
        except Failure as error:
            if " ended: " not in str(error):
                raise
        return super().call_server(binding, args)


@broken("no-reason", "EXEC-R5", "says nothing of why a tool failed")
class NoReason(Runtime):
    def check_status(self, process: Running) -> None:
        if process.status:
            raise Failure("")


@broken("any-case-counts", "EXEC-R5", "knows keys whatever their case", level="should")
class AnyCaseCounts(Runtime):
    def read_result(self, found: Any) -> Any:
        if isinstance(found, dict):
            found = {key.lower(): one for key, one in found.items()}
        return super().read_result(found)


@broken("nan-counts", "EXEC-R5", "takes NaN for a number")
class NanCounts(Runtime):
    def parse(self, data: bytes) -> Any:
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise Failure(f"the tool wrote no JSON: {error}") from error


@broken("depth-uncaught", "EXEC-R5", "ends at output that is nested too deeply")
class DepthUncaught(Runtime):
    def parse(self, data: bytes) -> Any:
        with contextlib.suppress(ValueError):
            json.loads(data)
        return super().parse(data)
