"""What carries the bytes of a host under test, and what its messages had in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.line import StdioCharges, StdioRequests
from wireproof.protocols.host_v1._exchanges import HostArrival
from wireproof.protocols.host_v1._ledger import HostLedger
from wireproof.protocols.host_v1._sent import SentRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Settings, Target


class HostTransport(StdioRequests[SentRequest, HostArrival, HostLedger]):
    """What carries the bytes of one host, over all its starts."""

    charges = StdioCharges(
        endless="HV1-T1", ended="HV1-T3", whole="HV1-T4", flushed="HV1-T5"
    )

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The host's command.
            settings: The user's options.
            setup: The data of ``host_v1/setup.json``.
        """
        super().__init__(target, settings, setup, HostLedger())
        self._extra_keys: set[str] = set()
        self._nulls: set[str] = set()
        self._stateless: set[str] = set()
        self._methods_answered: set[str] = set()

    @property
    def extra_keys(self) -> frozenset[str]:
        """Keys of the host's own that its messages had (HV1-M15)."""
        return frozenset(self._extra_keys | self._ledger.extra_keys)

    @property
    def nulls(self) -> frozenset[str]:
        """Keys whose null was taken for their absence."""
        return frozenset(self._nulls | self._ledger.nulls)

    @property
    def stateless(self) -> frozenset[str]:
        """How the state looked in answers to requests without one (HV1-M16)."""
        return frozenset(self._stateless | self._ledger.stateless)

    @property
    def stale_after_failure(self) -> bool:
        """Whether a check that breaks off leaves something behind for the next.

        Where it sent ``init`` itself, the state may be that of an init gone by. Where
        ids are wrong, an answer that is still owed would be taken for the next one.
        """
        astray = any(one.hides for one in self._ledger.deviations)
        owed = astray and bool(self._ledger.exchanges.open)
        return owed or self._has_asked("init")

    def _has_asked(self, method: str) -> bool:
        """Tell whether the check in hand sent a request of this method."""
        return any(one.method == method for one in self._ledger.exchanges.asked)

    def has_answered(self, method: str) -> bool:
        """Tell whether a method was ever answered with success."""
        return method in self._methods_answered | self._ledger.succeeded

    @property
    def noun(self) -> str:
        """What a subject is called."""
        return "host"

    def _next_ledger(self, former: HostLedger) -> HostLedger:
        self._extra_keys |= former.extra_keys
        self._nulls |= former.nulls
        self._stateless |= former.stateless
        self._methods_answered |= former.succeeded
        ledger = HostLedger()
        ledger.learn_from(former)
        return ledger
