"""Write how long slow checks take, from a run of all references.

    python -m tests.write_durations [REPORT]

Only what takes several times as long as is usual is listed, to one digit: a shard is
even where it knows of those, and what a busy machine adds is in all figures alike.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from wireproof.protocols import all_options

PROTOCOLS = Path(__file__).parents[1] / "conformance" / "wireproof" / "protocols"

SLOW = 4
"""How many times as long as the median a check takes that is listed."""

LEAST_MS = 5
"""Of what is tried together only the first takes its time: a median may be nothing."""


def write(report: dict[str, Any]) -> None:
    """Write a file for each protocol of a report."""
    for subject in report["subjects"]:
        took = {
            result["id"]: result["duration_ms"]
            for result in subject["results"]
            if not result.get("by_monitor")
        }
        usual = max(round(median(took.values())), LEAST_MS)
        slow = {
            name: round(duration, 1 - len(str(int(duration))))
            for name, duration in took.items()
            if duration >= SLOW * usual
        }
        folder = PROTOCOLS / subject["protocol"].replace("-", "_")
        document = {
            "about": "how long the slow checks took on the reference; by "
            "tests/write_durations.py",
            "usual_ms": usual,
            "slow_ms": {name: int(slow[name]) for name in sorted(slow)},
        }
        text = json.dumps(document, indent=1) + "\n"
        (folder / "durations.json").write_text(text, encoding="utf-8")


def measure(folder: Path) -> Path:
    """Run all checks of all references, and return the report."""
    report = folder / "report.json"
    subjects = [f"--{options.subject.name}=reference" for options in all_options()]
    command = [sys.executable, "-m", "pytest", *subjects, "--exec-toolset", "-q"]
    subprocess.run([*command, f"--compat-report={report}"], cwd=folder, check=True)
    return report


if __name__ == "__main__":
    with TemporaryDirectory() as own:
        given = [Path(name) for name in sys.argv[1:]]
        for path in given or [measure(Path(own))]:
            write(json.loads(path.read_bytes()))
