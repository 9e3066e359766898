"""How an exec server is started and asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.judge import Reason
from wireproof.patterns import is_object
from wireproof.protocols._exec_tools import exec_subject
from wireproof.run import NotUp, PlainDriver, Request, not_up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wireproof.checks import Check, Settings, SubjectFacts, Target
    from wireproof.run import Answer

OWN_IDS = 900_000_000
"""From here on ids are the runner's own: integers that fit 32 bits."""


class ServerDriver(PlainDriver):
    """How one server is started and asked.

    Attributes:
        subject: The server as the user named it.
    """

    connections = None

    def __init__(self, target: Target, settings: Settings) -> None:
        """Prepare; nothing is started."""
        self.subject = exec_subject(target, settings)
        self.command = self.subject.command
        self.environment = self.subject.environment
        self.forwarded = self.subject.forwarded
        self.folder = settings.folder
        # A server lists no tools.
        self.tools: tuple[str, ...] = ()
        # A process that was sent nothing is called with what the user named first.
        self.names: dict[str, Any] = {"args": next(iter(self.subject.candidates), None)}
        self._own = OWN_IDS
        self._arguments: Any = None
        self._is_known = False

    def begin(self, ask: Callable[[Request], Answer]) -> NotUp | None:
        """Call the tool with the arguments that a user gave until one succeeds."""
        candidates = [self._arguments] if self._is_known else self.subject.candidates
        first: NotUp | None = None
        for arguments in candidates:
            answer = ask(self._request(arguments))
            problem = not_up(answer)
            if problem is None:
                self._arguments, self._is_known = arguments, True
                self.names = {"args": arguments}
                return None
            first = first or NotUp(problem.kind, {**problem.fields, "args": arguments})
            if answer.ended != "refused":
                break
        return first or NotUp("control-refused", {"args": None, "value": None})

    def control(self) -> Request:
        """Return a call that succeeds."""
        candidates = self.subject.candidates
        if not self._is_known and candidates:
            return self._request(candidates[0])
        return self._request(self._arguments)

    @staticmethod
    def call(arguments: Any) -> Request:
        """Return a call of the tool, which may be answered by anything."""
        return Request(_call(OWN_IDS, arguments), _any_response)

    def lacking(self, check: Check, ask: Callable[[Request], Answer]) -> Reason | None:
        """Return what a check needs: the tools of the toolset, all or none."""
        if not check.calls or self.subject.toolset:
            return None
        return Reason("needs-toolset", check.clauses[0], {"tool": check.calls[0]})

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the server."""
        has_all = self.subject.toolset and self._is_known
        return replace(
            facts,
            level="full" if has_all else "wire",
            missing_checks=0
            if self.subject.toolset
            else sum(map(_needs_tools, checks)),
        )

    def _request(self, arguments: Any) -> Request:
        self._own += 1
        return Request(_call(self._own, arguments), self._accepts)

    def _accepts(self, response: Any) -> bool:
        if not is_object(response) or "result" not in response:
            return False
        return self.subject.is_control(response["result"])


def _call(identifier: int, arguments: Any) -> dict[str, Any]:
    params = {"args": arguments}
    return {"jsonrpc": "2.0", "id": identifier, "method": "execute", "params": params}


def _any_response(response: Any) -> bool:
    return True


def _needs_tools(check: Check) -> bool:
    return bool(check.calls)
