"""Runtimes that start tools with more, or look for commands elsewhere: EXEC-R6, R9,
R17, R21."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.proof.exec_runtime.changes import on_environment, on_program, running
from tests.proof.exec_runtime.running import Running
from tests.proof.exec_runtime.runtime import Binding, Runtime
from tests.proof.exec_runtime.subject import TABLES
from tests.proof.row import Change, around

fault = TABLES.faults(__name__, Runtime)

# --- variables that are not listed

FAMILIES = {
    "proxies": ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
    "small-proxies": ("http_proxy", "https_proxy", "no_proxy"),
    "temporary-folder": ("TMPDIR", "TMP", "TEMP"),
    "time-zone": ("TZ",),
    "language": ("LANG", "LANGUAGE"),
    "locale": ("LC_ALL", "LC_MESSAGES"),
    "home": ("HOME", "XDG_CACHE_HOME"),
    "user": ("USER", "LOGNAME"),
    "terminal": ("TERM", "SHELL"),
}


def keeping(*names: str, mode: str = "") -> Change:
    """Return the change that gives tools variables that are not listed."""

    def added(given: dict[str, str], binding: Binding) -> Mapping[str, str]:
        kept = {name: os.environ[name] for name in names if name in os.environ}
        return {**kept, **given} if mode in {"", binding.runtime} else given

    return on_environment(added)


for _family, _names in FAMILIES.items():
    fault(
        f"{_family}-kept",
        "EXEC-R6",
        f"gives tools {' and '.join(_names)}, whatever is listed",
        keeping(*_names),
        shown_by="exec-runtime/environment/one-shot-usual-variables",
    )
fault(
    "locale-of-servers-kept",
    "EXEC-R6",
    "gives server tools the variables of the locale",
    keeping("LANG", "LC_ALL", mode="server"),
    shown_by="exec-runtime/environment/server-usual-variables",
)
fault(
    "proxies-as-one",
    "EXEC-R6",
    "gives a tool that lists one variable for a proxy all of them",
    on_environment(
        lambda given, _: (
            {
                **{
                    name: os.environ[name]
                    for name in (*FAMILIES["proxies"], *FAMILIES["small-proxies"])
                    if name in os.environ
                },
                **given,
            }
            if "HTTP_PROXY" in given
            else given
        )
    ),
    shown_by="exec-runtime/environment/one-shot-one-of-a-family",
)

# --- bare names


def looked_up(path: Any) -> Change:
    """Return the change that looks a bare name up on another path."""

    def program(runtime: Runtime, binding: Binding) -> str:
        folders = path(runtime.environment(binding))
        beside = Path(binding.command).absolute()
        return shutil.which(binding.command, path=folders) or str(beside)

    return on_program(program)


fault(
    "path-of-the-tool",
    "EXEC-R17",
    "looks a bare command up on the PATH that the tool is given",
    looked_up(lambda given: given.get("PATH", os.defpath)),
    shown_by="exec-runtime/commands/one-shot-bare-name-without-path",
)
fault(
    "usual-folders-alone",
    "EXEC-R17",
    "looks a bare command up in /usr/bin and /bin",
    looked_up(lambda _: "/usr/bin:/bin"),
    shown_by="exec-runtime/commands/one-shot-bare-name",
)
fault(
    "no-look-up",
    "EXEC-R17",
    "takes a bare command for a file in its working directory",
    on_program(lambda _, binding: str(Path(binding.command).absolute())),
    shown_by="exec-runtime/commands/server-bare-name",
)
fault(
    "servers-by-their-path",
    "EXEC-R17",
    "starts a server by its path alone",
    on_program(
        lambda _, binding: (
            (shutil.which(binding.command) or binding.command)
            if binding.runtime == "exec"
            else str(Path(binding.command).absolute())
        )
    ),
    shown_by="exec-runtime/commands/server-bare-name",
)

# --- processes and descriptors

UNREAPED: list[Any] = []


class Unreaped(Running):
    """Kills a process and does not wait for it."""

    def kill(self) -> None:
        UNREAPED.append(self._process)
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.release()


fault(
    "zombies-left",
    "EXEC-R9",
    "kills a late tool and does not reap it",
    running(Unreaped),
    level="should",
    shown_by="exec-runtime/killing/one-shot-reaped",
)


class Hoarding(Running):
    """Keeps the pipes of a process that is gone."""

    def release(self) -> None:
        UNREAPED.append(self._process)
        self._open.clear()
        self._errors_open = False
        self.closed = True


class Inheriting(Running):
    """Starts a process with all that the runtime has open."""

    closes_descriptors = False

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        super().__init__(argv, environment)
        for number in (self._stdin, self._stdout, self._stderr):
            os.set_inheritable(number, True)  # noqa: FBT003 - as os has it


def _by_mode(process: type[Running], mode: str) -> Change:
    def start(self: Any, start: Any, binding: Binding) -> Running:
        self.running = process if binding.runtime == mode else Running
        started: Running = start(binding)
        return started

    return around("start", start)


fault(
    "descriptors-kept",
    "EXEC-R21",
    "keeps the pipes of one-shot tools that are gone",
    _by_mode(Hoarding, "exec"),
    level="should",
    shown_by="exec-runtime/descriptors/one-shot-fifty-calls",
)
fault(
    "descriptors-of-servers-kept",
    "EXEC-R21",
    "keeps the pipes of servers that are gone",
    _by_mode(Hoarding, "server"),
    level="should",
    shown_by="exec-runtime/descriptors/server-fifty-exits",
)
fault(
    "descriptors-inherited",
    "EXEC-R21",
    "hands its pipes to other tools on to each process that it starts",
    running(Inheriting),
    level="should",
    shown_by="exec-runtime/descriptors/one-shot-starts-with-three",
)


def _opens(_: Any, start: Any, binding: Binding) -> Any:
    try:
        return start(binding)
    except Exception:
        UNREAPED.append(os.open(os.devnull, os.O_RDONLY))
        raise


fault(
    "descriptors-of-failures-kept",
    "EXEC-R21",
    "keeps a descriptor for each process that could not be started",
    around("start", _opens),
    level="should",
    shown_by="exec-runtime/descriptors/one-shot-fifty-missing",
)
