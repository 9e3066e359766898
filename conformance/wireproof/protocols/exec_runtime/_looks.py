"""Looks at the tools: what they saw, which variables they have, whether they are gone.

Each look tells what differs, or None. What a tool sees is on its way when the runtime
has answered, so that it is waited for a moment.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, Words
from wireproof.patterns import difference_of, match, place_text
from wireproof.protocols.exec_runtime._environment import judge_environment
from wireproof.protocols.exec_runtime._outcome import Differs
from wireproof.protocols.exec_runtime._seen import NO_JSON, Note, parsed
from wireproof.subjects._system import PARENT, stat_fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from wireproof.protocols.exec_runtime._seen import Seen
    from wireproof.protocols.exec_runtime._supplied_tools import SuppliedTools
    from wireproof.protocols.exec_runtime._tool import Tool

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


def notes_of(name: str, tool: Tool) -> Iterator[Note]:
    """Yield what happened to the processes of a tool, each note as a whole sentence.

    Args:
        name: What the runtime knows the tool by.
        tool: The tool.
    """
    now = time.monotonic()
    for number, seen in enumerate(tool.seen, 1):
        who = name if len(tool.seen) == 1 else f"{name}, process {number},"
        for note in seen.notes:
            yield note._replace(text=f"{who} {note.text}")
        if not seen.gone:
            yield Note(now, f"{who} still runs", by_suite=False)


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


def look_at(
    tools: SuppliedTools, tool: Tool, pattern: Any, seconds: float
) -> Differs | None:
    """Hold what a tool saw to a pattern, within so many seconds."""

    def differs() -> Differs | None:
        miss = match(pattern, seen_of(tool), {}, {})
        if miss is None:
            return None
        text = f"of what the tool saw, {place_text(miss, 'the whole')}"
        return Differs(text, (difference_of(miss),), about_time=True)

    # What was written is on its way; what must not come shows at once or never.
    tools.await_that(lambda: differs() is None, seconds)
    return differs()


def look_at_environment(
    tool: Tool,
    step: Mapping[str, Any],
    listed: Collection[str],
    parents: Collection[str],
) -> Differs | None:
    """Hold the variables of a process, the last one where none is named, to a step.

    Args:
        tool: The tool.
        step: The step, expanded.
        listed: The variables that its binding lists.
        parents: The names of the runtime's own.
    """
    processes = tool.seen
    place: int = step.get("process", -1)
    if not -len(processes) <= place < len(processes):
        if "optional" in step:
            return None
        wanted = Words("one more process of the tool")
        return Differs(
            "the tool was not started", (Difference("", wanted, len(processes)),)
        )
    return judge_environment(step, processes[place].environment, listed, parents)


def await_gone(
    tools: SuppliedTools, tool: Tool, count: int | None, within: float, allowed: float
) -> Differs | None:
    """Wait until nothing is left of a tool.

    Args:
        tools: Watches it.
        tool: The tool.
        count: How many of its processes have to be gone, from the first; None for all.
        within: The seconds that it may take.
        allowed: The seconds that are waited; less where others were waited for in vain.
    """

    def gone() -> bool:
        seen = tool.seen[:count]
        return bool(seen) and all(one.all_gone for one in seen)

    if tools.await_that(gone, allowed):
        return None
    if not tool.seen:
        return Differs("the tool was not started")
    left = [one for one in tool.seen[:count] if not one.all_gone]
    if not left:
        return None
    what = "a child of the tool" if left[0].gone else "the tool"
    wanted = Words(f"no process of it after {within:.1f} s")
    difference = Difference("processes", wanted, Words("still running"))
    return Differs(f"{what} is still there", (difference,), about_time=True)


def await_reaped(
    tools: SuppliedTools, tool: Tool, parents: Collection[int], seconds: float
) -> Differs | None:
    """Wait until these parents have no process of a tool, dead or alive (EXEC-R9)."""

    def reaped() -> bool:
        return not any(_is_child(one.pid, parents) for one in tool.seen)

    if not tool.seen:
        return Differs("the tool was not started")
    if tools.await_that(reaped, seconds):
        return None
    return Differs("the tool that was killed is not reaped", about_time=True)


def count_descriptors(pid: int) -> int:
    """Return how many descriptors a process has; 0 if Linux does not show them."""
    return len([*Path(f"/proc/{pid}/fd").glob("*")])


def _is_child(pid: int, parents: Collection[int]) -> bool:
    try:
        fields = stat_fields(Path(f"/proc/{pid}"))
    except OSError:
        return False
    return int(fields[PARENT]) in parents
