from __future__ import annotations

import os

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Most tests wait for programs that are slow on purpose: use each core twice."""
    return 2 * (os.cpu_count() or 1)
