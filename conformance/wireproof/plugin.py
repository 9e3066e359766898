"""The pytest entry point: options, and nothing more unless a subject is given.

This module is imported by every pytest run of an environment that has wireproof
installed, so it imports only the standard library and pytest. What a run with a
subject needs is imported once a subject is seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wireproof.pytest_run._options import (
    OPTIONS,
    Registered,
    forget_values,
    register_options,
    suggest_options,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

REGISTERED = pytest.StashKey[Registered]()
"""Under which names the options of this run can be reached."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: Sequence[str]
) -> Generator[None, None, None]:
    """Add our options after those of every other plugin and conftest.

    A name that another plugin has taken can then be seen and left to it.
    """
    forget_values(early_config, args)
    try:
        return (yield)
    finally:
        early_config.stash[REGISTERED] = register_options(parser)
        suggest_options(parser, args)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Bring in the runner where a subject or one of our actions is asked for."""
    registered = config.stash.get(REGISTERED, None)
    if registered is None:
        return
    if any(registered.given(config, option) for option in OPTIONS if option.wakes):
        from wireproof.pytest_run._imports import import_plainly

        import_plainly()
        from wireproof.pytest_run._activate import activate

        activate(config, registered)
    else:
        registered.refuse_strays(config)
        registered.refuse_checks(config)


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Let a test that asks for a subject that is not there be skipped, not an error."""
    config = session.config
    if (registered := config.stash.get(REGISTERED, None)) is not None:
        from wireproof.pytest_run._fixtures import register_stand_ins

        register_stand_ins(session, registered.flags)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Answer ``--list-vectors`` and ``--explain`` instead of running anything."""
    option = config.option
    if not (
        getattr(option, "wireproof_list_vectors", False)
        or getattr(option, "wireproof_explain", None)
    ):
        return None
    from wireproof.pytest_run._actions import print_answers

    return print_answers(config, config.stash[REGISTERED])
