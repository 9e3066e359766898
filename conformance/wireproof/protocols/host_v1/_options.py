"""The options and the fixture of host-v1."""

from __future__ import annotations

from wireproof.protocols._options import Option, ProtocolOptions, subject_option

OPTIONS = ProtocolOptions(
    "host-v1",
    subject_option(
        "host",
        "CMD",
        "try an NDJSON tool host (host-v1); CMD is split as a shell splits words, "
        "no shell is started; 'reference' is the built-in host",
    ),
    noun="host",
    fixture="host",
    fixture_help="The first host of the run, started for these tests alone.",
    others=(
        Option(
            "host-offers",
            "NAME[,NAME]",
            "optional methods that the host offers, so that a failure of one is a "
            "fault",
            repeatable=True,
            reproduces=True,
        ),
    ),
)
