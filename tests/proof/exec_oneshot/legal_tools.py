"""Tools that choose otherwise where the clauses leave a choice."""

from __future__ import annotations

import json
import sys
import time
from typing import Any, NoReturn

from tests.proof.exec_oneshot.subject import legal
from tests.proof.exec_oneshot.tool import Failure, Tool


@legal("plain", "does as the clauses say")
class Plain(Tool):
    pass


@legal("bound", "is a binding that lists no variable", bound=True)
class Bound(Tool):
    pass


@legal("compact", "writes no spaces, and no line feed at the end")
class Compact(Tool):
    def dump(self, answer: Any) -> bytes:
        return json.dumps(answer, separators=(",", ":")).encode()


@legal("pretty", "writes over several lines, keys sorted, with characters as they are")
class Pretty(Tool):
    def dump(self, answer: Any) -> bytes:
        text = json.dumps(answer, indent=2, sort_keys=True, ensure_ascii=False)
        return f"\r\n  {text}\r\n\n".encode(errors="replace")


@legal("floats", "writes whole numbers with a fraction where they are small")
class Floats(Tool):
    def dump(self, answer: Any) -> bytes:
        return super().dump(_floats(answer))


@legal(
    "null-beside",
    "writes a null for what there is not, and keys of its own",
    warns={"EXEC-O3": "a null companion should be absent"},
)
class NullBeside(Tool):
    def dump(self, answer: Any) -> bytes:
        return super().dump({"result": None, "error": None, "took_ms": 3, **answer})


@legal("chatty", "writes much to stderr")
class Chatty(Tool):
    def execute(self, args: dict[str, Any]) -> Any:
        sys.stderr.write("DEBUG: all is well\n" * 5_000)
        return super().execute(args)


@legal("starts-slowly", "takes a moment to start")
class StartsSlowly(Tool):
    def run(self) -> int:
        time.sleep(0.03)
        return super().run()


@legal("writes-in-pieces", "writes its answer byte by byte at first")
class WritesInPieces(Tool):
    def write(self, data: bytes) -> None:
        for at in range(min(8, len(data))):
            super().write(data[at : at + 1])
        super().write(data[8:])


@legal("exits-on-bad-input", "exits with 2 and words on stderr on bad input")
class ExitsOnBadInput(Tool):
    def parse(self, data: bytes) -> Any:
        try:
            return super().parse(data)
        except Failure as error:
            self._end(error)

    def arguments(self, request: Any) -> dict[str, Any]:
        try:
            return super().arguments(request)
        except Failure as error:
            self._end(error)

    def _end(self, error: Failure) -> NoReturn:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2)


@legal("ends-by-itself-early", "closes stdin as soon as it has read it")
class ClosesStdin(Tool):
    def read(self) -> bytes:
        data = super().read()
        sys.stdin.close()
        return data


def _floats(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _floats(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_floats(one) for one in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        return float(value)
    return value
