"""The options and the fixture of host-client."""

from __future__ import annotations

from wireproof.protocols._options import ProtocolOptions, subject_option

OPTIONS = ProtocolOptions(
    "host-client",
    subject_option(
        "host-client",
        "CMD",
        "try a client of NDJSON tool hosts (host-v1): the command line of a bridge "
        "driver, or 'reference'",
    ),
    noun="host client",
    fixture="host_client",
    fixture_help="The first host client of the run, started for these tests alone.",
)
