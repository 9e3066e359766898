"""The programs that are changed, and how the suite reaches each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

PYTHON = "env PYTHONPATH={folder} PYTHONDONTWRITEBYTECODE=1 {python}"
HOST = f"--host={PYTHON} -m wireproof_reference host"
SERVER = f"--socket={PYTHON} -m wireproof_reference socket {{{{socket}}}}"
SERVER += " --home {{home}}/.meith"
CLIENT = f"--host-client={PYTHON} -m wireproof_reference host-client"
DRIVER = f"{PYTHON} {{folder}}/adapters/python/driver.py wireproof_reference.interop"


@dataclass(frozen=True, slots=True)
class MutatedSubject:
    """A program to change.

    Attributes:
        tool: What changes it.
        source: Its folder in the repository, which is copied whole.
        modules: The files or folders to change, relative to ``source``.
        options: The options of pytest that name it; ``{folder}`` is the copy,
            ``{python}`` and ``{node}`` are interpreters.
    """

    tool: Literal["stryker", "cosmic-ray"]
    source: str
    modules: Sequence[str]
    options: Sequence[str]


def _node(folder: str, option: str) -> MutatedSubject:
    return MutatedSubject("stryker", folder, ("*.mjs",), (option,))


def _python(modules: Sequence[str], *options: str) -> MutatedSubject:
    paths = [f"wireproof_reference/{module}" for module in modules]
    return MutatedSubject("cosmic-ray", "reference", paths, options)


SUBJECTS = {
    "host-node": _node("reference/hosts/node", "--host={node} {folder}/host.mjs"),
    "socket-node": _node(
        "reference/servers/node",
        "--socket=env MEITH_HOME={{home}}/.meith {node} {folder}/server.mjs {{socket}}",
    ),
    "interop-node": _node(
        "reference/adapters/node", "--adapter={node} {folder}/driver.mjs"
    ),
    "host-python": _python(
        (
            "host_v1/core/_client_connection.py",
            "host_v1/core/_host_connection.py",
            "host_v1/core/_messages.py",
        ),
        HOST,
        CLIENT,
    ),
    "socket-python": _python(
        (
            "socket_v1/core/_events.py",
            "socket_v1/core/_messages.py",
            "socket_v1/core/_reading.py",
            "socket_v1/core/_redaction.py",
            "socket_v1/core/_results.py",
            "socket_v1/core/_server_connection.py",
        ),
        SERVER,
    ),
    "framing-python": _python(("framing",), HOST, CLIENT, SERVER),
    "interop-python": _python(
        ("interop/core",),
        # In process, where more is tried, and behind a driver.
        "--adapter=wireproof_reference.interop:chat_subject",
        f"--adapter={DRIVER}:responses_subject",
    ),
}
