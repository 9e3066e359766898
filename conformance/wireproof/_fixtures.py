"""Fixtures for the user's own tests beside the vectors: a started subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from wireproof.host_v1._handle import HostHandle

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def host(request: pytest.FixtureRequest) -> Iterator[HostHandle]:
    """Yield the first host of the command line, started for these tests alone."""
    run: Any = request.config.pluginmanager.get_plugin("wireproof-run")
    targets = [s for s in run.subjects if s.protocol.name == "host-v1"]
    if not targets:
        pytest.skip("no host was given (--host)")
    with HostHandle(targets[0].target, targets[0].settings) as handle:
        yield handle
