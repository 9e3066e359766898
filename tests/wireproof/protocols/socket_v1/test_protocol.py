from __future__ import annotations

from pathlib import Path

import pytest

from wireproof.checks import Settings, Target
from wireproof.protocols import all_protocols, protocol_for
from wireproof.protocols.socket_v1._protocol import PROTOCOL
from wireproof.protocols.socket_v1._settings import SocketSettings

ALL = Settings(Path())
FIRST = "socket-v1/listing/descriptors"


def test_the_registry_knows_it_by_its_option() -> None:
    found: object = protocol_for("socket")
    assert found is PROTOCOL
    assert "socket-v1" in [entry.name for entry in all_protocols()]


def test_every_check_is_charged_to_clauses_of_the_catalogue() -> None:
    catalogue = {clause.id for clause in PROTOCOL.clauses()}
    charged = {clause for check in PROTOCOL.checks(ALL) for clause in check.clauses}
    assert charged <= catalogue


def test_no_two_checks_share_an_id() -> None:
    ids = [check.id for check in PROTOCOL.checks(ALL)]
    assert len(ids) == len(set(ids))


def test_fuzzing_comes_last_and_can_be_turned_off() -> None:
    kinds = [check.kind for check in PROTOCOL.checks(ALL)]
    assert kinds == sorted(kinds, reverse=True)
    assert kinds[-1] == "fuzz"
    without = PROTOCOL.checks(Settings(Path(), fuzz=0))
    assert {check.kind for check in without} == {"vector"}


def test_a_check_is_described_by_its_vector() -> None:
    vector = PROTOCOL.describe(FIRST)
    assert vector is not None
    assert vector["id"] == FIRST
    assert PROTOCOL.describe("socket-v1/fuzz/cuts") is None


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("serve {socket} 'a b'", ("serve", "{socket}", "a b")),
        ("/run/my socket", ("/run/my socket",)),
        ("", ()),
    ],
)
def test_what_is_no_command_is_a_path(text: str, command: tuple[str, ...]) -> None:
    assert PROTOCOL.command(text) == command


@pytest.mark.parametrize(("allowed", "own"), [((), ("look",)), (("look",), ())])
def test_tools_of_the_servers_own_are_told_that_may_not_be_called(
    tiny_socket: str, allowed: tuple[str, ...], own: tuple[str, ...]
) -> None:
    command = PROTOCOL.command(tiny_socket)
    target = Target("socket-v1", tiny_socket, command, "it")
    settings = Settings(Path(), own=SocketSettings(allowed_tools=allowed))
    suite = PROTOCOL.open(target, settings)
    try:
        suite.run(next(one for one in PROTOCOL.checks(ALL) if one.id == FIRST))
        assert suite.facts().own_tools == own
    finally:
        suite.finish()


def test_tools_are_known_to_be_missing_where_the_listing_has_the_wrong_type(
    tiny_socket: str,
) -> None:
    command = PROTOCOL.command(f"{tiny_socket} other-type")
    suite = PROTOCOL.open(Target("socket-v1", tiny_socket, command, "it"), ALL)
    try:
        suite.run(next(one for one in PROTOCOL.checks(ALL) if one.id == FIRST))
        assert "conformance_echo" in suite.facts().missing_tools
    finally:
        suite.finish()


def test_opening_a_suite_starts_nothing() -> None:
    target = Target("socket-v1", "it", ("./absent", "{socket}"), "it")
    suite = PROTOCOL.open(target, ALL)
    assert suite.facts().starts == 0
    assert {result.verdict for result in suite.finish()} == {"not testable"}
