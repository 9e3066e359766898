"""A small runtime of exec tools that keeps every clause: the proof changes it.

It is written for that: each thing that a clause speaks of is a method or a name of its
own. It knows neither threads of its own, but for calls that are started together, nor
configuration files beyond what the clauses say.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from tests.proof.exec_runtime.running import Running

MOST_OUTPUT = 1 << 23
"""Bytes of output of which no more is read."""

GRACE_SECONDS = 0.4
"""How long a server may take to end once its input is closed."""

Outcome = dict[str, Any]


class Failure(Exception):
    """A call that failed."""


@dataclass
class Binding:
    """A tool that is bound to a command."""

    name: str
    command: str
    args: Sequence[str] = ()
    runtime: str = "exec"
    env: Sequence[str] = ()
    timeout_ms: int | None = None
    parameters: Mapping[str, Any] | None = None
    server: Running | None = None
    number: int = 0
    turn: threading.Lock = field(default_factory=threading.Lock)


class Runtime:
    """Starts tools, and calls them."""

    default_ms = 30_000
    running: type[Running] = Running
    most_output = MOST_OUTPUT
    grace = GRACE_SECONDS

    def __init__(self) -> None:
        self.bindings: dict[str, Binding] = {}

    # --- ops

    def bind(self, name: str, given: Mapping[str, Any], parameters: Any = None) -> None:
        """Bind a tool to a command, in place of what it was bound to before."""
        former = self.bindings.get(name)
        self.bindings[name] = Binding(name=name, parameters=parameters, **given)
        if former is not None and former.server is not None:
            self.replaced(former)

    def call(self, tool: str, args: Any) -> Outcome:
        """Call a tool."""
        binding = self.bindings[tool]
        try:
            self.check(binding, args)
            if binding.runtime == "server":
                with binding.turn:
                    return {"result": self.call_server(binding, args)}
            return {"result": self.call_once(binding, args)}
        except Failure as error:
            return {"error": str(error)}

    def call_many(self, calls: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        """Start calls together."""
        with ThreadPoolExecutor(len(calls)) as pool:
            return list(
                pool.map(lambda one: self.call(one["tool"], one["args"]), calls)
            )

    def replaced(self, former: Binding) -> None:
        """End the server of a binding that another has taken the place of."""
        self.close_input(former)
        self.end_server(former, time.monotonic() + self.grace)

    def close(self) -> None:
        """End all servers."""
        servers = [one for one in self.bindings.values() if one.server is not None]
        for binding in servers:
            self.close_input(binding)
        until = time.monotonic() + self.grace
        for binding in servers:
            self.end_server(binding, until)

    def set_default_timeout(self, timeout_ms: int) -> None:
        """Set the limit of bindings that have none."""
        self.default_ms = timeout_ms

    def setenv(self, name: str, value: str | None) -> None:
        """Change a variable of the runtime's own."""
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value

    # --- what the clauses speak of

    def check(self, binding: Binding, args: Any) -> None:
        """Fail where arguments break the schema, as far as this runtime reads one."""
        if flaw := self.flaw(args, binding.parameters or {}):
            raise Failure(f"{binding.name}: {flaw}")

    def flaw(self, value: Any, schema: Mapping[str, Any]) -> str:
        """Return what breaks a schema, or an empty text."""
        wanted = schema.get("type", ())
        types = [wanted] if isinstance(wanted, str) else wanted
        if types and not any(self.fits(value, one) for one in types):
            return f"{value!r} is not of the type {wanted}"
        if value not in schema.get("enum", (value,)):
            return f"{value!r} is none of {schema['enum']}"
        inner: list[tuple[Any, Mapping[str, Any]]] = []
        if isinstance(value, list):
            inner = [(one, schema.get("items", {})) for one in value]
        if isinstance(value, dict):
            for name in schema.get("required", ()):
                if not self.is_given(value, name):
                    return f"{name} is missing"
            known = schema.get("properties", {})
            rest = schema.get("additionalProperties", {})
            if rest is False and not value.keys() <= known.keys():
                return f"{sorted(value)} has more than is known"
            inner = [(one, known.get(key, rest)) for key, one in value.items()]
        found = (self.flaw(one, its) for one, its in inner if isinstance(its, dict))
        return next(filter(None, found), "")

    def is_given(self, args: Any, name: str) -> bool:
        """Tell whether an argument is there."""
        return name in args

    def fits(self, value: Any, wanted: str) -> bool:
        """Tell whether a value is of a type."""
        if isinstance(value, bool):
            return wanted == "boolean"
        types: dict[str, Any] = {
            "string": str,
            "integer": int,
            "number": (int, float),
            "array": list,
            "object": dict,
            "null": type(None),
        }
        return isinstance(value, types.get(wanted, ()))

    def argv(self, binding: Binding) -> list[str]:
        """Return the words that start a tool."""
        return [self.program(binding), *binding.args]

    def program(self, binding: Binding) -> str:
        """Return the path of a command, which may be a bare name on our own PATH."""
        return shutil.which(binding.command) or binding.command

    def environment(self, binding: Binding) -> dict[str, str]:
        """Return the variables of a tool."""
        return {name: os.environ[name] for name in binding.env if name in os.environ}

    def limit(self, binding: Binding) -> float:
        """Return the seconds that a call may take."""
        given = binding.timeout_ms
        return (self.default_ms if given is None else given) / 1000

    def start(self, binding: Binding) -> Running:
        """Start a tool."""
        try:
            return self.running(self.argv(binding), self.environment(binding))
        except OSError as error:
            raise Failure(f"cannot start {binding.command}: {error}") from error

    def late(self, binding: Binding) -> Failure:
        """Return the failure of a call that took too long."""
        limit = round(self.limit(binding) * 1000)
        return Failure(f"{binding.name} did not answer within {limit} ms")

    def read_result(self, found: Any) -> Any:
        """Return the result in what a one-shot tool wrote.

        Raises:
            Failure: It says that it failed, or nothing that can be read.
        """
        found = self.without_companion(found)
        if not isinstance(found, dict) or ("result" in found) == ("error" in found):
            raise Failure("the tool wrote neither a result nor an error")
        if "error" in found:
            raise self.reported(found["error"])
        return found["result"]

    def without_companion(self, found: Any) -> Any:
        """Return what a tool wrote without a null beside its partner."""
        if not isinstance(found, dict) or "error" not in found:
            return found
        absent = "error" if found["error"] is None else "result"
        nulls = {absent} if found.get(absent) is None else set[str]()
        return {key: one for key, one in found.items() if key not in nulls}

    def reported(self, error: Any) -> Failure:
        """Return the failure that a tool reports."""
        if not isinstance(error, str):
            return Failure(f"the error of the tool is no text: {error!r}")
        return Failure(error or "the tool failed without a word")

    def parse(self, data: bytes) -> Any:
        """Read JSON."""
        try:
            return json.loads(data.decode(), parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise Failure(f"the tool wrote no JSON: {error}") from error

    # --- one-shot

    def request_once(self, args: Any) -> bytes:
        """Return what a one-shot tool reads."""
        return json.dumps({"args": args}).encode()

    def call_once(self, binding: Binding, args: Any) -> Any:
        """Start a one-shot tool, and wait for its end."""
        until = time.monotonic() + self.limit(binding)
        process = self.start(binding)
        try:
            process.send(self.request_once(args), last=True)
            while not self.is_over(process):
                self.look(binding, process, until)
            self.check_status(process)
            return self.read_result(self.parse(self.output_of(process)))
        finally:
            self.clean_up(process)

    def clean_up(self, process: Running) -> None:
        """End what is left of a one-shot tool."""
        process.kill()

    def output_of(self, process: Running) -> bytes:
        """Return what a one-shot tool wrote."""
        return bytes(process.output)

    def is_over(self, process: Running) -> bool:
        """Tell whether a one-shot tool has ended."""
        return process.status is not None

    def look(self, binding: Binding, process: Running, until: float) -> None:
        """Wait a moment, and fail where that was too long or too much."""
        process.pump(until)
        if len(process.output) > self.most_output:
            raise Failure(f"{binding.name} wrote more than can be read")
        if time.monotonic() >= until and process.status is None:
            raise self.late(binding)

    def check_status(self, process: Running) -> None:
        """Fail where a tool did not succeed."""
        if process.status:
            raise Failure(f"ended with status {process.status}: {self.tail(process)}")

    def tail(self, process: Running) -> str:
        """Return the end of what a tool wrote on stderr."""
        return process.errors.decode(errors="replace")[-1000:]

    # --- server

    def request_of_server(self, number: Any, args: Any) -> dict[str, Any]:
        """Return a request."""
        return {
            "jsonrpc": "2.0",
            "id": number,
            "method": "execute",
            "params": {"args": args},
        }

    def next_id(self, binding: Binding) -> Any:
        """Return an id that no other request of a tool has."""
        binding.number += 1
        return binding.number

    def call_server(self, binding: Binding, args: Any) -> Any:
        """Have a server carry out a call, started anew where it does not run."""
        until = time.monotonic() + self.limit(binding)
        process = self.server_of(binding)
        number = self.next_id(binding)
        request = self.request_of_server(number, args)
        process.send(json.dumps(request).encode() + b"\n")
        try:
            while True:
                answer = self.next_answer(binding, process, until)
                if self.is_answer(answer, number):
                    return self.read_answer(answer)
        except (Failure, ValueError) as error:
            if not isinstance(error, Reported):
                self.drop(binding)
            raise

    def server_of(self, binding: Binding) -> Running:
        """Return the process of a server."""
        process = binding.server
        if process is not None:
            process.pump(0.0)
            if process.status is not None:
                self.drop(binding)
        if binding.server is None:
            binding.server = self.start(binding)
        return binding.server

    def drop(self, binding: Binding) -> None:
        """End a server: the next call starts another."""
        if binding.server is not None:
            binding.server.kill()
            binding.server = None

    def next_answer(self, binding: Binding, process: Running, until: float) -> Any:
        """Return what the next line of a server holds."""
        while (line := process.take_line()) is None:
            if process.status is not None or process.closed:
                raise Failure(f"{binding.name} ended: {self.tail(process)}")
            self.look(binding, process, until)
        return self.parse_line(line)

    def parse_line(self, line: bytes) -> Any:
        """Read a line of a server; one that is no JSON is skipped."""
        try:
            return self.parse(line)
        except Failure:
            return None

    def is_answer(self, answer: Any, number: Any) -> bool:
        """Tell whether a line is the answer to a request."""
        if not isinstance(answer, dict):
            return False
        return bool(answer.get("id") == number and type(answer["id"]) is type(number))

    def read_answer(self, answer: dict[str, Any]) -> Any:
        """Return the result in an answer."""
        answer = self.without_companion(answer)
        if ("result" in answer) == ("error" in answer):
            raise Failure("the tool answered neither with a result nor with an error")
        if "error" not in answer:
            return answer["result"]
        error = answer["error"]
        if not isinstance(error, dict) or not isinstance(error.get("message"), str):
            raise Failure(f"the error of the tool has no message: {error!r}")
        raise Reported(error["message"] or "the tool failed without a word")

    # --- the end

    def close_input(self, binding: Binding) -> None:
        """Tell a server that no call will come."""
        assert binding.server is not None
        binding.server.send(b"", last=True)

    def end_server(self, binding: Binding, until: float) -> None:
        """Wait for a server to end, and kill it where it does not."""
        process = binding.server
        assert process is not None
        while process.status is None and time.monotonic() < until:
            process.pump(until)
        self.drop(binding)


class Reported(Failure):
    """A call that failed by the word of its tool, which goes on."""


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")


class Driver:
    """Serves the bridge."""

    ops: Sequence[str] = (
        *("bind", "call", "call_many", "setenv", "set_default_timeout", "load"),
        "close",
    )
    told: ClassVar[Mapping[str, Any]] = {
        "default_timeout_ms": 30_000,
        "halfPairs": True,
    }

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    def serve(self) -> int:
        """Answer one line after the other."""
        for line in sys.stdin:
            request = json.loads(line)
            answer: dict[str, Any] = {"id": request["id"]}
            try:
                answer |= {"ok": True, "value": self.carry_out(request)}
            except (Failure, ValueError) as error:
                shown = {"type": type(error).__name__, "detail": str(error)}
                answer |= {"ok": False, "error": shown}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
        self.runtime.close()
        return 0

    def carry_out(self, request: dict[str, Any]) -> Any:
        """Carry out one op."""
        runtime = self.runtime
        match request:
            case {"op": "describe"}:
                said = {"name": "proof", "version": "0", "language": "Python"}
                return {**said, "ops": list(self.ops), **self.told}
            case {"op": "bind", "name": name, "exec": bound}:
                return runtime.bind(name, bound, request.get("parameters"))
            case {"op": "call", "tool": tool, "args": args}:
                return runtime.call(tool, args)
            case {"op": "call_many", "calls": calls}:
                return runtime.call_many(calls)
            case {"op": "setenv", "name": name, "value": value}:
                return runtime.setenv(name, value)
            case {"op": "set_default_timeout", "timeout_ms": ms}:
                return runtime.set_default_timeout(ms)
            case {"op": "load", "config": config}:
                return self.load(Path(config), request.get("pack"))
            case {"op": "close"}:
                return runtime.close()
            case _:
                raise ValueError(f"no such op: {request['op']}")

    def load(self, config: Path, pack: str | None) -> dict[str, Any]:
        """Bind what a file lists."""
        from tests.proof.exec_runtime.config import read_config  # noqa: PLC0415

        bound, warnings = read_config(config, Path(pack) if pack else None)
        for name, (given, parameters) in bound.items():
            self.runtime.bind(name, given, parameters)
        return {"bound": list(bound), "warnings": warnings}
