"""The checks of host-v1 for its client side, bound to one host client."""

from __future__ import annotations

import json
import time
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import anyio

from wireproof.checks import Check, Deviation, Result, VectorDefect, Verdict
from wireproof.protocols.host_client._conduct import Conduct, OpenClient, carry_out
from wireproof.protocols.host_client._judgement import judge_conduct
from wireproof.protocols.host_client._needs import needed_clauses
from wireproof.subjects import Patience
from wireproof_vectors import Vector, load_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.line import Judgement

MONITORED = "HV1-C1"
"""What is watched on every line, in every vector."""

SHOWN_SIZE = 300
"""Most characters of an outcome that are kept as evidence."""


class ClientSuite:
    """All checks of host-v1 on one host client.

    Attributes:
        checks: What there is to run, in order.
        patience: How long its ops are waited for.
    """

    def __init__(
        self,
        open_client: OpenClient,
        *,
        vectors: Sequence[Vector] | None = None,
        patience: Patience | None = None,
        backend: Literal["asyncio", "trio"] = "asyncio",
    ) -> None:
        """Bind checks to a client.

        Args:
            open_client: Gives the client for one vector.
            vectors: What to try; all vectors of kind ``client`` where it is None.
            patience: How long ops are waited for.
            backend: The event loop that the client is run on.
        """
        if vectors is None:
            loaded = load_vectors("host-v1")
            vectors = [vector for vector in loaded if vector.kind == "client"]
        self._vectors = {vector.id: vector for vector in vectors}
        self.checks = [_check(vector) for vector in vectors]
        self.patience = patience or Patience(None)
        self._open_client = open_client
        self._backend = backend
        self._results: dict[str, Result] = {}
        self._lines = 0
        self._controlled = False
        self._fired: list[tuple[str, Deviation]] = []

    def run(self, check: Check) -> Result:
        """Carry out one check; a fault of the suite is a result too."""
        if check.id not in self._results:
            result = self._try_vector(self._vectors[check.id])
            if result.verdict in {Verdict.FAILED, Verdict.WARNED}:
                result = self._unless_hidden(result, self._vectors[check.id])
            self._results[check.id] = result
        return self._results[check.id]

    def finish(self) -> list[Result]:
        """Return the result of the monitor."""
        check = f"host-v1/monitor/{MONITORED}"
        bare = Result(
            check,
            (MONITORED,),
            "must",
            "seed",
            Verdict.PASSED,
            evidence={"frames": self._lines},
            title="What holds of every request",
        )
        if self._fired:
            first_in, first = self._fired[0]
            shown = self._results[first_in]
            evidence = {
                "frame": first.evidence,
                "first_in": first_in,
                "times": len(self._fired),
            }
            return [
                replace(
                    bare,
                    verdict=Verdict.FAILED,
                    reason=first.text,
                    evidence=evidence,
                    entries=shown.entries,
                    transcript=shown.transcript,
                )
            ]
        if not self._controlled:
            reason = "no init was answered"
            return [replace(bare, verdict=Verdict.NOT_TESTABLE, reason=reason)]
        return [bare]

    def _try_vector(self, vector: Vector) -> Result:
        began = time.monotonic()
        bare = Result(
            vector.id,
            vector.clauses,
            vector.level,
            vector.source,
            Verdict.HARNESS_ERROR,
            title=vector.title,
        )
        try:
            conduct = anyio.run(
                carry_out,
                self._open_client,
                vector.data,
                self.patience,
                backend=self._backend,
            )
            judgement = judge_conduct(vector, conduct)
        except VectorDefect as error:
            return replace(bare, reason=str(error))
        except Exception as error:  # noqa: BLE001 - one check must not end the run
            reason = "".join(traceback.format_exception(error))
            return replace(bare, reason=reason)
        result = self._judged(bare, judgement, conduct)
        return replace(result, duration_s=time.monotonic() - began)

    def _judged(self, bare: Result, judgement: Judgement, conduct: Conduct) -> Result:
        stage = conduct.stage
        self._lines += stage.monitor.lines
        self._controlled = self._controlled or stage.answered
        new = [] if self._fired else stage.monitor.deviations[:1]
        self._fired += [(bare.id, one) for one in stage.monitor.deviations]
        passed = judgement.verdict is Verdict.PASSED
        outcomes = [] if passed else [_show(act.outcome) for act in conduct.acts]
        return replace(
            bare,
            clauses=(judgement.charged,) if judgement.charged else bare.clauses,
            verdict=judgement.verdict,
            reason=judgement.reason,
            because=judgement.because,
            evidence={
                "frames": stage.monitor.lines,
                "ops": len(conduct.acts),
                **({"outcomes": outcomes} if outcomes else {}),
            },
            entries=stage.transcript.entries(),
            transcript=stage.transcript.as_json(),
            differences=judgement.differences,
            monitors=tuple(one for one in new if one.clause not in bare.clauses),
        )

    def _unless_hidden(self, result: Result, vector: Vector) -> Result:
        """Blame the clause that a vector relies on, where that is broken itself."""
        for clause in needed_clauses(vector.data, vector.clauses):
            if self._is_broken(clause):
                reason = f"not testable because of {clause}: {result.reason}"
                return replace(
                    result,
                    clauses=vector.clauses,
                    verdict=Verdict.NOT_TESTABLE,
                    reason=reason,
                    because=clause,
                )
        return result

    def _is_broken(self, clause: str) -> bool:
        return any(
            self.run(check).verdict in {Verdict.FAILED, Verdict.WARNED}
            for check in self.checks
            if clause in check.clauses
        )


def _check(vector: Vector) -> Check:
    return Check(
        vector.id,
        vector.title,
        vector.clauses,
        vector.level,
        vector.source,
        "vector",
    )


def _show(outcome: Any) -> str:
    return json.dumps(outcome, ensure_ascii=False, default=repr)[:SHOWN_SIZE]
