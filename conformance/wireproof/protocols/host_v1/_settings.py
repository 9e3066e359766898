"""What the user says of a host beside its command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from wireproof.checks import OptionReader


@dataclass(frozen=True, slots=True)
class HostSettings:
    """The settings of host-v1 alone.

    Attributes:
        offers: Optional methods that the user says the host has.
    """

    offers: frozenset[str] = frozenset()


def read_settings(options: OptionReader) -> HostSettings:
    """Read the options of host-v1."""
    setup: Any = load_setup("host-v1")
    known: list[str] = sorted(setup["optional_methods"])
    words = [
        word.strip()
        for text in options.texts("host-offers")
        for word in text.split(",")
    ]
    names = frozenset(word for word in words if word)
    for name in sorted(names.difference(known)):
        remedy = f"no such optional method; there are {', '.join(known)}"
        raise options.refuse("host-offers", name, remedy)
    return HostSettings(names)
