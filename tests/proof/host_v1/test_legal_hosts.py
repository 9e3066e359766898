from __future__ import annotations

import sys

import pytest
from tests.proof.host_v1.table import LEGAL
from tests.proof.host_v1.trial import command_of, complaints, try_out

from wireproof.checks import Verdict

REFERENCE = f"{sys.executable} -m wireproof_reference host"
WRAPPED = {
    "sh that execs": ("sh", "-c", f"exec {REFERENCE}"),
    "sh that waits for its child": ("sh", "-c", f"{REFERENCE}; exit $?"),
    "sh in front of a cat": ("sh", "-c", f"{REFERENCE} | cat"),
    "trio": (*REFERENCE.split(), "--backend=trio"),
}


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_host_is_neither_failed_nor_warned_without_reason(name: str) -> None:
    subject = LEGAL[name]

    trial = try_out(command_of(subject))

    assert complaints(subject, trial.results) == []
    assert trial.clauses(Verdict.WARNED) <= set(subject.allows)
    assert trial.conformant


@pytest.mark.parametrize("command", WRAPPED.values(), ids=WRAPPED)
def test_the_reference_conforms_however_it_is_started(command: tuple[str, ...]) -> None:
    trial = try_out(command)

    assert trial.clauses(*set(Verdict) - {Verdict.PASSED, Verdict.RECORDED}) == set()
