"""The options that exec tools of both modes share.

Imported by every pytest run: standard library only.
"""

from __future__ import annotations

from wireproof.protocols._options import Option

EXEC_OPTIONS: tuple[Option, ...] = (
    Option(
        "exec-args",
        "JSON",
        'args of a plain call with which an exec tool succeeds, such as {"text":"hi"}',
        reproduces=True,
    ),
    Option(
        "exec-toolset",
        "",
        "exec tools behave as the conformance toolset says: their args are "
        '{"tool": name, "arguments": {...}}',
        reproduces=True,
    ),
    Option(
        "runtime-config",
        "FILE",
        "try every tool that a runtime configuration binds, in its mode and with only "
        "the variables that its binding lists",
        wakes=True,
        reproduces=True,
    ),
    Option(
        "pack",
        "FILE",
        "a pack file whose tool the exec tool is: its args are made from the JSON "
        "Schema of the tool",
        reproduces=True,
    ),
)
"""What is said of a tool beside its command line."""

SEVERAL = "runtime-config"
"""The option that names every binding of a file."""
