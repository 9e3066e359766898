"""The hosts and servers in other languages that the project ships conform in full."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOSTS = Path(__file__).parent.parent / "reference" / "hosts"
SERVERS = Path(__file__).parent.parent / "reference" / "servers"


def run_suite(command: str, folder: Path, option: str = "--host") -> dict[str, object]:
    """Run the whole suite on a command and return the report on it."""
    report = folder / "report.json"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider"),
            *("-n", "0", f"{option}={command}", "--fail-on=should"),
            f"--compat-report={report}",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    subject: dict[str, object]
    (subject,) = json.loads(report.read_text())["subjects"]
    return subject


@pytest.fixture(scope="session")
def go_host(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Path of the Go host, built with the toolchain of the test group."""
    beside = Path(sys.executable).parent / "go"
    go = str(beside) if beside.exists() else shutil.which("go")
    assert go is not None
    folder = tmp_path_factory.mktemp("go")
    host = folder / "host"
    subprocess.run(
        [go, "build", "-o", str(host), "."],
        cwd=HOSTS / "go",
        env={
            **os.environ,
            "CGO_ENABLED": "0",
            "GOCACHE": str(folder / "cache"),
            "GOFLAGS": "-buildvcs=false",
            "GOPATH": str(folder / "path"),
            "GOTOOLCHAIN": "local",
        },
        check=True,
        capture_output=True,
    )
    return str(host)


def test_the_node_host_conforms_in_full(node: str, tmp_path: Path) -> None:
    subject = run_suite(f"{node} {HOSTS / 'node' / 'host.mjs'}", tmp_path)
    assert subject["conformant"] is True
    assert subject["level"] == "full"


def test_the_go_host_conforms_in_full(go_host: str, tmp_path: Path) -> None:
    subject = run_suite(go_host, tmp_path)
    assert subject["conformant"] is True
    assert subject["level"] == "full"


def test_the_reference_host_conforms_in_full(tmp_path: Path) -> None:
    subject = run_suite("reference", tmp_path)
    assert subject["conformant"] is True
    assert subject["level"] == "full"


def test_the_node_server_conforms_in_full(node: str, tmp_path: Path) -> None:
    server = SERVERS / "node" / "server.mjs"
    command = f"env MEITH_HOME={{home}}/.meith {node} {server} {{socket}}"
    subject = run_suite(command, tmp_path, "--socket")
    assert subject["conformant"] is True
    assert subject["level"] == "full"


def test_the_reference_server_conforms_in_full(tmp_path: Path) -> None:
    subject = run_suite("reference", tmp_path, "--socket")
    assert subject["conformant"] is True
    assert subject["level"] == "full"
