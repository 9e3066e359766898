"""What is watched on every frame of a server."""

MONITORED = ("EXEC-S2", "EXEC-S3", "EXEC-S4")
"""Clauses that are checked on every frame and so have a result of their own."""

NEEDS_SEEN = {"EXEC-S4": "errors"}
"""Those that hold of some frames only, and of which."""

FENCED_CLAUSES = frozenset(
    {
        *("EXEC-S2", "EXEC-S3", "EXEC-S6", "EXEC-S7", "EXEC-S8", "EXEC-S9"),
        *("EXEC-S13", "EXEC-S14"),
    }
)
"""Clauses of what must not come or not happen: their checks keep their fences."""
