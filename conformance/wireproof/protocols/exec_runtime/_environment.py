"""The variables of the runtime, and which of them a tool may have (EXEC-R6, R7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, Words
from wireproof.protocols.exec_runtime._outcome import Differs

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

ADDED = frozenset({"PATH"})
"""What a runtime may add."""


def judge_environment(
    step: Mapping[str, Any],
    found: Mapping[str, str],
    listed: Collection[str],
    parents: Collection[str],
) -> Differs | None:
    """Hold the variables that a process was started with to a step.

    Args:
        step: The step: what the process ``has`` and what it ``lacks``.
        found: The variables.
        listed: The names that the binding lists.
        parents: The names of the runtime's own variables.
    """
    for name, value in step.get("has", {}).items():
        if found.get(name) != value:
            shown = found.get(name, Words("no such variable"))
            text = f"the variable {name} has not the runtime's value"
            return Differs(text, (Difference(name, value, shown),))
    for name in step.get("lacks", ()):
        if name in found:
            text = f"the variable {name}, which is not set, is set in the tool"
            difference = Difference(name, Words("no such variable"), found[name])
            return Differs(text, (difference,))
    others = sorted(found.keys() & set(parents) - ADDED - set(listed))
    if others:
        text = f"the tool has variables that are not listed: {', '.join(others)}"
        wanted = Words(f"{', '.join(sorted(listed)) or 'none'}, and PATH at most")
        return Differs(text, (Difference("the environment", wanted, sorted(found)),))
    return None
