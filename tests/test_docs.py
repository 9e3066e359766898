"""What the documentation shows runs, and is what stands in the files it names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

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
