"""The event loops that a program may run on, as its arguments name them."""

from __future__ import annotations

from typing import Final

BACKENDS: Final[dict[tuple[str, ...], str]] = {
    (): "asyncio",
    ("--backend=asyncio",): "asyncio",
    ("--backend=trio",): "trio",
}
"""From the arguments of a program to the event loop that it runs on."""
