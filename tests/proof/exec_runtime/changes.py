"""Changes of the plain runtime, of which rows are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import Binding, Driver
from tests.proof.row import Change, around

LEFT_OUT = object()
"""What a driver does not say."""


def having(**attributes: Any) -> Change:
    """Return the change that sets attributes."""
    return lambda subject: type(subject.__name__, (subject,), attributes)


def running(process: type[Running], **attributes: Any) -> Change:
    """Return the change that starts processes of another kind."""
    return having(running=type(process.__name__, (process,), attributes))


def on_once(function: Callable[[Any], Any]) -> Change:
    """Return the change of what a one-shot tool wrote, as JSON, before it is read."""
    return around("read_result", lambda _, read, found: read(function(found)))


def on_answer(function: Callable[[Any], Any]) -> Change:
    """Return the change of what a server answered, before it is read."""
    return around("read_answer", lambda _, read, found: read(function(found)))


def on_arguments(function: Callable[[Any], Any]) -> tuple[Change, Change]:
    """Return the changes of the arguments that tools are sent."""

    def sent_once(_: Any, request: Any, args: Any) -> Any:
        return request(function(args))

    def sent(_: Any, request: Any, number: Any, args: Any) -> Any:
        return request(number, function(args))

    return around("request_once", sent_once), around("request_of_server", sent)


def on_texts(function: Callable[[str], Any]) -> tuple[Change, Change]:
    """Return the changes of each text in the arguments that tools are sent."""

    def change(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: change(one) for key, one in value.items()}
        if isinstance(value, list):
            return [change(one) for one in value]
        return function(value) if isinstance(value, str) else value

    return on_arguments(change)


def on_environment(
    function: Callable[[dict[str, str], Binding], Mapping[str, str]],
) -> Change:
    """Return the change of the variables that a tool is started with."""

    def given(_: Any, environment: Any, binding: Binding) -> Mapping[str, str]:
        return function(environment(binding), binding)

    return around("environment", given)


def on_program(function: Callable[[Any, Binding], str]) -> Change:
    """Return the change of the path that a command is started by."""
    return around("program", lambda self, _, binding: function(self, binding))


def saying(**told: Any) -> type[Driver]:
    """Return a driver that says something else of its runtime."""
    found = {**Driver.told, **told}
    kept = {key: one for key, one in found.items() if one is not LEFT_OUT}
    return type("SayingDriver", (Driver,), {"told": kept})
