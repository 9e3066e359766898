"""The checks of a line protocol on stdio: what a subject leaves unanswered is learnt.

A check that ended with a brief wait in vain is carried out again with waits in full
(``_silences``); a clause whose checks all deafen the subject is not tried for ever.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from wireproof.checks import Attempt, Result, Verdict
from wireproof.line._silences import MOST_DEAFENED
from wireproof.line._stdio_requests import StdioRequests
from wireproof.line._suite import AGAINST, LineSuite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check

StdioType = TypeVar("StdioType", bound=StdioRequests[Any, Any, Any])


class StdioSuite(LineSuite[StdioType]):
    """All checks of a line protocol on one subject on stdio."""

    def carry_out(self, check: Check) -> Result:
        """Carry out one check, unless those before it tell all about its clause."""
        silences, clause = self.session.silences, check.clauses[0]
        silences.begin(clause)
        if (because := silences.hopeless(clause)) is not None:
            self.session.begin()
            reason = (
                f"not testable because of {because}: the last {MOST_DEAFENED} checks "
                f"of {clause} left a {self.session.noun} that answers nothing"
            )
            return self.early(check, Verdict.NOT_TESTABLE, reason, because)
        result = super().carry_out(check)
        broken = result.because or result.clauses[0]
        is_left = silences.deafened and result.verdict in (
            *AGAINST,
            Verdict.NOT_TESTABLE,
        )
        silences.count(clause, broken if is_left else None)
        return result

    def attempt(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        *,
        time_scale: int = 1,
        begun: bool = False,
        spares_fence: bool = False,
    ) -> Attempt:
        """Carry out steps, and again where waits were too brief for the verdict."""
        silences = self.session.silences
        silences.begin(check.clauses[0])
        found = super().attempt(
            check, steps, time_scale=time_scale, begun=begun, spares_fence=spares_fence
        )
        if found.result.verdict not in AGAINST or self.patience.shortened:
            return found
        clause = found.result.clauses[0]
        if silences.hasty and not silences.knows(clause):
            # What it left unanswered before was another clause's matter: this may be an
            # answer that takes its time.
            self.session.discard()
            with silences.in_full():
                again = super().attempt(check, steps, time_scale=time_scale)
            monitors = (*found.result.monitors, *again.result.monitors)
            found = replace(again, result=replace(again.result, monitors=monitors))
            if found.result.verdict not in AGAINST:
                silences.forget()
                return found
        if silences.vain:
            silences.shows(found.result.clauses[0])
        return found
