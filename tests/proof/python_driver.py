"""The driver that is a template for authors, on a registry of the tables."""

from __future__ import annotations

import runpy

from tests.bridge import PYTHON_DRIVER

runpy.run_path(str(PYTHON_DRIVER), run_name="__main__")
