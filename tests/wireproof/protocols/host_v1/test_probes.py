from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wireproof.line import Lifetime
from wireproof.protocols.host_v1._probes import Probes
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.protocols.host_v1._session import HostSession

STREAM = """
come_up()
calls = 0
while (request := read())["method"] != "end":
    calls += 1
    for number in range(100):
        {wait}
        say(request["id"], event={{"type": "part", "payload": {{"n": 1}}}})
    succeed(request, {{"success": True, "result": {{"count": 100}}}})
    sys.stderr.write(f"call {{calls}}\\n")
"""


@pytest.fixture
def probes(session: Callable[..., HostSession]) -> Callable[[str], Probes]:
    def make(code: str) -> Probes:
        one = session(code)
        one.ensure_up()
        lifetime = Lifetime(one, session, "HV1-M3")
        return Probes(one, lifetime, load_setup("host-v1"), bool)

    return make


def test_a_host_that_waits_for_a_timer_at_each_event_is_slow_with_them(
    probes: Callable[[str], Probes],
) -> None:
    slowness = probes(STREAM.format(wait="time.sleep(0.002)")).slowness_with("events")

    assert slowness is not None
    assert slowness.startswith("each event takes the host")


def test_a_host_that_is_quick_after_some_tries_is_quick(
    probes: Callable[[str], Probes], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whatever else the machine does.
    monkeypatch.setattr("wireproof.protocols.host_v1._probes.QUICK_TRIES", 1_000)
    code = STREAM.format(wait="calls == 1 and time.sleep(0.002)")

    assert probes(code).slowness_with("events") is None


ECHO = """
come_up()
while True:
    request = read()
    {wait}
    value = request["params"]["arguments"]["value"]
    succeed(request, {{"success": True, "result": {{"value": value}}}})
"""


@pytest.mark.parametrize(
    ("wait", "tries", "slow"), [("time.sleep(0.3)", 1, True), ("pass", 100, False)]
)
def test_a_host_is_slow_with_mebibytes_or_it_is_not(
    probes: Callable[[str], Probes],
    monkeypatch: pytest.MonkeyPatch,
    wait: str,
    tries: int,
    *,
    slow: bool,
) -> None:
    # Whatever else the machine does.
    monkeypatch.setattr("wireproof.protocols.host_v1._probes.QUICK_TRIES", tries)
    slowness = probes(ECHO.format(wait=wait)).slowness_with("mebibytes")
    assert (slowness is not None) is slow
