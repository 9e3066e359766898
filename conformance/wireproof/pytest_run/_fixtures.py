"""Fixtures for the user's own tests beside the vectors: a started subject."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from wireproof.protocols import all_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wireproof.pytest_run._items import Subject


def fixtures_for(subjects: Sequence[Subject], flags: Mapping[str, str]) -> ModuleType:
    """Return a plugin with a fixture for each protocol.

    Args:
        subjects: The subjects of the run; the first of a protocol is handed out.
        flags: How each option is typed in this run, by its name.
    """
    # pytest looks for fixtures in what modules hold, and in what classes hold.
    found = ModuleType(__name__)
    for options in all_options():
        own = [one for one in subjects if one.protocol.name == options.protocol]
        flag = flags[options.subject.name]
        function = _hands_out(own, f"no {options.noun} was given ({flag})")
        function.__doc__ = options.fixture_help
        fixture = pytest.fixture(scope="session", name=options.fixture)(function)
        setattr(found, options.fixture, fixture)
    return found


def _hands_out(
    subjects: Sequence[Subject], otherwise: str
) -> Callable[[], Iterator[object]]:
    def hand_out() -> Iterator[object]:
        if not subjects:
            pytest.skip(otherwise)
        subject = subjects[0]
        with subject.protocol.handle(subject.target, subject.settings) as handle:
            yield handle

    return hand_out
