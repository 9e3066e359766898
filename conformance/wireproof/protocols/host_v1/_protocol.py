"""The registry's view of host-v1: what its checks need, how a suite is opened."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from wireproof.checks import split_command
from wireproof.crossing import MOST_VALUES, is_place
from wireproof.line import LineProtocol
from wireproof.patterns import raw_bytes
from wireproof.protocols.host_v1._fuzz_checks import FUZZ_CHECKS
from wireproof.protocols.host_v1._long_call import LONG_CALL
from wireproof.protocols.host_v1._options import OPTIONS
from wireproof.protocols.host_v1._settings import read_settings
from wireproof_reference.framing import dumps
from wireproof_vectors import Vector, load_setup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Check, OptionReader, Settings, Target
    from wireproof.line._protocol import SuiteType
    from wireproof.protocols.host_v1._handle import HostHandle
    from wireproof.protocols.host_v1._settings import HostSettings

FEW = 10
"""Messages that may be sent together without any being one of many (HV1-M13)."""


class HostProtocol(LineProtocol):
    """host-v1 as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "host")
    comes_up = "starts and answers init"
    own_tools = (
        "no check calls a tool of the host's own, of which only its author knows what "
        "it does; a test of your own can, with the fixture `host`"
    )
    toolset = (
        "reference/hosts/python/conformance_tools.py (Python; host.py shows its use)",
        "reference/hosts/node/toolset.mjs (JavaScript; host.mjs shows its use)",
        "reference/hosts/go/toolset.go and object.go (Go)",
        "reference/hosts/README.md (how to use each)",
        "vectors/wireproof_vectors/toolset.json",
    )
    scenarios = (LONG_CALL,)
    fuzz_checks = FUZZ_CHECKS

    def command(self, text: str) -> tuple[str, ...]:
        """Return the words of a command line.

        Raises:
            ValueError: With the remedy, if the text cannot be split into words.
        """
        return split_command(text)

    def settings(self, options: OptionReader) -> HostSettings:
        """Read the options of host-v1."""
        return read_settings(options)

    def handle(self, target: Target, settings: Settings) -> HostHandle:
        """Return a host for a user's own tests, started on entering a block."""
        from wireproof.protocols.host_v1._handle import HostHandle

        return HostHandle(target, settings)

    def suite(self) -> SuiteType:
        """Return the suite of hosts."""
        from wireproof.protocols.host_v1._suite import HostSuite

        return HostSuite

    def check(self, vector: Vector) -> Check:
        """Return a vector as a check, with what it takes for granted."""
        plain = super().check(vector)
        needs = dict(plain.needs)
        most = _most_joined(vector)
        if most > 1:
            needs["joined"] = ["two", "many"] if most > FEW else ["two"]
        if answers := _answers_used(vector):
            needs["answers"] = answers
        return replace(plain, needs=needs)


PROTOCOL = HostProtocol()


@cache
def _answers() -> Mapping[str, Any]:
    """The requests that vectors use only to be answered, whatever the answer."""
    setup: Any = load_setup(OPTIONS.protocol)
    found: dict[str, Any] = setup["answers"]
    return found


def _answers_used(vector: Vector) -> list[str]:
    """The requests without whose answer a vector says nothing, by name."""
    # For each of hundreds: the standard library takes as long for it as to read them.
    steps = dumps(vector.data["steps"])
    return [
        name
        for name, request in _answers().items()
        if request["marker"].encode() in steps
        and vector.clauses[0] not in request["charged"]
    ]


def _most_joined(vector: Vector) -> int:
    """Return how many messages a vector sends before it has the answer to the first.

    The fence at the end counts: it is sent at once where nothing is expected last.
    """
    if is_place(vector.data):
        return MOST_VALUES
    steps: Any = vector.data["steps"]
    most = 1
    waiting = 0
    for step in steps:
        if "send_many" in step:
            waiting += max(2, len(step["send_many"]))
        elif "send_raw" in step:
            waiting += max(1, raw_bytes(step["send_raw"]).count(b"\n"))
        elif "send" in step:
            waiting += 1
        elif "expect" in step:
            waiting = 0
        elif waiting and ("fence" in step or "expect_optional" in step):
            most = max(most, waiting + 1)
        most = max(most, waiting)
    return max(most, waiting + 1) if waiting else most
