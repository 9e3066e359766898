"""Fixtures for the user's own tests beside the vectors: a started subject."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from wireproof.protocols import all_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from wireproof.protocols import ProtocolOptions
    from wireproof.pytest_run._items import Subject

    FixtureFunction: TypeAlias = Callable[[], object]


def fixtures_for(subjects: Sequence[Subject]) -> ModuleType:
    """Return a plugin with the fixtures that hand out the subjects of a run.

    Args:
        subjects: The subjects of the run; the first of a protocol is handed out.
    """
    first: dict[str, Subject] = {}
    for subject in subjects:
        first.setdefault(subject.protocol.name, subject)
    return _plugin(
        (options, _hand_out(first[options.protocol]))
        for options in all_options()
        if options.protocol in first
    )


def register_stand_ins(session: pytest.Session, flags: Mapping[str, str]) -> None:
    """Register a fixture that skips for each that no one else has.

    Args:
        session: The session, whose plugins have registered their fixtures.
        flags: How each option is typed in this run, by its name.
    """
    # pytest has no public list of the fixtures that are registered, and a fixture that
    # is registered late hides one of the same name: another plugin's.
    known = session._fixturemanager  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    stand_ins = _plugin(
        (options, _skip(f"no {options.noun} was given ({flags[options.subject.name]})"))
        for options in all_options()
        if not known.getfixturedefs(options.fixture, session)
    )
    session.config.pluginmanager.register(stand_ins)


def _plugin(fixtures: Iterable[tuple[ProtocolOptions, FixtureFunction]]) -> ModuleType:
    # pytest looks for fixtures in what modules hold, and in what classes hold.
    found = ModuleType(__name__)
    for options, function in fixtures:
        function.__doc__ = options.fixture_help
        fixture = pytest.fixture(scope="session", name=options.fixture)(function)
        setattr(found, options.fixture, fixture)
    return found


def _hand_out(subject: Subject) -> FixtureFunction:
    def hand_out() -> Iterator[object]:
        with subject.protocol.handle(subject.target, subject.settings) as handle:
            yield handle

    return hand_out


def _skip(reason: str) -> FixtureFunction:
    def skip() -> object:
        pytest.skip(reason)

    return skip
