"""What is watched on every run of a one-shot tool that is given what it should be."""

MONITORED = ("EXEC-O2", "EXEC-O3", "EXEC-O4", "EXEC-O5")
"""Clauses that have a result of their own."""

NEEDS_SEEN = {"EXEC-O3": "objects", "EXEC-O4": "objects", "EXEC-O5": "results"}
"""Those that hold of some runs only, and of which."""
