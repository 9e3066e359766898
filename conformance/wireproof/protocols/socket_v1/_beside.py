"""Vectors that mostly wait for tools, tried beside each other before their turns.

Theory of operation. Much of a run's time is the toolset's own: sleeps and deadlines
that cannot be made shorter. Vectors that ask for much of it, and whose answers depend
on nothing that another connection does, are tried together once, each by a session of
its own that reaches the launched server as one that runs. What is learnt from that is
only where all is well: what held, and made no monitor fire, has its outcome when its
turn comes. Where anything was not as it should be, the server is started anew, and what
did not hold is tried alone in its turn, as if it had never been tried together.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.checks import Target
from wireproof.crossing import is_place
from wireproof.line import Completed
from wireproof.patterns import asked_delay
from wireproof.protocols.socket_v1._session import (
    LIMITED_SECONDS,
    LIMITED_TOOL,
    SocketSession,
)
from wireproof.protocols.socket_v1._steps import SocketSteps

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence
    from concurrent.futures import Future

    from wireproof.checks import Settings, Transcript

    Step = Mapping[str, Any]

LEAST_SECONDS = 0.15
"""The tools' own time from which on a vector is worth it. What is shorter is tried
alone, each clause's plainest vectors among it: a server that looks at its clocks only
when some connection has something for it must not be helped by another vector's."""

CANCELLED_SECONDS = 10.0
"""A vector that asks for more time ends the call itself, long before."""

MOST_AT_ONCE = 16
"""Vectors tried at a time: a server may be slow, and each opens connections."""

LOOK_SECONDS = 0.02
"""Seconds between two looks at whether they are done."""

SPARE_SECONDS = 1.0
"""How long all of them have beyond the longest that the tools of one are asked to take:
what is not done by then is tried alone."""

SPARE_LATENCIES = 50
"""The same in addition, in latencies of a trivial exchange: each has several."""

PRIVATE_TOOLS = frozenset(
    {
        "conformance_echo",
        "conformance_limited",
        "conformance_sleep",
        "conformance_stream",
    }
)
"""Tools whose answers depend on nothing that another connection does."""

PRIVATE_STEPS = frozenset(
    {
        "close_input",
        "connect",
        "disconnect",
        "expect",
        "expect_optional",
        "fence",
        "order",
        "send",
        "send_many",
        "took",
    }
)
"""Steps that leave the server's process and its files alone."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a vector in which all was well.

    Attributes:
        outcome: Its outcome.
        transcript: Its traffic.
        seen: How many frames came, by kind.
    """

    outcome: Completed
    transcript: Transcript
    seen: Counter[str]


def is_worth_it(data: Mapping[str, Any]) -> bool:
    """Tell whether a vector may be tried beside others, and waits for tools.

    Args:
        data: The vector as its file has it.
    """
    needs: Mapping[str, Any] = data.get("needs", {})
    steps: Sequence[Step] = data["steps"]
    return (
        set(needs) == {"tools"}
        and PRIVATE_TOOLS.issuperset(needs["tools"])
        and not any(PRIVATE_STEPS.isdisjoint(step) for step in steps)
        and "explains" not in data
        and not is_place(data)
        and _tools_seconds(steps) >= LEAST_SECONDS
    )


def try_together(
    session: SocketSession,
    settings: Settings,
    setup: Mapping[str, Any],
    vectors: Mapping[str, Mapping[str, Any]],
) -> dict[str, Tried]:
    """Try vectors beside each other on the server that a session has launched.

    Args:
        session: The session; the server is up.
        settings: The user's options.
        setup: The data of ``socket_v1/setup.json``.
        vectors: Each vector as its file has it, by its id.

    Returns:
        What came of each that held, by its id. Where any did not, the server is gone.
    """
    told = session.target
    target = Target(told.protocol, told.text, (session.place().socket,), "")
    steps: Mapping[str, Sequence[Step]]
    steps = {key: data["steps"] for key, data in vectors.items()}
    own = {key: _tools_seconds(one) for key, one in steps.items()}
    spare = SPARE_SECONDS + SPARE_LATENCIES * session.patience.latency
    limit = time.monotonic() + max(own.values()) + spare
    pool = ThreadPoolExecutor(min(len(vectors), MOST_AT_ONCE))
    good: dict[str, Tried] = {}
    try:
        tries = {
            key: pool.submit(_try, session, target, settings, setup, steps[key])
            for key in sorted(vectors, key=own.__getitem__, reverse=True)
        }
        while time.monotonic() < limit and not _are_over(tries.values()):
            session.pump(LOOK_SECONDS)
        found = {key: _good(one) for key, one in tries.items()}
        good = {key: one for key, one in found.items() if one is not None}
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        if len(good) < len(vectors):
            # That ends what still waits, too.
            session.discard()
        pool.shutdown()
    session.checks_served += len(good)
    for one in good.values():
        session.seen.update(one.seen)
    return good


def _try(
    known: SocketSession,
    target: Target,
    settings: Settings,
    setup: Mapping[str, Any],
    steps: Sequence[Step],
) -> Tried | None:
    session = SocketSession(target, settings, setup)
    session.reach_with(known)
    try:
        session.begin()
        if session.ensure_up() is not None:
            return None
        outcome = SocketSteps(session).run(steps)
        if isinstance(outcome, Completed) and not session.deviations:
            return Tried(outcome, session.transcript, session.seen)
        return None
    finally:
        session.stop()


def _are_over(tries: Iterable[Future[Tried | None]]) -> bool:
    return all(one.done() for one in tries)


def _good(one: Future[Tried | None]) -> Tried | None:
    if one.done() and one.exception() is None:
        return one.result()
    return None


def _tools_seconds(steps: Sequence[Step]) -> float:
    """Return the time that the tools of a vector are asked to take."""
    return sum(map(_own_seconds, steps))


def _own_seconds(step: Step) -> float:
    """Return the time that the calls of a step take, which run side by side."""
    messages = step.get("send_many", [step.get("send")])
    return max(map(_call_seconds, messages))


def _call_seconds(message: Any) -> float:
    seconds = asked_delay(message)
    if not seconds:
        return 0.0
    if message.get("toolName") == LIMITED_TOOL and "timeoutMs" not in message:
        seconds = min(seconds, LIMITED_SECONDS)
    return seconds if seconds < CANCELLED_SECONDS else 0.0
