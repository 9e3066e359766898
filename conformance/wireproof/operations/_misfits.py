"""The finding that the answers of a driver do not fit the bridge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Result, Verdict

if TYPE_CHECKING:
    from wireproof.subjects import Bridge


def misfit_results(protocol: str, *bridges: Bridge) -> list[Result]:
    """Return one result for the first answer that does not fit; none if all do.

    It fails the run, and is charged to no clause of the protocol.
    """
    for bridge in bridges:
        if bridge.misfit is not None:
            return [
                Result(
                    f"{protocol}/driver",
                    (),
                    "must",
                    # Counts against both answers: nothing is known of the subject.
                    "seed",
                    Verdict.FAILED,
                    bridge.misfit.text,
                    title="The driver's answers fit the bridge.",
                    by_monitor=True,
                )
            ]
    return []
