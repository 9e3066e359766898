"""What is wrong with a vector that its schema allows.

Only what makes a vector say nothing, or something else than it seems to, is told: a
name that nobody saves, an answer to what nobody sends, a tool that is not asked for.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_array, is_object
from wireproof_vectors import VectorError, load_toolset, load_vectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wireproof_vectors import Vector

Steps = tuple[str | int, ...]

SAVING = ("$save", "save", "as")
"""Keys whose value is a name that ``$use`` may name."""


def faults_of(vectors: Sequence[Vector], file: str) -> Iterator[VectorError]:
    """Yield what is wrong with the vectors of a valid file.

    Args:
        vectors: The vectors, as they stand in the file.
        file: Its path, for the errors.
    """
    for index, vector in enumerate(vectors):
        for path, problem, remedy in (
            *_unsaved_names(vector),
            *_unsent_ids(vector),
            *_tools(vector),
        ):
            pointer = "".join(f"/{step}" for step in ("vectors", index, *path))
            yield VectorError(
                problem, remedy, file=file, vector_id=vector.id, pointer=pointer
            )


def _walk(value: Any, path: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Yield every value of a JSON value with its place, but for what is literal."""
    yield path, value
    if is_object(value):
        for key, member in value.items():
            if key != "$literal":
                yield from _walk(member, (*path, key))
    elif is_array(value):
        for index, element in enumerate(value):
            yield from _walk(element, (*path, index))


def _unsaved_names(vector: Vector) -> Iterator[tuple[Steps, str, str]]:
    """Find names that are used and that nothing in the vector saves."""
    given = _given_names(vector.id.partition("/")[0])
    for path, name in _unsaved(vector):
        if name not in given:
            yield path, f"nothing saves the name {name!r}", "save it with $save"


@cache
def _given_names(protocol: str) -> frozenset[str]:
    """Return what the suite itself gives a name: what shipped vectors use so."""
    shipped = load_vectors(protocol)
    return frozenset(name for one in shipped for _, name in _unsaved(one))


def _unsaved(vector: Vector) -> list[tuple[Steps, str]]:
    """Return the names that are used and saved nowhere, with their places."""
    saved: set[str] = set()
    used: list[tuple[Steps, str]] = []
    for path, value in _walk(dict(vector.data)):
        if isinstance(value, str) and path[-1] in SAVING:
            saved.add(value)
        elif isinstance(value, str) and path[-1] == "$use":
            used.append((path, value))
    return [(path, name) for path, name in used if name not in saved]


def _steps(vector: Vector) -> list[dict[str, Any]]:
    found: Any = vector.data.get("steps", [])
    return [*found]


def _sent(vector: Vector) -> list[dict[str, Any]]:
    """Return the messages that a vector sends line by line."""
    found: list[Any] = []
    for step in _steps(vector):
        found += [step["send"]] if "send" in step else step.get("send_many", [])
    return [one.get("with", one) for one in found if is_object(one)]


def _unsent_ids(vector: Vector) -> Iterator[tuple[Steps, str, str]]:
    """Find answers that are expected to what is not sent."""
    if vector.kind != "exchange":
        return
    sent = {message["id"] for message in _sent(vector) if _is_id(message)}
    raw = [step["send_raw"] for step in _steps(vector) if "send_raw" in step]
    for index, step in enumerate(_steps(vector)):
        pattern = step.get("expect")
        if not is_object(pattern) or not _is_id(pattern) or raw:
            continue
        if pattern["id"] not in sent:
            problem = f"no request has the id {pattern['id']!r}"
            yield ("steps", index, "expect", "id"), problem, "send it, or name another"


def _is_id(message: dict[str, Any]) -> bool:
    return isinstance(message.get("id"), str)


@cache
def _toolset(protocol: str) -> frozenset[str]:
    """Return the tools of the toolset that subjects of a protocol may list."""
    shipped: list[Any] = [one.data.get("needs", {}) for one in load_vectors(protocol)]
    needed = {name for needs in shipped for name in needs.get("tools", ())}
    named = {tool.name for tool in load_toolset() if protocol in tool.protocols}
    return frozenset(needed | named)


def _tools(vector: Vector) -> Iterator[tuple[Steps, str, str]]:
    """Find tools of the toolset that are called and not needed, and unknown ones."""
    protocol = vector.id.partition("/")[0]
    offered = _toolset(protocol)
    needs: Any = vector.data.get("needs", {})
    needed: list[str] = needs.get("tools", [])
    for index, name in enumerate(needed):
        if name not in offered:
            remedy = f"the toolset of {protocol} has {', '.join(sorted(offered))}"
            yield ("needs", "tools", index), f"there is no tool {name!r}", remedy
    for message in _sent(vector):
        params = message.get("params")
        if message.get("method") != "execute_tool" or not is_object(params):
            continue
        called: Any = params.get("tool_name")
        if isinstance(called, str) and called in offered and called not in needed:
            problem = f"it calls {called!r} and does not need it"
            yield ("needs",), problem, f'add "needs": {{"tools": ["{called}"]}}'
