"""Reducers that come and go, and what a tool comes to by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.protocols.tool_contract._acts import ENDED, Kind

if TYPE_CHECKING:
    from wireproof.protocols.tool_contract._turns import Pattern, Turns


class ReducerActs:
    """Which reducer a tool has, and which was removed, act by act."""

    def __init__(self, turns: Turns) -> None:
        """Begin with no reducer.

        Args:
            turns: What writes the turns.
        """
        self._turns = turns
        self._reducer = ""
        self._throws = False
        self._second = False
        self._removed = ""
        self._reducers = 0

    def add(self, kind: Kind) -> None:
        """Add an act of a kind about the reducer."""
        match kind:
            case Kind.REDUCER_ADDED | Kind.REDUCER_THROWS:
                if self._reducer:
                    self._remove()
                self._register(throws=kind is Kind.REDUCER_THROWS)
            case Kind.REDUCER_REFUSED:
                if not self._reducer:
                    self._register()
                self._second = True
                asked = {
                    "toolName": self._turns.name_of(Kind.REDUCED),
                    "reduce": _append("2nd"),
                }
                self._turns.steps.append(
                    {
                        "op": "register_reducer",
                        "input": asked,
                        "error": {"mentions": []},
                        "clause": "TOOL-D3",
                    }
                )
            case Kind.REDUCER_REMOVED:
                if not self._reducer:
                    self._register()
                self._remove()
            case Kind.REMOVED_AGAIN:
                if not self._removed:
                    if not self._reducer:
                        self._register()
                    self._remove()
                self._unregister(self._removed)
            case _:
                self._turns.alone(kind, *self._reduced())

    def _reduced(self) -> tuple[str, Pattern]:
        if self._reducer and not self._throws:
            value = f"{ENDED['value']} by {self._reducer}"
            # One that was removed before may have taken this one with it.
            clause = "TOOL-D4" if self._removed else "TOOL-D1"
            clause = "TOOL-D3" if self._second else clause
            return clause, {"ok": True, "value": value}
        if self._reducer:
            return "TOOL-D2", ENDED
        return "TOOL-D4" if self._removed else "TOOL-D1", ENDED

    def _register(self, *, throws: bool = False) -> None:
        self._reducers += 1
        self._reducer = f"reducer-{self._reducers}"
        self._throws, self._second = throws, False
        does = {"throw": "no"} if throws else _append(f"by {self._reducer}")
        # After a removal the name is free: that the one removed is gone is TOOL-D4.
        clause = "TOOL-D4" if self._removed else "TOOL-D1"
        self._turns.steps.append(
            {
                "op": "register_reducer",
                "input": {
                    "toolName": self._turns.name_of(Kind.REDUCED),
                    "reduce": does,
                },
                "expected": {"handle": {"$save": self._reducer}},
                "clause": clause,
            }
        )

    def _asked(self, does: Pattern) -> Pattern:
        return {"toolName": self._turns.name_of(Kind.REDUCED), "reduce": does}

    def _remove(self) -> None:
        self._unregister(self._reducer)
        self._removed, self._reducer = self._reducer, ""

    def _unregister(self, handle: str) -> None:
        self._turns.steps.append(
            {
                "op": "unregister_reducer",
                "input": {"handle": {"$use": handle}},
                "expected": {"removed": {"$type": "boolean"}},
                "clause": "TOOL-D4",
            }
        )


def _append(text: str) -> Pattern:
    return {"append": f" {text}"}
