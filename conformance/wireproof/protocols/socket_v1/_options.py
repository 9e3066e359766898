"""The options and the fixture of socket-v1."""

from __future__ import annotations

from wireproof.protocols._options import Option, ProtocolOptions, subject_option

OPTIONS = ProtocolOptions(
    "socket-v1",
    subject_option(
        "socket",
        "PATH|CMD",
        "try a tool socket server (socket-v1): the path of a running server's socket, "
        "a command line with {socket} in it, or 'reference'",
    ),
    noun="server",
    fixture="socket_client",
    fixture_help="A client of the first server of the run, for these tests alone.",
    others=(
        Option(
            "socket-home",
            "DIR",
            "folder in which a socket server keeps its audit and discovery files",
            reproduces=True,
        ),
        Option(
            "socket-path",
            "PATH",
            "where a socket server that is launched puts its socket, where its command "
            "has no {socket}; may hold {home}",
            reproduces=True,
        ),
        Option(
            "allow-tool",
            "NAME",
            "a read-only tool of a socket server's own; it is called without arguments",
            repeatable=True,
            reproduces=True,
        ),
    ),
)
