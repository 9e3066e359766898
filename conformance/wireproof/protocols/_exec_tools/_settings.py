"""What a user says of exec tools beside their command lines."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_object
from wireproof.protocols._exec_tools._pack import arguments_for, load_pack
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from wireproof.checks import OptionReader

ONE_OF = "--exec-args, --exec-toolset, --pack"
"""What a run of exec tools needs one of."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A tool that a runtime configuration binds to a command.

    Attributes:
        tool: Its name.
        command: The argument vector.
        is_server: Whether it is started once and serves many calls.
        environment: All its variables: those that are listed and set, and PATH.
        listed: The names that are listed.
        arguments: Arguments made from its JSON Schema; empty without a pack.
    """

    tool: str
    command: tuple[str, ...]
    is_server: bool
    environment: Mapping[str, str]
    listed: tuple[str, ...] = ()
    arguments: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class ExecSettings:
    """The settings of exec tools alone.

    Attributes:
        arguments: Arguments to try until a call with them succeeds.
        toolset: Whether the tools behave as the conformance toolset says.
        bindings: The bindings of runtime configurations, by the subject's text.
    """

    arguments: Sequence[Any] = ()
    toolset: bool = False
    bindings: Mapping[str, Binding] = field(default_factory=dict[str, Binding])


def read_settings(options: OptionReader) -> ExecSettings:
    """Read the options of exec tools.

    Raises:
        Exception: As the reader makes it, if a value cannot be used.
    """
    toolset = options.switch("exec-toolset")
    text = options.text("exec-args")
    given = () if text is None else (_arguments(options, text),)
    pack = options.file("pack")
    config = options.file("runtime-config")
    if config is not None:
        if not (given or toolset or pack):
            remedy = f"nobody knows what to call its tools with; give one of {ONE_OF}"
            raise options.refuse("runtime-config", str(config), remedy)
        return ExecSettings(given, toolset, _bindings(options, config, pack, given))
    if given:
        return ExecSettings(given, toolset)
    if pack is None:
        return ExecSettings((), toolset)
    try:
        return ExecSettings(_only(load_pack(pack)), toolset)
    except ValueError as error:
        raise options.refuse("pack", str(pack), str(error)) from error


def _bindings(
    options: OptionReader, config: Path, pack: Path | None, given: Sequence[Any]
) -> dict[str, Binding]:
    """Return the bindings of a file, by the text under which each is tried."""
    # A run without a runtime configuration has no need of what reads one.
    from wireproof_reference.exec import load_config

    found: dict[str, Binding] = {}
    try:
        for one in load_config(config, pack).bindings:
            listed = {name: os.environ[name] for name in one.env if name in os.environ}
            arguments = given
            if not given and one.parameters is not None:
                arguments = arguments_for(one.name, one.parameters)
            found[f"{options.text('runtime-config')} {one.name}"] = Binding(
                one.name,
                (one.command, *one.args),
                one.runtime == "server",
                {"PATH": os.environ.get("PATH", os.defpath), **listed},
                one.env,
                arguments,
            )
    except ValueError as error:
        raise options.refuse("runtime-config", str(config), str(error)) from error
    return found


def _only(tools: Mapping[str, Mapping[str, Any]]) -> Sequence[Any]:
    """Return arguments for the only tool of a pack.

    Raises:
        ValueError: If there are several, or none could be made.
    """
    if len(tools) > 1:
        raise ValueError(
            f"it defines {', '.join(tools)}: which of them the command is, "
            "--runtime-config says; or give --exec-args"
        )
    return next(arguments_for(name, schema) for name, schema in tools.items())


def _arguments(options: OptionReader, text: str) -> Any:
    try:
        value = loads(text.encode())
    except JsonError as error:
        remedy = f"""it is not JSON ({error.reason}); give such as '{{"text":"hi"}}'"""
        raise options.refuse("exec-args", text, remedy) from error
    if not is_object(value):
        remedy = """args are a JSON object; give such as '{"text":"hi"}'"""
        raise options.refuse("exec-args", text, remedy)
    return value
