"""A host that plays the script of a ``client`` vector, for a client to start.

    python -S -E _scripted_host.py SOCKET

Theory of operation. The suite listens on the Unix socket; its first line is the
script, as the vector has it. All that happens afterwards is reported there, one JSON
object a line, before anybody else can see its effect: what the suite has read when
the client has its answer is therefore the whole story. The socket is the leash as
well: when its other end is gone, so is this process, whatever the client does.

Nothing is imported that makes the start slower, and nothing but the standard library.
"""

from __future__ import annotations

import binascii
import json
import os
import select
import socket
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeGuard

READ_SIZE = 1 << 16

STUCK = 70
"""Exit status where the script cannot go on: nobody can answer such a request."""


class ScriptedHost:
    """One playing of a script."""

    def __init__(self, leash: socket.socket, script: list[dict[str, Any]]) -> None:
        """Take the leash and the script.

        Args:
            leash: Connected to the suite, which has sent the script.
            script: The steps as the vector has them.
        """
        self._leash = leash
        self._script = script
        self._poll = select.poll()
        self._poll.register(0, select.POLLIN)
        self._poll.register(leash, select.POLLIN)
        self._buffer = b""
        self._untaken: list[dict[str, Any]] = []
        self._taken: dict[str, dict[str, Any]] = {}

    def play(self) -> NoReturn:
        """Carry out the steps and exit."""
        for step in self._script:
            match step:
                case {"read": str(name)}:
                    self._taken[name] = self._take(step.get("match", {}))
                    self._report(took=name, request=self._taken[name])
                case {"write": template}:
                    message = self._expand(template)
                    self._write(_line(message), message)
                case {"write_raw": [*pieces]}:
                    self._write(b"".join(map(_raw, pieces)), None)
                case {"stderr": str(text)}:
                    self._report(stderr=text)
                    _write_all(2, text.encode())
                case {"exit": int(status)}:
                    self._exit(status)
                case {"signal": int(number)}:
                    self._report(exits=-number)
                    os.kill(os.getpid(), number)
                case {"await_eof": True}:
                    break
                case _:
                    self._give_up(defect=f"unknown step with the keys {sorted(step)}")
        self._report(waits=True)
        while True:
            self._read()

    def _take(self, pattern: object) -> dict[str, Any]:
        """Take the first request that fits and that no step has taken."""
        while True:
            for index, request in enumerate(self._untaken):
                if self._fits(pattern, request):
                    return self._untaken.pop(index)
            self._read()

    def _read(self) -> None:
        """Take in what the client sends; exit when it, or the suite, is done."""
        ready = {number for number, _ in self._poll.poll()}
        if self._leash.fileno() in ready:
            sys.exit(STUCK)  # nothing comes there but the end
        data = os.read(0, READ_SIZE)
        if not data:
            self._report(fragment=self._buffer.decode("latin-1"))
            self._exit(0)
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            self._report(line=line.decode("latin-1"))
        for line in filter(None, lines):
            try:
                request = json.loads(line)
            except ValueError:
                self._give_up(stuck="a line is not JSON")
            if not _is_object(request) or "id" not in request:
                self._give_up(stuck="a line has no id to answer under")
            self._untaken.append(request)

    def _write(self, data: bytes, message: object) -> None:
        self._report(writes=data.decode("latin-1"), message=message)
        _write_all(1, data)

    def _expand(self, template: Any) -> Any:
        """Replace what stands for something else in a message."""
        match template:
            case {"$id_of": str(name)}:
                return self._taken[name]["id"]
            case {"$repeat": str(text), "times": int(times)}:
                return text * times
            case {"$nest": int(depth), "value": inner}:
                value = self._expand(inner)
                for _ in range(depth):
                    value = [value]
                return value
            case {"$copies": int(count), "value": inner}:
                return [self._expand(inner) for _ in range(count)]
            case {"$literal": value}:
                return value
            case _ if _is_object(template):
                self._refuse_matchers(template)
                return {key: self._expand(value) for key, value in template.items()}
            case _ if _is_array(template):
                return [self._expand(value) for value in template]
            case _:
                return template

    def _fits(self, pattern: object, value: object) -> bool:
        """Compare as the suite does, with a pattern that has no matchers."""
        if _is_object(pattern):
            self._refuse_matchers(pattern)
            return _is_object(value) and all(
                key in value and self._fits(inner, value[key])
                for key, inner in pattern.items()
            )
        if _is_array(pattern):
            return (
                _is_array(value)
                and len(pattern) == len(value)
                and all(map(self._fits, pattern, value))
            )
        # As in Python 1 is True, the types have to be compared too.
        return isinstance(pattern, bool) is isinstance(value, bool) and pattern == value

    def _refuse_matchers(self, value: dict[str, Any]) -> None:
        unknown = [key for key in value if key.startswith("$")]
        if unknown:
            self._give_up(defect=f"a script cannot hold {unknown[0]}")

    def _report(self, **what: object) -> None:
        try:
            self._leash.sendall(json.dumps(what).encode() + b"\n")
        except OSError:
            sys.exit(STUCK)

    def _give_up(self, **why: str) -> NoReturn:
        self._report(**why)
        self._exit(STUCK)

    def _exit(self, status: int) -> NoReturn:
        self._report(exits=status)
        sys.exit(status)


def _is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _line(message: object) -> bytes:
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


def _raw(piece: dict[str, Any]) -> bytes:
    text: str | None = piece.get("text")
    data = binascii.a2b_base64(piece["base64"]) if text is None else text.encode()
    times: int = piece.get("times", 1)
    return data * times


def _write_all(number: int, data: bytes) -> None:
    """Write, unless nobody reads any more: that shows in what the client does."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(number, rest) :]
    except BrokenPipeError:
        pass


def _read_script(leash: socket.socket) -> list[dict[str, Any]]:
    data = b""
    while not data.endswith(b"\n"):
        piece = leash.recv(READ_SIZE)
        if not piece:
            sys.exit(STUCK)  # the suite has no script for a second host
        data += piece
    script: list[dict[str, Any]] = json.loads(data)
    return script


def main() -> NoReturn:
    """Connect to the suite and play what it sends."""
    leash = socket.socket(socket.AF_UNIX)
    leash.connect(sys.argv[1])
    ScriptedHost(leash, _read_script(leash)).play()


if __name__ == "__main__":
    main()
