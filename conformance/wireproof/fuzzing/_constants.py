"""The draws of a seed, the same whatever modules are loaded.

Hypothesis draws the constants that it finds in the modules of a project as well. What
a seed came to would depend on the folder of the run, and on whether this package is
installed or lies in a checkout; reading its modules takes a second of processor time.
No setting of Hypothesis turns it off.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hypothesis.internal.conjecture import providers

if TYPE_CHECKING:
    from collections.abc import Generator

COLLECTS = "_get_local_constants"
"""The function that finds them; versions before 6.131 have none, and draw none."""


@contextmanager
def no_constants_of_modules() -> Generator[None]:
    """Draw no constant of a loaded module; afterwards all is as it was."""
    module: Any = providers
    collect = getattr(module, COLLECTS, None)
    if collect is None:
        yield
        return
    none = module.Constants()
    setattr(module, COLLECTS, lambda: none)
    module.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        setattr(module, COLLECTS, collect)
        module.CONSTANTS_CACHE.cache.clear()
