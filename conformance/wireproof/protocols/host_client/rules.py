"""Which clause of host-client an observed fault breaks."""

from __future__ import annotations

from wireproof.bridge import DRIVER_FAULTS
from wireproof.judge import Rule

FAULTS: dict[str, Rule | tuple[Rule, ...]] = {
    **DRIVER_FAULTS,
    # A client of which an op comes to nothing right, or sends nothing to be answered.
    "no-plain-op": Rule(""),
    "nothing-answerable": Rule("HV1-C1"),
    # The lines that it sends.
    "request-not-json": Rule("HV1-C1"),
    "request-no-object": Rule("HV1-C1"),
    "request-version": Rule("HV1-C1"),
    "request-method": Rule("HV1-C1"),
    "request-params": Rule("HV1-C1"),
    "request-id": Rule("HV1-C1"),
    "request-id-in-flight": Rule("HV1-C1"),
    "request-unended": Rule("HV1-C1"),
}

UNANSWERABLE = Rule("HV1-C1")
"""What a request breaks that the host cannot answer: its script goes no further."""

MONITORED = {"HV1-C1": "requests"}
"""Clauses that are checked on every line of the client, each with its kind."""
