"""The options and the fixture of exec-oneshot."""

from __future__ import annotations

from wireproof.protocols._exec_options import EXEC_OPTIONS, SEVERAL
from wireproof.protocols._options import ProtocolOptions, subject_option

OPTIONS = ProtocolOptions(
    "exec-oneshot",
    subject_option(
        "exec",
        "CMD",
        "try a one-shot exec tool, started anew for each call; CMD is split as a "
        "shell splits words, no shell is started; 'reference' is the built-in tool",
    ),
    noun="exec tool",
    fixture="exec_tool",
    fixture_help="The first one-shot exec tool of the run.",
    others=EXEC_OPTIONS,
    several=SEVERAL,
)
