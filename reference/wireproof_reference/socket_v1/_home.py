"""The folder in which a runtime leaves what others look for.

::

    config.json             where its socket is
    instances/<pid>.json    one record of each process that lives
    audit.jsonl             one line for each call
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from wireproof_reference._errors import JsonError
from wireproof_reference.framing import dumps, encode, loads

if TYPE_CHECKING:
    from pathlib import Path

    from wireproof_reference.framing import JSONObject

_FOLDER_MODE: Final = 0o700
_FILE_MODE: Final = 0o600


class Home:
    """The folder; made when it is first used.

    Args:
        folder: Where it is.

    Attributes:
        folder: Where it is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._instances = folder / "instances"
        self._audit = folder / "audit.jsonl"

    def create(self) -> None:
        """Make the folder, where it is not there; only its owner may look inside."""
        self.folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        self._instances.mkdir(mode=_FOLDER_MODE, exist_ok=True)

    def write_config(self, socket_path: Path) -> None:
        """Name the socket in `config.json`; what else stands there stays (SOCK-D1)."""
        path = self.folder / "config.json"
        config: JSONObject = {}
        try:
            stored = loads(path.read_bytes())
        except (FileNotFoundError, JsonError):
            stored = None
        if isinstance(stored, dict):
            config = stored
        _replace(path, {**config, "socketPath": str(socket_path)})

    def write_instance(self, pid: int, record: JSONObject) -> None:
        """Publish a live process (SOCK-D2)."""
        _replace(self._instances / f"{pid}.json", record)

    def remove_instance(self, pid: int) -> None:
        """Withdraw what `write_instance` published."""
        (self._instances / f"{pid}.json").unlink(missing_ok=True)

    def reap_instances(self) -> None:
        """Remove the records of processes that have died without doing so."""
        for path in self._instances.glob("*.json"):
            if path.stem.isascii() and path.stem.isdigit() and not _lives(path.stem):
                # Another server may be at it too, and a folder is not ours to remove.
                with suppress(OSError):
                    path.unlink()

    def append_audit(self, entry: JSONObject) -> None:
        """Add a line to `audit.jsonl`; it is opened anew, for it may be rotated."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = os.open(self._audit, flags, _FILE_MODE)
        try:
            os.write(descriptor, encode(entry))
        finally:
            os.close(descriptor)


def _replace(path: Path, value: JSONObject) -> None:
    """Write a file so that nobody ever reads half of it."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(dumps(value))
    new.replace(path)


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return int(pid) > 0
