"""The options and the fixture of interop."""

from __future__ import annotations

from wireproof.protocols._options import ProtocolOptions, subject_option

OPTIONS = ProtocolOptions(
    "interop",
    subject_option(
        "adapter",
        "MODULE:ATTR|CMD",
        "try an interop registry (interop): a Python object, class or factory as "
        "module:attr, the command line of a bridge driver, or 'reference'",
    ),
    noun="registry",
    fixture="adapter",
    fixture_help="The first registry of the run, started for these tests alone.",
)
