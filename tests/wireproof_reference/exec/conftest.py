from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.wireproof_reference.exec.shell_tools import Presence

from wireproof_reference.exec import ExecRuntime


@pytest.fixture
async def runtime() -> AsyncIterator[ExecRuntime]:
    async with ExecRuntime(grace=0.2) as runtime:
        yield runtime


@pytest.fixture
def presence(tmp_path: Path) -> Presence:
    return Presence(tmp_path)
