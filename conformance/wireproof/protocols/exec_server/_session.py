"""A server under test: brought up, spoken to in steps, and started anew where needed.

Theory of operation. A server that was launched is sent a plain call, the control.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from wireproof.exec_tools import KEYS, exec_subject, no_success
from wireproof.line import (
    LineArrival,
    Missing,
    MissingCause,
    NotUp,
    StdioCharges,
    StdioRequests,
)
from wireproof.patterns import expand, is_generator, is_object, match
from wireproof.protocols.exec_server._ids import OWN_IDS, is_own, key_of
from wireproof.protocols.exec_server._ledger import RpcLedger
from wireproof.protocols.exec_server._sent import SentRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Settings, Target


CHOICES = frozenset({"$absent", "$one_of"})
"""Patterns of ids that stand for more than one."""


class ServerSession(StdioRequests[SentRequest, LineArrival, RpcLedger]):
    """One server, over all its starts; ``args`` among the names are the control's.

    Attributes:
        subject: The tool, as the user names it.
    """

    charges = StdioCharges(
        endless="EXEC-S2", ended="EXEC-S2", whole="EXEC-S5", flushed="EXEC-S17"
    )
    message_keys = KEYS

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The server's command.
            settings: The user's options.
            setup: The data of ``exec_server/setup.json``.
        """
        super().__init__(target, settings, setup, RpcLedger())
        self.subject = exec_subject(target, settings)
        self._own = OWN_IDS

    # --- the process

    @property
    def noun(self) -> str:
        """What a subject is called."""
        return "server"

    @property
    def stale_after_failure(self) -> bool:
        """Whether a check that breaks off leaves something behind for the next."""
        return False

    def _environment(self) -> Mapping[str, str]:
        return self.subject.environment

    def _next_ledger(self, former: RpcLedger) -> RpcLedger:
        ledger = RpcLedger()
        ledger.takes_pieces = former.takes_pieces
        return ledger

    def begin(self) -> None:
        """Begin a check: its own transcript, and nothing left of the one before."""
        arguments = self.names.get("args")
        super().begin()
        self.names = {"args": arguments}

    def start_bare(self) -> NotUp | None:
        """Start the server anew and send it nothing, not even the control."""
        self.names["args"] = self.control_arguments
        return self.launch_unasked()

    def takes_two(self) -> bool:
        """Tell whether two requests in one write both succeed."""
        if self._control is None:
            return True
        sent = self._asked_at_once(self._control, 2)
        came = [one.response for one in sent if one.response is not None]
        return all(map(self._succeeded, came))

    # --- the start

    def _bring_up(self) -> NotUp | None:
        seconds = self.patience.starting()
        if self._control is not None:
            self.names["args"] = self._control["args"]
            return self._check_control(self._control, seconds)
        first: NotUp | None = None
        for arguments in self.subject.candidates:
            control = {"args": arguments}
            not_up = self._check_control(control, seconds)
            if not_up is None:
                self._control = control
                self.names["args"] = arguments
                return None
            first = first or not_up
            if not self._is_usable() or not self._answers:
                break
            seconds = self._allowance()
        return first or NotUp("there are no args to call it with")

    def _check_control(
        self, control: Mapping[str, Any], seconds: float
    ) -> NotUp | None:
        asked, started = time.monotonic(), not self._answers
        answer = self._answer_to(self._open_control(control), seconds)
        if isinstance(answer, Missing):
            if not answer.timed_out:
                return NotUp(
                    f"no answer to a plain call: {answer.text}", ended=answer.ended
                )
            return self._diagnose(f"no answer to a plain call: {answer.text}")
        if not self._succeeded(answer):
            text = no_success(self.subject, control["args"], answer.value)
            # What is wrong with the frame as a whole may be why it is no success.
            return NotUp(text, answer.deviations)
        # The first answer of a process has its start in it, which is no latency.
        if not started:
            self.patience.measured(time.monotonic() - asked)
        return None

    @property
    def control_arguments(self) -> Any:
        """The arguments of a plain call, those that succeed where they are known."""
        if self._control is not None:
            return self._control["args"]
        candidates = self.subject.candidates
        return candidates[0] if candidates else None

    # --- requests of the suite's own

    def call(self, arguments: Any) -> LineArrival | Missing:
        """Call the tool and wait for its response, whatever it says."""
        return self._answer_to(
            self._open_control({"args": arguments}), self._allowance()
        )

    def _own_request(self, control: Mapping[str, Any]) -> Mapping[str, Any]:
        self._own += 1
        return {
            "jsonrpc": "2.0",
            "id": self._own,
            "method": "execute",
            "params": {"args": control["args"]},
        }

    def _key_of(self, value: Any) -> str | None:
        return key_of(value)

    def _is_own_id(self, key: Any) -> bool:
        return is_own(key)

    # --- the peer's side of steps

    def await_frame(self, pattern: Any) -> LineArrival | Missing:
        """Wait for the response that the pattern names."""
        wanted = pattern.get("id") if is_object(pattern) else None
        if is_generator(wanted) and CHOICES.isdisjoint(wanted):
            wanted = expand(wanted, self.names)
        exchange = self._exchange_of(wanted)
        if exchange is None:
            return self._await_stray(wanted)

        def look() -> LineArrival | Missing | None:
            if exchange.read < len(exchange.arrivals):
                exchange.read += 1
                return exchange.arrivals[exchange.read - 1]
            if exchange.answered:
                return Missing(MissingCause.REFUSED, "its response had come already")
            return None

        found = look()
        return self._await(look, self._allowance()) if found is None else found

    def _await_stray(self, wanted: Any) -> LineArrival | Missing:
        """Wait for an answer to a line that is no request."""

        def look() -> LineArrival | None:
            for stray in self._ledger.strays:
                said = stray.value.get("id") if is_object(stray.value) else None
                if match(wanted, said, self.names, {}) is None:
                    self._ledger.strays.remove(stray)
                    return stray
            return None

        return self._await(look, self._allowance())

    def _ask_control(self, control: Mapping[str, Any]) -> LineArrival | Missing:
        return self._answer_to(self._open_control(control), self._allowance())

    def _succeeded(self, answer: LineArrival) -> bool:
        value: Mapping[str, Any] = answer.value
        return "result" in value and self.subject.is_control(value["result"])

    def _first_event(self, key: str) -> LineArrival | None:
        return None
