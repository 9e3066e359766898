"""The program that serves a ``module:attr`` subject through the bridge.

Theory of operation. A subject in Python is imported in a process of its own: one that
hangs, overflows the stack or ends the process takes nothing else with it. This file
is run as a script and needs nothing but the standard library, so that the subject
finds the modules that it would find without it; for the same reason it is one file,
long as it is. Standard output belongs to the bridge: what the subject prints goes to
standard error, and its input is empty.

What it is to load, and where, comes as JSON in the variable ``WIREPROOF_IN_PROCESS``:
``{"subject": "module:attr", "path": [sys.path], "ops": [name], "inside": file}``;
``inside`` is a file whose ``OPS`` are further ops, which need the object itself.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
import json
import os
import platform
import sys
import time
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
    from typing import IO

IN_PROCESS_PROGRAM = __file__
"""The file of this program."""

IN_PROCESS_VARIABLE = "WIREPROOF_IN_PROCESS"
"""Name of the variable that says what is served."""

SHOWN_DETAIL = 2_000
"""Most characters of an error's text that are handed on."""

Json: TypeAlias = dict[str, Any]


class Unusable(Exception):
    """The subject cannot be loaded, or has none of the ops."""


def _is_object(value: Any) -> TypeGuard[Json]:
    return isinstance(value, dict)


def _is_array(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _are_several(value: Any) -> TypeGuard[Iterable[Any]]:
    return isinstance(value, list | tuple | set | frozenset)


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


class Served:
    """A subject and the ops that it has.

    Attributes:
        subject: The object whose methods are the ops.
        module: The module that it was found in.
        expression: How it is reached, in Python, once the module is imported.
        ops: The names of its ops.
    """

    def __init__(self, name: str, ops: Sequence[str]) -> None:
        """Import and find the subject.

        Args:
            name: ``module:attr``; the attribute may be dotted.
            ops: The ops that a subject may have.

        Raises:
            Unusable: Saying what is missing.
        """
        module_name, _, attribute = name.partition(":")
        try:
            self.module = importlib.import_module(module_name)
        except BaseException as error:
            text = f"cannot import {module_name}: {_told(error)}{_remedy(error)}"
            raise Unusable(text) from error
        found: Any = self.module
        for part in attribute.split("."):
            if not hasattr(found, part):
                place = getattr(self.module, "__file__", None) or "no file"
                text = f"{module_name} ({place}) has no {attribute}"
                raise Unusable(text)
            found = getattr(found, part)
        import asyncio  # the suite reads this file too, and has no use for it

        self.expression = name.replace(":", ".")
        self._loop = asyncio.new_event_loop()
        self._has_awaited = False
        if isinstance(found, type) or (callable(found) and not _ops_of(found, ops)):
            try:
                found = self._awaited(found())
            except BaseException as error:
                text = f"{name} was called and raised {_told(error)}"
                raise Unusable(text) from error
            self.expression += "()"
        self.subject = found
        self.ops = _ops_of(found, ops)
        if not self.ops:
            kind = type(found).__name__
            text = f"{name} is a {kind} with none of the methods {', '.join(ops)}"
            raise Unusable(text)

    def describe(self) -> Json:
        """Return what the bridge's ``describe`` has to say."""
        own: Any = {}
        if callable(getattr(self.subject, "describe", None)):
            own = self.call("describe", {})
        if not _is_object(own):
            own = {}
        listed: Any = own.get("ops", self.ops)
        described: Json = {
            **{key: told for key, told in own.items() if _is_json(told)},
            "name": str(own.get("name", self.expression)),
            "version": str(own.get("version", "")),
            "language": f"Python {platform.python_version()}",
            "ops": [op for op in self.ops if op in listed],
            "formats": self._names(own, "formats") or [],
            "halfPairs": True,
            "expression": "" if self._is_async() else self.expression,
            "signatures": {
                op: signature_as_json(getattr(self.subject, op)) for op in self.ops
            },
        }
        for key in ("targets", "lacks", "steps"):
            if (names := self._names(own, key)) is not None:
                described[key] = names
        for key in ("halfPairs", "lengthUnit"):
            told: Any = own.get(key, getattr(self.subject, key, None))
            if isinstance(told, bool | str):
                described[key] = told
        return described

    def call(self, op: str, arguments: Mapping[str, Any]) -> Any:
        """Call a method with an op's arguments and wait for what it gives."""
        method: Callable[..., Any] = getattr(self.subject, op)
        return self._awaited(called(method, arguments))

    def call_on(self, found: Any, op: str, arguments: Mapping[str, Any]) -> Any:
        """Call a method of another object and return what it gives as JSON."""
        method: Callable[..., Any] = getattr(found, op)
        return plain(self._awaited(called(method, arguments)))

    def close(self) -> None:
        """End the event loop."""
        self._loop.close()

    def _names(self, own: Json, key: str) -> list[str] | Json | None:
        """Return names that the subject describes, or has as an attribute.

        An attribute of another shape is the subject's own affair.
        """
        found: Any = own.get(key, getattr(self.subject, key, None))
        if key == "targets" and _is_object(found):
            return {op: list(names) for op, names in found.items()}
        return [str(one) for one in found] if _are_several(found) else None

    def _is_async(self) -> bool:
        methods = [getattr(self.subject, op) for op in self.ops]
        return self._has_awaited or any(map(inspect.iscoroutinefunction, methods))

    def _awaited(self, value: Any) -> Any:
        if inspect.isawaitable(value):
            self._has_awaited = True
            return self._loop.run_until_complete(_wait(value))
        return value


async def _wait(value: Awaitable[Any]) -> Any:
    return await value


def called(method: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Call a method with an op's arguments, by name where its signature has them."""
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):
        return method(**arguments)
    count = placed(signature, arguments, (0, 1))
    names = list(arguments)
    by_name = {name: arguments[name] for name in names[count:]}
    return method(*(arguments[name] for name in names[:count]), **by_name)


def placed(
    signature: inspect.Signature, arguments: Mapping[str, Any], tried: Sequence[int]
) -> int:
    """Return how many of an op's arguments a method takes by their place.

    Args:
        signature: The method's.
        arguments: The op's arguments, the object in question first.
        tried: The numbers to try before all, in order of preference.
    """
    for count in tried:
        values, names = list(arguments.values()), list(arguments)
        try:
            signature.bind(*values[:count], **dict.fromkeys(names[count:]))
        except TypeError:
            continue
        return count
    return len(arguments)


KINDS: tuple[Any, ...] = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY,
    inspect.Parameter.VAR_KEYWORD,
)


def signature_as_json(method: Callable[..., Any]) -> list[list[Any]] | None:
    """Return name, kind and whether there is a default, for each parameter."""
    try:
        parameters = inspect.signature(method).parameters.values()
    except (TypeError, ValueError):
        return None
    return [
        [one.name, KINDS.index(one.kind), one.default is not one.empty]
        for one in parameters
    ]


def signature_of(told: Sequence[Sequence[Any]]) -> inspect.Signature:
    """Return the signature that ``signature_as_json`` has told."""
    empty = inspect.Parameter.empty
    return inspect.Signature(
        [
            inspect.Parameter(
                name,
                KINDS[kind],
                default=None if has_default else empty,
            )
            for name, kind, has_default in told
        ]
    )


def plain(value: Any) -> Any:
    """Return what a method gave as the JSON shapes that the ops have."""
    if value is None or isinstance(value, str | int | float):
        return value
    if _is_object(value) or _is_array(value):
        return value
    if _is_record(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: getattr(value, name) for name in names}
    for name in ("model_dump", "_asdict"):
        if callable(dump := getattr(value, name, None)):
            return dump()
    if callable(value) or isinstance(value, bytes | bytearray):
        return value  # what can be read out of them is not what was meant
    if hasattr(value, "keys") and hasattr(value, "__getitem__"):
        return {key: value[key] for key in value.keys()}  # noqa: SIM118
    if hasattr(value, "__iter__"):
        return list(value)
    members: Json | None = getattr(value, "__dict__", None)
    if members is None:
        return value
    return {name: one for name, one in members.items() if not name.startswith("_")}


def _ops_of(found: Any, ops: Sequence[str]) -> list[str]:
    return [op for op in ops if callable(getattr(found, op, None))]


def _refusal(error: BaseException) -> dict[str, str]:
    """Return an error as the bridge tells it, whatever its own text comes to."""
    try:
        detail = str(error)[:SHOWN_DETAIL]
    except Exception as other:  # noqa: BLE001 - it is the subject's
        detail = f"its text cannot be had: {type(other).__name__}"
    return {"type": type(error).__name__, "detail": detail}


def _told(error: BaseException) -> str:
    return ": ".join(_refusal(error).values())


def _remedy(error: BaseException) -> str:
    if not isinstance(error, ModuleNotFoundError):
        return ""
    return (
        f"; modules are looked for in {sys.path[0]}, then where this Python has them: "
        "start the run elsewhere, set pytest's pythonpath, or install what is missing"
    )


def _containers(value: Any) -> set[int]:
    """Return the identities of all objects and arrays in a value."""
    found: set[int] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += one
        elif id(one) not in found and (_is_object(one) or _is_array(one)):
            found.add(id(one))
            waiting += one.values() if _is_object(one) else one
    return found


def carry_out(served: Served, inside: Mapping[str, Any], request: Json) -> Json:
    """Carry out one op and return its answer, the id aside."""
    op = request.pop("op")
    echo = request.pop("echo", False)
    timed = request.pop("timed", False)
    began = time.process_time()
    try:
        if op == "describe":
            return {"ok": True, "value": served.describe()}
        if op in inside:
            return {"ok": True, "value": inside[op](served, **request)}
        if op not in served.ops:
            text = f"{served.expression} has no method {op}"
            return {"ok": False, "error": {"type": "UnknownOp", "detail": text}}
        value = plain(served.call(op, request))
    except BaseException as error:  # noqa: BLE001 - it is what is asked for
        answer: Json = {"ok": False, "error": _refusal(error)}
    else:
        answer = {"ok": True, "value": value}
    if timed:
        answer["seconds"] = time.process_time() - began
    if echo:
        answer["args"] = request
        if answer["ok"]:
            common = _containers(answer["value"]) & _containers(request)
            answer["shared"] = bool(common)
    return answer


def written(answer: Json) -> str:
    """Return an answer as a line; a value that is no JSON is the subject's error."""
    try:
        return json.dumps(answer, allow_nan=False, default=_refused)
    except Exception as error:  # noqa: BLE001 - values have code of their own, too
        refusal = _refusal(error)
        refusal["detail"] = f"what it gave is no JSON value: {refusal['detail']}"
        return json.dumps({"id": answer["id"], "ok": False, "error": refusal})


def _refused(value: Any) -> Any:
    """Turn what stands deeper in a value into JSON, where it has a shape for that."""
    found = plain(value)
    if found is value:
        text = f"a {type(value).__name__} stands in it"
        raise TypeError(text)
    return found


def _load(path: str) -> Any:
    """Load a file of the suite's under a name that no module of the subject has.

    The ``__init__`` of a package finds the modules beside it.
    """
    name = "_wireproof_inside"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:  # it is a Python file
        raise Unusable(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def serve(requests: IO[str], answers: IO[str]) -> None:
    """Answer each line, in order, until there is no more."""
    told: Json = json.loads(os.environ.pop(IN_PROCESS_VARIABLE))
    # The folder of the user and what pytest added; then the user's PYTHONPATH.
    sys.path[:] = list(dict.fromkeys([*told["path"], *sys.path]))
    problem = ""
    served: Served | None = None
    inside: Mapping[str, Any] = {}
    try:
        served = Served(told["subject"], told["ops"])
        if told["inside"]:
            inside = _load(told["inside"]).OPS
    except Unusable as error:
        problem = str(error)
    for line in requests:
        request: Json = json.loads(line)
        number = request.pop("id")
        if served is None:
            refusal = {"type": "Unusable", "detail": problem}
            answer: Json = {"ok": False, "error": refusal}
        else:
            answer = carry_out(served, inside, request)
        answers.write(f"{written({'id': number, **answer})}\n")
        answers.flush()
    if served is not None:
        served.close()


def main() -> None:
    """Keep the pipes for the bridge alone, and serve."""
    requests = os.fdopen(os.dup(0), encoding="utf-8", errors="surrogatepass")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    serve(requests, answers)


if __name__ == "__main__":
    main()
