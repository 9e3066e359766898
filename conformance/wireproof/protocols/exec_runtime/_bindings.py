"""What the steps of a check bind: tools that the suite supplies, under names of theirs.

A tool has two names: the one in the steps, and the one under which the runtime knows
it, which is unlike that of any tool of another check where no file gives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import expand, is_object
from wireproof.protocols.exec_runtime._config_files import (
    LAUNCHER,
    command_of,
    with_command,
    write_config,
    write_pack,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.protocols.exec_runtime._supplied_tools import SuppliedTools
    from wireproof.protocols.exec_runtime._tool import Tool

LONGEST_SECONDS = 20.0
"""Limits up to here may be waited for; a longer one is not met."""

AMPLE_MS = 10_000
"""A limit that is long enough on any machine."""

PROGRAMS = {"plain-file": "notes.txt", "folder": "folder", "no-interpreter": "broken"}
"""Commands that are there and cannot be started, by what is wrong with them."""

MISSING = "no-such-program"
"""A command that is not there."""


def scaled_ms(ms: int, scale: int) -> int:
    """Return a limit made longer, but not beyond what no machine needs."""
    return max(ms, min(ms * scale, AMPLE_MS))


class Bindings:
    """The tools of one check.

    Attributes:
        supplied: The tools so far, by the names that they have in the steps.
        longest: The longest limit that a call may run into, in seconds.
    """

    def __init__(self, tools: SuppliedTools, *, serial: str, time_scale: int) -> None:
        """Begin with none.

        Args:
            tools: Supplies them.
            serial: Makes their names unlike those of any other check.
            time_scale: Factor for limits.
        """
        self.supplied: dict[str, Tool] = {}
        self.longest = 0.0
        self._tools = tools
        self._serial = serial
        self._scale = time_scale
        self._names: dict[str, str] = {}
        self._listed: dict[str, Sequence[str]] = {}
        self._limits: dict[str, float] = {}

    def listed(self, name: str) -> Sequence[str]:
        """Return the variables that the binding of a tool lists."""
        return self._listed[name]

    def known_as(self, name: str) -> str:
        """Return the name that the runtime has for a tool; empty where it refused."""
        return self._names.get(name, name)

    def limit_of(self, name: str) -> float:
        """Return the seconds that a tool was bound with; 0 where no limit was."""
        return self._limits.get(name, 0.0)

    def refused(self, name: str) -> None:
        """Take note that the runtime would not bind a tool."""
        self._names[name] = ""

    def to_bind(self, step: Mapping[str, Any]) -> dict[str, Any]:
        """Supply the tool of a step, and return the arguments of ``bind``."""
        given: dict[str, Any] = expand(step["input"], {})
        name, bound = given["name"], dict(given["exec"])
        if "of" in step:
            tool = self._kept(name, self.supplied[step["of"]], bound)
        else:
            tool = self._supply(name, bound, step)
        self._names[name] = f"{name}_{self._serial}"
        if "timeout_ms" in bound:
            bound["timeout_ms"] = scaled_ms(bound["timeout_ms"], self._scale)
            self._limits[name] = bound["timeout_ms"] / 1000
            longest = min(self._limits[name], LONGEST_SECONDS)
            self.longest = max(self.longest, longest)
        words = _words(tool, step.get("program", "tool"))
        return given | {"name": self._names[name], "exec": with_command(bound, words)}

    def to_load(self, step: Mapping[str, Any]) -> dict[str, str]:
        """Supply the tools of a file, and return the arguments of ``load``."""
        given: dict[str, Any] = expand(step["input"], {})
        supplied: dict[str, Tool] = {}
        for name in step.get("supplies", ()):
            bound = given["config"]["spec"]["tools"][name]["exec"]
            supplied[name] = self._supply(name, bound, step)
            self._names[name] = name
        folder = self._tools.private_folder()
        relative = step.get("relative", False)
        config = write_config(folder, given["config"], supplied, relative=relative)
        paths = {"config": str(config)}
        if "pack" in given:
            paths["pack"] = str(write_pack(folder, given["pack"]))
        return paths

    def _supply(
        self, name: str, bound: Mapping[str, Any], step: Mapping[str, Any]
    ) -> Tool:
        plays: Any = step.get("plays", ())
        tool = self._tools.add(
            f"{name}-{len(self.supplied)}",
            server=bound.get("runtime") == "server",
            plays=plays[name] if is_object(plays) else plays,
            folder=step.get("folder", ""),
            beside=PROGRAMS.get(step.get("program", ""), ""),
        )
        return self._kept(name, tool, bound)

    def _kept(self, name: str, tool: Tool, bound: Mapping[str, Any]) -> Tool:
        self.supplied[name] = tool
        self._listed[name] = bound.get("env") or ()
        return tool


def _words(tool: Tool, program: str) -> list[str]:
    """Return the words that a binding has for its command."""
    match program:
        case "direct":
            return [str(tool.program)]
        case "on-path":
            return [LAUNCHER, str(tool.program)]
        case "missing":
            return [str(tool.folder / MISSING)]
        case "missing-on-path":
            return [f"{MISSING}-on-path"]
        case _ if program in PROGRAMS:
            return [str(tool.folder / PROGRAMS[program])]
        case _:
            return command_of(tool)
