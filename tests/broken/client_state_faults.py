"""Clients that carry the wrong state: HV1-C4, C10."""

from __future__ import annotations

from typing import Any

from tests.broken.client_subject import (
    RewritingConnection,
    WiredClient,
    broken_client,
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


@broken_client("first-state", "HV1-C4", "keeps the state that init gave")
class KeepsTheFirstState(WiredClient):
    connection_type = FirstState


class MergedState(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        if isinstance(result.get("state"), dict):
            old = self.state if isinstance(self.state, dict) else {}
            result["state"] = {**old, **result["state"]}


@broken_client("merged-state", "HV1-C4", "merges a new state into the old one")
class MergesStates(WiredClient):
    connection_type = MergedState


class FilledState(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        if self.state and result.get("state") == {}:
            del result["state"]


@broken_client("no-empty-state", "HV1-C4", "does not take up a state that is empty")
class IgnoresEmptyStates(WiredClient):
    connection_type = FilledState


class SuccessState(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        value = result["value"]
        if isinstance(value, dict) and value.get("success") is False:
            result.pop("state", None)


@broken_client(
    "state-of-successes", "HV1-C4", "takes up no state of a reported failure"
)
class TakesStatesOfSuccesses(WiredClient):
    connection_type = SuccessState


@broken_client("state-of-the-call-before", "HV1-C4", "is one state behind")
class OneStateBehind(HostClient):
    def _start_tool(self, tool_name: str, arguments: Any, within: Any) -> Any:
        now = self._link.state
        self._link.state = getattr(self, "before", {})
        self.before = now
        try:
            return super()._start_tool(tool_name, arguments, within)
        finally:
            self._link.state = now


@broken_client("state-lost-at-a-failure", "HV1-C10", "loses its state at a failure")
class LosesStateAtAFailure(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except HostFailure:
            self._link.state = {}
            raise


@broken_client("state-lost-at-a-deadline", "HV1-C10", "loses its state at a deadline")
class LosesStateAtADeadline(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except CallTimeout:
            self._link.state = {}
            raise


class AbsentIsEmpty(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        result.setdefault("state", {})


@broken_client("absent-is-empty", "HV1-C10", "takes an absent state for an empty one")
class TakesAbsentForEmpty(WiredClient):
    connection_type = AbsentIsEmpty


class NullIsEmpty(StateConnection):
    def rewrite_state(self, result: dict[str, Any]) -> None:
        if "state" in result and not isinstance(result["state"], dict):
            result["state"] = {}


@broken_client("null-is-empty", "HV1-C10", "takes a state that is no object for {}")
class TakesNullForEmpty(WiredClient):
    connection_type = NullIsEmpty
