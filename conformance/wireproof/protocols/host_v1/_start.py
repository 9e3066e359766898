"""A host's start: ``init``, then a control."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.line import (
    NUDGED_SECONDS,
    Missing,
    MissingCause,
    NotUp,
)
from wireproof.patterns import is_array, is_object, json_equal
from wireproof.protocols.host_v1._exchanges import HostArrival
from wireproof.protocols.host_v1._requests import HostRequests

if TYPE_CHECKING:
    from collections.abc import Mapping


class HostStart(HostRequests):
    """How one host is brought up; ``state`` among the names is that of ``init``.

    Attributes:
        state_varies: Whether two of its starts gave two states.
    """

    state_varies = False
    _first_state: Mapping[str, Any] | None = None

    def _bring_up(self) -> NotUp | None:
        answer = self._ask("init", self._setup["start"], self.patience.starting())
        self.names["state"] = dict[str, Any]()
        if isinstance(answer, HostArrival):
            self._take_state(answer)
            state: Mapping[str, Any] = self.names["state"]
            earliest: Mapping[str, Any] = self._first_state or state
            self._first_state = earliest
            self.state_varies |= not json_equal(earliest, state)
        elif answer.cause is not MissingCause.TIMEOUT:
            return NotUp(f"no answer to init: {answer.text}", ended=answer.ended)
        first = answer
        # The time of a start is spent once: one that is up answers this soon.
        seconds = NUDGED_SECONDS if isinstance(first, Missing) else None
        if self._control is not None:
            return self._check_control(self._control, seconds)
        why = NotUp("")
        for control in self._setup["controls"]:
            not_up = self._check_control(control, seconds)
            if not_up is None:
                if self._answers_all_alike(first):
                    return NotUp("it gives the same answer to everything")
                self._control = control
                return None
            if isinstance(first, Missing):
                # It said nothing to init and nothing to the first control either.
                waited = first.text.removeprefix("no answer ")
                text = f"no answer to init {waited}"
                not_up = self._diagnose(text, "--subject-timeout")
                self.tools = self.tools or self._listed_late()
                return not_up
            why = why if why.text else not_up
        if isinstance(first, HostArrival) and first.value.get("ok") is True:
            text = f"init was answered with success, but then: {why.text}"
            return NotUp(text, why.deviations, ended=why.ended)
        return NotUp("it answered no plain valid request with success")

    def _listed_late(self) -> dict[str, Any]:
        """Return the tools of a listing that came only when its input was closed."""
        for exchange in self._ledger.exchanges.known.values():
            if exchange.request.method == "get_tool_schemas" and exchange.response:
                return _tools_named(exchange.response.value)
        return {}

    def _check_control(
        self, control: Mapping[str, Any], seconds: float | None
    ) -> NotUp | None:
        """Ask for a control, and wait for it as long as usual or so many seconds."""
        asked = time.monotonic()
        usual = self.patience.allowance()
        allowed = usual if seconds is None else min(seconds, usual)
        answer = self._ask(control["method"], control["params"], allowed)
        if isinstance(answer, Missing):
            text = f"no answer to {control['method']}: {answer.text}"
            if answer.cause is not MissingCause.EXITED or not self._ledger.succeeded:
                return NotUp(text, ended=answer.ended)
            # It has come up, and then left a plain valid request without a response.
            lost = Deviation("HV1-M3", "must", text, hides=True)
            return NotUp(text, (lost,), ended=answer.ended)
        if answer.value.get("ok") is not True:
            return NotUp(f"{control['method']} was answered without success")
        if not _is_plausible(control["method"], answer.value):
            self.tools = self.tools or _tools_named(answer.value)
            return NotUp(f"{control['method']} was answered with another kind of value")
        self.patience.measured(time.monotonic() - asked)
        if control["method"] == "get_tool_schemas":
            self.tools = _tool_names(answer.value)
        return None

    @property
    def control_method(self) -> str | None:
        """The method of the plain valid request that was found to succeed."""
        return self._control["method"] if self._control else None

    def _answers_all_alike(self, first: HostArrival | Missing) -> bool:
        """Tell whether what a host is asked makes no difference to its answer.

        Args:
            first: Its answer to ``init``, which is not sent again for this.
        """
        if isinstance(first, Missing) or first.value.get("ok") is not True:
            return False
        wanted = {**first.value, "id": None}
        asked = [one for one in self._setup["controls"] if one["method"] != "init"]
        for one in (*asked, self._setup["answers"]["unknown_method"]):
            answer = self._ask(one["method"], one["params"], self.patience.allowance())
            if isinstance(answer, Missing):
                return False
            if not json_equal(wanted, {**answer.value, "id": None}):
                return False
        return True

    def _take_state(self, answer: HostArrival) -> None:
        result = answer.value.get("result")
        if is_object(result):
            state = result.get("state", result.get("value"))
            self.names["state"] = state if is_object(state) else {}


def _is_plausible(method: str, response: Mapping[str, Any]) -> bool:
    """Tell whether a success holds the kind of value that its method answers with."""
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


def _tool_names(response: Mapping[str, Any]) -> dict[str, Any]:
    result = response.get("result")
    return _by_name(result.get("value") if is_object(result) else None)


def _tools_named(response: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tools of a listing that stands in another place than it should."""
    result = response.get("result")
    places: list[Any] = [result, *(result.values() if is_object(result) else ())]
    for place in places:
        if found := _by_name(place):
            return found
    return {}


def _by_name(listed: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for schema in listed if is_array(listed) else []:
        if is_object(schema):
            for holder in (schema, schema.get("function"), schema.get("custom")):
                name = holder.get("name") if is_object(holder) else None
                if isinstance(name, str):
                    found.setdefault(name, schema)
    return found
