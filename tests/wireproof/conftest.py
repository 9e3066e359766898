from __future__ import annotations

import os
import shlex
import sys
from importlib import import_module
from pathlib import Path

import pytest

# pytester forgets what a run in this process imports; imported here, it stays.
for _name in (
    "pytest_run._fixtures",
    "pytest_run._listing",
    "pytest_run._activate",
    "protocols.exec_oneshot._fuzz_plans",
    "protocols.exec_oneshot._protocol",
    "protocols.exec_oneshot._driver",
    "protocols.exec_runtime._driver",
    "protocols.exec_runtime._fuzz_plans",
    "protocols.exec_runtime._protocol",
    "protocols.exec_server._fuzz_plans",
    "protocols.exec_server._protocol",
    "protocols.host_client._driver",
    "protocols.host_v1._fuzz_plans",
    "protocols.host_v1._protocol",
    "protocols.host_v1._settings",
    "protocols.interop._fuzz_plans",
    "protocols.interop._protocol",
    "protocols.interop._conduct",
    "protocols.socket_v1._fuzz_plans",
    "protocols.socket_v1._protocol",
    "protocols.socket_v1._settings",
):
    import_module(f"wireproof.{_name}")


@pytest.fixture(autouse=True)
def _own_programs_in_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lines that show a failure again call pytest and python by their names."""
    own = str(Path(sys.executable).parent)
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setenv("PATH", own + os.pathsep + os.environ["PATH"])


@pytest.fixture(scope="session")
def tiny() -> str:
    """Return the command line of a host that is quick to start."""
    script = Path(__file__).parent / "tiny_host.py"
    return shlex.join([sys.executable, "-S", "-E", str(script)])


@pytest.fixture(scope="session")
def tiny_socket() -> str:
    """Return the command line of a socket server that is quick to start."""
    script = Path(__file__).parent / "tiny_socket.py"
    return shlex.join([sys.executable, "-S", "-E", str(script), "{socket}"])


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what fuzzing finds not depend on how busy the machine is."""
    for limit in ("DRAWING_SECONDS", "SLOW_DRAWING_SECONDS"):
        monkeypatch.setattr(f"wireproof.fuzzing._search.{limit}", float("inf"))
    limit = "wireproof.fuzzing._property.RUN_SHRINK_SECONDS"
    monkeypatch.setattr(limit, float("inf"))
