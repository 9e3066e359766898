"""Which clause of exec-oneshot an observed fault breaks."""

from __future__ import annotations

from wireproof.judge import Rule

FAULTS: dict[str, Rule | tuple[Rule, ...]] = {
    # A tool of which a plain call does not succeed.
    "not-started": Rule(""),
    "output-too-deep": Rule(""),
    "no-success": Rule(""),
    "needs-all-variables": Rule("EXEC-O11"),
    # The end of a run, and what it wrote.
    "run-unanswered": Rule("EXEC-O2"),
    "run-unended": Rule("EXEC-O2"),
    "run-flooded": Rule("EXEC-O2"),
    "wrote-nothing": Rule("EXEC-O2"),
    "output-not-utf8": Rule("EXEC-O2"),
    "output-not-json": Rule("EXEC-O2"),
    "output-no-object": Rule("EXEC-O2"),
    "output-several": Rule("EXEC-O2"),
    "output-beside": Rule("EXEC-O4"),
    # The object.
    "object-both": Rule("EXEC-O3"),
    "object-neither": Rule("EXEC-O3"),
    "object-error": Rule("EXEC-O3"),
    "null-companion": Rule("EXEC-O3", "should"),
    "result-and-status": Rule("EXEC-O5"),
}

READS_INPUT = "EXEC-O1"
"""The clause by which a tool reads its input without a line feed behind it."""

WORDLESS = Rule("EXEC-O2", "should")
"""What a run breaks that fails by its status, without an error object. No MUST that
asks for the words of an error can be tried then: the rows throws-without-words and
fails-without-words, and each script that an exception ends."""

MONITORED = {
    "EXEC-O2": "frames",
    "EXEC-O3": "objects",
    "EXEC-O4": "objects",
    "EXEC-O5": "results",
}
"""Clauses that are checked on every run, each with its kind of runs."""
