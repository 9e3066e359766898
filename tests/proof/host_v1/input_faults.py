"""Hosts that read their input wrongly: HV1-T4, T6, T7, T8, T10, T13, T14."""

from __future__ import annotations

import contextlib
import json
import os
import re
from itertools import accumulate
from typing import Any, ClassVar, Final

from tests.proof.host_v1.subject import RewritingHost, broken

from wireproof_reference.framing import JSON, NdjsonDecoder, encode, loads
from wireproof_reference.host_v1 import (
    BadRequest,
    Flaw,
    Host,
    HostConnection,
    Request,
    read_request,
)
from wireproof_reference.host_v1.core._messages import HostMessage

_CRASHED: Final = 3


_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def depth(line: bytes) -> int:
    """Return how deep a line nests."""
    brackets = line.translate(None, _NOT_BRACKETS)
    return max(accumulate(1 if one in b"[{" else -1 for one in brackets), default=0)


def crash() -> None:
    """End as a program does that nobody wrote an error handler for."""
    os._exit(_CRASHED)


class LineHost(Host):
    """Cuts its input into lines itself, so that a fault can be made there."""

    buffer = b""

    def handle_data(self, data: bytes) -> None:
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        for line in lines:
            self.handle_line(line)

    def handle_line(self, line: bytes) -> None:
        """Take one line without its line feed."""
        super().handle_data(line + b"\n")


class ShallowHost(LineHost):
    """Takes what nests deeper than its parser goes for a bad line.

    Attributes:
        levels: How deep that is.
    """

    levels = 64

    def handle_line(self, line: bytes) -> None:
        if depth(line) > self.levels:
            error = {"type": "BadRequest", "detail": "nested too deep"}
            self.write(encode({"v": 1, "id": None, "ok": False, "error": error}))
        else:
            super().handle_line(line)


class FirstInText(LineHost):
    """Looks for the value of a key in the text of a line, not in the request.

    Attributes:
        key: The key.
    """

    key: ClassVar[str]

    def handle_line(self, line: bytes) -> None:
        super().handle_line(self.with_the_first(line))

    def with_the_first(self, line: bytes) -> bytes:
        """Return a request with the first value that stands behind that key."""
        found = re.search(
            rf'"{self.key}"\s*:\s*("(?:[^"\\]|\\.)*"|[-+.0-9eE]+)'.encode(), line
        )
        try:
            value = loads(line)
        except (ValueError, RecursionError):
            return line
        if not found or not isinstance(value, dict) or self.key not in value:
            return line
        first = loads(found[1])
        return encode({**value, self.key: first}).rstrip(b"\n")


WITHOUT_A_POINT = re.compile(rb"(?<=[:\[,])-?\d+[eE][+]?\d+(?=[,\]}])")
"""Some of the numbers that YAML 1.1 takes for texts."""


@broken(
    "exponents-as-texts",
    "HV1-M10",
    "reads lines as YAML, to which a number with an exponent and no point is a text",
)
class ExponentsAsTexts(LineHost):
    def handle_line(self, line: bytes) -> None:
        super().handle_line(WITHOUT_A_POINT.sub(rb'"\g<0>"', line))


@broken(
    "decodes-pieces",
    "HV1-T4",
    "decodes each read by itself",
)
class DecodesPieces(Host):
    def handle_data(self, data: bytes) -> None:
        super().handle_data(data.decode(errors="replace").encode())


@broken(
    "reads-latin-1",
    "HV1-M10",
    "takes each byte for a letter",
)
class ReadsLatin1(Host):
    def handle_data(self, data: bytes) -> None:
        super().handle_data(data.decode("latin-1").encode())


@broken("first-line-of-a-read", "HV1-T4", "takes one line from each read")
class FirstLineOfARead(LineHost):
    def handle_data(self, data: bytes) -> None:
        head, line_feed, _ = (self.buffer + data).partition(b"\n")
        self.buffer = b"" if line_feed else head
        if line_feed:
            self.handle_line(head)


@broken("last-line-of-a-read", "HV1-T4", "takes the last line of each read")
class LastLineOfARead(LineHost):
    def handle_data(self, data: bytes) -> None:
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        for line in lines[-1:]:
            self.handle_line(line)


@broken(
    "a-read-is-a-line",
    "HV1-T4",
    "takes each read for whole lines",
)
class AReadIsALine(LineHost):
    def handle_data(self, data: bytes) -> None:
        for line in data.split(b"\n"):
            if line:
                self.handle_line(line)


@broken(
    "drops-the-rest",
    "HV1-T4",
    "drops what follows the last line feed of a read",
)
class DropsTheRest(LineHost):
    def handle_data(self, data: bytes) -> None:
        super().handle_data(data)
        if b"\n" in data:
            self.buffer = b""


class ExactHost(LineHost):
    """Does not see that a line is whole where it just fills its buffer."""

    size = 4096

    def handle_data(self, data: bytes) -> None:
        whole = self.buffer + data
        if whole.endswith(b"\n") and len(whole) % self.size == 0:
            self.buffer = whole
        else:
            super().handle_data(data)


@broken(
    "waits-at-a-full-page",
    "HV1-T4",
    "reads on where what it has read fills 4 KiB exactly",
)
class WaitsAtAFullPage(ExactHost):
    pass


@broken(
    "waits-at-a-full-pipe",
    "HV1-T4",
    "reads on where what it has read fills 64 KiB exactly",
)
class WaitsAtAFullPipe(ExactHost):
    size = 65536


@broken(
    "waits-for-a-line-feed", "HV1-T4", "reads on until a read ends with a line feed"
)
class WaitsForALineFeed(LineHost):
    def handle_data(self, data: bytes) -> None:
        if data.endswith(b"\n"):
            super().handle_data(data)
        else:
            self.buffer += data


@broken("joins-lines", "HV1-T4", "takes the lines of one read for one line")
class JoinsLines(LineHost):
    def handle_data(self, data: bytes) -> None:
        self.buffer += data
        if self.buffer.endswith(b"\n"):
            line, self.buffer = self.buffer.replace(b"\n", b" "), b""
            self.handle_line(line)


@broken("drops-joined-lines", "HV1-T4", "drops several lines of one read, in silence")
class DropsJoinedLines(LineHost):
    def handle_data(self, data: bytes) -> None:
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        if len(lines) == 1:
            self.handle_line(lines[0])


@broken("a-line-for-each-read", "HV1-T4", "answers the second line at the next read")
class ALineForEachRead(LineHost):
    def handle_data(self, data: bytes) -> None:
        self.buffer += data
        line, line_feed, rest = self.buffer.partition(b"\n")
        if line_feed:
            self.buffer = rest
            self.handle_line(line)


@broken("dies-of-two-lines", "HV1-T4", "dies of two lines in one read")
class DiesOfTwoLines(LineHost):
    def handle_data(self, data: bytes) -> None:
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        if len(lines) > 1:
            crash()
        for line in lines:
            self.handle_line(line)


@broken(
    "answers-a-lone-cr",
    "HV1-T6",
    "ignores an empty line, and fails one that ends in CRLF",
    level="should",
    shown_by="host-v1/transport/empty-line-with-crlf",
)
class AnswersALoneCr(LineHost):
    def make_connection(self) -> HostConnection:
        class Connection(HostConnection):
            def make_decoder(self) -> NdjsonDecoder:
                return NdjsonDecoder(blank_lines="report")

        return Connection()

    def handle_line(self, line: bytes) -> None:
        if line:
            super().handle_line(line)


@broken("answers-blank-lines", "HV1-T6", "fails a blank line", level="should")
class AnswersBlankLines(Host):
    def make_connection(self) -> HostConnection:
        class Connection(HostConnection):
            def make_decoder(self) -> NdjsonDecoder:
                return NdjsonDecoder(blank_lines="report")

        return Connection()


@broken(
    "ends-at-a-blank-line", "HV1-T6", "takes a blank line for the end", level="should"
)
class EndsAtABlankLine(LineHost):
    def handle_line(self, line: bytes) -> None:
        if not line.strip():
            os._exit(0)
        super().handle_line(line)


@broken(
    "refuses-crlf",
    "HV1-T6",
    "takes a carriage return for a part of the request",
    level="should",
)
class RefusesCrlf(LineHost):
    def handle_line(self, line: bytes) -> None:
        if not line.endswith(b"\r"):
            super().handle_line(line)


@broken(
    "refuses-crlf-after-long-lines",
    "HV1-T6",
    "looks for a carriage return in lines up to 4 KiB",
    level="should",
)
class RefusesCrlfAfterLongLines(LineHost):
    def handle_line(self, line: bytes) -> None:
        if len(line) <= 4096 or not line.endswith(b"\r"):
            super().handle_line(line)


@broken(
    "dies-of-text",
    "HV1-T7",
    "dies of a line that is not JSON",
    level="should",
)
class DiesOfText(LineHost):
    def handle_line(self, line: bytes) -> None:
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            crash()
        super().handle_line(line)


@broken(
    "dies-a-read-later",
    "HV1-T7",
    "dies of a line that is not JSON once what follows is answered",
    level="should",
)
class DiesAReadLater(LineHost):
    """As one does whose handler is not waited for: it fails when all is read."""

    reads_left: int | None = None

    def handle_data(self, data: bytes) -> None:
        if self.reads_left == 0:
            crash()
        if self.reads_left is not None:
            self.reads_left -= 1
        super().handle_data(data)

    def handle_line(self, line: bytes) -> None:
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            self.reads_left = self.reads_left or 1
            return
        super().handle_line(line)


class DiesOfSome(LineHost):
    """Dies of a line that holds something."""

    fatal: ClassVar[re.Pattern[bytes]]

    def handle_line(self, line: bytes) -> None:
        if self.fatal.search(line):
            crash()
        super().handle_line(line)


@broken(
    "dies-inside-an-escape",
    "HV1-T7",
    "reads four digits behind \\u that a line cut short does not have",
    level="should",
    shown_by="host-v1/bad-input/cut-inside-an-escape",
)
class DiesInsideAnEscape(DiesOfSome):
    fatal = re.compile(rb"\\(u[0-9a-fA-F]{0,3})?\Z")


@broken(
    "dies-of-half-a-pair-and-an-escape",
    "HV1-T7",
    "takes any escape behind the first half of a pair for the second",
    level="should",
    shown_by="host-v1/bad-input/half-a-surrogate-pair-before-an-escape",
)
class DiesOfHalfAPairAndAnEscape(DiesOfSome):
    fatal = re.compile(rb"\\ud[89ab][0-9a-f]{2}\\u(?!d[c-f])")


@broken(
    "dies-of-thousands-of-digits",
    "HV1-T7",
    "catches what is wrong with JSON, and not what is too long of it",
    level="should",
    shown_by="host-v1/bad-input/integer-of-five-thousand-digits",
)
class DiesOfThousandsOfDigits(LineHost):
    def handle_line(self, line: bytes) -> None:
        with contextlib.suppress(json.JSONDecodeError, RecursionError):
            try:
                json.loads(line)
            except ValueError as error:
                if "digits" in str(error):
                    crash()
        super().handle_line(line)


@broken(
    "dies-of-infinity",
    "HV1-T7",
    "dies of a number that no double holds",
    level="should",
    shown_by="host-v1/bad-input/number-beyond-a-double",
)
class DiesOfInfinity(LineHost):
    def handle_line(self, line: bytes) -> None:
        with contextlib.suppress(ValueError, RecursionError):
            if re.search(r'": -?Infinity', json.dumps(json.loads(line))):
                crash()
        super().handle_line(line)


@broken("dies-of-an-array", "HV1-T7", "dies of JSON that is no object", level="should")
class DiesOfAnArray(LineHost):
    def handle_line(self, line: bytes) -> None:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = {}
        if not isinstance(value, dict):
            crash()
        super().handle_line(line)


@broken(
    "dies-without-method",
    "HV1-T7",
    "dies of a request without a method",
    level="should",
)
class DiesWithoutMethod(LineHost):
    def handle_line(self, line: bytes) -> None:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = []
        if isinstance(value, dict) and "method" not in value:
            crash()
        super().handle_line(line)


@broken(
    "drops-the-read",
    "HV1-T13",
    "drops all of a read in which a byte is no UTF-8",
    level="should",
    shown_by="host-v1/bad-input/byte-ff-between-requests",
)
class DropsTheRead(LineHost):
    def handle_data(self, data: bytes) -> None:
        # A part of a line may begin or end inside a character.
        is_whole = data.endswith(b"\n") and not self.buffer
        try:
            data.decode()
        except UnicodeDecodeError:
            if is_whole:
                return
        super().handle_data(data)


@broken(
    "method-as-key",
    "HV1-T7",
    "looks a method up before it is seen to be a string, and dies of an array",
    level="should",
    shown_by="host-v1/bad-input/method-is-a-container",
)
class MethodAsKey(LineHost):
    def handle_line(self, line: bytes) -> None:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = []
        if isinstance(value, dict) and isinstance(value.get("method"), list | dict):
            crash()
        super().handle_line(line)


@broken(
    "dies-of-half-a-pair",
    "HV1-T13",
    "dies where it has half of a surrogate pair to write",
    level="should",
)
class DiesOfHalfAPair(Host):
    def encode(self, message: HostMessage) -> bytes:
        data = super().encode(message)
        try:
            json.dumps(json.loads(data), ensure_ascii=False).encode()
        except UnicodeEncodeError:
            crash()
        return data


@broken(
    "skips-after-odd-json",
    "HV1-T7",
    "drops the line after JSON that is no object",
    level="should",
)
class SkipsAfterOddJson(Host):
    skips = False

    def handle_bad_request(self, bad: BadRequest) -> None:
        super().handle_bad_request(bad)
        self.skips = bad.answer.detail == "a request must be an object"

    def handle_request(self, request: Request) -> None:
        if not self.skips:
            super().handle_request(request)
        self.skips = False


@broken(
    "deaf-after-a-bad-line",
    "HV1-T7",
    "reads nothing more after a line that is no request",
    level="should",
)
class DeafAfterABadLine(Host):
    deaf = False

    def handle_bad_request(self, bad: BadRequest) -> None:
        super().handle_bad_request(bad)
        self.deaf = bad.answer.id is None

    def handle_request(self, request: Request) -> None:
        if not self.deaf:
            super().handle_request(request)


@broken(
    "success-for-a-bad-line",
    "HV1-T8",
    "answers a bad line with a success",
    level="should",
)
class SuccessForABadLine(Host):
    def handle_bad_request(self, bad: BadRequest) -> None:
        if bad.answer.id is None:
            self.write(
                encode({"v": 1, "id": "", "ok": True, "result": {"value": None}})
            )
        else:
            super().handle_bad_request(bad)


@broken(
    "reads-lenient-numbers",
    "HV1-T8",
    "takes 01 and +1 for numbers",
    level="should",
    shown_by="host-v1/bad-input/answer-to-numbers-of-no-json",
)
class ReadsLenientNumbers(LineHost):
    def handle_line(self, line: bytes) -> None:
        super().handle_line(re.sub(rb'(?<="x":)(\+|0)(?=\d)', b"", line))


@broken(
    "made-up-id", "HV1-T8", "answers a bad line under an id of its own", level="should"
)
class MadeUpId(Host):
    def handle_bad_request(self, bad: BadRequest) -> None:
        if bad.answer.id is None:
            error = {"type": "InvalidRequest", "detail": bad.answer.detail}
            self.write(encode({"v": 1, "id": "unknown", "ok": False, "error": error}))
        else:
            super().handle_bad_request(bad)


@broken("id-minus-one", "HV1-T8", "answers a bad line under the id -1", level="should")
class IdMinusOne(Host):
    def handle_bad_request(self, bad: BadRequest) -> None:
        if bad.answer.id is None:
            error = {"type": "InvalidRequest", "detail": bad.answer.detail}
            self.write(encode({"v": 1, "id": -1, "ok": False, "error": error}))
        else:
            super().handle_bad_request(bad)


@broken(
    "shapeless-failure",
    "HV1-T8",
    "answers a bad line with error as a string",
    level="should",
)
class ShapelessFailure(Host):
    def handle_bad_request(self, bad: BadRequest) -> None:
        if bad.answer.id is None:
            self.write(b'{"v":1,"id":null,"ok":false,"error":"parse error"}\n')
        else:
            super().handle_bad_request(bad)


class _Limited(HostConnection):
    def make_decoder(self) -> NdjsonDecoder:
        return NdjsonDecoder(limit=65536)


@broken("dies-of-64-kib", "HV1-T10", "dies of a line beyond 64 KiB", level="should")
class DiesOf64Kib(LineHost):
    def handle_data(self, data: bytes) -> None:
        super().handle_data(data)
        if len(self.buffer) > 65536:
            crash()


@broken(
    "refuses-64-kib",
    "HV1-T10",
    "fails a line beyond 64 KiB, without its id",
    level="should",
)
class Refuses64Kib(Host):
    def make_connection(self) -> HostConnection:
        return _Limited()


class _Narrow(HostConnection):
    def make_decoder(self) -> NdjsonDecoder:
        return NdjsonDecoder(limit=16384)


@broken(
    "refuses-16-kib",
    "HV1-T10",
    "fails a line beyond 16 KiB, without its id",
    level="should",
)
class Refuses16Kib(Host):
    def make_connection(self) -> HostConnection:
        return _Narrow()


@broken(
    "reads-64-kib-at-most",
    "HV1-T10",
    "takes each 64 KiB of a line for a line",
    level="should",
)
class Reads64KibAtMost(LineHost):
    def handle_line(self, line: bytes) -> None:
        for begin in range(0, len(line) or 1, 65536):
            super().handle_line(line[begin : begin + 65536])


@broken("cuts-long-text", "HV1-T10", "cuts text to a million bytes", level="should")
class CutsLongText(Host):
    def encode(self, message: HostMessage) -> bytes:
        cut = re.compile(rb'(?<="value":")([^"]{1000000})[^"]*')
        return cut.sub(rb"\1", super().encode(message))


@broken("dies-of-bad-utf-8", "HV1-T13", "decodes its input strictly", level="should")
class DiesOfBadUtf8(LineHost):
    def handle_line(self, line: bytes) -> None:
        try:
            line.decode()
        except UnicodeDecodeError:
            crash()
        super().handle_line(line)


@broken("dies-of-nul", "HV1-T13", "takes a NUL byte for the end", level="should")
class DiesOfNul(Host):
    def handle_data(self, data: bytes) -> None:
        if b"\0" in data:
            os._exit(0)
        super().handle_data(data)


@broken(
    "cut-at-nul", "HV1-T13", "loses the line feed behind a NUL byte", level="should"
)
class CutAtNul(Host):
    def handle_data(self, data: bytes) -> None:
        super().handle_data(data.partition(b"\0")[0])


@broken(
    "dies-of-depth",
    "HV1-T14",
    "dies where its parser recurses too deep",
    level="should",
)
class DiesOfDepth(LineHost):
    def handle_line(self, line: bytes) -> None:
        if depth(line) > 5000:
            crash()
        super().handle_line(line)


@broken(
    "dies-of-deep-answers",
    "HV1-T14",
    "reads as deep as its parser does, and dies where the answer is deeper",
    level="should",
    shown_by="host-v1/bad-input/nested-near-limits",
)
class DiesOfDeepAnswers(ShallowHost):
    levels = 128

    def write(self, data: bytes) -> None:
        if depth(data) > self.levels:
            crash()
        super().write(data)


@broken(
    "silent-after-depth",
    "HV1-T14",
    "loses its reader to a line too deep",
    level="should",
)
class SilentAfterDepth(LineHost):
    deaf = False

    def handle_line(self, line: bytes) -> None:
        self.deaf = self.deaf or depth(line) > 5000
        if not self.deaf:
            super().handle_line(line)


class FirstValueHost(LineHost):
    """Carries out a request at the beginning of a line, whatever follows it."""

    def rest(self, rest: bytes) -> None:
        """Take what stands behind it."""

    def handle_line(self, line: bytes) -> None:
        text = line.decode(errors="replace")
        try:
            value, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            value, end = None, 0
        rest = text[end:].strip()
        if not isinstance(value, dict) or not rest:
            super().handle_line(line)
            return
        super().handle_line(text[:end].encode())
        self.rest(rest.encode())


@broken(
    "first-value-of-a-line",
    "HV1-T8",
    "carries out a request and ignores what stands behind it",
    level="should",
    shown_by="host-v1/bad-input/answer-to-a-request-with-text-behind",
)
class FirstValueOfALine(FirstValueHost):
    pass


@broken(
    "every-value-of-a-line",
    "HV1-T8",
    "carries out all requests that stand on a line",
    level="should",
    shown_by="host-v1/bad-input/answer-to-two-requests-on-a-line",
)
class EveryValueOfALine(FirstValueHost):
    def rest(self, rest: bytes) -> None:
        self.handle_line(rest)


@broken(
    "carries-out-batches",
    "HV1-T8",
    "carries out each request of an array",
    level="should",
    shown_by="host-v1/bad-input/answer-to-an-array-of-requests",
)
class CarriesOutBatches(LineHost):
    def handle_line(self, line: bytes) -> None:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, list) or not any(isinstance(v, dict) for v in value):
            super().handle_line(line)
            return
        for one in value:
            super().handle_line(encode(one).rstrip(b"\n"))


@broken(
    "lines-up-to-nul",
    "HV1-T8",
    "reads a line up to a NUL byte",
    level="should",
    shown_by="host-v1/bad-input/answer-to-a-request-with-nul-behind",
)
class LinesUpToNul(LineHost):
    def handle_line(self, line: bytes) -> None:
        super().handle_line(line.partition(b"\0")[0])


class _MethodAsText(HostConnection):
    def read_request(self, value: JSON) -> Request | Flaw:
        if isinstance(value, dict):
            method = value.get("method")
            while isinstance(method, list) and len(method) == 1:
                method = method[0]
            if isinstance(method, str):
                value = {**value, "method": method}
        return read_request(value)


@broken(
    "method-as-text",
    "HV1-T8",
    "makes a text of a method, that of a list by its elements",
    level="should",
    shown_by="host-v1/bad-input/answer-to-a-method-in-a-container",
)
class MethodAsText(Host):
    def make_connection(self) -> HostConnection:
        return _MethodAsText()


class _AnyId(HostConnection):
    """Takes requests whose ids are no strings under strings of its own."""

    def __init__(self, ids: dict[str, JSON]) -> None:
        super().__init__()
        self._ids = ids

    def read_request(self, value: JSON) -> Request | Flaw:
        key = value.get("id", "") if isinstance(value, dict) else ""
        if isinstance(value, dict) and not isinstance(key, str):
            name = f"\0{len(self._ids)}"
            self._ids[name] = key
            value = {**value, "id": name}
        return read_request(value)


@broken(
    "any-id",
    "HV1-T8",
    "carries out a request whose id is no string, or null, and gives it back",
    level="should",
    shown_by="host-v1/bad-input/answer-to-an-id-that-is-no-string",
)
class AnyId(RewritingHost):
    def make_connection(self) -> HostConnection:
        self.ids: dict[str, JSON] = {}
        return _AnyId(self.ids)

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        key: Any = frame.get("id")
        return {**frame, "id": self.ids.get(key, key)}
