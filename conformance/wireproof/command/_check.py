"""``wireproof check``: a run of the suite where there is no Python project.

It is pytest with the options that are given and a configuration of its own: none, no
conftest and no cache of the folder in which it is called takes part. Relative paths
start there.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.command._usage import Subcommands

NAME = "check"
"""The word on the command line."""

HELP = "try a subject: wireproof check --host=./myhost, and any option of pytest"

OWN_OPTIONS = (
    "--noconftest",
    "-p",
    "no:cacheprovider",
    # This command has imported what pytest would have looked at first, in vain.
    "-W",
    "ignore:Module already imported:pytest.PytestAssertRewriteWarning",
)


def add_parser(subcommands: Subcommands) -> None:
    """Add the subcommand to help; its command line goes to pytest as it stands."""
    subcommands.add_parser(NAME, help=HELP, add_help=False)


def check(options: Sequence[str]) -> int:
    """Run pytest with these options and return its exit status."""
    with TemporaryDirectory(prefix="wireproof-") as folder:
        settings = Path(folder, "pytest.ini")
        settings.write_text("[pytest]\n", encoding="utf-8")
        # From another root pytest would show ids as paths from here to there.
        own = ("-c", str(settings), "--rootdir=.", *OWN_OPTIONS)
        return int(pytest.main([*own, *options], plugins=[CheckRun()]))


class CheckRun:
    """What tells such a run from any other of pytest."""

    def pytest_addoption(self, parser: pytest.Parser) -> None:
        """Let a refusal of the command line name the command that was typed."""
        parser.prog = "wireproof check"

    def pytest_load_initial_conftests(self, early_config: pytest.Config) -> None:
        """Let lines to paste begin with the command that was typed."""
        from wireproof.pytest_run._options import RUNNER

        early_config.stash[RUNNER] = "wireproof check"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Refuse a run without a subject, which would be one of the user's own tests.

        Raises:
            pytest.UsageError: If none was named.
        """
        from wireproof.protocols import all_options
        from wireproof.pytest_run._run import PLUGIN_NAME

        if not session.config.pluginmanager.has_plugin(PLUGIN_NAME):
            known = ", ".join(f"--{one.subject.name}" for one in all_options())
            raise pytest.UsageError(f"name a subject by one of {known}")
