"""Fixtures for the user's own tests beside the vectors: a started subject.

Each protocol is imported only where one of its subjects is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wireproof.protocols.host_v1._handle import HostHandle
    from wireproof.protocols.interop._handle import AdapterHandle
    from wireproof.protocols.socket_v1._handle import SocketHandle
    from wireproof.pytest_run._items import Subject


@pytest.fixture(scope="session")
def host(request: pytest.FixtureRequest) -> Iterator[HostHandle]:
    """Yield the first host of the command line, started for these tests alone."""
    from wireproof.protocols.host_v1._handle import HostHandle

    subject = _first(request, "host-v1", "no host was given (--host)")
    with HostHandle(subject.target, subject.settings) as handle:
        yield handle


@pytest.fixture(scope="session")
def socket_client(request: pytest.FixtureRequest) -> Iterator[SocketHandle]:
    """Yield a client of the first server of the command line, for these tests alone."""
    from wireproof.protocols.socket_v1._handle import SocketHandle

    subject = _first(request, "socket-v1", "no server was given (--socket)")
    with SocketHandle(subject.target, subject.settings) as handle:
        yield handle


@pytest.fixture(scope="session")
def adapter(request: pytest.FixtureRequest) -> Iterator[AdapterHandle]:
    """Yield the first registry of the command line, started for these tests alone."""
    from wireproof.protocols.interop._handle import AdapterHandle

    subject = _first(request, "interop", "no registry was given (--adapter)")
    with AdapterHandle(subject.target, subject.settings) as handle:
        yield handle


def _first(request: pytest.FixtureRequest, protocol: str, otherwise: str) -> Subject:
    """Return the first subject of a protocol, or skip the test."""
    run: Any = request.config.pluginmanager.get_plugin("wireproof-run")
    found: list[Subject] = [s for s in run.subjects if s.protocol.name == protocol]
    if not found:
        pytest.skip(otherwise)
    return found[0]
