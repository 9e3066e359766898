"""The descriptors of a process, as Linux lists them (SOCK-C16)."""

from __future__ import annotations

from pathlib import Path

CONNECTED = "03"
"""How /proc/net/unix writes the state of a connected socket."""

STANDARD = frozenset({"0", "1", "2"})


def count_descriptors(pid: int) -> int | None:
    """Return how many descriptors a process holds; None if that is not known."""
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return None


def inherited(pid: int, server: int) -> set[str]:
    """Return the connections of a server that a process holds as well, by inode."""
    try:
        table = Path(f"/proc/{server}/net/unix").read_text(errors="replace")
    except OSError:
        return set()
    # Num RefCount Protocol Flags Type St Inode Path
    rows = [line.split() for line in table.splitlines()[1:]]
    connected = {row[6] for row in rows if row[5] == CONNECTED}
    return connected & _sockets(server) & _sockets(pid)


def _sockets(pid: int) -> set[str]:
    """Return the inodes of the sockets that a process holds, streams of its own apart.

    A process that has gone holds none.
    """
    found: set[str] = set()
    try:
        for one in Path(f"/proc/{pid}/fd").iterdir():
            target = str(one.readlink())
            if one.name not in STANDARD and target.startswith("socket:["):
                found.add(target[8:-1])
    except OSError:
        pass
    return found
