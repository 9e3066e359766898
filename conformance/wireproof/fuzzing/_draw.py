"""Draw the examples of some properties, and write them for the process that asked.

On stdout come as many pickles as there are names, each a list of `Drawn`.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from importlib import import_module

from wireproof.fuzzing._search import drawn

NICENESS = 10
"""By how much others are preferred."""


def main(plans: str, examples: str, seed: str, *names: str) -> None:
    """Draw.

    Args:
        plans: The module that has the strategies.
        examples: As of `fuzz`, in digits.
        seed: As of `fuzz`, in digits.
        names: The properties.
    """
    # It is told to end by SIGTERM, and does so as at Ctrl-C: nothing is left behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # The subject comes first, where the cores do not suffice for both.
    os.nice(NICENESS)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stream:
        # Nothing else may come between the pickles.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        strategies = import_module(plans).STRATEGIES
        for name in names:
            pickle.dump(drawn(strategies[name], int(examples), int(seed)), stream)
            stream.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
