"""All checks of one protocol, bound to one subject: what every kind of suite shares."""

from __future__ import annotations

import time
import traceback
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wireproof.checks._errors import VectorDefect
from wireproof.checks._verdicts import Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks._check import Check, ClauseText, SubjectFacts
    from wireproof.checks._settings import Settings, Target
    from wireproof.checks._transcript import Transcript
    from wireproof_vectors import Vector


_BROKEN = frozenset({Verdict.FAILED, Verdict.WARNED})

OBSERVATION = "observation"
"""The evidence of a fault of the suite: what the check had seen, as JSON."""


@dataclass(frozen=True, slots=True)
class SuiteInputs:
    """What the suite of a protocol is made of.

    Attributes:
        target: The subject.
        settings: The user's options.
        checks: What there is to run, in order.
        vectors: The vectors behind the checks, by id.
        setup: The data of the protocol's ``setup.json``.
        toolset: The names of the tools that a subject at full level has.
        clauses: The catalogue.
    """

    target: Target
    settings: Settings
    checks: Sequence[Check]
    vectors: Mapping[str, Vector]
    setup: Mapping[str, Any]
    toolset: Sequence[str]
    clauses: Sequence[ClauseText]


class Suite(ABC):
    """All checks of one protocol, bound to one subject.

    Attributes:
        target: The subject.
        settings: The user's options.
        checks: What there is to run, in order.
        told: The clauses that vectors have shown to be broken.
    """

    def __init__(
        self, target: Target, settings: Settings, checks: Sequence[Check]
    ) -> None:
        """Bind checks to a subject; nothing is started yet."""
        self.target = target
        self.settings = settings
        self.checks = checks
        self.told: set[str] = set()

    # --- what a kind of suite brings

    @property
    @abstractmethod
    def transcript(self) -> Transcript:
        """The traffic of the check in hand."""

    @abstractmethod
    def carry_out(self, check: Check) -> Result:
        """Carry out one check, whatever its kind.

        Raises:
            VectorDefect: If it cannot be carried out as it is written.
        """

    @abstractmethod
    def discard(self) -> None:
        """End the subject at once; the next check starts a new one."""

    @abstractmethod
    def finish(self) -> Sequence[Result]:
        """Stop the subject and return the results of the monitors."""

    @abstractmethod
    def facts(self) -> SubjectFacts:
        """Return what is known of the subject."""

    # --- what all share

    def announce(self, checks: Sequence[Check]) -> None:  # noqa: B027 - a hook
        """Take note of which checks are to be run; some may be prepared together."""

    def observed(self) -> Mapping[str, Any]:
        """Return what the check in hand has seen so far, as JSON; {} if not known."""
        return {}

    def run(self, check: Check) -> Result:
        """Carry out one check; a fault of the suite is a result too.

        Never raises for what a subject does.
        """
        began = time.monotonic()
        try:
            result = self.carry_out(check)
        except Exception as error:  # noqa: BLE001 - one check must not end the run
            observed = self.observed()
            self.discard()
            result = self.result(check, Verdict.HARNESS_ERROR, _told(error, check))
            if observed:
                result = replace(result, evidence={OBSERVATION: observed})
        if check.kind == "vector" and result.verdict in _BROKEN:
            self.told.add(result.clauses[0])
        return replace(result, duration_s=time.monotonic() - began)

    def result(self, check: Check, verdict: Verdict, reason: str = "") -> Result:
        """Return a check's result with the traffic behind it.

        Only a MUST is failed, a check of a SHOULD by what it met of its clause's MUST.
        """
        return Result(
            check.id,
            check.clauses,
            "must" if verdict is Verdict.FAILED else check.level,
            check.source,
            verdict,
            reason,
            entries=self.transcript.entries(),
            prelude=self.transcript.prelude(),
            title=check.title,
        )


def _told(error: Exception, check: Check) -> str:
    """Say a fault of the suite: a vector's in a line, any other with its place."""
    if isinstance(error, VectorDefect):
        return str(error)
    return f"in {check.id}: " + "".join(traceback.format_exception(error))
