from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests import conforming_subjects

# A machine that is busy with other tests draws slowly, and is not wrong for it.
settings.register_profile(
    "tests", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")

LEAN = "-p no:anyio -p no:hypothesispytest"
"""Options of a pytest that a test starts: the plugin of anyio imports trio where it is
installed, and the one of Hypothesis all of it at the end: a third of a start."""

SHARED = frozenset({"browser", "clause_pages", "openai"})
"""Fixtures that are dear: each worker would have its own."""


def pytest_configure(config: pytest.Config) -> None:
    """Let byte code be written, where images forbid it to stay small.

    Each worker and each pytest that a test starts would compile all modules anew.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Runs that tests make are no step of a job, wherever the tests run.
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        os.environ.pop(name, None)
    sys.dont_write_bytecode = False
    # What is collected stays to the end: looking for garbage in it is half the time.
    gc.disable()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each worker begin with other modules, where all are to be collected.

    Nothing is compiled yet in a new clone, and workers that went through the modules
    together would compile each of them as often as there are workers.
    """
    config = session.config
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    if not worker or config.args_source is not config.ArgsSource.TESTPATHS:
        return
    count = worker["workercount"]
    first = int(worker["workerid"].removeprefix("gw")) % count
    tests = Path(__file__).parent
    files = sorted(tests.rglob("test_*.py"))
    for file in files[first::count]:
        parts = file.relative_to(tests.parent).with_suffix("").parts
        # What is wrong with one is told when it is collected.
        with contextlib.suppress(Exception):
            importlib.import_module(".".join(parts))


def pytest_collection_finish() -> None:
    """Look for garbage again, but never in what was collected: it stays to the end."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _lean_runs() -> Iterator[None]:
    """Let each pytest that a test starts be without plugins that import much."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_ADDOPTS", LEAN)
        yield


@pytest.fixture
def pytester(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> pytest.Pytester:
    """Return pytester, which takes the variable away, with it."""
    monkeypatch.setenv("PYTEST_ADDOPTS", LEAN)
    return pytester


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Many tests wait for programs that are slow on purpose: two for each core."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Give each worker a share of the slow tests, which lie together.

    Each worker begins with a run of items of its own; one that had all the slow ones
    would be waited for by the others.
    """
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    count = worker.get("workercount", 1)
    # One worker has the tests that share what takes seconds to start or to make, and
    # has those of a module together, which share it.
    shared = [item for item in items if SHARED & set(getattr(item, "fixturenames", ()))]
    dear = set(shared)
    rest = [item for item in items if item not in dear]
    items[:] = shared + [item for first in range(count) for item in rest[first::count]]


@pytest.fixture(scope="session")
def openai() -> ModuleType:
    """Return the provider's own package, with the parts that tests use."""
    importlib.import_module("openai.lib.streaming.chat")
    return importlib.import_module("openai")


@pytest.fixture(scope="session")
def node() -> str:
    """Path of Node: the one that the test group installs."""
    return conforming_subjects.node()
