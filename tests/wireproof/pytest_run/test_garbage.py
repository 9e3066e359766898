"""What was loaded is left alone while a run fuzzes, and only then."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


class Watch:
    """Takes note of how much is left alone when the checks begin."""

    def __init__(self) -> None:
        self.frozen: list[int] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        self.frozen.append(gc.get_freeze_count())


@pytest.fixture
def thawed() -> Iterator[None]:
    """Take back what these tests have left alone themselves, for one test."""
    frozen = gc.get_freeze_count()
    gc.unfreeze()
    yield
    if frozen:
        gc.freeze()


@pytest.mark.usefixtures("thawed")
@pytest.mark.parametrize(
    ("check", "frozen"),
    [("host-v1/fuzz/blank-lines", True), ("host-v1/init/second-init", False)],
)
def test_what_is_loaded_is_looked_through_again_after_the_run(
    pytester: pytest.Pytester, check: str, *, frozen: bool
) -> None:
    watch = Watch()
    arguments = ["--host=reference", "--fuzz=1", check, "-W", "error"]
    result = pytester.inline_run(*arguments, plugins=[watch])
    result.assertoutcome(passed=1)
    assert [count > 0 for count in watch.frozen] == [frozen]
    assert gc.get_freeze_count() == 0


@pytest.mark.usefixtures("thawed")
def test_what_the_starting_program_leaves_alone_stays_so(
    pytester: pytest.Pytester,
) -> None:
    gc.freeze()
    arguments = ["--host=reference", "--fuzz=1", "host-v1/fuzz/blank-lines"]
    pytester.inline_run(*arguments).assertoutcome(passed=1)
    assert gc.get_freeze_count() > 0
    gc.unfreeze()
