"""`python -m wireproof_reference exec call TOOL`: one call, for a person to try it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING, NoReturn

import anyio

from wireproof_reference._errors import JsonError
from wireproof_reference.exec._config import load_config
from wireproof_reference.exec._nodes import ConfigError
from wireproof_reference.exec._runtime import ExecRuntime
from wireproof_reference.exec.core import ExecError
from wireproof_reference.framing import encode, loads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof_reference.exec.core import Binding
    from wireproof_reference.framing import JSON

EXIT_RESULT = 0
"""The tool gave a result, which was printed."""

EXIT_FAILED = 1
"""The call has failed."""

EXIT_USAGE = 2
"""The command line or a file is wrong, and nothing was run."""


def main(arguments: list[str]) -> int:
    """Call a tool; its result goes to stdout as JSON, anything else to stderr.

    Returns:
        The exit status.
    """
    parser = _parser()
    options = parser.parse_args(arguments[1:])
    try:
        args = loads(options.args.encode())
        config = load_config(options.config, options.pack)
    except (JsonError, UnicodeEncodeError) as error:
        _refuse(f"--args is not JSON: {error}")
    except ConfigError as error:
        _refuse(str(error))
    for warning in config.warnings:
        sys.stderr.write(f"warning: {warning}\n")
    names = ", ".join(binding.name for binding in config.bindings) or "nothing"
    if options.tool not in [binding.name for binding in config.bindings]:
        _refuse(f"{options.config} does not bind {options.tool}; it binds {names}")
    try:
        result = anyio.run(_call, config.bindings, options.tool, args)
    except ExecError as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_FAILED
    sys.stdout.buffer.write(encode(result))
    return EXIT_RESULT


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m wireproof_reference exec call",
        description="Call an exec tool once, and print its result as JSON.",
        allow_abbrev=False,
    )
    parser.add_argument("tool", metavar="TOOL", help="a tool that the file binds")
    parser.add_argument(
        "--config", required=True, help="runtimeconfig.yaml, or the same as .json"
    )
    parser.add_argument("--pack", help="a pack file, for the schema of the arguments")
    parser.add_argument("--args", default="{}", metavar="JSON", help="the arguments")
    return parser


async def _call(bindings: Sequence[Binding], tool: str, args: JSON) -> JSON:
    async with ExecRuntime(bindings) as runtime:
        return await runtime.call(tool, args)


def _refuse(why: str) -> NoReturn:
    sys.stderr.write(f"{why}\n")
    raise SystemExit(EXIT_USAGE)
