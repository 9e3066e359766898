from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Settings
from wireproof.line import Lifetime, Missing
from wireproof.protocols.host_v1._session import HostSession
from wireproof.subjects import Patience
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from collections.abc import Callable

    Open = Callable[..., HostSession]
    Line = Callable[..., bytes]

DIES_OF_A_WORD = """
while True:
    request = read()
    if request["method"] == "die":
        sys.exit(3)
    succeed(request, [])
"""


def lifetime(host: HostSession) -> Lifetime:
    settings, setup = Settings(Path.cwd()), load_setup("host-v1")
    return Lifetime(host, lambda: HostSession(host.target, settings, setup), "HV1-M3")


def ask(host: HostSession, method: str) -> Any:
    assert host.ensure_up() is None
    return host.request(method, {})


def test_a_host_that_ends_whatever_it_is_asked_is_given_up(session: Open) -> None:
    host = session("come_up(); succeed(read(), []); read(); sys.exit(0)")
    known = lifetime(host)
    ask(host, "get_tool_schemas")
    assert isinstance(ask(host, "die"), Missing)
    fault = known.fault()
    assert fault is not None
    assert (fault.clause, fault.level, fault.hides) == ("HV1-M3", "must", True)
    assert fault.text == (
        "the host exited with status 0 after 4 plain valid requests: "
        "the next one gets no response"
    )
    assert known.answered == 4
    host.discard()
    not_up = host.ensure_up()
    assert not_up is not None
    assert (not_up.text, not_up.deviations) == (fault.text, (fault,))
    assert host.starts == 2


def test_a_host_that_falls_silent_whatever_it_is_asked_is_given_up(
    session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 0.2)
    monkeypatch.setattr(Patience, "latency", 0.0)
    monkeypatch.setattr("wireproof.line._stdio_nudges.NUDGED_SECONDS", 0.1)
    host = session("come_up(); succeed(read(), []); time.sleep(60)")
    known = lifetime(host)
    ask(host, "get_tool_schemas")
    assert isinstance(ask(host, "more"), Missing)
    fault = known.fault()
    assert fault is not None
    assert fault.text == (
        "no answer within 0.2 s after 4 plain valid requests: "
        "the next one gets no response"
    )
    assert host.ensure_up() is not None
    assert host.starts == 2


def test_a_host_that_dies_of_what_it_was_sent_is_not(session: Open) -> None:
    host = session(DIES_OF_A_WORD)
    known = lifetime(host)
    assert isinstance(ask(host, "die"), Missing)
    assert known.fault() is None
    assert host.starts == 2


def test_a_host_that_outlived_as_many_requests_is_not_tried_again(
    session: Open,
) -> None:
    host = session(DIES_OF_A_WORD)
    known = lifetime(host)
    for _ in range(2):
        assert isinstance(ask(host, "die"), Missing)
        assert known.fault() is None
        host.begin()
    assert host.starts == 3


@pytest.mark.parametrize("most", [0, 1])
def test_few_hosts_are_tried_for_this(
    session: Open, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr("wireproof.line._lifetime.MOST_TRIALS", most)
    host = session(DIES_OF_A_WORD)
    known = lifetime(host)
    for count in range(1, 4):
        for _ in range(count):
            ask(host, "get_tool_schemas")
        assert isinstance(ask(host, "die"), Missing)
        assert known.fault() is None
        host.begin()
    assert host.starts == 3 + most


def test_a_host_that_runs_is_charged_with_nothing(session: Open) -> None:
    host = session()
    assert host.ensure_up() is None
    assert lifetime(host).fault() is None
    assert host.starts == 1
