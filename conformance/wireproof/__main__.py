"""``python -m wireproof`` is the command ``wireproof``."""

from __future__ import annotations

import sys

from wireproof.command import main

if __name__ == "__main__":
    sys.exit(main())
