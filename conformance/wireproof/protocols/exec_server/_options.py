"""The options and the fixture of exec-server."""

from __future__ import annotations

from wireproof.protocols._exec_options import EXEC_OPTIONS, SEVERAL
from wireproof.protocols._options import ProtocolOptions, subject_option

OPTIONS = ProtocolOptions(
    "exec-server",
    subject_option(
        "exec-server",
        "CMD",
        "try an exec tool in server mode, JSON-RPC 2.0 on stdio; CMD is split as a "
        "shell splits words, no shell is started; 'reference' is the built-in server",
    ),
    noun="exec server",
    fixture="exec_server",
    fixture_help="The first exec server of the run, started for these tests alone.",
    others=EXEC_OPTIONS,
    several=SEVERAL,
)
