"""The descriptors of a process, and which of them a child has inherited."""

from __future__ import annotations

import os
import socket
import subprocess
from typing import TYPE_CHECKING

import pytest

from wireproof.protocols.socket_v1._descriptors import count_descriptors, inherited
from wireproof.subjects._system import is_linux

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(not is_linux(), reason="/proc is that of Linux")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[socket.socket]:
    """Return this process's end of a connection that it has accepted."""
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as us:
        listener.bind(path)
        listener.listen()
        us.connect(path)
        accepted, _ = listener.accept()
        with accepted:
            yield accepted


def test_each_descriptor_counts(served: socket.socket) -> None:
    before = count_descriptors(os.getpid())
    assert before is not None
    copy = os.dup(served.fileno())
    assert count_descriptors(os.getpid()) == before + 1
    os.close(copy)


def test_of_a_process_that_is_not_there_nothing_is_known() -> None:
    assert count_descriptors(2**30) is None


@pytest.mark.parametrize("closes", [True, False])
def test_a_child_has_a_connection_if_it_inherited_it(
    served: socket.socket,
    closes: bool,  # noqa: FBT001
) -> None:
    served.set_inheritable(not closes)
    with subprocess.Popen(["sleep", "60"], close_fds=False) as child:  # noqa: S607
        assert bool(inherited(child.pid, os.getpid())) is not closes
        child.kill()


def test_a_process_that_has_gone_has_none(served: socket.socket) -> None:
    assert served.fileno() > 0
    assert inherited(2**30, os.getpid()) == set()
