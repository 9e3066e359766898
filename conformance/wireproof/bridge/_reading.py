"""What is wrong with an op that is not answered as the bridge has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, Words
from wireproof.judge import Look, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_CLAUSE = Rule("")
"""What a fault of the driver breaks: it says nothing about the subject."""


def unanswered(seen: Mapping[str, Any], *, relays: bool = False) -> Look | None:
    """Return what is wrong if an op has no answer that fits the bridge.

    Args:
        seen: What came of the op, as `Told.seen` has it.
        relays: Whether a line that is no answer is the subject's fault: the driver
            hands on what it got.
    """
    fields = {key: seen[key] for key in ("op", "seconds", "text", "status")}
    match seen["ended"]:
        case "misfit":
            return Look("misfit", fields, rule=NO_CLAUSE)
        case "garbled":
            return Look("op-garbled", fields, rule=None if relays else NO_CLAUSE)
        case "silent":
            return Look("op-unanswered", fields, of_pace=True)
        case "exited" | "closed":
            return Look("op-ended", fields)
        case _:
            return None


def refused(seen: Mapping[str, Any]) -> Look:
    """Return what is wrong if an op was refused that has to be carried out."""
    wanted = Words("that it is carried out")
    shown = Difference("", wanted, Words(f"an error ({seen['error']})"))
    return Look("op-refused", {"op": seen["op"], "error": seen["error"]}, (shown,))
