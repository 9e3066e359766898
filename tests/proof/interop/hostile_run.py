"""Runs the suite on one hostile registry in a process of its own, and measures it.

``python hostile_run.py NAME`` prints one JSON object. A process of its own, so that
its memory, its temporary files and its open descriptors are those of this run alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from tests.proof.hostile import measure  # noqa: E402
from tests.proof.interop import hostile_driver, hostile_registries  # noqa: E402
from tests.proof.interop.trial import command_for, try_out  # noqa: E402

EVERY = 9
"""One vector of so many is run: what is looked at is the end, not each verdict."""

MODULE = "tests.proof.interop.hostile_registries"
_PROGRAM = str(Path(__file__).with_name("hostile_driver.py"))

SUBJECTS = {
    **{name: (sys.executable, _PROGRAM, name) for name in hostile_driver.SUBJECTS},
    **{
        kind.__name__: command_for(f"{MODULE}:{kind.__name__}")
        for kind in hostile_registries.ONE_BY_ONE
    },
    "no-object": command_for(f"{MODULE}:NO_OBJECT"),
    "no-attribute": command_for(f"{MODULE}:Nobody"),
    "no-module": command_for("tests.proof.interop.nowhere:registry"),
    "broken-module": command_for("tests.proof.interop.hostile_module:registry"),
}
"""What starts each of them."""


def main(name: str) -> None:
    """Run the suite and print what is to be looked at."""
    measure(lambda: try_out(SUBJECTS[name], timeout=1.0, every=EVERY))


if __name__ == "__main__":
    main(sys.argv[1])
