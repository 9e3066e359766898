"""What shows that an op of a client does something: it was carried out with success."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_object, match
from wireproof.protocols.host_client._conduct import carry_out
from wireproof.protocols.host_client._hosts import read_reports

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Deviation
    from wireproof.protocols.host_client._conduct import Pace
    from wireproof.subjects import Bridge


class Controls:
    """The controls of one client, each tried once and when it is needed.

    Attributes:
        deviations: Where what the client sent in them broke HV1-C1.
    """

    def __init__(self, bridge: Bridge, setup: Mapping[str, Any], pace: Pace) -> None:
        """Begin with nothing tried.

        Args:
            bridge: The driver.
            setup: The data of ``host_client/setup.json``.
            pace: How long hosts are waited for.
        """
        self._bridge = bridge
        self._pace = pace
        self._controls: Mapping[str, Any] = setup["controls"]
        self._missing: dict[str, str] = {}
        self.deviations: list[Deviation] = []

    def missing(self, op: str) -> str:
        """Say why an op proves nothing, or return an empty text where it does."""
        if op not in self._missing:
            self._missing[op] = self._try(op)
        return self._missing[op]

    def _try(self, op: str) -> str:
        self._bridge.ensure_up()
        conduct = carry_out(self._bridge, self._controls[op], pace=self._pace)
        hosts = read_reports(conduct.playings)
        self.deviations += hosts.deviations
        first = conduct.acts[0]
        if not hosts.starts and not first.problem:
            return "the control failed: the client did not start the host"
        if not hosts.answered and not first.problem:
            return "the control failed: the client sent no init that could be answered"
        for act in conduct.acts:
            wrong = act.problem
            if is_object(act.value) and "error" in act.value:
                wrong = f"{act.op['op']} failed: {act.value['error']}"
            if not wrong and match(act.op["expect"], act.value, {}, {}) is not None:
                wrong = f"{act.op['op']} did not give what the host answered"
            if wrong:
                return f"the control failed: {wrong}"
        return ""
