"""How a host is started and asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.judge import Reason
from wireproof.patterns import expand, is_array, is_object, written
from wireproof.protocols.host_v1._dialect import same_but_id
from wireproof.protocols.host_v1._settings import HostSettings
from wireproof.protocols.host_v1.rules import OF_KEYS, OF_STATE
from wireproof.run import NotUp, PlainDriver, Request, not_up
from wireproof.subjects import subject_environment
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from wireproof.checks import Check, Settings, SubjectFacts, Target
    from wireproof.run import Answer

OWN_ID = "wireproof-"
"""What the ids of the runner's own requests begin with."""

ENVELOPE = frozenset({"v", "id", "ok", "result", "error", "event"})

SHOWN_KEYS = 20

EXITED = NotUp("ended-unanswered", {})
"""What a host did that answered init, and exited at a later request."""


class HostDriver(PlainDriver):
    """How one host is started and asked.

    Attributes:
        tools: The tools that it lists, by name.
    """

    forwarded = None
    connections = None

    def __init__(
        self,
        target: Target,
        settings: Settings,
        toolset: Collection[str] = (),
        *,
        is_tried: bool = True,
    ) -> None:
        """Prepare; nothing is started.

        Args:
            target: The host.
            settings: The user's options.
            toolset: The tools that a host at the level full lists.
            is_tried: Whether checks are to be tried: what it offers is found out.
        """
        self.command = target.command
        self.environment = subject_environment(settings.environment)
        self.folder = settings.folder
        self.names: dict[str, Any] = {"state": {}}
        self.tools: dict[str, Any] = {}
        self._toolset = toolset
        self._is_tried = is_tried
        self._setup: Mapping[str, Any] = load_setup("host-v1")
        self._offers = set(settings.of(HostSettings).offers)
        self._probed: set[str] = set()
        self._own = 0
        self._control: Mapping[str, Any] | None = None
        self._is_up = False
        self._has_state = self._state_varies = False
        self._keys: set[str] = set()
        self._states: set[str] = set()

    # --- the start

    def begin(self, ask: Callable[[Request], Answer]) -> NotUp | None:
        """Send ``init``, whose state is what requests carry, and then a control."""
        self._is_up = False
        first = ask(self._request("init", self._setup["start"], _answers))
        if (problem := not_up(first)) is not None:
            return problem
        self._take_state(first.value)
        controls = [self._control] if self._control else self._setup["controls"]
        why: NotUp | None = None
        for control in controls:
            answer = ask(self._control_request(control))
            problem = not_up(answer)
            if problem is None:
                self._control, self._is_up = control, True
                break
            why = why or problem
            if answer.ended != "refused":
                return EXITED if answer.ended == "exited" else problem
        else:
            return why
        return self._look_around(ask, first.value) if self._is_tried else None

    def _look_around(
        self, ask: Callable[[Request], Answer], first: Any
    ) -> NotUp | None:
        """Find out once what the host offers; see whether it reads what it is asked."""
        unknown = self._setup["answers"]["unknown_method"]
        methods: Mapping[str, Any] = self._setup["optional_methods"]
        if "unknown" not in self._probed:
            self._probed.add("unknown")
            answer = ask(self._request(unknown["method"], unknown["params"], _answers))
            if is_object(answer.value) and same_but_id(first, answer.value):
                self._probed.discard("unknown")
                return NotUp("alike", {})
            if answer.ended == "exited":
                return EXITED
        for name, method in methods.items():
            if name in self._probed or name in self._offers:
                continue
            # A probe that ends the host is not repeated: its check shows that.
            self._probed.add(name)
            self._offers.add(name)
            answer = ask(self._request(name, method["params"], _succeeds))
            if answer.ended == "exited":
                return EXITED
            if answer.ended != "answered":
                self._offers.discard(name)
        return None

    def _take_state(self, response: Any) -> None:
        result = response.get("result")
        state = result.get("state", result.get("value")) if is_object(result) else None
        state = state if is_object(state) else {}
        # The first of all states has none before it to differ from.
        self._state_varies |= self._has_state and state != self.names["state"]
        self._has_state = True
        self.names = {"state": state}

    # --- requests

    def control(self) -> Request:
        """Return the plain valid request that succeeds, or the first of those."""
        return self._control_request(self._control or self._setup["controls"][0])

    def opening(self, writes: Sequence[bytes]) -> Sequence[bytes] | None:
        """Return ``init``; None if each process has a state of its own."""
        if self._state_varies and any(b'"state"' in one for one in writes):
            return None
        params = self._setup["start"]
        start = {"v": 1, "id": "start", "method": "init", "params": params}
        return [written(start)]

    def recover(self, ask: Callable[[Request], Answer]) -> str:
        """Send ``init`` again: a host may refuse the state of an earlier one."""
        first = ask(self._request("init", self._setup["start"], _succeeds))
        if first.ended != "answered":
            return ""
        self._take_state(first.value)
        again = ask(self.control())
        return "old-state-refused" if again.ended == "answered" else ""

    def any_request(self, method: str, params: Mapping[str, Any]) -> Request:
        """Return a request that may be answered by anything."""
        return self._request(method, params, lambda _: True)

    def _control_request(self, control: Mapping[str, Any]) -> Request:
        method = control["method"]

        def accepts(response: Any) -> bool:
            if not _succeeds(response) or not _is_plausible(method, response):
                return False
            if method == "get_tool_schemas" and not self.tools:
                self.tools = tools_by_name(response["result"]["value"])
            return True

        return self._request(method, control["params"], accepts)

    def _request(
        self, method: str, params: Mapping[str, Any], accepts: Callable[[Any], bool]
    ) -> Request:
        self._own += 1
        filled = expand(params, self.names)
        identifier = f"{OWN_ID}{self._own}"
        message = {"v": 1, "id": identifier, "method": method, "params": filled}
        return Request(message, accepts)

    # --- what is known of the host

    def lacking(self, check: Check, ask: Callable[[Request], Answer]) -> Reason | None:
        """Return the tool or the method that a check needs and the host lacks."""
        for tool in check.needs.get("tools", ()):
            if tool not in self.tools:
                return Reason("needs-tool", check.clauses[0], {"tool": tool})
        for method in check.needs.get("methods", ()):
            if method not in self._offers:
                return Reason("needs-method", check.clauses[0], {"method": method})
        return None

    def observe(self, log: Sequence[tuple[Any, Any]]) -> None:
        """Take the keys of the host's own, and the state where none was sent."""
        for request, message in log:
            if not message.keys() <= ENVELOPE:
                self._keys.update(message.keys() - ENVELOPE)
            result = message.get("result")
            if message.get("ok") is not True or not is_object(result):
                continue
            params = request.get("params") if is_object(request) else None
            carried = is_object(params) and is_object(params.get("state"))
            if is_object(request) and not carried and request.get("method") != "init":
                seen = "null" if result.get("state") is None else "present"
                self._states.add(seen if "state" in result else "absent")

    def recorded(self) -> Mapping[str, str]:
        """Return the keys of the host's own, and the state where none was sent."""
        keys = ", ".join(sorted(self._keys)[:SHOWN_KEYS])
        states = ", ".join(sorted(self._states))
        return {
            OF_KEYS: f"keys of its own: {keys}" if keys else "none",
            OF_STATE: f"state: {states}" if states else "no such response",
        }

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the host: the tools that it lists or lacks."""
        is_known = self._control is not None or bool(self.tools)
        missing = tuple(t for t in self._toolset if is_known and t not in self.tools)
        called = {tool for check in checks for tool in check.calls}
        known = called.union(self._toolset)
        is_wire = missing or self._control is None
        return replace(
            facts,
            level="wire" if is_wire else "full",
            missing_checks=sum(not set(missing).isdisjoint(c.calls) for c in checks),
            missing_tools=missing,
            own_tools=tuple(tool for tool in self.tools if tool not in known),
        )


def _answers(response: Any) -> bool:
    return is_object(response)


def _succeeds(response: Any) -> bool:
    return is_object(response) and response.get("ok") is True


def _is_plausible(method: str, response: Mapping[str, Any]) -> bool:
    """Return whether a success holds the kind of value that its method returns."""
    result = response.get("result")
    if not is_object(result) or "value" not in result:
        return False
    match method:
        case "get_tool_schemas":
            return is_array(result["value"])
        case "init":
            return is_object(result["value"])
        case _:
            return True


def tools_by_name(listed: Any) -> dict[str, Any]:
    """Return the schemas of a listing by the names of their tools, in any format."""
    found: dict[str, Any] = {}
    for schema in listed if is_array(listed) else []:
        if not is_object(schema):
            continue
        for holder in (schema, schema.get("function"), schema.get("custom")):
            name = holder.get("name") if is_object(holder) else None
            if isinstance(name, str):
                found.setdefault(name, schema)
    return found
