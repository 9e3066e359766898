"""The options and the fixture of exec-runtime."""

from __future__ import annotations

from wireproof.protocols._options import ProtocolOptions, subject_option

OPTIONS = ProtocolOptions(
    "exec-runtime",
    subject_option(
        "exec-runtime",
        "CMD",
        "try a runtime of exec tools, one-shot and server: the command line of a "
        "bridge driver, or 'reference'",
    ),
    noun="runtime",
    fixture="exec_runtime",
    fixture_help="The first runtime of the run, started for these tests alone.",
)
