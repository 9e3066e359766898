"""The options and the fixture of the tool contract."""

from __future__ import annotations

from wireproof.protocols._options import ProtocolOptions, subject_option

OPTIONS = ProtocolOptions(
    "tool-contract",
    subject_option(
        "tools",
        "MODULE:ATTR|CMD",
        "try a tool registry (tool-contract): a Python object, class or factory as "
        "module:attr, the command line of a bridge driver, or 'reference'",
    ),
    noun="tool registry",
    fixture="tool_registry",
    fixture_help="The first tool registry of the run, started for these tests alone.",
)
