"""How a registry is reached: the driver of the user's own, or that of the suite."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wireproof.subjects import Bridge, Patience, _in_process, subject_environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import Settings, Target

OPS = (
    "convert_schemas",
    "inspect_schema",
    "convert_tool_calls",
    "inspect_call",
    "sanitize_tool_call",
    "inspect_result",
    "convert_results",
)
"""The ops that a registry at full level offers."""

PROVIDER_OPS = (
    "to_native_messages",
    "from_native_messages",
    "initialize_request",
    "finalize",
)
"""The optional ops, the one that best tells a provider's format first."""

INSIDE = Path(__file__).with_name("_inside.py")
"""The file whose ops look at a registry in its own process."""

SERVER = (sys.executable, "-P", str(Path(_in_process.__file__)))
"""The words that start the driver of an object in Python; its name follows."""

_MODULE = re.compile(r"[A-Za-z_][\w.]*\Z")
_OBJECT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*\Z")


def names_object(text: str) -> bool:
    """Tell whether a subject is an object in Python, as ``module:attr``."""
    return _OBJECT.match(text) is not None


def may_lack_attribute(text: str) -> bool:
    """Tell whether a command may be the name of a module, its attribute forgotten."""
    return _MODULE.match(text) is not None


def is_in_process(command: Sequence[str]) -> bool:
    """Tell whether the driver is the suite's own, in the registry's process."""
    return tuple(command[: len(SERVER)]) == SERVER


def open_bridge(target: Target, settings: Settings) -> Bridge:
    """Prepare the driver of a subject; nothing is started."""
    environment = subject_environment(settings.environment)
    in_process = is_in_process(target.command)
    if in_process:
        told = {
            "subject": target.command[-1],
            "path": [str(settings.folder), *sys.path],
            "ops": [*OPS, *PROVIDER_OPS],
            "inside": str(INSIDE),
        }
        environment[_in_process.VARIABLE] = json.dumps(told)
    return Bridge(
        target.command,
        folder=settings.folder,
        environment=environment,
        patience=Patience(settings.timeout),
        takes_many=in_process,
    )
