"""What the documentation shows runs, and is what stands in the files it names."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from wireproof.reporting import read_baseline, require_current
from wireproof_vectors import load_vectors

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


@pytest.mark.parametrize(
    ("option", "example"),
    [
        ("host", "test_host.py"),
        ("socket", "test_socket.py"),
        ("adapter", "test_adapter.py"),
    ],
)
def test_an_example_runs_on_the_reference(option: str, example: str) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0"]
    done = subprocess.run(
        [*command, f"--{option}=reference", f"docs/examples/{example}", "-k", example],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_what_the_page_shows_stands_in_the_examples() -> None:
    page = (DOCS / "fixtures.md").read_text()
    shown = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    examples = "".join(file.read_text() for file in (DOCS / "examples").glob("*.py"))
    assert len(shown) == 3
    assert all(block in examples for block in shown)


def test_the_baseline_that_is_shown_can_be_used() -> None:
    page = (DOCS / "baselines.md").read_text()
    (shown,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    file = DOCS / "examples" / "known-failures.json"
    assert file.read_text() == shown
    baseline = read_baseline(file, file.name)
    ids = {vector.id for vector in load_vectors("host-v1")}
    require_current(baseline, date(2026, 1, 1), {"host-v1": ids})
