"""The registry's view of host-v1: what its checks need, how a suite is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import VectorProtocol, split_command
from wireproof.protocols.host_v1._long_call import LONG_CALL, LONG_CALL_STEPS
from wireproof.protocols.host_v1._options import OPTIONS
from wireproof.protocols.host_v1._settings import read_settings

if TYPE_CHECKING:
    from wireproof.checks import OptionReader, Settings, Suite, Target
    from wireproof.judge import Rules
    from wireproof.protocols.host_v1._handle import HostHandle
    from wireproof.protocols.host_v1._settings import HostSettings


class HostProtocol(VectorProtocol):
    """host-v1 as an entry of the registry."""

    name = OPTIONS.protocol
    kind = "exchange"
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
        from wireproof.protocols.host_v1._driver import HostDriver
        from wireproof.protocols.host_v1._handle import HostHandle
        from wireproof.report import sentence
        from wireproof.run import Runner, Waits

        driver = HostDriver(target, settings, is_tried=False)
        runner = Runner(driver, _rules(), Waits(settings.timeout))
        return HostHandle(driver, runner, sentence)

    def start_problem(self, target: Target, settings: Settings) -> str | None:
        """Return why the system cannot start a host, or None; nothing is started."""
        from wireproof.subjects import missing_program

        return missing_program(target.command, settings.folder, settings.environment)

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a host; nothing is started yet."""
        from wireproof.protocols.host_v1._driver import HostDriver
        from wireproof.protocols.host_v1.rules import MONITORED
        from wireproof.report import sentence
        from wireproof.run import EngineSuite

        inputs = self.inputs(target, settings)
        return EngineSuite(
            inputs,
            lambda: HostDriver(target, settings, inputs.toolset),
            _rules(),
            MONITORED,
            sentence,
            "wireproof.protocols.host_v1._fuzz_plans",
            {LONG_CALL: LONG_CALL_STEPS},
            beside=LONG_CALL,
        )


def _rules() -> Rules:
    from wireproof.judge import Rules
    from wireproof.protocols.host_v1._dialect import HostDialect
    from wireproof.protocols.host_v1.rules import FAULTS, mismatch

    return Rules(HostDialect, FAULTS, mismatch=mismatch)


PROTOCOL = HostProtocol()
