"""A subject behind a driver as the handle that a user's own tests get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.bridge._dialect import BridgeDialect
from wireproof.bridge._driver import BridgeDriver, BridgeOps
from wireproof.bridge._faults import DRIVER_FAULTS
from wireproof.bridge._reading import unanswered
from wireproof.checks import NoAnswer
from wireproof.judge import Reason, Rules
from wireproof.run import EngineHandle, Runner, Waits

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.bridge._messages import Description


class BridgedHandle(EngineHandle):
    """A subject behind a driver that was started, to be used in a ``with`` block."""

    def __init__(self, ops: BridgeOps, sentence: Callable[[Reason], str]) -> None:
        """Prepare; the driver is started on entering the block.

        Args:
            ops: How the driver is asked.
            sentence: Makes a sentence of a reason.
        """
        rules = Rules(BridgeDialect, DRIVER_FAULTS)
        waits = Waits(ops.settings.timeout)
        super().__init__(Runner(BridgeDriver(ops), rules, waits), sentence)
        self._ops = ops

    @property
    def description(self) -> Description:
        """The description of the subject: name, version, ops, formats.

        Raises:
            NoAnswer: If the block was not entered yet.
        """
        if (described := self._ops.described) is None:
            raise NoAnswer("the driver is started on entering the block")
        return described

    def ask(self, op: str, **arguments: Any) -> Any:
        """Carry out an op and return its value.

        Args:
            op: Its name, such as ``convert_schemas``.
            **arguments: Its arguments, as the bridge names them.

        Raises:
            NoAnswer: If the subject refuses, or the driver does not answer.
        """
        __tracebackhide__ = True
        if (reason := self._runner.bring_up()) is not None:
            raise NoAnswer(f"{op}: {self._sentence(reason)}")
        told = self._ops.told(op, self._runner.ask(self._ops.request(op, arguments)))
        if (wrong := unanswered(told.seen)) is not None:
            # It may answer yet; then nothing would be in step.
            self._runner.stop()
            text = self._sentence(Reason(wrong.kind, "", wrong.fields))
            raise NoAnswer(f"{op}: {text}")
        if "error" in told.seen:
            raise NoAnswer(f"{op}: {told.seen['error']}")
        return told.seen["value"]
