"""What shows that a runtime runs tools at all: a plain call of each mode succeeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.operations import AsExpected
from wireproof.protocols.exec_runtime._outcome import NotAnswered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.protocols.exec_runtime._outcome import StepsOutcome

MODES = ("exec", "server")
"""What ``runtime`` in a binding may be."""


def modes_of(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the modes of the tools that steps bind, one-shot where there is none."""
    bound = [step["input"]["exec"] for step in steps if step.get("op") == "bind"]
    modes = [one.get("runtime") for one in bound]
    return [mode for mode in MODES if mode in modes] or ["exec"]


class Controls:
    """The controls of one runtime, each tried when it is needed."""

    def __init__(
        self,
        controls: Mapping[str, Sequence[Mapping[str, Any]]],
        carry_out: Callable[[Sequence[Mapping[str, Any]]], StepsOutcome],
    ) -> None:
        """Take the controls.

        Args:
            controls: Steps for each mode.
            carry_out: Carries out steps on the runtime.
        """
        self._controls = controls
        self._carry_out = carry_out
        self._missing: dict[str, str] = {}

    def missing(self, modes: Sequence[str]) -> str:
        """Say why calls prove nothing, or return an empty text where they do."""
        return next((text for mode in modes if (text := self._of(mode))), "")

    def _of(self, mode: str) -> str:
        if mode not in self._missing:
            # A machine that is busy gets another chance, as a driver does.
            self._missing[mode] = self._try(mode) and self._try(mode)
        return self._missing[mode]

    def _try(self, mode: str) -> str:
        found = self._carry_out(self._controls[mode])
        if isinstance(found, AsExpected):
            return ""
        told = found.fault.text if isinstance(found, NotAnswered) else found.text
        what = "server" if mode == "server" else "one-shot"
        return f"no plain call of a {what} tool succeeds: {told}"
