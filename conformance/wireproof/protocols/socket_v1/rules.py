"""Which clause of socket-v1 an observed fault breaks."""

from __future__ import annotations

from wireproof.judge import Rule

FAULTS: dict[str, Rule | tuple[Rule, ...]] = {
    # A server that does not come up.
    "not-started": Rule("SOCK-L1"),
    "not-listening": Rule("SOCK-L1"),
    "exited-at-start": Rule("SOCK-L1"),
    "closed-at-start": Rule("SOCK-L1"),
    "silent-at-start": Rule("SOCK-L1"),
    "control-refused": Rule("SOCK-L1"),
    "alike": Rule("SOCK-M1"),
    "held-back": Rule("SOCK-C1"),
    "ended-unanswered": Rule("SOCK-C1"),
    "serves-one-connection": Rule("SOCK-C12"),
    # Lines.
    "not-json": Rule("SOCK-F1"),
    "not-a-response": Rule("SOCK-F1"),
    "broken-json": Rule("SOCK-F1"),
    "oversize": Rule("SOCK-F1"),
    "blank-line": Rule("SOCK-F1"),
    "not-utf8": Rule("SOCK-F1"),
    "unterminated": Rule("SOCK-F1"),
    "text-without-line-feed": Rule("SOCK-F1"),
    # Frames.
    "protocol": Rule("SOCK-M4", "should"),
    "frame-type": Rule("SOCK-M1"),
    "frame-id": Rule("SOCK-M1"),
    "error-member": Rule("SOCK-M1"),
    "list-member": Rule("SOCK-M1"),
    "no-result": Rule("SOCK-M1"),
    "failure-as-error": Rule("SOCK-M8"),
    "descriptor": Rule("SOCK-L1"),
    "result-shape": Rule("SOCK-C14"),
    "null-member": Rule("SOCK-C14", "should"),
    "failed-result": Rule("SOCK-C3"),
    "returned-failure": Rule("SOCK-C3", "should"),
    "success-with-error": Rule("SOCK-C3", "should"),
    "null-error": Rule("SOCK-C3", "should"),
    "event-kind": Rule("SOCK-E1"),
    "event-fields": Rule("SOCK-E1", "should"),
    # Which request a frame belongs to.
    "wrong-id": Rule("SOCK-C1"),
    "answers-nothing": Rule("SOCK-C1"),
    "answered-twice": Rule("SOCK-C1"),
    "refused-with-other-id": Rule("SOCK-C1"),
    "event-of-nothing": Rule("SOCK-C1"),
    "event-after-the-response": Rule("SOCK-C2"),
}

MONITORED = {
    "SOCK-F1": "frames",
    "SOCK-M1": "frames",
    "SOCK-M4": "frames",
    "SOCK-L1": "tools_list",
    "SOCK-C1": "tool_result",
    "SOCK-C2": "tool_result",
    "SOCK-C3": "tool_result",
    "SOCK-C14": "tool_result",
    "SOCK-E1": "tool_event",
}
"""Clauses that are checked on every frame, each with its kind of frames."""
