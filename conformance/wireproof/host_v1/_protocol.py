"""The registry's view of host-v1: its checks, its catalogue, how a suite is opened."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from wireproof._suite import Check, ClauseText, Suite
from wireproof._values import raw_bytes
from wireproof._verdicts import LEVELS
from wireproof.host_v1._fuzz_checks import FUZZ_CHECKS
from wireproof_vectors import (
    Vector,
    load_clauses,
    load_setup,
    load_toolset,
    load_vectors,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof._settings import Settings, Target

NAME = "host-v1"


class HostProtocol:
    """host-v1 as an entry of the registry.

    Attributes:
        name: Its name.
        option: The command-line option.
        help: What the option takes.
        reference: Arguments that start the reference host.
    """

    name = NAME
    option = "host"
    help = "an NDJSON tool host (host-v1): its command line, or 'reference'"
    reference = ("-m", "wireproof_reference", "host")

    def command(self, text: str) -> tuple[str, ...]:
        """Return the words of a command line.

        Raises:
            ValueError: If the text cannot be split into words.
        """
        return tuple(shlex.split(text))

    def checks(self, settings: Settings) -> Sequence[Check]:
        """Return the checks up to the level asked for, vectors before fuzzing."""
        highest = LEVELS.index(settings.level)
        found = [_check(vector) for vector in _vectors().values()]
        for file, vectors in settings.vectors.items():
            own = [vector for vector in vectors if _is_ours(vector)]
            found += [replace(_check(vector), file=file) for vector in own]
        if settings.fuzz:
            found += FUZZ_CHECKS
        return [check for check in found if LEVELS.index(check.level) <= highest]

    def clauses(self) -> Sequence[ClauseText]:
        """Return the catalogue of host-v1."""
        return [
            ClauseText(
                clause.id,
                clause.level,
                clause.source,
                clause.text,
                clause.excluded.why if clause.excluded else "",
            )
            for clause in load_clauses(NAME)
        ]

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a host."""
        from wireproof.host_v1._suite import HostSuite

        return HostSuite(
            target,
            settings,
            self.checks(settings),
            {
                **_vectors(),
                **{
                    vector.id: vector
                    for vectors in settings.vectors.values()
                    for vector in vectors
                },
            },
            load_setup(NAME),
            [tool.name for tool in load_toolset() if "host-v1" in tool.protocols],
            self.clauses(),
        )

    def describe(self, check_id: str) -> Mapping[str, Any] | None:
        """Return a vector as its file has it."""
        vector = _vectors().get(check_id)
        return vector.data if vector else None


PROTOCOL = HostProtocol()


@cache
def _answers() -> Mapping[str, Any]:
    """The requests that vectors use only to be answered, whatever the answer."""
    setup: Any = load_setup(NAME)
    found: dict[str, Any] = setup["answers"]
    return found


def _answers_used(vector: Vector) -> list[str]:
    """The requests without whose answer a vector says nothing, by name."""
    steps = json.dumps(vector.data["steps"])
    return [
        name
        for name, request in _answers().items()
        if request["marker"] in steps
        and not set(request["charged"]) & set(vector.clauses)
    ]


def _joins(vector: Vector) -> bool:
    """Tell whether a vector sends something before it has the answer to the last.

    The fence at the end counts: it is sent at once where nothing is expected last.
    """
    steps: Any = vector.data["steps"]
    waiting = False
    for step in steps:
        if "send_many" in step:
            return True
        if raw_bytes(step.get("send_raw", [])).count(b"\n") > 1:
            return True
        if "send" in step or "send_raw" in step:
            if waiting:
                return True
            waiting = True
        elif "expect" in step:
            waiting = False
        elif waiting and ("fence" in step or "expect_optional" in step):
            return True
    return waiting


@cache
def _vectors() -> Mapping[str, Vector]:
    return {
        vector.id: vector for vector in load_vectors(NAME) if vector.kind == "exchange"
    }


def _is_ours(vector: Vector) -> bool:
    """Tell whether a vector is one to be tried on a host."""
    return vector.id.startswith(f"{NAME}/") and vector.kind == "exchange"


def _check(vector: Vector) -> Check:
    given: Any = vector.data.get("needs", {})
    needs: dict[str, Any] = dict(given)
    if _joins(vector):
        needs["joined"] = ["requests"]
    if answers := _answers_used(vector):
        needs["answers"] = answers
    return Check(
        vector.id,
        vector.title,
        vector.clauses,
        vector.level,
        vector.source,
        "vector",
        needs,
    )
