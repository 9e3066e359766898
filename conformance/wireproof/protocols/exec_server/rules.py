"""Which clause of exec-server an observed fault breaks."""

from __future__ import annotations

from wireproof.judge import Rule

FAULTS = {
    # A subject that does not come up, or does not stay up.
    "not-started": Rule("EXEC-S1"),
    "exited-at-start": Rule("EXEC-S1"),
    "silent-at-start": Rule("EXEC-S1"),
    "control-refused": Rule("EXEC-S1"),
    "ended-by-itself": Rule("EXEC-S1"),
    "ended-unanswered": Rule("EXEC-S1"),
    "held-back": Rule("EXEC-S17"),
    # Lines.
    "broken-json": Rule("EXEC-S2"),
    "not-utf8": Rule("EXEC-S2"),
    "oversize": Rule("EXEC-S2"),
    "unterminated": Rule("EXEC-S2"),
    "blank-line": Rule("EXEC-S3"),
    "not-json": Rule("EXEC-S3"),
    "text-without-line-feed": Rule("EXEC-S3"),
    "not-a-response": Rule("EXEC-S3"),
    "before-any-request": Rule("EXEC-S3"),
    "leaked-print": Rule("EXEC-S3"),
    # Responses.
    "jsonrpc": Rule("EXEC-S2"),
    "both": Rule("EXEC-S2"),
    "neither": Rule("EXEC-S2"),
    "null-companion": Rule("EXEC-S2", "should"),
    "error-shape": Rule("EXEC-S4"),
    # Which request a response answers.
    "wrong-id": Rule("EXEC-S2"),
    "answers-nothing": Rule("EXEC-S2"),
    "answered-twice": Rule("EXEC-S2"),
    "refused-with-other-id": Rule("EXEC-S2"),
    "notification-answered": Rule("EXEC-S8", "should"),
    "odd-id-changed": Rule("EXEC-S12", "should"),
    "long-request-refused": Rule("EXEC-S16", "should"),
}

MONITORED = {"EXEC-S2": "frames", "EXEC-S3": "frames", "EXEC-S4": "errors"}
"""Clauses that are checked on every frame, each with its kind of frames."""
