"""The draws of a seed, the same whatever modules are loaded.

Hypothesis draws the constants that it finds in the modules of a project as well. What
a seed came to would depend on the folder of the run, and on whether this package is
installed or lies in a checkout; reading its modules takes a second of processor time.
No setting of Hypothesis turns it off.
"""

from __future__ import annotations

import importlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator

PROVIDERS = "hypothesis.internal.conjecture.providers"
"""The module that draws them; old versions have none, and draw none."""

COLLECTS, NONE, DRAWN = "_get_local_constants", "Constants", "CONSTANTS_CACHE"
"""The function that finds them, what it returns, and what has been chosen from it.

Versions before 6.131.9 have not all of these: nothing is done there.
"""


@contextmanager
def no_constants_of_modules() -> Generator[None]:
    """Draw no constant of a loaded module; afterwards all is as it was."""
    module = _module()
    if module is None:
        yield
        return
    collect, none = getattr(module, COLLECTS), getattr(module, NONE)()
    setattr(module, COLLECTS, lambda: none)
    getattr(module, DRAWN).cache.clear()
    try:
        yield
    finally:
        setattr(module, COLLECTS, collect)
        getattr(module, DRAWN).cache.clear()


def _module() -> Any:
    """Return the module that draws them, or None where it has not all of that."""
    try:
        module = importlib.import_module(PROVIDERS)
    except ImportError:
        return None
    names = (COLLECTS, NONE, DRAWN)
    return module if all(hasattr(module, name) for name in names) else None
