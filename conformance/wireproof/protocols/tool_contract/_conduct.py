"""How the steps of a check are carried out on a registry, files included.

Each check begins with none of its tools registered. A driver that offers ``reset`` is
asked that; any other is started anew, but only if a name stands in the way: most checks
have names of their own.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.bridge import OperationOps, look_at_operation
from wireproof.checks import Difference, Words
from wireproof.judge import Look
from wireproof.patterns import difference_of, expand, is_array, is_object, match
from wireproof.protocols.tool_contract._views import AnswerView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Settings, Target
    from wireproof.run import Hands

    Step = Mapping[str, Any]

SCRATCH = "scratch"
"""The name of the path of the folder that a check has for files."""


class RegistryOps(OperationOps):
    """The ops of one registry's driver, and the files of its checks."""

    def __init__(
        self, target: Target, settings: Settings, environment: Mapping[str, str]
    ) -> None:
        """Prepare; nothing is started."""
        super().__init__(target, settings, environment)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._taken: set[str] = set()
        self._taken_by: Any = None
        self._is_reset = False
        self._view = AnswerView(())

    def begin(self, steps: Sequence[Step]) -> None:
        """Begin a check: end a registry in which one of its names is taken."""
        super().begin(steps)
        self.end()
        if self._taken_by is not self.process:
            self._taken_by = self.process
            self._taken.clear()
        ours = _names_in(steps)
        self._view = AnswerView(ours)
        can_reset = self.described is not None and "reset" in self.described.ops
        self._is_reset = not can_reset or not self._taken
        is_taken = bool(self._taken & (ours | _called_in(steps)))
        if is_taken and not can_reset and self.process is not None:
            self.process.close_input()
        self._folder = tempfile.TemporaryDirectory(prefix="wireproof-")
        self.names[SCRATCH] = os.path.realpath(self._folder.name)

    def end(self) -> None:
        """End a check, or the driver: its files are gone."""
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()

    def carry_out(self, step: Step, hands: Hands) -> Any:
        """Carry out a step: an op, or what is done with a file."""
        if "op" not in step:
            return self._see_to_file(step, hands.names)
        if not self._is_reset:
            self._is_reset = True
            told = self.told("reset", hands.carry(self.request("reset", {}), 0.0))
            if told.answer is not None and told.answer.ok:
                self._taken.clear()
        return super().carry_out(step, hands)

    def asked(
        self,
        step: Step,
        given: Mapping[str, Any],
        hands: Hands,
        seconds: float = 0.0,
    ) -> Any:
        """Ask an op; return what came of it, as it is looked at."""
        if step["op"] == "register":
            self._taken |= {str(tool.get("name")) for tool in given["tools"]}
        elif step["op"] == "register_reducer":
            self._taken.add(str(given["toolName"]))
        # Tools take their time.
        seconds += hands.seconds(0.0)
        seen = super().asked(step, given, hands, seconds)
        self._view.note(step["op"], given)
        if "value" in seen:
            seen["value"] = self._view.of(step["op"], given, seen["value"])
        return seen

    def is_shown(self, steps: Sequence[Step], *, has_seen: bool) -> bool:
        """Return whether a pipe shows ops again: no file is needed then."""
        return not self.is_in_process and not any(map(_uses_scratch, steps))

    def _see_to_file(
        self, step: Step, names: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        path = Path(str(names[SCRATCH]), step["file"])
        if "write" in step:
            path.write_text(str(expand(step["write"], names)), encoding="utf-8")
            if "mtime_ms" in step:
                at = step["mtime_ms"] * 1_000_000
                os.utime(path, ns=(at, at))
            return None
        if "remove" in step:
            path.unlink(missing_ok=True)
            return None
        with suppress(FileNotFoundError):
            return {"text": path.read_bytes().decode(errors="replace")}
        return {}


def look(
    step: Step, seen: Mapping[str, Any], names: Mapping[str, Any]
) -> Look | dict[str, Any]:
    """Return what is wrong with what a step saw, as `Rules.look` has it."""
    if "op" in step:
        return look_at_operation(step, seen, names)
    # A file that is not there matches ``$absent``.
    miss = match({"text": step["expected"]}, seen, names, {})
    if miss is None:
        return {}
    shown = difference_of(miss)
    if not seen:
        shown = Difference("", shown.expected, Words("no such file"))
    name = step["file"]
    shown = replace(shown, where=f"file {name}")
    return Look("file-content", {"file": name, "miss": miss, "where": name}, (shown,))


def _uses_scratch(part: Any) -> bool:
    """Return whether a step is about a file, or holds the path of the folder."""
    if is_array(part):
        return any(map(_uses_scratch, part))
    if not is_object(part):
        return False
    is_named = part.get("$use") == SCRATCH or "file" in part
    return is_named or any(map(_uses_scratch, part.values()))


def _names_in(steps: Sequence[Step]) -> set[str]:
    """Return the names of the tools that steps register, or reduce."""
    names: set[str] = set()
    for step in steps:
        given: Any = step.get("input", {})
        if step.get("op") == "register":
            names |= {str(expand(tool["name"], {})) for tool in given["tools"]}
        elif step.get("op") == "register_reducer":
            names.add(str(given["toolName"]))
    return names


def _called_in(steps: Sequence[Step]) -> set[str]:
    """Return the names of the tools that steps call, registered or not."""
    return {
        str(expand(call["name"], {}))
        for step in steps
        if step.get("op") == "execute_parallel"
        for call in step["input"]["calls"]
        if is_object(call) and "name" in call
    }
