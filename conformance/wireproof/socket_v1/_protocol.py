"""The registry's view of socket-v1: checks, catalogue, how a suite is opened."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof._suite import Check, ClauseText, Suite
from wireproof._verdicts import LEVELS
from wireproof.socket_v1._fuzz_checks import FUZZ_CHECKS
from wireproof.socket_v1._place import SOCKET
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

NAME = "socket-v1"


class SocketProtocol:
    """socket-v1 as an entry of the registry.

    Attributes:
        name: Its name.
        option: The command-line option.
        help: What the option takes.
        reference: Arguments that start the reference server.
    """

    name = NAME
    option = "socket"
    help = (
        "a tool socket server (socket-v1): the path of its socket, a command line with "
        "{socket} in it, or 'reference'"
    )
    reference = (
        "-m",
        "wireproof_reference",
        "socket",
        SOCKET,
        "--home",
        "{home}/.meith",
    )

    def command(self, text: str) -> tuple[str, ...]:
        """Return the words of a command, or the path of a running server's socket.

        Raises:
            ValueError: If the text cannot be split into words.
        """
        if SOCKET in text:
            return tuple(shlex.split(text))
        return (str(Path(text).expanduser().absolute()),) if text else ()

    def checks(self, settings: Settings) -> Sequence[Check]:
        """Return the checks up to the level asked for."""
        highest = LEVELS.index(settings.level)
        found = [_check(vector) for vector in _vectors().values()]
        for file, vectors in settings.vectors.items():
            own = [vector for vector in vectors if _is_ours(vector)]
            found += [replace(_check(vector), file=file) for vector in own]
        if settings.fuzz:
            found += FUZZ_CHECKS
        return [check for check in found if LEVELS.index(check.level) <= highest]

    def clauses(self) -> Sequence[ClauseText]:
        """Return the catalogue of socket-v1."""
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
        """Bind the checks to a server."""
        from wireproof.socket_v1._suite import SocketSuite

        own = {
            vector.id: vector
            for vectors in settings.vectors.values()
            for vector in vectors
        }
        return SocketSuite(
            target,
            settings,
            self.checks(settings),
            {**_vectors(), **own},
            load_setup(NAME),
            [tool.name for tool in load_toolset() if NAME in tool.protocols],
            self.clauses(),
        )

    def describe(self, check_id: str) -> Mapping[str, Any] | None:
        """Return a vector as its file has it."""
        vector = _vectors().get(check_id)
        return vector.data if vector else None


PROTOCOL = SocketProtocol()


@cache
def _vectors() -> Mapping[str, Vector]:
    return {vector.id: vector for vector in load_vectors(NAME) if _is_ours(vector)}


def _is_ours(vector: Vector) -> bool:
    """Tell whether a vector is one to be tried on a server."""
    return vector.id.startswith(f"{NAME}/") and vector.kind == "exchange"


def _check(vector: Vector) -> Check:
    needs: Any = vector.data.get("needs", {})
    return Check(
        vector.id,
        vector.title,
        vector.clauses,
        vector.level,
        vector.source,
        "vector",
        needs,
    )
