"""How the steps of a vector are carried out on a registry, files included.

Each vector begins with none of its tools registered. Where the driver offers ``reset``
that is asked; otherwise the driver is started anew, but only where a name stands in
the way: most vectors have names of their own.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, Words
from wireproof.operations import (
    AsExpected,
    Differs,
    NotAnswered,
    StepsOutcome,
    carry_out_steps,
)
from wireproof.patterns import (
    difference_of,
    expand,
    is_array,
    is_object,
    match,
    place_text,
)
from wireproof.protocols.tool_contract._views import AnswerView
from wireproof.subjects import DriverFault, Op

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.subjects import Bridge


class Conductor:
    """Carries out steps on one registry.

    Attributes:
        scratch: Whether the steps in hand use the scratch folder, which is gone after
            them.
    """

    def __init__(self, bridge: Bridge) -> None:
        """Take the registry's driver."""
        self._bridge = bridge
        self._taken: set[str] = set()
        self._start = 0
        self._aborts = 0
        self.scratch = False

    def carry_out(self, steps: Sequence[Mapping[str, Any]]) -> StepsOutcome:
        """Carry out the steps of one vector, up to the first that comes out otherwise.

        Args:
            steps: As they stand in a vector file.
        """
        ours = _names_in(steps)
        if (fault := self._make_room(ours | _called_in(steps))) is not None:
            return NotAnswered(0, fault)
        self._taken |= ours
        self.scratch = _uses_scratch(steps)
        with tempfile.TemporaryDirectory(prefix="wireproof-") as folder:
            found = self._in_folder(steps, ours, Path(os.path.realpath(folder)))
        if _is_called_off(steps) and not isinstance(found, NotAnswered):
            self._leave_abort_behind()
        return found

    def _in_folder(
        self, steps: Sequence[Mapping[str, Any]], ours: set[str], folder: Path
    ) -> StepsOutcome:
        known: dict[str, Any] = {"scratch": str(folder)}
        recorded: dict[str, str] = {}
        seen_as = AnswerView(ours)
        place = 0
        for asks, group in groupby(steps, key=lambda step: "op" in step):
            run = list(group)
            found: StepsOutcome
            if asks:
                found = carry_out_steps(self._bridge, run, known=known, seen_as=seen_as)
            else:
                found = _see_to_files(folder, run, known)
            if isinstance(found, Differs | NotAnswered):
                return replace(found, step=place + found.step)
            if not isinstance(found, AsExpected):
                return found
            recorded.update(found.recorded)
            place += len(run)
        return AsExpected(recorded)

    def _leave_abort_behind(self) -> None:
        """End a registry in which an abort lasts: no other clause is to blame for it.

        The vectors about aborts have a turn of their own after one (TOOL-X9).
        """
        self._aborts += 1
        name = f"plain_after_abort_{self._aborts}"
        self._taken.add(name)
        if not isinstance(carry_out_steps(self._bridge, _plain(name)), AsExpected):
            self._bridge.discard()

    def _make_room(self, names: set[str]) -> DriverFault | None:
        """See to it that no tool of these names is registered."""
        described = self._bridge.ensure_up()
        if isinstance(described, DriverFault):
            return described
        if self._start != self._bridge.starts:
            self._start = self._bridge.starts
            self._taken.clear()
        if not self._taken:
            return None
        if "reset" in described.ops:
            answer = self._bridge.ask(Op("reset", {}))
            if isinstance(answer, DriverFault):
                return answer
            if answer.ok:
                self._taken.clear()
                return None
        if self._taken & names:
            self._bridge.discard()
            return self._make_room(names)
        return None


def _is_called_off(steps: Sequence[Mapping[str, Any]]) -> bool:
    return any(
        "abortAfterMs" in step["input"].get("context", {})
        for step in steps
        if step.get("op") == "execute_parallel"
    )


def _plain(name: str) -> list[dict[str, Any]]:
    """Return the steps of a plain turn."""
    facts = {"name": name, "description": "A tool.", "schema": {"type": "object"}}
    tool = {**facts, "steps": [{"return": {"ok": True, "value": "ran"}}]}
    call: dict[str, Any] = {"toolCallId": "c", "name": name, "args": {}}
    ran = {"results": [{"result": {"ok": True}}]}
    return [
        {"op": "register", "input": {"tools": [tool]}, "expected": {}},
        {"op": "execute_parallel", "input": {"calls": [call]}, "expected": ran},
    ]


def _uses_scratch(steps: Sequence[Mapping[str, Any]]) -> bool:
    return any("op" not in step or _names_scratch(step) for step in steps)


def _names_scratch(part: Any) -> bool:
    """Tell whether the path of the scratch folder stands in a part of a step."""
    if is_object(part):
        return part.get("$use") == "scratch" or any(map(_names_scratch, part.values()))
    return is_array(part) and any(map(_names_scratch, part))


def _names_in(steps: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the names of the tools that steps register, or reduce."""
    names: set[str] = set()
    for step in steps:
        given: Any = step.get("input", {})
        if step.get("op") == "register":
            names |= {str(expand(tool["name"], {})) for tool in given["tools"]}
        elif step.get("op") == "register_reducer":
            names.add(str(given["toolName"]))
    return names


def _called_in(steps: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the names of the tools that steps call, registered or not."""
    return {
        str(expand(call["name"], {}))
        for step in steps
        if step.get("op") == "execute_parallel"
        for call in step["input"]["calls"]
        if is_object(call) and "name" in call
    }


def _see_to_files(
    folder: Path, steps: Sequence[Mapping[str, Any]], known: dict[str, Any]
) -> AsExpected | Differs:
    for place, step in enumerate(steps):
        path = folder / step["file"]
        if "write" in step:
            path.write_text(str(expand(step["write"], known)), encoding="utf-8")
            if "mtime_ms" in step:
                at = step["mtime_ms"] * 1_000_000
                os.utime(path, ns=(at, at))
        elif "remove" in step:
            path.unlink(missing_ok=True)
        elif (differs := _looked_at(path, step, known)) is not None:
            return replace(differs, step=place)
    return AsExpected()


def _looked_at(
    path: Path, step: Mapping[str, Any], known: dict[str, Any]
) -> Differs | None:
    """Hold a file to a pattern; one that is not there matches ``$absent``."""
    content = {"text": _text_of(path)} if path.exists() else {}
    miss = match({"text": step["expected"]}, content, known, {})
    if miss is None:
        return None
    text = f"of the file {path.name}, {place_text(miss, 'the content')}"
    shown = difference_of(miss)
    if not content:
        shown = Difference("", shown.expected, Words("no such file"))
    return Differs(0, text, (replace(shown, where=f"file {path.name}"),))


def _text_of(path: Path) -> str:
    return path.read_bytes().decode(errors="replace")
