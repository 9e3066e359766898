"""Have a client carry out the ops of a vector, and keep what each came to.

Nothing here waits for ever: each op has a limit, which leaves the client the time
that it was given for a call, and what the machine may need besides. A wait is never
cut short by a fixed time where an event says more.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

from wireproof.checks import VectorDefect
from wireproof.patterns import is_object
from wireproof.protocols.host_client._ops import HostClientOps, perform
from wireproof.protocols.host_client._stage import Stage, set_stage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping, Sequence

    from wireproof.subjects import Patience

OpenClient = Callable[[], AbstractAsyncContextManager[HostClientOps]]
"""Gives the client for one vector, and takes it back when that is over."""

MEANT_TO_EXPIRE_MS = 10_000
"""A vector's deadline up to here is meant to expire; a longer one must not."""


@dataclass(frozen=True, slots=True)
class Act:
    """One op that a client was asked to carry out.

    Attributes:
        op: The op as the vector has it.
        seconds: How long it took.
        outcome: What it came to; None where it did not return a value.
        problem: Why it did not, in words that follow "the op"; empty where it did.
        hung: Whether it had to be given up.
    """

    op: Mapping[str, Any]
    seconds: float
    outcome: Any = None
    problem: str = ""
    hung: bool = False

    @property
    def last(self) -> bool:
        """Whether nothing more can be asked of the client."""
        failed = is_object(self.outcome) and "error" in self.outcome
        return bool(self.problem) or (self.op["op"] == "start" and failed)


@dataclass(frozen=True, slots=True)
class Conduct:
    """What a client did in one vector.

    Attributes:
        stage: What the scripted host has to tell.
        acts: The ops that it was asked to carry out.
        unsettled: Whether the script waited in vain for the client.
    """

    stage: Stage
    acts: list[Act] = field(default_factory=list[Act])
    unsettled: bool = False


def deadline_of(op: Mapping[str, Any]) -> float:
    """Return the seconds after which a call of an op is meant to expire; 0 if none."""
    calls: Sequence[Mapping[str, Any]] = (op, *op.get("calls", ()))
    given: list[int] = [call.get("timeout_ms", 0) for call in calls]
    return max(ms for ms in (0, *given) if ms <= MEANT_TO_EXPIRE_MS) / 1000


async def carry_out(
    open_client: OpenClient, data: Mapping[str, Any], patience: Patience
) -> Conduct:
    """Carry out a vector of kind ``client``.

    Args:
        open_client: Gives the client.
        data: The vector as its file has it.
        patience: How long an op is waited for.
    """
    async with set_stage(data["host"]) as stage:
        conduct = Conduct(stage)
        unsettled = False
        async with open_client() as client:
            for op in data["ops"]:
                act = await _act(client, op, stage, patience)
                conduct.acts.append(act)
                if act.last or not stage.starts:
                    break
            else:
                # A request may still be on its way; closing may kill the host first.
                unsettled = not await _within(patience, stage.settled.wait())
            # A client that hangs is not asked anything more, but taken down.
            if not conduct.acts[-1].hung:
                await _close(client, patience)
        if stage.starts:
            await _within(patience, stage.over.wait())
        return Conduct(stage, conduct.acts, unsettled)


async def _act(
    client: HostClientOps, op: Mapping[str, Any], stage: Stage, patience: Patience
) -> Act:
    starts = op["op"] == "start"
    limit = (
        patience.starting()
        if starts
        else patience.allowance(clause_seconds=deadline_of(op))
    )
    began = time.monotonic()
    try:
        with anyio.move_on_after(limit):
            outcome = await perform(client, op, stage.command)
            seconds = time.monotonic() - began
            if starts:
                patience.measured(seconds)
            return Act(op, seconds, outcome)
    except VectorDefect as error:
        stage.defect = str(error)
        return Act(op, 0.0, problem="cannot be carried out")
    except Exception as error:  # noqa: BLE001 - a fault of the client, kept as such
        problem = f"raised {type(error).__name__}: {error}"
        return Act(op, time.monotonic() - began, problem=problem)
    seconds = time.monotonic() - began
    patience.spent += seconds
    problem = f"did not come to an end in {seconds:.1f} s"
    return Act(op, seconds, problem=problem, hung=True)


async def _close(client: HostClientOps, patience: Patience) -> None:
    """Close the client; no clause says how, so nothing is made of its failure."""
    with contextlib.suppress(Exception):
        await _within(patience, client.close())


async def _within(patience: Patience, waiting: Awaitable[object]) -> bool:
    """Wait as long as an op may take; tell whether it came to an end."""
    limit = patience.allowance()
    with anyio.move_on_after(limit):
        await waiting
        return True
    patience.spent += limit
    return False
