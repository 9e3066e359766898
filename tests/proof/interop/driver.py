"""The driver for adapters in Python, on a registry of the tables: ``MODULE:CLASS``."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from tests.bridge import PYTHON_DRIVER  # noqa: E402 - needs the line above

runpy.run_path(str(PYTHON_DRIVER), run_name="__main__")
