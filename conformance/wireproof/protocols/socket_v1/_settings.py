"""What the user says of a server beside how it is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from wireproof.checks import OptionReader


@dataclass(frozen=True, slots=True)
class SocketSettings:
    """The settings of socket-v1 alone.

    Attributes:
        home: Folder of the server's audit and discovery files, or None.
        allowed_tools: Tools of the server's own that may be called.
        path: Where a launched server puts its socket by itself, or None; may hold
            ``{home}``.
    """

    home: Path | None = None
    allowed_tools: tuple[str, ...] = ()
    path: str | None = None


def read_settings(options: OptionReader) -> SocketSettings:
    """Read the options of socket-v1."""
    return SocketSettings(
        options.folder("socket-home"),
        tuple(options.texts("allow-tool")),
        options.text("socket-path"),
    )
