"""The registry's view of socket-v1: how a server is named, how a suite is opened."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from wireproof.checks import VectorProtocol, split_command
from wireproof.protocols.socket_v1._options import OPTIONS
from wireproof.protocols.socket_v1._place import HOME, SOCKET, is_launched
from wireproof.protocols.socket_v1._settings import SocketSettings, read_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import OptionReader, Settings, SuiteInputs, Target
    from wireproof.judge import Rules
    from wireproof.protocols.socket_v1._handle import SocketHandle
    from wireproof.run import EngineSuite


class SocketProtocol(VectorProtocol):
    """socket-v1 as an entry of the registry."""

    name = OPTIONS.protocol
    kind = "exchange"
    option = OPTIONS.subject.name
    reference = (
        "-m",
        "wireproof_reference",
        "socket",
        SOCKET,
        "--home",
        "{home}/.meith",
    )
    comes_up = "starts and answers on its socket"
    own_tools = (
        "no check calls a tool of the server's own, which might change something; "
        "--allow-tool=NAME has one called that only reads, without arguments"
    )
    toolset = (
        "docs/toolset.md (Python: wireproof_reference.toolset)",
        "reference/servers/node/toolset.mjs (JavaScript)",
        "reference/servers/README.md (how to use it)",
        "vectors/wireproof_vectors/toolset.json",
    )

    def command(self, text: str) -> tuple[str, ...]:
        """Return the words of a command, or the path of a running server's socket.

        Raises:
            ValueError: With the remedy, if the text can be neither.
        """
        if SOCKET in text:
            return split_command(text)
        path = Path(text).expanduser().absolute()
        programs = (str(path), text.partition(" ")[0])
        if any(map(shutil.which, programs)) and not path.is_socket():
            raise ValueError(
                "it is a command, and does not say where its socket is to be; put "
                "{socket} there, or name the place with --socket-path"
            )
        return (str(path),) if text else ()

    def reach(self, text: str, options: OptionReader) -> tuple[str, ...]:
        """Return the words of a command, or the path of a running server's socket.

        Raises:
            ValueError: With the remedy, if the text can be neither.
        """
        own_path = options.text("socket-path") is not None
        if not own_path or Path(text).expanduser().is_socket():
            return self.command(text)
        if SOCKET in text:
            raise ValueError(
                "{socket} and --socket-path both say where its socket is; leave one out"
            )
        return split_command(text)

    def start_problem(self, target: Target, settings: Settings) -> str | None:
        """Return why the system cannot start a server that the suite launches."""
        program = target.command[0]
        own_path = settings.of(SocketSettings).path is not None
        runs = not own_path or Path(program).is_socket()
        if not own_path and not is_launched(target.command):
            return _no_socket(Path(program))
        if (runs and not is_launched(target.command)) or SOCKET in program:
            return None
        # The private home is made anew for each start: nothing lies there yet.
        if HOME in program:
            return None
        from wireproof.subjects import missing_program

        return missing_program(target.command, settings.folder, settings.environment)

    def remedy(self, target: Target, settings: Settings) -> str:
        """Return what to do about a server that says nothing, after "next: "."""
        if settings.of(SocketSettings).path is not None or is_launched(target.command):
            return super().remedy(target, settings)
        path = Path(target.command[0])
        launched = "give a command with {socket} in it, which the suite then launches"
        if path.is_socket():
            return f"see that a server listens on {path} and answers, or {launched}"
        return (
            f"nothing is at {path}: start the server before the run and name the path "
            f"of its socket, or {launched}"
        )

    def for_one_worker(self, command: Sequence[str]) -> bool:
        """Tell whether the server runs already: its tools' state is one for all."""
        return not is_launched(command)

    def settings(self, options: OptionReader) -> SocketSettings:
        """Read the options of socket-v1."""
        return read_settings(options)

    def handle(self, target: Target, settings: Settings) -> SocketHandle:
        """Return a client for a user's own tests, connected on entering a block."""
        from wireproof.protocols.socket_v1._driver import SocketDriver
        from wireproof.protocols.socket_v1._handle import SocketHandle
        from wireproof.report import sentence
        from wireproof.run import Runner, Waits

        driver = SocketDriver(target, settings, is_tried=False)
        runner = Runner(driver, self.rules(), Waits(settings.timeout))
        return SocketHandle(driver, runner, sentence)

    def open(self, target: Target, settings: Settings) -> EngineSuite:
        """Bind the checks to a server; nothing is started yet."""
        return self.bind(self.inputs(target, settings))

    def bind(self, inputs: SuiteInputs) -> EngineSuite:
        """Bind checks to a server; nothing is started yet."""
        from wireproof.protocols.socket_v1._driver import SocketDriver
        from wireproof.protocols.socket_v1.rules import MONITORED
        from wireproof.report import sentence
        from wireproof.run import EngineSuite

        return EngineSuite(
            inputs,
            lambda: SocketDriver(inputs.target, inputs.settings),
            self.rules(),
            MONITORED,
            sentence,
            "wireproof.protocols.socket_v1._fuzz_plans",
        )

    def rules(self) -> Rules:
        """Return what the judge has to know of socket-v1."""
        from wireproof.judge import Rules
        from wireproof.protocols.socket_v1._dialect import SocketDialect
        from wireproof.protocols.socket_v1._looks import look
        from wireproof.protocols.socket_v1.rules import FAULTS

        return Rules(SocketDialect, FAULTS, look=look)


PROTOCOL = SocketProtocol()


def _no_socket(path: Path) -> str | None:
    """Say what stands at a path that no server listens at; None where one may."""
    kinds = ((path.is_dir, "a folder"), (path.is_file, "a file"))
    what = next((kind for test, kind in kinds if test()), None)
    if what is None:
        return None
    return (
        f"{path} is {what}, not a socket; give the path of a running server's socket, "
        "or a command with {socket} in it"
    )
