"""Sequences of frames to a server, by the model of its protocol.

``socket_v1/model.json`` says what is sent and what has to come. What a client knows of
its connections is kept here: their sessions, and the calls that were answered last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wireproof.fuzzing import Act, Model
from wireproof.judge import MAIN
from wireproof_vectors import load_model

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wireproof.fuzzing import Sequence

Names = dict[str, Any]

MAY_CLAIM: Final = ("cli", "plugin")
"""The callers that a client may claim to be."""


class Connections:
    """The knowledge of a client about its connections, by their names."""

    def __init__(self) -> None:
        """Begin with no calls and no sessions."""
        self._latest: dict[str, str] = {}
        self._sessions: list[str] = []

    def names(self, effect: str | None, act: Names) -> Names:
        """Return the names of an act.

        These are whether it is ``elsewhere`` than on the main connection; the id of the
        call that was ``finished`` last on its connection, or None; whether its caller
        ``may_claim`` to be what it claims; and the pattern of the id of its
        ``session``.
        """
        name = act["on"]
        names = {
            "elsewhere": name != MAIN,
            "finished": None if act["together"] else self._latest.get(name),
            "may_claim": act["caller"] in MAY_CLAIM,
        }
        if effect != "no-call":
            self._latest[name] = act["id"]
        if effect == "session":
            names["session"] = self._session(name)
        return names

    def _session(self, name: str) -> Names:
        """Return the pattern of a session's id, which stays the same."""
        if name in self._sessions:
            return {"$use": f"session of {name}"}
        others = [{"$not": {"$use": f"session of {one}"}} for one in self._sessions]
        self._sessions.append(name)
        match = {"$all_of": [{"$type": "string"}, *others]}
        return {"$save": f"session of {name}", "match": match}


def beside_one(sequence: Sequence, acts: Iterable[Act], on: str) -> None:
    """Add acts one by one while a call runs that is cancelled after them.

    Args:
        sequence: The sequence.
        acts: The acts.
        on: The connection of the call.
    """
    call, cancelled = sequence.parts(Act("cancelled", {"on": on}), together=True)
    *begins, cancel = call
    sequence.steps += begins
    for act in acts:
        begins, answers = sequence.parts(act, together=True)
        sequence.steps += [*begins, *answers]
    sequence.steps += [cancel, *cancelled]


def end(sequence: Sequence) -> None:
    """See that nothing else came; a server may report that a cancel was stray."""
    names = dict.fromkeys(step.get("on", MAIN) for step in sequence.steps)
    gone = {step["disconnect"] for step in sequence.steps if "disconnect" in step}
    for name in names:
        if name not in gone:
            on = {} if name == MAIN else {"on": name}
            last = {"expect_optional": {"type": "error"}, "clause": "SOCK-X3"}
            sequence.steps.append({**on, **last})


DATA: Final[Any] = load_model("socket-v1")
"""The model's data."""

MODEL: Final = Model(DATA, Connections)
"""The model."""
