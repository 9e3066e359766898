"""Prerequisites of checks: a tool that does not do the plainest thing hides them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Check
from wireproof.protocols.socket_v1._probes import Probes

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.protocols.socket_v1._session import SocketSession

    Open = Callable[..., SocketSession]

EVENT = {"kind": "progress", "message": '{"looking":true}'}


def check(*clauses: str, tool: str = "look") -> Check:
    needs = {"tools": [tool]}
    return Check("socket-v1/own/one", "A.", clauses, "must", "seed", "vector", needs)


def probes(session: SocketSession, **probe: Any) -> Probes:
    """Return probes of the tool of the tiny server, which gives its arguments back."""
    assert session.ensure_up() is None
    setup = {"tools": {"look": {"arguments": {"n": 1}, **probe}}}
    return Probes(session, setup)


def test_a_tool_that_does_what_it_should_has_no_fault(session: Open) -> None:
    one = session()
    found = probes(one, content={"n": 1}, events=[EVENT])
    assert found.fault(check("SOCK-X1")) is None
    assert one.deviations == ()


def test_a_tool_that_gives_something_else_has_a_fault(session: Open) -> None:
    found = probes(session(), content={"n": 2}).fault(check("SOCK-X1"))
    assert found is not None
    assert (found.clause, found.level) == ("SOCK-C4", "must")
    assert found.text == (
        'a plain call of look with {"n": 1} gave something else than the toolset says, '
        "at /result/content/n"
    )
    assert '"content":{"n":1}' in found.evidence.replace(" ", "")


def test_what_a_second_call_gives_may_rest_on_the_first(session: Open) -> None:
    again = {"arguments": {"n": 0}, "content": {"n": {"$use": "first"}}}
    found = probes(session(), content={"n": {"$save": "first"}}, then=[again]).fault(
        check("SOCK-X1")
    )
    assert found is not None
    assert found.text.startswith('a plain call of look with {"n": 0} gave something')


def test_a_whole_answer_may_be_asked_for(session: Open) -> None:
    denied = {"type": "tool_result", "result": {"ok": False}}
    found = probes(session(), answer=denied).fault(check("SOCK-X1"))
    assert found is not None
    assert found.text.endswith("at /result/ok")


@pytest.mark.parametrize("events", [[], [EVENT, EVENT], [{"kind": "log"}]])
def test_a_tool_that_emits_something_else_has_a_fault(
    session: Open, events: list[Any]
) -> None:
    found = probes(session(), content={"n": 1}, events=events).fault(check("SOCK-X1"))
    assert found is not None
    assert (found.clause, found.level) == ("SOCK-E2", "must")
    assert found.text == "look did not emit what the toolset says"


def test_an_answer_that_breaks_a_clause_is_that_clauses_fault(session: Open) -> None:
    one = session("meta-as-text")
    found = probes(one, content={"n": 1}).fault(check("SOCK-X1"))
    assert found is not None
    assert (found.clause, found.level) == ("SOCK-C14", "must")


def test_a_tool_that_does_not_answer_hides_what_needs_it(session: Open) -> None:
    one = session("mute", timeout=1.0)
    found = probes(one, content={"n": 1}).fault(check("SOCK-X1"))
    assert found is not None
    assert (found.clause, found.level, found.hides) == ("SOCK-C1", "must", True)
    assert found.text.startswith("look did not answer a plain call: no answer within")


def test_a_tool_that_does_not_answer_is_asked_on_another_server_before_that(
    session: Open,
) -> None:
    one = session("mute", timeout=1.0)
    probes(one, content={"n": 1}).fault(check("SOCK-X1"))
    # The first, the one that was asked anew, and the one that serves what comes.
    assert one.starts == 3
    assert one.fence() is None


def test_a_fault_is_a_deviation_of_its_own(session: Open) -> None:
    one = session()
    found = probes(one, content={"n": 2}).fault(check("SOCK-X1"))
    assert one.deviations == (found,)


def test_a_fault_does_not_hide_a_check_of_its_own_clause(session: Open) -> None:
    one = session()
    assert probes(one, content={"n": 2}).fault(check("SOCK-C4")) is None


def test_a_tool_is_tried_once(session: Open) -> None:
    one = session()
    tried = probes(one, content={"n": 1})
    tried.fault(check("SOCK-X1"))
    before = one.seen["tool_result"]
    tried.fault(check("SOCK-X2"))
    assert one.seen["tool_result"] == before


def test_a_fault_is_remembered(session: Open) -> None:
    one = session()
    tried = probes(one, content={"n": 2})
    first = tried.fault(check("SOCK-X1"))
    one.begin()
    one.ensure_up()
    assert tried.fault(check("SOCK-X2")) is first
    assert one.deviations == ()


def test_a_tool_that_no_probe_knows_is_not_tried(session: Open) -> None:
    one = session()
    tried = probes(one, content={"n": 1})
    before = one.seen["tool_result"]
    assert tried.fault(check("SOCK-X1", tool="unheard-of")) is None
    assert one.seen["tool_result"] == before


def test_a_probe_leaves_no_connection_to_the_check(session: Open) -> None:
    one = session()
    probes(one, content={"n": 1}).fault(check("SOCK-X1"))
    assert one.connections == ()
