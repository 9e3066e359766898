"""How a tool that the suite supplies plays its script.

The steps are those of ``vectors/README.md`` for kind ``runtime``. A script is a
generator that says what it waits for; whoever drives it goes on with it then.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.checks import VectorDefect
from wireproof.patterns import expand, is_array, is_object
from wireproof.patterns._forms import raw_bytes
from wireproof.protocols.exec_runtime import _shell as shell
from wireproof.protocols.exec_runtime._seen import NO_JSON
from wireproof_reference.framing import dumps

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from wireproof.protocols.exec_runtime._tool_process import ToolProcess

TOGETHER_SECONDS = 0.3
"""How long a server that answers backwards waits for one more request."""

STARTS_SECONDS = 1.0
"""How long a process waits for others to be started beside it."""


TOLD = "told"
"""The name of the request that says what to do."""

TEXT = "out of cheese"
"""What a tool says that fails, where it is not told."""

_WHOLE = re.compile("0|[1-9][0-9]{0,14}")
"""A text that looks like a number which any program can hold."""


@dataclass(frozen=True, slots=True)
class Wait:
    """What a script waits for.

    Attributes:
        ready: Tells whether it has come.
        until: When it goes on all the same, on the clock of the run; None for never.
    """

    ready: Callable[[], bool]
    until: float | None = None


class Script:
    """One playing of a script by a process."""

    def __init__(
        self,
        process: ToolProcess,
        steps: Sequence[Mapping[str, Any]],
        started: Callable[[], int],
        does: Mapping[str, Sequence[Mapping[str, Any]]],
        time_scale: int = 1,
    ) -> None:
        """Take what is to be played.

        Args:
            process: The process, which is up.
            steps: The steps.
            started: Tells how many processes of the tool are there.
            does: What a tool that serves as told does, by what it is told.
            time_scale: Factor for delays.
        """
        self._process = process
        self._steps = steps
        self._started = started
        self._does = does
        self._scale = time_scale
        self._requests: dict[str, Any] = {}
        self._found: Any = None

    def play(self) -> Generator[Wait]:
        """Carry out the steps, then serve or exit."""
        for step in self._steps:
            yield from self._carry_out(step)
        if self._process.server:
            yield from self._serve()
        else:
            self._process.end(shell.exiting(0))

    def _carry_out(self, step: Mapping[str, Any]) -> Generator[Wait]:
        process = self._process
        match step:
            case {"read": str(name)}:
                yield from self._read()
                self._requests[name] = self._found
            case {"await_eof": True}:
                process.read_input()
                yield Wait(lambda: process.seen.ended)
            case {"write": template}:
                data = dumps(self._filled(template))
                process.write(data + step.get("ending", "\n").encode())
            case {"write_raw": [*pieces]}:
                process.write(self._raw(pieces))
            case {"stderr": template}:
                process.write(str(expand(template, {})).encode(), to_stderr=True)
            case {"stderr_raw": [*pieces]}:
                process.write(raw_bytes(pieces), to_stderr=True)
            case {"exit": int(status)}:
                process.end(shell.exiting(status))
                yield from _for_ever()
            case {"signal": int(number)}:
                process.end(shell.signalled(number))
                yield from _for_ever()
            case {"hang": True}:
                yield from _for_ever()
            case {"delay_ms": int(ms)}:
                until = time.monotonic() + ms * self._scale / 1000
                yield Wait(lambda: False, until)
            case {"child": True | "apart" as kind}:
                process.start_child(apart=kind == "apart")
                yield Wait(lambda: process.has_children)
            case {"flood": True}:
                process.start_flood()
                yield Wait(lambda: not process.floods)
            case {"repeat": int(times), "steps": [*steps]}:
                for one in times * steps:
                    yield from self._carry_out(one)
            case {"close": str(stream)}:
                process.tell(shell.closing(stream))
            case {"ignore": str(name)}:
                process.tell(shell.ignoring(name))
            case {"await_starts": int(count)}:
                until = time.monotonic() + STARTS_SECONDS
                yield Wait(lambda: self._started() >= count, until)
            case {"serve": "backwards"}:
                yield from self._serve_backwards()
            case {"serve": "as-told"}:
                yield from self._serve_as_told()
            case {"serve": _}:
                yield from self._serve()
            case _:
                raise VectorDefect(f"unknown step of a tool: {sorted(step)}")

    def _read(self, until: float | None = None) -> Generator[Wait]:
        """Wait for the next request, and keep it; ``NO_JSON`` where none came."""
        process = self._process
        process.read_input()
        found: list[Any] = []

        def ready() -> bool:
            if not found:
                there, value = process.next_document()
                found.extend([value] if there else [])
            return bool(found) or process.seen.ended

        yield Wait(ready, until)
        self._found = found[0] if found else None

    def _serve(self) -> Generator[Wait]:
        """Answer each request with its own arguments, and exit at the end of input."""
        while True:
            yield from self._read()
            if self._found is None and self._process.seen.ended:
                self._process.end(shell.exiting(0))
                yield from _for_ever()
            self._answer(self._found)

    def _serve_backwards(self) -> Generator[Wait]:
        """Answer several requests at a time, the latest first."""
        while True:
            yield from self._read()
            waiting = [self._found]
            while waiting[-1] is not None:
                yield from self._read(time.monotonic() + TOGETHER_SECONDS)
                waiting.append(self._found)
            for request in reversed(waiting[:-1]):
                self._answer(request)
            if self._process.seen.ended:
                self._process.end(shell.exiting(0))
                yield from _for_ever()

    def _serve_as_told(self) -> Generator[Wait]:
        """Do with each request what its arguments say under ``do``."""
        process = self._process
        while True:
            yield from self._read()
            if self._found is None and process.seen.ended:
                process.end(shell.exiting(0))
                yield from _for_ever()
            request = self._found
            args = _args_of(request)
            told = args.get("do") if is_object(args) else None
            self._requests[TOLD] = request
            for step in self._does.get(str(told), self._does["answer"]):
                yield from self._carry_out(step)
            if not process.server:
                process.end(shell.exiting(0))
                yield from _for_ever()

    def _answer(self, request: Any) -> None:
        given = {"jsonrpc": "2.0", "id": _id_of(request), "result": _args_of(request)}
        self._process.write(dumps(given) + b"\n")

    def _raw(self, pieces: Sequence[Mapping[str, Any]]) -> bytes:
        """Join pieces, of which one may be the JSON text of a part of a request."""
        parts = [
            dumps(self._filled(one["json"]))
            if "json" in one
            else raw_bytes([dict(one)])
            for one in pieces
        ]
        return b"".join(parts)

    def _filled(self, template: Any) -> Any:
        """Replace what stands for a part of a request, and expand the rest."""
        return expand(self._with_requests(template), {})

    def _with_requests(self, template: Any) -> Any:
        match template:
            case {"$id_of": str(name)}:
                return {"$literal": _id_of(self._requests.get(name))}
            case {"$other_id_of": str(name)}:
                return {"$literal": _other_id(_id_of(self._requests.get(name)))}
            case {"$args_of": str(name)}:
                return {"$literal": _args_of(self._requests.get(name))}
            case {"$text_of": str(name)}:
                return {"$literal": _text_of(self._requests.get(name))}
            case {"$literal": _}:
                return template
            case _:
                pass
        if is_object(template):
            return {key: self._with_requests(one) for key, one in template.items()}
        if is_array(template):
            return [self._with_requests(one) for one in template]
        return template


def _for_ever() -> Generator[Wait]:
    yield Wait(lambda: False)


def _id_of(request: Any) -> Any:
    return request.get("id") if is_object(request) else None


def _other_id(given: Any) -> Any:
    """Return what looks like an id and is another: a number as text, or in turn."""
    if isinstance(given, str):
        return int(given) if _WHOLE.fullmatch(given) else [given]
    return str(given)


def _text_of(request: Any) -> Any:
    """Return the text that a tool has to fail with."""
    args = _args_of(request)
    return args.get("text", TEXT) if is_object(args) else TEXT


def _args_of(request: Any) -> Any:
    """Return the arguments that a request carries, wherever they stand in it."""
    if not is_object(request):
        return None if request is NO_JSON else request
    params = request.get("params")
    return (params if is_object(params) else request).get("args")
