from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from wireproof_reference._pipes import MAX_BACKLOG_BYTES, PipeReader, PipeWriter

pytestmark = pytest.mark.anyio


class Pipe:
    def __init__(self) -> None:
        self.read, self.write = os.pipe()

    def close_read(self) -> None:
        os.close(self.read)
        self.read = -1

    def close_write(self) -> None:
        os.close(self.write)
        self.write = -1

    def close(self) -> None:
        for fd in (self.read, self.write):
            if fd >= 0:
                os.close(fd)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.close()


async def read_all(reader: PipeReader) -> bytes:
    data = b""
    while piece := await reader.receive():
        data += piece
    return data


async def test_what_has_arrived_is_received(pipe: Pipe) -> None:
    reader = PipeReader(pipe.read)
    assert reader.receive_nowait() == b""
    os.write(pipe.write, b"one")
    assert await reader.receive() == b"one"
    os.write(pipe.write, b"two")
    assert reader.receive_nowait() == b"two"
    pipe.close_write()
    assert reader.receive_nowait() == b""
    assert await reader.receive() == b""


async def test_receiving_waits_on_when_another_task_was_faster(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first wait ends, and there is nothing: somebody else took it.
    arrivals = [b"", b"left"]

    async def wait_readable(fd: int) -> None:
        await anyio.lowlevel.checkpoint()
        os.write(pipe.write, arrivals.pop(0))

    monkeypatch.setattr(anyio, "wait_readable", wait_readable)
    assert await PipeReader(pipe.read).receive() == b"left"


async def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "requests"
    path.write_bytes(b"x" * 100_000)
    fd = os.open(path, os.O_RDONLY)
    try:
        assert await read_all(PipeReader(fd)) == b"x" * 100_000
    finally:
        os.close(fd)


def never() -> None:
    raise AssertionError


async def test_what_fits_is_written_at_once(pipe: Pipe) -> None:
    async with anyio.create_task_group() as tasks:
        writer = PipeWriter(pipe.write, tasks, never)
        writer.write(b"one")
        writer.write(b"two")
        assert os.read(pipe.read, 100) == b"onetwo"
        await writer.flush()


async def test_what_does_not_fit_is_written_in_order(pipe: Pipe) -> None:
    pieces = [bytes([n]) * 300_000 for n in range(5)]
    data = b""
    async with anyio.create_task_group() as tasks:
        writer = PipeWriter(pipe.write, tasks, never)
        for piece in pieces:
            writer.write(piece)
        await writer.wait_for_room()
        reader = PipeReader(pipe.read)
        while len(data) < 1_500_000:
            data += await reader.receive()
        await writer.flush()
    assert data == b"".join(pieces)


async def test_there_is_no_room_while_too_much_is_unwritten(pipe: Pipe) -> None:
    roomy = anyio.Event()

    async def wait(writer: PipeWriter) -> None:
        await writer.wait_for_room()
        roomy.set()

    async with anyio.create_task_group() as tasks:
        writer = PipeWriter(pipe.write, tasks, never)
        writer.write(bytes(MAX_BACKLOG_BYTES + 100_000))
        tasks.start_soon(wait, writer)
        await anyio.wait_all_tasks_blocked()
        assert not roomy.is_set()
        reader = PipeReader(pipe.read)
        left = MAX_BACKLOG_BYTES + 100_000
        while left > MAX_BACKLOG_BYTES - 100_000:
            left -= len(await reader.receive())
        await roomy.wait()
        tasks.cancel_scope.cancel()


async def test_a_pipe_without_a_reader_is_broken_once(pipe: Pipe) -> None:
    broken: list[int] = []
    pipe.close_read()
    async with anyio.create_task_group() as tasks:
        writer = PipeWriter(pipe.write, tasks, lambda: broken.append(1))
        writer.write(b"one")
        writer.write(b"two")
        await writer.flush()
    assert broken == [1]


async def test_a_pipe_may_break_while_much_is_unwritten(pipe: Pipe) -> None:
    broken = anyio.Event()
    async with anyio.create_task_group() as tasks:
        writer = PipeWriter(pipe.write, tasks, broken.set)
        writer.write(bytes(1_000_000))
        writer.write(bytes(1_000_000))
        await anyio.wait_all_tasks_blocked()
        pipe.close_read()
        await writer.flush()
        assert broken.is_set()
