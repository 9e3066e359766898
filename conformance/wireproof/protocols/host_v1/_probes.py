"""Prerequisites of checks, each tried once: what fails there is not charged elsewhere.

A check that needs a tool says nothing on a host whose tool does not do the plainest
thing; nor does one whose requests stand in one write, on a host that reads but the
first of them. A probe that fails is a deviation of its own, charged to its clause.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.crossing import MOST_VALUES
from wireproof.line import Missing, head
from wireproof.patterns import in_line, is_object, json_equal, match
from wireproof.protocols.host_v1._exchanges import HostArrival

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from wireproof.checks import Check
    from wireproof.line import Lifetime
    from wireproof.protocols.host_v1._session import HostSession

REFUSALS = frozenset(
    {"HV1-T7", "HV1-T8", "HV1-M7", "HV1-M8", "HV1-M12", "HV1-R7", "HV1-R8", "HV1-R9"}
)
"""Clauses that ask for a failure, or for nothing to happen."""

JOINED = {"two": (2, "HV1-T4"), "many": (MOST_VALUES, "HV1-M13")}
"""How many requests are sent in one write, and what is broken where one is lost."""

JOINED_SECONDS = 3.0
"""Requests that would take a host longer than this are not sent to see it."""

MOST_CLAUSES = 4
"""Clauses that a check may have of its own; one of more, such as a sequence of calls,
tells nothing of any where already the plain call fails, which has its own checks."""

QUICK_PARTS = 100

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Quick:
    """What a host is seen to be quick with.

    Attributes:
        clause: The clause that a call which is not answered breaks.
        tool: The tool that is called.
        arguments: Its arguments.
        seconds: How long that takes a quick host at the most.
        told: What is said of a host to which it takes longer.
        each: How many are asked for at once; what is told is the time of one.
    """

    clause: str
    tool: str
    arguments: Mapping[str, Any]
    seconds: float
    told: str
    each: int = 1

    def slowness(self, seconds: float) -> str:
        """Say how slow a host is to which it takes so many seconds."""
        return self.told.format(ms=seconds * 1000 / self.each)


QUICK: Mapping[str, Quick] = {
    "events": Quick(
        "HV1-R5",
        "conformance_stream",
        {"parts": [{"n": 1}] * QUICK_PARTS, "delay_ms": 0},
        0.05,
        "each event takes the host {ms:.1f} ms: none waits behind others",
        QUICK_PARTS,
    ),
    "mebibytes": Quick(
        "HV1-T10",
        "conformance_echo",
        {"value": "x" * MEBIBYTE},
        0.25,
        "one of 16 MiB MAY be refused, and 1 MiB takes the host {ms:.0f} ms",
    ),
}
"""By what ``quick`` of a vector's needs says."""

QUICK_TRIES = 3
"""How often that is tried: a machine may have other work."""


class Probes:
    """What has been found out about one host's prerequisites."""

    def __init__(
        self,
        session: HostSession,
        lifetime: Lifetime,
        setup: Mapping[str, Any],
        tries: Callable[[str], bool],
    ) -> None:
        """Begin with nothing known.

        Args:
            session: The conversation.
            lifetime: What is known of how long the host lives.
            setup: The data of ``host_v1/setup.json``.
            tries: Tells whether the run has checks of a clause.
        """
        self._tries = tries
        self._session = session
        self._lifetime = lifetime
        self._setup = setup
        self._known: dict[str, Deviation | None] = {}
        self._offered: dict[str, bool] = {}
        self._seconds_with: dict[str, float] = {}

    def fault(self, check: Check) -> Deviation | None:
        """Return the first fault that hides a check, trying what it needs."""
        needs = check.needs
        found = [self._tool(tool) for tool in check.calls]
        joined = (self._joined(number) for number in needs.get("joined", ()))
        lost = next((one for one in joined if one is not None), None)
        if lost is not None and lost.clause != check.clauses[0]:
            # A check that joins requests by the way tells no more than the own checks.
            return lost
        found += [self._answer(name) for name in needs.get("answers", ())]
        if not REFUSALS.isdisjoint(check.clauses):
            found.append(self._success_beside_init())
        own = check.clauses if len(check.clauses) <= MOST_CLAUSES else ()
        return next((one for one in found if one and one.clause not in own), None)

    def offers(self, method: str) -> bool:
        """Tell whether an optional method is offered, asking for it once."""
        if self._session.has_answered(method):
            return True
        if method not in self._offered:
            entry = self._setup["optional_methods"][method]
            answer = self._request("HV1-M8", method, entry["params"])
            offered = isinstance(answer, HostArrival) and answer.value.get("ok") is True
            self._offered[method] = offered
            if isinstance(answer, Missing):
                self._start_anew()
        return self._offered[method]

    def offer_fault(self, method: str) -> Deviation | None:
        """Return why a success does not say that an optional method is offered.

        A host that answers a method that nobody has with the same success would answer
        this one so, whatever it offers.
        """
        key = f"an answer of its own to {method}"
        if key in self._known:
            return self._known[key]
        entry = self._setup["optional_methods"][method]
        unknown = self._setup["answers"]["unknown_method"]
        answers = [
            self._request("HV1-M8", one["method"], one["params"])
            for one in ({"method": method, **entry}, unknown)
        ]
        if any(isinstance(answer, Missing) for answer in answers):
            self._start_anew()
        values = [_value_of(answer) for answer in answers]
        if None in values or not json_equal(*values):
            return self._keep(key, None)
        text = f"{method} and {unknown['title']} are answered with the same success"
        # The clause's own checks ask the same.
        shown = not self._tries("HV1-M8")
        return self._keep(key, Deviation("HV1-M8", "must", text), shown=shown)

    def slowness_with(self, what: str) -> str | None:
        """Return how slow the host is with something; None where it is quick.

        What takes a host long is not asked for in masses. Of events that are emitted
        one by one, each after a wait, none is kept back: what a host loses of very many
        it does not lose there.

        Args:
            what: A key of ``QUICK``.
        """
        quick = QUICK[what]
        if what not in self._seconds_with:
            self._seconds_with[what] = min(self._timed(quick))
        seconds = self._seconds_with[what]
        return None if seconds <= quick.seconds else quick.slowness(seconds)

    def _timed(self, quick: Quick) -> Iterator[float]:
        """Yield the seconds that a call takes, till one is quick."""
        params = {
            "tool_name": quick.tool,
            "arguments": quick.arguments,
            "state": {"$use": "state"},
        }
        for _ in range(QUICK_TRIES):
            began = time.monotonic()
            answer = self._request(quick.clause, "execute_tool", params)
            if isinstance(answer, Missing):
                self._start_anew()
                yield 0.0
                return
            yield (seconds := time.monotonic() - began)
            if seconds <= quick.seconds:
                return

    def _request(self, clause: str, method: str, params: Any) -> HostArrival | Missing:
        """Send a request, whose answer is waited for in full once for each clause."""
        silences = self._session.silences
        if silences.knows(clause):
            return self._session.request(method, params)
        with silences.in_full():
            answer = self._session.request(method, params)
        if isinstance(answer, Missing):
            silences.shows(clause)
        return answer

    def _keep(
        self, key: str, fault: Deviation | None, *, shown: bool = True
    ) -> Deviation | None:
        """Keep what a probe found.

        Args:
            key: The probe.
            fault: What it found; None for nothing.
            shown: Whether it is charged here, by itself.
        """
        self._known[key] = fault
        if fault is not None and shown:
            self._session.note(fault)
        return fault

    def _unanswered(self, clause: str, text: str) -> Deviation:
        """Return what an answer that did not come is charged to."""
        hiding = (one for one in self._session.deviations if one.hides)
        fault = self._lifetime.fault() or next(
            hiding, Deviation(clause, "must", text, hides=True)
        )
        self._session.silences.shows(fault.clause)
        self._start_anew()
        return fault

    def _start_anew(self) -> None:
        self._session.discard()
        self._session.ensure_up()

    def _tool(self, tool: str) -> Deviation | None:
        """Call a tool in the plainest way."""
        if tool in self._known or tool not in self._setup["tools"]:
            return self._known.get(tool)
        probe = self._setup["tools"][tool]
        params = {
            "tool_name": tool,
            "arguments": probe["arguments"],
            "state": {"$use": "state"},
        }
        answer = self._request("HV1-R5", "execute_tool", params)
        if isinstance(answer, Missing):
            text = f"{tool} did not answer a plain call: {answer.text}"
            return self._keep(tool, self._unanswered("HV1-R5", text))
        fault = self._answer_fault(tool, probe, answer)
        # The clause's own checks call the tool as plainly, and show what came.
        own = fault is not None and "clause" in probe and self._tries(fault.clause)
        return self._keep(tool, fault, shown=not own)

    def _answer_fault(
        self, tool: str, probe: Mapping[str, Any], answer: HostArrival
    ) -> Deviation | None:
        succeeded = {"success": True, "result": probe.get("result")}
        value = probe.get("value", succeeded)
        wanted = {"ok": True, "result": {"value": value}}
        miss = match(wanted, answer.value, self._session.names, {})
        if miss is None:
            return self._parts(tool, probe["parts"]) if "parts" in probe else None
        whole = (one for one in answer.deviations if one.where is None)
        if (fault := next(whole, None)) is not None:
            return fault
        text = (
            f"a plain call of {tool} gave something else than the toolset says, "
            f"at {miss.path}"
        )
        clause = probe.get("clause", "HV1-R5")
        return Deviation(clause, "must", text, head(answer.line))

    def _parts(self, tool: str, wanted: list[Any]) -> Deviation | None:
        """Look at the events of a plain call."""
        found = self._session.last_parts()
        if json_equal(wanted, found):
            return None
        if len(found) < len(wanted):
            self._session.listen_for_late_events()
        deviations = self._session.deviations
        fired = [one for one in deviations if one.clause.startswith("HV1-E")]
        if fired:
            return fired[0]
        text = f"{tool} emitted {in_line(found, 150)}, not {in_line(wanted, 150)}"
        changed = len(found) == len(wanted) and not _same_members(wanted, found)
        return Deviation("HV1-E4" if changed else "HV1-E3", "must", text)

    def _joined(self, number: str) -> Deviation | None:
        """See whether requests in one write are all answered."""
        count, clause = JOINED[number]
        key = f"{count} requests in one write"
        if key in self._known:
            return self._known[key]
        if count * self._session.patience.quickest > JOINED_SECONDS:
            return None
        if self._session.controls_answered(count):
            return self._keep(key, None)
        text = f"of {key} not all were answered"
        answers = self._setup["answers"]
        unlike = [answers["unknown_method"], answers["unknown_tool"]]
        if clause == "HV1-T4" and self._session.joined_requests_answered(unlike):
            # Both were read: it is requests of one kind that it takes for each other.
            clause = "HV1-M13"
            text = f"{text}, where those of two kinds are"
        return self._keep(key, self._unanswered(clause, text))

    def _success_beside_init(self) -> Deviation | None:
        """See whether anything but ``init`` succeeds: else a refusal proves nothing."""
        if self._session.control_method != "init":
            return None
        text = "nothing but init is answered with success"
        if self._session.has_answered("get_tool_schemas"):
            text = "get_tool_schemas was answered with another kind of value"
        return Deviation("HV1-R3", "must", text)

    def _answer(self, name: str) -> Deviation | None:
        """Send a request that checks only need to be answered, whatever the answer."""
        key = f"an answer to {name}"
        if key in self._known:
            return self._known[key]
        request = self._setup["answers"][name]
        clause = request["clause"]
        answer = self._request(clause, request["method"], request["params"])
        if not isinstance(answer, Missing) and "then" in request:
            after = self._setup["answers"][request["then"]]
            answer = self._request(clause, after["method"], after["params"])
        if not isinstance(answer, Missing):
            return self._keep(key, None)
        text = f"{request['title']} was not answered, or what followed: {answer.text}"
        fault = self._unanswered(clause, text)
        # The clause's own checks ask the same, and show what was sent for it.
        return self._keep(key, fault, shown=not self._tries(fault.clause))


def _value_of(answer: HostArrival | Missing) -> dict[str, Any] | None:
    """Return the result of a success without its state; None of anything else."""
    if isinstance(answer, Missing) or answer.value.get("ok") is not True:
        return None
    result = answer.value.get("result")
    return {"value": result["value"]} if is_object(result) and "value" in result else {}


def _same_members(left: list[Any], right: list[Any]) -> bool:
    return all(any(json_equal(one, other) for other in right) for one in left)
