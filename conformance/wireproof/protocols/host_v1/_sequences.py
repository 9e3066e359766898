"""Sequences of requests to a host, by the model of its protocol.

``host_v1/model.json`` says what is sent and what has to come. The states that the host
gave, and what its counter is in them, are kept here.
"""

from __future__ import annotations

from typing import Any, Final

from wireproof.fuzzing import Model
from wireproof_vectors import load_model

Names = dict[str, Any]

START: Final = "state"
"""The state of the host's first `init`, by the name that every vector knows."""


class States:
    """The states that a client was given, and the counter in them.

    A call that does not count leaves the counter in its state as it was (HV1-R11).
    """

    def __init__(self) -> None:
        """Begin with the state of the first `init`, in which nothing was counted."""
        self._latest: Names = {"$use": START}
        self._second: Names = {"$use": START}
        self._count = 0
        self._chained = False

    def names(self, effect: str | None, act: Names) -> Names:
        """Return the names of an act.

        These are the ``state`` that it carries, the state of the ``second`` init, the
        name under which the state in its answer is ``saved``, or None, the ``total``
        after it counts, and whether it is ``chained`` to the state of a count before.
        """
        name = f"state-{act['number']}"
        total = self._count + act["by"]
        names: Names = {
            "state": self._latest,
            "second": self._second,
            "saved": None,
            "total": total,
            "chained": False,
        }
        match effect:
            case "counts" if act["together"]:
                # Several carry the same state: HV1-R10 says which of them decides.
                self._chained = False
            case "counts":
                names |= {"saved": name, "chained": self._chained}
                self._latest, self._count, self._chained = {"$use": name}, total, True
            case "keeps" if act["keeps"] and not act["together"]:
                names["saved"] = name
                self._latest = {"$use": name}
            case "begins":
                names["saved"] = name
                self._second = {"$use": name}
            case _:
                pass
        return names


DATA: Final[Any] = load_model("host-v1")
"""The model's data."""

MODEL: Final = Model(DATA, States)
"""The model."""
