from __future__ import annotations

import pytest
from tests.proof.hostile_run import run
from tests.proof.test_hostile_subjects import MOST_SECONDS

EVERY_OF_DRIVER, EVERY_OF_SUBJECT = 53, 80
"""One vector of so many tells whose fault it is: the two are hit by others."""

PATIENCE = 3.0
"""Seconds for an answer: what does not come up is nobody's fault."""

SHOWS = "INT-Z10"
"""A subject that ends at what its vectors ask for has failed, not its driver."""

DRIVERS_FAULT = ("closes-stdout", "dies", "hangs", "no-json", "wrong-id")
SUBJECTS_FAULT = ("ExitsAtOnce", "ExitsPolitely", "Loops", "Overflows", "Segfaults")


@pytest.mark.parametrize("name", DRIVERS_FAULT)
def test_the_fault_of_a_driver_is_not_charged_to_its_registry(name: str) -> None:
    report = run(
        "interop", name, seconds=MOST_SECONDS, every=EVERY_OF_DRIVER, patience=PATIENCE
    )

    assert "failed" not in report["verdicts"]
    assert any("a fault of the driver" in reason for reason in report["reasons"])


@pytest.mark.parametrize("name", SUBJECTS_FAULT)
def test_what_a_registry_does_to_its_process_is_charged_to_it(name: str) -> None:
    report = run(
        "interop",
        name,
        seconds=MOST_SECONDS,
        every=EVERY_OF_SUBJECT,
        patience=PATIENCE,
        clause=SHOWS,
    )

    # After two waits in vain the others are brief, and a fresh process answers.
    assert report["verdicts"]["failed"] + report["verdicts"]["warned"] > 0
