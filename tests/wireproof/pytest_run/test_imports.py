"""Our modules are imported as Python does it, and only those that a run needs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from wireproof.pytest_run._imports import PlainFinder, import_plainly

if TYPE_CHECKING:
    from collections.abc import Callable

ONE = "host-v1/messages/version-of-a-success"


@pytest.fixture
def meta_path(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return the finders of this process, of which ours is not one."""
    found: list[object] = [one for one in sys.meta_path if one is not PlainFinder]
    monkeypatch.setattr(sys, "meta_path", found)
    return found


@pytest.fixture
def modules(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tiny: str
) -> Callable[..., dict[str, str]]:
    """Return what runs a check and tells which modules were imported, and by what."""
    pytester.makeconftest(
        """
        import sys

        def pytest_unconfigure():
            for name, module in sys.modules.items():
                print("module", name, type(getattr(module, "__loader__", 0)).__name__)
        """
    )
    monkeypatch.delenv("PYTEST_ADDOPTS")

    def run(*arguments: str) -> dict[str, str]:
        others = ("-p", "no:anyio", "-p", "no:syrupy", "-p", "no:xdist")
        done = pytester.runpytest_subprocess(*others, f"--host={tiny}", *arguments)
        assert done.ret == pytest.ExitCode.OK
        words = [line.split() for line in done.outlines if line.startswith("module ")]
        return {name: loader for _, name, loader in words}

    return run


def test_it_is_asked_first_and_stands_there_once(meta_path: list[object]) -> None:
    import_plainly()
    import_plainly()
    assert meta_path.index(PlainFinder) == 0
    assert meta_path.count(PlainFinder) == 1


@pytest.mark.parametrize(
    "name", ["wireproof.run", "wireproof_reference", "wireproof_vectors"]
)
def test_it_finds_ours(name: str) -> None:
    package = sys.modules.get(name.partition(".")[0])
    path = package.__path__ if package and "." in name else None
    spec = PlainFinder.find_spec(name, path)
    assert spec is not None
    assert type(spec.loader).__name__ == "SourceFileLoader"


@pytest.mark.parametrize("name", ["json", "wireproof_more", "pytest"])
def test_it_leaves_others_alone(name: str) -> None:
    assert PlainFinder.find_spec(name) is None


def test_a_run_imports_what_it_needs(modules: Callable[..., dict[str, str]]) -> None:
    found = modules("--fuzz=0", ONE)
    assert "wireproof.run" in found
    unneeded = {
        "hypothesis",
        "jsonschema",
        "anyio",
        "trio",
        "wireproof.protocols.interop._protocol",
        "wireproof.protocols.socket_v1._protocol",
    }
    assert not unneeded & set(found)


def test_a_run_that_fuzzes_imports_what_it_fuzzes_with(
    modules: Callable[..., dict[str, str]],
) -> None:
    assert "hypothesis" in modules("--fuzz=1", "host-v1/fuzz/cuts")


def test_the_modules_of_a_run_are_not_rewritten(
    modules: Callable[..., dict[str, str]],
) -> None:
    found = modules("--fuzz=0", ONE)
    assert found["wireproof.pytest_run._run"] == "SourceFileLoader"
    assert found["wireproof_vectors"] == "SourceFileLoader"
    assert found["conftest"] == "AssertionRewritingHook"
