"""Why a verdict is what it is: values. The report makes sentences of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Difference, Level, Verdict


OF_THE_SUBJECT = frozenset({"exited", "deaf", "held-back", "refused"})
"""Kinds of what a subject may do in any check, whatever its clause."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a check failed, or could not be tried.

    Attributes:
        kind: What happened, by its name.
        clause: The clause that is charged with it.
        fields: What a sentence about it needs.
    """

    kind: str
    clause: str
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)

    @property
    def key(self) -> tuple[str, str, str]:
        """What failures of one cause have in common: kind, clause and place.

        If the kind is one of the subject as a whole, the clause says only which check
        met it, and is no part of the key.
        """
        where = str(self.fields.get("where", ""))
        if self.kind not in OF_THE_SUBJECT:
            return self.kind, self.clause, where
        status = self.fields.get("status")
        return self.kind, "", where if status is None else str(status)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one observation means for its check.

    Attributes:
        verdict: The verdict.
        level: The level of what was broken; that of the check if nothing was.
        reason: Why, unless the check passed.
        findings: The faults that monitors noticed, each with its clause.
        step: The step that failed; None if none did.
        differences: What was expected and what came.
        recorded: Which of the choices came that steps record, by request.
        of_pace: Whether what is wrong may be a matter of how fast the machine is.
    """

    verdict: Verdict
    level: Level
    reason: Reason | None = None
    findings: Sequence[Reason] = ()
    step: int | None = None
    differences: Sequence[Difference] = ()
    recorded: Mapping[str, str] = field(default_factory=dict[str, str])
    of_pace: bool = False
