"""A module that cannot be imported to the end."""

from __future__ import annotations

import sys

sys.exit("this module ends the process that imports it")
