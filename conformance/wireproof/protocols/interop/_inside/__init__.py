"""The scenarios of interop, carried out in the process of the registry.

This package is loaded by the program that serves a ``module:attr`` subject, under a
name of its own: it imports nothing but the standard library and its own modules, those
by their place beside it. What a scenario needs it looks up on the subject, then in the
module where that was found. What is missing makes the scenario not applicable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._formats import FORMAT_SCENARIOS
from ._layers import LAYER_SCENARIOS
from ._providers import PROVIDER_SCENARIOS
from ._registries import REGISTRY_SCENARIOS
from ._subject_view import NotProvided, SubjectView, Unexpected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ._objects import Json

__all__ = ["BY_NAME", "OPS", "scenario"]

BY_NAME: Mapping[str, Callable[[SubjectView], None]] = {
    **LAYER_SCENARIOS,
    **REGISTRY_SCENARIOS,
    **FORMAT_SCENARIOS,
    **PROVIDER_SCENARIOS,
}
"""What carries out each scenario."""


def scenario(served: Any, name: str) -> Json:
    """Carry out a scenario and say how it went.

    Returns:
        ``missing``: what the subject does not have, ``wrong``: what came out otherwise,
        with ``where``, ``expected`` and ``actual``, ``compared``: what was as it should
        be. Empty where it says nothing.
    """
    view = SubjectView(served)
    told: Json = {"missing": "", "wrong": "", "where": "", "expected": "", "actual": ""}
    try:
        BY_NAME[name](view)
    except NotProvided as error:
        told["missing"] = str(error)
    except Unexpected as error:
        told |= {"wrong": error.text, "where": error.where}
        told |= {"expected": error.expected, "actual": error.actual}
    return {**told, "compared": view.compared}


OPS: Mapping[str, Callable[..., Any]] = {"scenario": scenario}
"""What is asked of this file."""
