"""What is seen of the tools: their input, their variables, whether they are gone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.patterns import match
from wireproof.protocols.exec_runtime._seen import NO_JSON, Note, parsed
from wireproof.subjects._system import PARENT, stat_fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from wireproof.protocols.exec_runtime._seen import Seen
    from wireproof.protocols.exec_runtime._supplied_tools import SuppliedTools
    from wireproof.protocols.exec_runtime._tool import Tool

ADDED = frozenset({"PATH"})
"""Variables that a runtime may add."""

SHOWN_INPUT = 2_000
"""Bytes of an input that is no JSON that are shown."""


def seen_of(tool: Tool) -> dict[str, Any]:
    """Return what was seen of a tool as a JSON value.

    Returns:
        ``processes``, each with its ``args``, the values of its ``input``, whether it
        ``ended``, the ``descriptors`` that it was started with; ``requests``, the
        values of all inputs, in order; ``starts``; and ``together``, how many were
        there at one time.
    """
    processes = [_process(tool, one) for one in tool.seen]
    requests = [value for one in processes for value in one["input"]]
    return {
        "starts": len(processes),
        "together": tool.together,
        "processes": processes,
        "requests": requests,
    }


def take_notes(name: str, tool: Tool) -> Iterator[Note]:
    """Take what happened to the processes of a tool, each note as a whole sentence.

    Args:
        name: What the runtime knows the tool by.
        tool: The tool; its notes are gone then.
    """
    for number, seen in enumerate(tool.seen, 1):
        who = name if len(tool.seen) == 1 else f"{name}, process {number},"
        notes, seen.notes = seen.notes, []
        for note in notes:
            yield note._replace(text=f"{who} {note.text}")


def _process(tool: Tool, seen: Seen) -> dict[str, Any]:
    data = bytes(seen.input)
    texts = data.split(b"\n") if tool.server else [data]
    if tool.server and texts[-1] == b"":
        texts.pop()
    return {
        "args": seen.arguments,
        "input": [_shown(text) for text in texts if text.strip()],
        "ended": seen.ended,
        "descriptors": seen.descriptors,
    }


def _shown(text: bytes) -> Any:
    value = parsed(text)
    if value is NO_JSON:
        shown = text[:SHOWN_INPUT].decode(errors="backslashreplace")
        return {"not_json": shown}
    return value


def await_seen(
    tools: SuppliedTools, tool: Tool, pattern: Any, seconds: float
) -> dict[str, Any]:
    """Return what a tool saw, as soon as it is as a pattern wants it, or then.

    Args:
        tools: Watches it.
        tool: The tool.
        pattern: What it should see.
        seconds: How long is waited: what was written is on its way.
    """
    tools.await_that(lambda: match(pattern, seen_of(tool), {}, {}) is None, seconds)
    return {"tool": seen_of(tool)}


def variables_of(
    tool: Tool,
    step: Mapping[str, Any],
    listed: Sequence[str],
    parents: Collection[str],
) -> dict[str, Any]:
    """Return the variables of a process, the last one if none is named.

    Args:
        tool: The tool.
        step: The step, whose variables are returned with their values.
        listed: The variables that its binding lists.
        parents: The names of the runtime's own.

    Returns:
        Whether it was ``started``, how many ``processes`` there are, the ``values`` of
        the variables that the step names, the names of ``all``, those that are
        ``listed``, and the ``others`` of the runtime's own that are not.
    """
    processes = tool.seen
    place: int = step.get("process", -1)
    seen: dict[str, Any] = {"started": False, "processes": len(processes)}
    if not -len(processes) <= place < len(processes):
        return seen
    found = processes[place].environment
    named = [*step.get("has", ()), *step.get("lacks", ())]
    others = found.keys() & set(parents) - ADDED - set(listed)
    return seen | {
        "started": True,
        "values": {name: found[name] for name in named if name in found},
        "all": sorted(found),
        "listed": sorted(listed),
        "others": sorted(others),
    }


def await_gone(
    tools: SuppliedTools, tool: Tool, count: int | None, seconds: float
) -> dict[str, Any]:
    """Wait until nothing is left of a tool.

    Args:
        tools: Watches it.
        tool: The tool.
        count: How many of its processes have to be gone, from the first; None for all.
        seconds: How long is waited.

    Returns:
        Whether it was ``started``, and what is ``left``: "" if nothing is.
    """

    def left() -> list[Seen]:
        return [one for one in tool.seen[:count] if not one.all_gone]

    tools.await_that(lambda: bool(tool.seen) and not left(), seconds)
    rest = left()
    what = ""
    if rest:
        what = "a child of the tool" if rest[0].gone else "the tool"
    return {"started": bool(tool.seen), "left": what}


def await_reaped(
    tools: SuppliedTools, tool: Tool, parents: Collection[int], seconds: float
) -> dict[str, Any]:
    """Wait until these parents have no process of a tool, dead or alive (EXEC-R9).

    Returns:
        Whether it was ``started``, and whether one ``is_left``.
    """

    def is_left() -> bool:
        return any(_is_child(one.pid, parents) for one in tool.seen)

    tools.await_that(lambda: bool(tool.seen) and not is_left(), seconds)
    return {"started": bool(tool.seen), "is_left": is_left()}


def count_descriptors(pid: int) -> int:
    """Return how many descriptors a process has; 0 if Linux does not show them."""
    return len([*Path(f"/proc/{pid}/fd").glob("*")])


def _is_child(pid: int, parents: Collection[int]) -> bool:
    try:
        fields = stat_fields(Path(f"/proc/{pid}"))
    except OSError:
        return False
    return int(fields[PARENT]) in parents
