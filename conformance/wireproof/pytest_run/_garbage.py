"""What was loaded before the first check is not looked through for garbage again.

Modules, vectors and items are hundreds of thousands of objects that stay to the end of
a run. To look through all of them takes a tenth of a second, and fuzzing makes enough
garbage for that to be done ten times.
"""

from __future__ import annotations

import gc
import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def leave_loaded_alone(config: pytest.Config) -> None:
    """Take what is there out of the search for garbage, until the run has ended.

    Nothing is done where the program that has started the run has done so.
    """
    if gc.get_freeze_count():
        return
    # Whoever gives Hypothesis a random generator does so when it is imported. It asks
    # for what refers to that, and would not find it among what is left alone.
    importlib.import_module("hypothesis")
    gc.freeze()
    config.add_cleanup(gc.unfreeze)
