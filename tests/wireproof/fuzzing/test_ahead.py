"""Examples are drawn ahead by a process that draws what would be drawn without it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.fuzzing import DrawnAhead
from wireproof.fuzzing._search import drawn
from wireproof.protocols.exec_server import _fuzz_plans as exec_server_plans
from wireproof.protocols.host_v1 import _fuzz_plans
from wireproof.protocols.socket_v1 import _fuzz_plans as socket_plans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NAMES = ["blank-lines", "values", "places"]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for what is drawn however busy the machine is."""
    monkeypatch.setattr("wireproof.fuzzing._ahead.LONGEST_WAIT", 120.0)


@contextmanager
def ahead(plans: str, *names: str) -> Iterator[DrawnAhead]:
    found = DrawnAhead(plans, names, examples=4, seed=11)
    try:
        yield found
    finally:
        found.end()


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    places = filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(places))

    def write(text: str) -> str:
        (tmp_path / "plans_of_a_test.py").write_text(text)
        return "plans_of_a_test"

    return write


def test_what_is_drawn_ahead_is_what_is_drawn_without() -> None:
    with ahead(_fuzz_plans.__name__, *NAMES) as found:
        assert [found.of(name) for name in NAMES] == [
            drawn(_fuzz_plans.STRATEGIES[name], 4, 11) for name in NAMES
        ]


@pytest.mark.parametrize("plans", [_fuzz_plans, socket_plans, exec_server_plans])
def test_every_property_of_a_line_protocol_can_be_drawn_ahead(plans: Any) -> None:
    names: list[str] = [*plans.STRATEGIES]
    with ahead(plans.__name__, *names) as found:
        assert {name: len(found.of(name)) for name in names} == dict.fromkeys(names, 4)


def test_of_another_property_nothing_is_drawn() -> None:
    with ahead(_fuzz_plans.__name__, "values") as found:
        assert found.of("places") == ()


@pytest.mark.parametrize(
    "text", ["import nothing_of_that_name", "STRATEGIES = {}", "import os; os._exit(0)"]
)
def test_a_process_that_fails_leaves_the_drawing_to_others(
    module: Callable[[str], str], text: str
) -> None:
    with ahead(module(text), "values") as found:
        assert found.of("values") == ()


def test_what_modules_print_does_not_come_between(
    module: Callable[[str], str],
) -> None:
    text = f"print('a banner')\nfrom {_fuzz_plans.__name__} import STRATEGIES"
    with ahead(module(text), "blank-lines") as found:
        assert len(found.of("blank-lines")) == 4


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    """Return a pipe by which a module tells its process; reading it waits for that."""
    told = tmp_path / "told"
    os.mkfifo(told)
    return told


def telling(fifo: Path, then: str) -> str:
    told = f"pathlib.Path({str(fifo)!r}).write_text(str(os.getpid()))"
    return f"import os, pathlib, signal\n{then.format(told=told)}"


@pytest.mark.parametrize(
    "code",
    ["{told}\nsignal.pause()", "signal.signal(15, lambda *_: 0)\n{told}\nwhile 1: 1"],
    ids=["waits", "ignores-it"],
)
def test_a_process_that_does_not_come_to_an_end_is_ended(
    module: Callable[[str], str],
    fifo: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: str,
) -> None:
    monkeypatch.setattr("wireproof.fuzzing._ahead.LONGEST_WAIT", 0.0)
    monkeypatch.setattr("wireproof.fuzzing._ahead.ENDING_SECONDS", 0.2)
    with ahead(module(telling(fifo, code)), "values") as found:
        pid = int(fifo.read_text())
        assert found.of("values") == ()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


DRAWING = f"""
from {_fuzz_plans.__name__} import st
class Plan:
    def steps(self, prefix):
        {{told}}
        signal.pause()
STRATEGIES = {{{{"values": st.builds(Plan)}}}}
"""


def test_nothing_is_left_of_what_is_ended_while_it_draws(
    module: Callable[[str], str],
    fifo: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    with ahead(module(telling(fifo, DRAWING)), "values"):
        fifo.read_text()
        assert len(list(scratch.iterdir())) == 1
    assert list(scratch.iterdir()) == []
