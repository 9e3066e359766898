"""What is wrong with an op that is not answered as the bridge has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.bridge._faults import NO_CLAUSE
from wireproof.checks import Difference, Words
from wireproof.judge import Look

if TYPE_CHECKING:
    from collections.abc import Mapping


def unanswered(
    seen: Mapping[str, Any],
    *,
    relays: bool = False,
    is_charged: bool = True,
    again: bool | None = None,
) -> Look | None:
    """Return what is wrong if an op has no answer that fits the bridge.

    Args:
        seen: What came of the op, as `Told.seen` has it.
        relays: Whether a line that is no answer is the subject's fault: the driver
            hands on what it got.
        is_charged: Whether the subject is at fault if the driver ends or hangs.
        again: Whether a fresh subject is to be asked again; None if it is to be after a
            wait in vain.
    """
    rule = None if is_charged else NO_CLAUSE
    fields = {key: seen[key] for key in ("op", "seconds", "text", "status")}
    match seen["ended"]:
        case "misfit":
            return Look("misfit", fields, rule=NO_CLAUSE)
        case "garbled":
            fields["of_driver"] = not relays
            return Look("op-garbled", fields, rule=None if relays else NO_CLAUSE)
        case "silent":
            fields["of_driver"] = not is_charged
            of_pace = again is not False or seen["brief"]
            return Look("op-unanswered", fields, rule=rule, of_pace=of_pace)
        case "exited" | "closed":
            fields["of_driver"] = not is_charged
            return Look("op-ended", fields, rule=rule, of_pace=bool(again))
        case _:
            return None


def refused(seen: Mapping[str, Any]) -> Look:
    """Return what is wrong if an op was refused that has to be carried out."""
    wanted = Words("that it is carried out")
    shown = Difference("", wanted, Words(f"an error ({seen['error']})"))
    return Look("op-refused", {"op": seen["op"], "error": seen["error"]}, (shown,))
