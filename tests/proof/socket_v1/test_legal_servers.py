from __future__ import annotations

import sys

import pytest
from tests.proof.socket_v1.table import LEGAL
from tests.proof.socket_v1.trial import command_of, try_out
from tests.proof.trial import complaints

from wireproof.checks import Verdict

EVERY = 12
"""One vector of so many is run on every run of the tests."""

PLAIN = f"{sys.executable} -m wireproof_reference socket"
PLAIN += " {socket} --home {home}/.meith"
WRAPPED = {
    "sh that execs": ("sh", "-c", f"exec {PLAIN}"),
    "sh that waits for its child": ("sh", "-c", f"{PLAIN}; exit $?"),
}


def assert_nothing_is_charged(name: str, *more: str, every: int) -> None:
    row = LEGAL[name]

    trial = try_out((*command_of(row), *more), every=every)

    assert complaints(row, trial.results) == []
    assert trial.clauses(Verdict.WARNED) <= set(row.allows)
    assert trial.conformant


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_server_is_not_failed(name: str) -> None:
    assert_nothing_is_charged(name, every=EVERY)


@pytest.mark.sweep
@pytest.mark.parametrize("name", LEGAL)
def test_no_vector_fails_or_warns_a_legal_server_without_reason(name: str) -> None:
    assert_nothing_is_charged(name, every=1)


def test_the_reference_conforms_on_trio() -> None:
    assert_nothing_is_charged("plain", "trio", every=1)


@pytest.mark.parametrize("command", WRAPPED.values(), ids=WRAPPED)
def test_the_reference_conforms_however_it_is_started(command: tuple[str, ...]) -> None:
    trial = try_out(command)

    assert trial.clauses(*set(Verdict) - {Verdict.PASSED, Verdict.RECORDED}) == set()
