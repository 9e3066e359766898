"""Clients that carry the wrong state: HV1-C4, C10."""

from __future__ import annotations

from typing import Any

from tests.proof.host_client.subject import (
    RewritingConnection,
    WiredClient,
    broken,
)

from wireproof_reference.host_v1 import CallTimeout, HostClient, HostFailure


class StateConnection(RewritingConnection):
    """Changes the state that comes with a success before it is read."""

    state: Any = None

    def rewrite_state(self, result: dict[str, Any]) -> None:
        """Change the `result` of a success in place."""
        raise NotImplementedError

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame.get("ok") is True:
            self.rewrite_state(frame["result"])
            self.state = frame["result"].get("state", self.state)


class FirstState(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        if self.state is not None:
            result.pop("state", None)


@broken("first-state", "HV1-C4", "keeps the state that init gave")
class KeepsTheFirstState(WiredClient):
    connection_type = FirstState


class NullStateOfInit(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        if self.state is None and result.get("state", 0) is None:
            result["state"] = {}


@broken("null-state-of-init", "HV1-C4", "takes a null state of init for an empty one")
class TakesANullStateOfInit(WiredClient):
    connection_type = NullStateOfInit


class MergedState(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        if isinstance(result.get("state"), dict):
            old = self.state if isinstance(self.state, dict) else {}
            result["state"] = {**old, **result["state"]}


@broken("merged-state", "HV1-C4", "merges a new state into the old one")
class MergesStates(WiredClient):
    connection_type = MergedState


class FilledState(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        if self.state and result.get("state") == {}:
            del result["state"]


@broken("no-empty-state", "HV1-C4", "does not take up a state that is empty")
class IgnoresEmptyStates(WiredClient):
    connection_type = FilledState


class SuccessState(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        value = result["value"]
        if isinstance(value, dict) and value.get("success") is False:
            result.pop("state", None)


@broken("state-of-successes", "HV1-C4", "takes up no state of a reported failure")
class TakesStatesOfSuccesses(WiredClient):
    connection_type = SuccessState


@broken("state-of-the-call-before", "HV1-C4", "is one state behind")
class OneStateBehind(HostClient):
    def _start_tool(self, tool_name: str, arguments: Any, within: Any) -> Any:
        now = self._link.state
        self._link.state = getattr(self, "before", {})
        self.before = now
        try:
            return super()._start_tool(tool_name, arguments, within)
        finally:
            self._link.state = now


class StatelessInit(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        # The first answer of all is that to init.
        if self.state is None and "state" not in result:
            result["state"] = {}


@broken("value-of-init-unused", "HV1-C4", "has no state where init gives but a value")
class LeavesTheValueOfInit(WiredClient):
    connection_type = StatelessInit


class CallOrder(StateConnection):
    """Keeps the state of the call that was made last, whenever it comes."""

    def __init__(self) -> None:
        super().__init__()
        self.order: list[str] = []
        self.newest = -1

    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        self.order.append(frame["id"])
        return super().rewrite_request(frame)

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame.get("ok") is True and frame["id"] in self.order:
            place = self.order.index(frame["id"])
            if place < self.newest:
                frame["result"].pop("state", None)
            self.newest = max(place, self.newest)


@broken("order-of-calls", "HV1-C4", "keeps the state of the call that was made last")
class KeepsTheStateOfTheLastCall(WiredClient):
    connection_type = CallOrder


@broken("state-lost-at-a-failure", "HV1-C10", "loses its state at a failure")
class LosesStateAtAFailure(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except HostFailure:
            self._link.state = {}
            raise


@broken("state-lost-at-a-deadline", "HV1-C10", "loses its state at a deadline")
class LosesStateAtADeadline(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except CallTimeout:
            self._link.state = {}
            raise


class HeardConnection(RewritingConnection):
    """Keeps the state that a failure had, wherever it stood."""

    heard: Any = None

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        result = frame.get("result") or {}
        if frame.get("ok") is False:
            self.heard = frame.get("state", result.get("state"))


@broken("state-of-a-failure", "HV1-C10", "takes the state that a failure has")
class TakesTheStateOfAFailure(WiredClient):
    connection_type = HeardConnection

    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except HostFailure:
            connection: Any = self._link._connection
            if isinstance(connection.heard, dict):
                self._link.state = connection.heard
            connection.heard = None
            raise


class AbsentIsEmpty(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        # The value of init is its state, and not absent.
        if isinstance(result["value"], dict) and "success" in result["value"]:
            result.setdefault("state", {})


@broken("absent-is-empty", "HV1-C10", "takes an absent state for an empty one")
class TakesAbsentForEmpty(WiredClient):
    connection_type = AbsentIsEmpty


class NullIsEmpty(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        if "state" in result and not isinstance(result["state"], dict):
            result["state"] = {}


@broken(
    "null-is-empty",
    "HV1-C10",
    "takes a state that is no object for {}",
)
class TakesNullForEmpty(WiredClient):
    connection_type = NullIsEmpty
