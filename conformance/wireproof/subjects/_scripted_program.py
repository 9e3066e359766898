"""A program that plays a script, for a subject to start: what it says, and when.

    python -I -S _scripted_program.py SOCKET

Theory of operation. The suite listens on the Unix socket; its first line is the
script. All that happens afterwards is reported there, one JSON object a line, before
anybody else can see its effect: what the suite has read when the subject has its
answer is therefore the whole story. When the other end of the socket is gone, so is
this process, whatever the subject does.

Nothing is imported that makes the start slower, and nothing but the standard library.
"""

from __future__ import annotations

import binascii
import json
import os
import select
import signal
import socket
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeGuard

READ_SIZE = 1 << 16

LONGEST_LINE = 1 << 26
"""Bytes after which a line counts as one without end."""

CHILD_LOOKS_SECONDS = 0.05
"""How often a child looks whether the suite still listens."""

SPACED = ("\t, ", " :  ")
"""What stands between members and behind keys where a line is written with space."""

READ_WITHIN_SECONDS = 0.25
"""How long the other end may take to read one piece of a line that is cut."""

LOOKS_SECONDS = 0.0005
"""How often is looked whether it has."""

RETURNS = ("\r,\r", "\r:\r")
"""The same, where it is written with carriage returns."""

CONTINUING = range(0x80, 0xC0)
"""The bytes of a UTF-8 sequence after its first."""

STUCK = 70
"""Exit status where the script cannot go on: nobody can answer such a request."""


class ScriptedProgram:
    """One playing of a script."""

    def __init__(self, suite: socket.socket, script: list[dict[str, Any]]) -> None:
        """Take the connection and the script.

        Args:
            suite: Connected to the suite, which has sent the script.
            script: The steps, as `vectors/README.md` has them for kind ``client``.
        """
        self._suite = suite
        self._script = script
        self._poll = select.poll()
        self._poll.register(0, select.POLLIN)
        self._poll.register(suite, select.POLLIN)
        self._pieces: list[bytes] = []
        self._pending = 0
        self._slowly: tuple[int, float] = (READ_SIZE, 0.0)
        self._untaken: list[Any] = []
        self._taken: dict[str, Any] = {}
        self._bears: dict[str, Any] = {}

    def play(self) -> NoReturn:
        """Carry out the steps and exit."""
        for step in self._script:
            match step:
                case {"bears": answers} if _is_object(answers):
                    self._bears = answers
                case {"read": str(name)}:
                    self._taken[name] = self._take(step.get("match"))
                    self._report(took=name, request=self._taken[name])
                case {"write": template}:
                    message = self._expand(template)
                    ending, way = step.get("ending", "\n"), step.get("written")
                    data = _encoded(message, ending, way)
                    self._write(data, message, _cuts(data, step.get("cut")))
                case {"write_many": templates}:
                    self._write_many(self._expand(templates))
                case {"write_raw": [*pieces]}:
                    self._write(b"".join(map(_raw, pieces)), None)
                case {"stderr": template}:
                    text: str = self._expand(template)
                    self._report(stderr=text)
                    _write_all(2, text.encode())
                case {"stderr_raw": [*pieces]}:
                    noise = b"".join(map(_raw, pieces))
                    self._report(stderr=noise.decode("latin-1"))
                    _write_all(2, noise)
                case {"read_slowly": int(size), "every_ms": int(every)}:
                    self._slowly = (size, every / 1000)
                case {"child": True}:
                    self._start_child()
                case {"exit": int(status)}:
                    self._exit(status)
                case {"signal": int(number)}:
                    self._report(exits=-number)
                    os.kill(os.getpid(), number)
                case {"await_eof": True}:
                    self._await_end(step)
                case {"await_input": True}:
                    self._await_input()
                case {"await_close": True}:
                    self._await_close()
                case {"stay": [*ignored]}:
                    self._stay(ignored)
                case _:
                    self._give_up(defect=f"unknown step with the keys {sorted(step)}")
        self._await_end({})

    def _start_child(self) -> None:
        """Start a child that holds stdout and stderr until the suite is done."""
        if os.fork():
            return
        # The suite has to see the end of this process, not that of its child.
        self._suite.close()
        os.close(0)
        while os.access(sys.argv[1], os.F_OK):
            time.sleep(CHILD_LOOKS_SECONDS)
        os._exit(0)

    def _await_end(self, step: dict[str, Any]) -> NoReturn:
        """Read to the end of input, writing meanwhile if the step says so."""
        data, every = b"", None
        if "writing" in step:
            data = _encoded(self._expand(step["writing"]), "\n")
            every = step["every_ms"]
        self._report(waits=True)
        while True:
            if not self._read(every):
                self._write(data, None)

    def _await_input(self) -> None:
        """Wait until a request has begun to come, and read no more of it."""
        while not (self._pending or self._untaken):
            self._read()
        self._report(waits=True)

    def _await_close(self) -> NoReturn:
        """Read nothing until the subject closes the other end, or the suite lets go."""
        self._report(waits=True)
        self._poll.modify(0, getattr(select, "POLLRDHUP", 0))
        self._poll.poll()
        self._exit(0)

    def _stay(self, ignored: list[Any]) -> NoReturn:
        """Ignore the end of input and these signals until the suite is done."""
        for name in ignored:
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        self._report(waits=True)
        self._poll.unregister(0)
        self._poll.poll()
        self._exit(0)

    def _take(self, pattern: object) -> Any:
        """Take the first message that no step has taken, and that fits if it has to."""
        while True:
            for index, message in enumerate(self._untaken):
                if pattern is None or self._fits(pattern, message):
                    return self._untaken.pop(index)
            self._read()

    def _read(self, within_ms: int | None = None) -> bool:
        """Take in what the subject sends; exit when it, or the suite, is done.

        Args:
            within_ms: How long to wait for it; None for as long as it takes.

        Returns:
            Whether something came in that time.
        """
        ready = {number for number, _ in self._poll.poll(within_ms)}
        if not ready:
            return False
        if self._suite.fileno() in ready:
            sys.exit(STUCK)  # nothing comes there but the end
        size, pause = self._slowly
        time.sleep(pause)
        data = os.read(0, size)
        if not data:
            self._report(fragment=b"".join(self._pieces).decode("latin-1"))
            self._exit(0)
        self._pieces.append(data)
        self._pending += len(data)
        if b"\n" not in data:
            if self._pending > LONGEST_LINE:
                self._give_up(stuck="a line does not come to an end")
            return True
        *lines, rest = b"".join(self._pieces).split(b"\n")
        self._pieces, self._pending = [rest], len(rest)
        for line in lines:
            self._report(line=line.decode("latin-1"))
        for line in filter(None, lines):
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                self._give_up(stuck="a line is not JSON")
            if not self._answers_by_itself(message):
                self._untaken.append(message)
        return True

    def _answers_by_itself(self, message: Any) -> bool:
        """Answer a request that no step speaks of; tell whether it is one."""
        if not _is_object(message) or not isinstance(message.get("id"), str):
            return False
        method, params = message.get("method"), message.get("params")
        if not isinstance(method, str) or method not in self._bears:
            return False
        result = {"value": self._bears[method]}
        if _is_object(params) and _is_object(params.get("state")):
            result["state"] = params["state"]
        answer = {"v": 1, "id": message["id"], "ok": True, "result": result}
        self._write(_encoded(answer, "\n"), answer)
        return True

    def _write(self, data: bytes, message: object, cuts: tuple[int, ...] = ()) -> None:
        self._report(writes=data.decode("latin-1"), message=message)
        for start, end in zip((0, *cuts), (*cuts, len(data)), strict=True):
            _write_all(1, data[start:end])
            if end < len(data) and not _is_read(1):
                _write_all(1, data[end:])
                return

    def _write_many(self, messages: list[Any]) -> None:
        """Write several lines in one write."""
        lines = [_encoded(message, "\n") for message in messages]
        for line, message in zip(lines, messages, strict=True):
            self._report(writes=line.decode("latin-1"), message=message)
        _write_all(1, b"".join(lines))

    def _expand(self, template: Any) -> Any:
        """Replace what stands for something else in a message."""
        match template:
            case {"$id_of": str(name)}:
                taken = self._taken[name]
                if not _is_object(taken) or "id" not in taken:
                    self._give_up(stuck="a line has no id to answer under")
                return taken["id"]
            case {"$repeat": str(text), "times": int(times)}:
                return text * times
            case {"$nest": int(depth), "value": inner}:
                value = self._expand(inner)
                for _ in range(depth):
                    value = [value]
                return value
            case {"$copies": int(count), "value": inner}:
                return [self._expand(inner) for _ in range(count)]
            case {"$numbered": int(count), "as": inner}:
                return [self._expand(_numbered(inner, n)) for n in range(count)]
            case {"$literal": value}:
                return value
            case _ if _is_object(template):
                self._refuse_matchers(template)
                return {key: self._expand(value) for key, value in template.items()}
            case [*items]:
                return [self._expand(item) for item in items]
            case _:
                return template

    def _fits(self, pattern: Any, value: Any) -> bool:
        """Tell whether a message has all that a pattern has; no matchers."""
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
            self._suite.sendall(json.dumps(what).encode() + b"\n")
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


def _encoded(message: object, ending: str, way: object = None) -> bytes:
    """Write a message as a line: compact, or in another way that JSON has."""
    if way == "spaced":
        text = f" {json.dumps(message, ensure_ascii=False, separators=SPACED)}\t"
    elif way == "escaped":
        text = _escaped(message)
    elif way == "returns":
        text = json.dumps(message, ensure_ascii=False, separators=RETURNS)
    elif way == "reversed":
        message = _reversed(message)
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    else:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return (text + ending).encode()


def _escaped(value: object) -> str:
    """Return JSON text in which each character of a string is escaped."""
    if isinstance(value, str):
        units = value.encode("utf-16-be", "surrogatepass")
        pairs = zip(units[::2], units[1::2], strict=True)
        return '"' + "".join(f"\\u{high:02x}{low:02X}" for high, low in pairs) + '"'
    if _is_array(value):
        return f"[{','.join(map(_escaped, value))}]"
    if _is_object(value):
        members = (f"{_escaped(key)}:{_escaped(one)}" for key, one in value.items())
        return f"{{{','.join(members)}}}"
    return json.dumps(value)


def _reversed(value: Any) -> Any:
    """Return a value whose objects have their keys in the other order."""
    if _is_array(value):
        return list(map(_reversed, value))
    if _is_object(value):
        return {key: _reversed(one) for key, one in reversed(value.items())}
    return value


def _numbered(template: Any, number: int) -> Any:
    """Put a number where a template has ``$number``."""
    if _is_array(template):
        return [_numbered(one, number) for one in template]
    if not _is_object(template):
        return template
    if template == {"$number": True}:
        return number
    return {key: _numbered(one, number) for key, one in template.items()}


def _cuts(data: bytes, way: object) -> tuple[int, ...]:
    """Return where a line is cut: everywhere, or inside each UTF-8 sequence."""
    if way == "every-byte":
        return tuple(range(1, len(data)))
    if way == "in-characters":
        return tuple(n for n, byte in enumerate(data) if byte in CONTINUING)
    return ()


def _is_read(number: int) -> bool:
    """Wait until all that was written is read; tell whether it was."""
    import fcntl
    import stat
    import termios

    # A pipe's writer can ask what is in it, a socket's what the reader has yet to take.
    is_pipe = stat.S_ISFIFO(os.fstat(number).st_mode)
    asked = termios.FIONREAD if is_pipe else termios.TIOCOUTQ
    limit = time.monotonic() + READ_WITHIN_SECONDS
    while any(fcntl.ioctl(number, asked, bytes(4))):
        if time.monotonic() > limit:
            return False
        time.sleep(LOOKS_SECONDS)
    return True


def _raw(piece: dict[str, Any]) -> bytes:
    text: str | None = piece.get("text")
    data = binascii.a2b_base64(piece["base64"]) if text is None else text.encode()
    times: int = piece.get("times", 1)
    return data * times


def _write_all(number: int, data: bytes) -> None:
    """Write, unless nobody reads any more: that shows in what the subject does."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(number, rest) :]
    except BrokenPipeError:
        pass


def _read_script(suite: socket.socket) -> list[dict[str, Any]]:
    data = b""
    while not data.endswith(b"\n"):
        piece = suite.recv(READ_SIZE)
        if not piece:
            sys.exit(STUCK)  # the suite has no script for a program started so often
        data += piece
    script: list[dict[str, Any]] = json.loads(data)
    return script


def main() -> NoReturn:
    """Connect to the suite and play what it sends."""
    suite = socket.socket(socket.AF_UNIX)
    suite.connect(sys.argv[1])
    ScriptedProgram(suite, _read_script(suite)).play()


if __name__ == "__main__":
    main()
