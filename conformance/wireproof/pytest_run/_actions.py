"""The options that print something and stop."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from wireproof.pytest_run._configure import Reader
from wireproof.pytest_run._listing import explain, list_checks

if TYPE_CHECKING:
    from wireproof.pytest_run._options import Registered


def print_answers(config: pytest.Config, registered: Registered) -> int:
    """Print what ``--explain`` and ``--list-vectors`` ask for.

    Returns:
        The exit status.

    Raises:
        pytest.UsageError: If an option or setting cannot be used.
    """
    reader = Reader(config, registered)
    settings = reader.settings()
    lines = [
        line
        for clause in config.option.wireproof_explain or ()
        for line in explain(clause, settings)
    ]
    if config.option.wireproof_list_vectors:
        protocols = [target.protocol for target in reader.targets()]
        lines += list_checks(settings, protocols)
    sys.stdout.write("\n".join(lines) + "\n")
    return int(pytest.ExitCode.OK)
