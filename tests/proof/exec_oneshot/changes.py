"""What a tool of the proof may do differently: changes for `fault` and `variant`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

from tests.proof.exec_oneshot.tool import Failure
from tests.proof.row import Change, around

Answer = dict[str, Any]


def on_input(change: Callable[[bytes], bytes]) -> Change:
    """Change what was read."""
    return around("read", lambda _, read: change(read()))


def on_request(change: Callable[[Any], Any]) -> Change:
    """Change the value of the input."""
    return around("parse", lambda _, parse, data: change(parse(data)))


def on_answer(change: Callable[[Answer], Answer]) -> Change:
    """Change an answer before it is written."""
    return around("dump", lambda _, dump, answer: dump(change(answer)))


def written_by(change: Callable[[Answer], str]) -> Change:
    """Write an answer in another way."""
    return around(
        "dump", lambda _, dump, answer: change(answer).encode(errors="surrogatepass")
    )


def parsed_by(change: Callable[[bytes], Any]) -> Change:
    """Parse the input in another way."""

    def parse(self: Any, before: Any, data: bytes) -> Any:
        try:
            return change(data)
        except ValueError as error:
            raise Failure(f"the input is not JSON: {error}") from error

    return around("parse", parse)


def wants(is_good: Callable[[bytes], Any]) -> Change:
    """Take input of another look for no JSON."""

    def look(self: Any, parse: Any, data: bytes) -> Any:
        if not is_good(data):
            raise Failure("the input has another look")
        return parse(data)

    return around("parse", look)


def leaves(is_left: Callable[[Answer], Any], *command: str, **options: Any) -> Change:
    """Leave a child behind after an answer of some kind."""

    def status(self: Any, before: Any, answer: Answer) -> int:
        if is_left(answer):
            subprocess.Popen(
                command, start_new_session=True, stdin=subprocess.DEVNULL, **options
            )
        exit_status: int = before(answer)
        return exit_status

    return around("status", status)


def as_it_is(answer: Answer) -> str:
    """Return an answer with characters as they are."""
    return json.dumps(answer, ensure_ascii=False)
