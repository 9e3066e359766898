"""Which clause of host-v1 an observed fault breaks."""

from __future__ import annotations

from typing import Any

from wireproof.judge import Rule
from wireproof.patterns import is_object

FAULTS: dict[str, Rule | tuple[Rule, ...]] = {
    # A subject that does not come up, or does not stay up.
    "not-started": Rule("HV1-R1"),
    "exited-at-start": Rule("HV1-R1"),
    "silent-at-start": Rule("HV1-R1"),
    "control-refused": Rule("HV1-R3"),
    "alike": Rule("HV1-R3"),
    "ended-by-itself": Rule("HV1-T9", "should"),
    "ended-unanswered": Rule("HV1-M3"),
    "held-back": Rule("HV1-T5"),
    "old-state-refused": Rule("HV1-R13", "should"),
    # Lines.
    "not-json": (Rule("HV1-T1"), Rule("HV1-T2")),
    "not-a-response": (Rule("HV1-T1"), Rule("HV1-T2")),
    "text-without-line-feed": (Rule("HV1-T1"), Rule("HV1-T2"), Rule("HV1-T3")),
    "broken-json": Rule("HV1-T1"),
    "oversize": Rule("HV1-T1"),
    "before-any-request": Rule("HV1-T2"),
    "blank-line": Rule("HV1-T3"),
    "not-utf8": Rule("HV1-T3"),
    "unterminated": Rule("HV1-T3"),
    "leaked-print": Rule("HV1-T11", "should"),
    # Messages.
    "version": Rule("HV1-M1"),
    "ok-shape": Rule("HV1-M4"),
    "success-shape": Rule("HV1-M4"),
    "success-with-error": Rule("HV1-M4"),
    "failure-shape": Rule("HV1-M5"),
    "failure-with-result": Rule("HV1-M5"),
    "no-state": Rule("HV1-M6", "should"),
    "event-beside": Rule("HV1-E1"),
    "event-shape": Rule("HV1-E1"),
    "part-without-payload": Rule("HV1-E4"),
    # Which request a message belongs to.
    "wrong-id": Rule("HV1-M2"),
    "answers-nothing": Rule("HV1-M2"),
    "answered-twice": Rule("HV1-M3"),
    "event-of-nothing": Rule("HV1-E1"),
    "event-after-the-response": Rule("HV1-E2"),
    "bad-line-not-refused": Rule("HV1-T8", "should"),
    "refused-with-other-id": Rule("HV1-T8", "should"),
}

MONITORED = {
    "HV1-T1": "frames",
    "HV1-T2": "frames",
    "HV1-T3": "frames",
    "HV1-M1": "frames",
    "HV1-M2": "frames",
    "HV1-M3": "frames",
    "HV1-M4": "successes",
    "HV1-M5": "failures",
    "HV1-M6": "stateful",
    "HV1-E1": "events",
    "HV1-E2": "events",
    "HV1-E4": "parts",
}
"""Clauses that are checked on every frame, each with its kind of frames."""


def mismatch(pattern: Any, frame: Any) -> str:
    """Return what an event with a wrong payload breaks; "" for any other frame.

    It serves the rows payload-changed-beside-a-call, swaps-events-beside-a-call and
    last-call-gets-all. Payloads of the checks of several calls name their call and
    their place, ``call`` and ``n``.
    """
    wanted, came = _payload(pattern), _payload(frame)
    if not is_object(wanted) or "call" not in wanted or came is None:
        return ""
    if not is_object(came):
        return "HV1-E4"
    if came.get("call") != wanted["call"]:
        return "HV1-E6"
    is_in_place = came.get("n") == wanted.get("n")
    return "HV1-E4" if is_in_place or came.keys() != wanted.keys() else "HV1-E3"


def _payload(message: Any) -> Any:
    event = message.get("event") if is_object(message) else None
    found = event.get("payload") if is_object(event) else None
    return found.get("$equals", found) if is_object(found) else found


OF_KEYS, OF_STATE = "HV1-M15", "HV1-M16"
"""Clauses that leave a choice which shows over all frames."""
