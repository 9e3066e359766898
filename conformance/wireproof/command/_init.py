"""``wireproof init``: from a program to a gate, without a question.

It finds out which protocol the program speaks, writes pytest's settings and a workflow
for CI, tries one check of each group, and says what comes next.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import (
    Settings,
    WireproofError,
    recorded_origin,
    requirement_of_origin,
    split_command,
)
from wireproof.command._check import check
from wireproof.command._probe import REQUESTS, Unknown, find_protocol
from wireproof.command._settings_files import TO_ADD, write_settings, write_workflow
from wireproof.command._usage import CommandError
from wireproof.patterns import is_object
from wireproof.protocols import options_of, protocol_for
from wireproof.reporting import safe, suite_version

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from wireproof.command._usage import Subcommands

SHOWN_TEXT = 80
"""Characters of what a program wrote that are shown."""

SHOWN_STDERR = 16
"""Lines from the end of its stderr that are: what it says stands above its trace."""

BASELINE = "known-failures.json"
"""The baseline that is proposed where something fails."""


def add_parser(subcommands: Subcommands) -> None:
    """Add the subcommand."""
    parser = subcommands.add_parser(
        "init", help="find out what a program speaks and set up its gate"
    )
    parser.add_argument(
        "command",
        metavar="COMMAND",
        help="the program's command line, in quotes: 'node myhost.mjs', or "
        "'./server {socket}'",
    )
    told = parser.add_mutually_exclusive_group()
    told.add_argument(
        "--exec-args",
        metavar="JSON",
        help="args of a call with which an exec tool succeeds",
    )
    told.add_argument(
        "--exec-toolset",
        action="store_true",
        help="the exec tool behaves as the conformance toolset says",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Set up the gate of a program in this folder.

    Returns:
        0 where it is set up, whatever its first checks find.

    Raises:
        CommandError: If the program cannot be started, or speaks nothing known.
    """
    folder = Path.cwd()
    text: str = arguments.command.strip()
    try:
        command = split_command(text)
        if not command:
            raise CommandError("the command is empty; give what starts the program")
        args = _args(arguments.exec_args)
        found = find_protocol(text, command, folder, args)
    except (ValueError, WireproofError) as error:
        raise CommandError(str(error)) from error
    if isinstance(found, Unknown):
        raise CommandError(_not_found(text, found, has_args=args is not None))
    settings = {f"wireproof_{found.option.replace('-', '_')}": text}
    options = [f"--{found.option}={text}"]
    if found.option in {"exec", "exec-server"}:
        settings |= _exec_settings(arguments)
        options += _exec_options(arguments)
    protocol = protocol_for(found.option)
    noun = options_of(protocol.name).noun
    print(f"{text}: {noun}, {protocol.name}: {found.shown_by}", flush=True)
    requirement = requirement_of_origin(recorded_origin(), suite_version())
    workflow = write_workflow(folder, requirement)
    done = [*write_settings(folder, settings), *workflow]
    left = any(line.startswith(TO_ADD) for line in done)
    smoke = check([*_smoke(found.option), "-q", "--no-header", *options])
    print("\n".join(["", *done, *_next_steps(smoke, left=left)]))
    return 0


def _args(text: str | None) -> Mapping[str, Any] | None:
    """Return what an exec tool is called with, None where that was not told.

    Raises:
        CommandError: If it is no JSON object.
    """
    if text is None:
        return None
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not is_object(value):
        raise CommandError(
            f"--exec-args={text}: give a JSON object, such as '{{\"n\": 1}}'"
        )
    return value


def _not_found(text: str, found: Unknown, *, has_args: bool) -> str:
    """Say that a program speaks nothing known, with what it wrote instead."""
    first = found.stdout.strip().partition("\n")[0]
    wrote = (
        f"it wrote {first[:SHOWN_TEXT]!r}" if first else "it wrote nothing on stdout"
    )
    told = (
        f"{text!r} answered none of {len(REQUESTS)} requests, each of another "
        f"protocol; {wrote}. A host, exec tool or driver answers on stdout, a line of "
        "JSON; a socket server is named with {socket}, as in './server {socket}'; a "
        "library is reached through a driver (reference/ has examples)"
    )
    if not has_args:
        told += "; an exec tool that needs args is told them: --exec-args='{…}'"
    lines = [one for one in found.stderr.splitlines() if one.strip()]
    shown = [f"  {safe(one)}" for one in lines[-SHOWN_STDERR:]]
    return "\n".join([told, *(["the end of its stderr:"] if shown else []), *shown])


def _exec_settings(arguments: argparse.Namespace) -> dict[str, str]:
    if arguments.exec_args is not None:
        return {"wireproof_exec_args": arguments.exec_args}
    if arguments.exec_toolset:
        return {"wireproof_exec_toolset": "true"}
    raise CommandError(
        "it is an exec tool, and nobody knows what to call it with: add "
        "--exec-args='{…}' with which a plain call succeeds, or --exec-toolset"
    )


def _exec_options(arguments: argparse.Namespace) -> list[str]:
    if arguments.exec_args is not None:
        return [f"--exec-args={arguments.exec_args}"]
    return ["--exec-toolset"]


def _smoke(option: str) -> Sequence[str]:
    """Return the first MUST of each group of checks: what is tried at once."""
    settings = Settings(Path.cwd(), level="must", fuzz=0)
    first: dict[str, str] = {}
    for one in protocol_for(option).checks(settings):
        first.setdefault(one.group, one.id)
    return list(first.values())


def _next_steps(smoke: int, *, left: bool) -> list[str]:
    every = "python -m pytest"
    begin = "next: add the lines above; then " if left else "next: "
    if smoke == 0:
        return [
            f"{begin}{every} runs all checks, of which these were the first of each",
            "      group, here and in CI; commit the files above",
        ]
    return [
        f"{begin}{every} runs all checks and shows what fails; mend it, or",
        f"      {every} --write-known-failures={BASELINE} lists what fails today, and",
        f"      the setting wireproof_known_failures = {BASELINE} lets just that fail",
    ]
