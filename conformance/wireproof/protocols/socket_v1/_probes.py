"""Prerequisites of checks, each tried once: what fails there is not charged elsewhere.

A check that needs a tool says nothing on a server whose tool does not do the plainest
thing. A probe that fails is a deviation of its own, charged to its clause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from wireproof.checks import Deviation
from wireproof.line import Missing, must
from wireproof.patterns import in_line, is_object, match
from wireproof.protocols.socket_v1._transport import MAIN
from wireproof.protocols.socket_v1._validation import VALIDATES, refused_though_valid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check
    from wireproof.protocols.socket_v1._ledger import SocketArrival
    from wireproof.protocols.socket_v1._session import SocketSession

MOST_SHOWN = 80
"""Most characters of a call's arguments that are shown."""


class Probes:
    """What has been found out about one server's tools."""

    def __init__(self, session: SocketSession, setup: Mapping[str, Any]) -> None:
        """Begin with nothing known.

        Args:
            session: The conversation.
            setup: The data of ``socket_v1/setup.json``.
        """
        self._session = session
        self._setup = setup
        self._known: dict[str, Deviation | None] = {}
        self._contents: dict[str, Any] = {}

    def lacking(self, check: Check) -> str | None:
        """Return what a tool does not say that may say it, and a check needs."""
        needs = cast("Mapping[str, Mapping[str, Sequence[str]]]", check.needs)
        wanted = needs.get("keys", {})
        for tool, keys in wanted.items():
            if tool not in self._contents:
                arguments = self._setup["tools"][tool]["arguments"]
                request = {"type": "tool_call", "protocol": 1, "toolName": tool}
                answer = self._ask({**request, "arguments": arguments})
                value = None if isinstance(answer, Missing) else answer.value
                result = value.get("result") if is_object(value) else None
                content = result.get("content") if is_object(result) else None
                self._contents[tool] = content if is_object(content) else {}
                self._session.drop(MAIN)
            for key in keys:
                if key not in self._contents[tool]:
                    return f"{tool} has no {key} in its result"
        return None

    def fault(self, check: Check) -> Deviation | None:
        """Return the first fault that hides a check, trying what it needs."""
        for tool in check.calls:
            if tool not in self._known and tool in self._setup["tools"]:
                self._known[tool] = self._tool_fault(tool)
                self._session.drop(MAIN)
            found = self._known.get(tool)
            if found is not None and found.clause not in check.clauses:
                return found
        return None

    def _tool_fault(self, tool: str) -> Deviation | None:
        probe = self._setup["tools"][tool]
        calls = (probe, *probe.get("then", ()))
        found = (self._call_fault(tool, call) for call in calls)
        return next((one for one in found if one is not None), None)

    def _call_fault(self, tool: str, probe: Mapping[str, Any]) -> Deviation | None:
        """Call a tool in a plain way, and return what is wrong with that."""
        request = {
            "type": "tool_call",
            "protocol": 1,
            "toolName": tool,
            "arguments": probe["arguments"],
        }
        answer = self._ask(request)
        if isinstance(answer, Missing) and answer.timed_out:
            # Tools that were called before may hold it up, which is SOCK-C8's matter.
            self._session.discard()
            if self._session.ensure_up() is None:
                answer = self._ask(request)
        if isinstance(answer, Missing):
            hiding = (one for one in self._session.deviations if one.hides)
            text = f"{tool} did not answer a plain call: {answer.text}"
            fault = next(hiding, Deviation("SOCK-C1", "must", text, hides=True))
            self._session.discard()
            self._session.ensure_up()
            self._session.note(fault)
            return fault
        binding = [one for one in answer.deviations if one.level == "must"]
        if binding:
            return binding[0]
        shown = in_line(probe["arguments"], MOST_SHOWN)
        text = (
            f"a plain call of {tool} with {shown} gave something else than the toolset "
            "says"
        )
        wanted = probe.get("answer") or {
            "type": "tool_result",
            "result": {"ok": True, "content": probe["content"]},
        }
        names = self._session.names
        miss = match(wanted, answer.value, names, names)
        if refused := refused_though_valid(request, answer.value):
            fault = must(VALIDATES, refused, answer.line)
        elif miss is not None:
            fault = must("SOCK-C4", f"{text}, at {miss.path}", answer.line)
        elif "events" in probe:
            found = self._session.events_of(self._session.last_id)
            if match(probe["events"], found, self._session.names, {}) is None:
                return None
            wrong = [one for one in self._session.deviations if one.level == "must"]
            if wrong:
                return wrong[0]
            text = f"{tool} did not emit what the toolset says"
            fault = Deviation("SOCK-E2", "must", text, str(found)[:300])
        else:
            return None
        self._session.note(fault)
        return fault

    def _ask(self, request: Mapping[str, Any]) -> SocketArrival | Missing:
        # What it left unanswered before is no ground to leave out a tool's checks.
        with self._session.in_full():
            return self._session.ask(request)
