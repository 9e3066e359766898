"""Tools that lean on what is around them: EXEC-O9, O10, O11."""

from __future__ import annotations

import json
import os
import socket
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.proof.exec_oneshot.subject import broken
from tests.proof.exec_oneshot.tool import Failure, Tool


def shared(name: str) -> Path:
    """Return a place that runs of one suite share, and no others."""
    return Path(tempfile.gettempdir(), f"wireproof-{os.getppid()}-{name}")


@broken(
    "lock-file",
    "EXEC-O9",
    "refuses to run beside itself",
    shown_by="exec-oneshot/at-once/two-sleepers",
)
class LockFile(Tool):
    def run(self) -> int:
        lock = shared("lock")
        try:
            lock.touch(exist_ok=False)
        except FileExistsError:
            self.write(self.dump({"error": "already running"}))
            return 0
        try:
            return super().run()
        finally:
            lock.unlink()


@broken(
    "fixed-file",
    "EXEC-O9",
    "hands its arguments on in a file of a fixed name",
    shown_by="exec-oneshot/at-once/two-sleepers",
)
class FixedFile(Tool):
    def arguments(self, request: Any) -> dict[str, Any]:
        file = shared("args.json")
        args = super().arguments(request)
        own = f"{os.getpid()}\n{json.dumps(args)}"
        file.write_text(own)
        time.sleep(args.get("arguments", {}).get("ms", 0) / 1000)
        if file.read_text() != own:
            raise Failure("the arguments of another run are there")
        return args


@broken(
    "fixed-address",
    "EXEC-O9",
    "listens on a fixed address while it runs",
    shown_by="exec-oneshot/at-once/two-sleepers",
)
class FixedAddress(Tool):
    def run(self) -> int:
        with socket.socket(socket.AF_UNIX) as listener:
            address = shared("socket")
            try:
                listener.bind(str(address))
            except OSError as error:
                self.write(self.dump({"error": str(error)}))
                return 0
            try:
                return super().run()
            finally:
                address.unlink()


@broken(
    "remembers",
    "EXEC-O10",
    "goes on counting from run to run",
    level="should",
)
class Remembers(Tool):
    def do_counter(self, arguments: dict[str, Any]) -> Any:
        file = shared("count")
        total = int(file.read_text()) if file.exists() else 0
        total += arguments.get("by", 1)
        file.write_text(str(total % 7))
        return {"counter": total}


@broken(
    "remembers-failures",
    "EXEC-O10",
    "fails again right after a failure",
    level="should",
)
class RemembersFailures(Tool):
    def execute(self, args: dict[str, Any]) -> Any:
        file = shared("failed")
        if file.exists():
            file.unlink()
            raise Failure("the run before has failed")
        return super().execute(args)

    def do_throw(self, arguments: dict[str, Any]) -> Any:
        shared("failed").touch()
        return super().do_throw(arguments)


@broken("needs-home", "EXEC-O11", "looks for its settings below HOME", bound=True)
class NeedsHome(Tool):
    def execute(self, args: dict[str, Any]) -> Any:
        if "HOME" not in os.environ:
            raise Failure("HOME is not set")
        return super().execute(args)


@broken("needs-a-user", "EXEC-O11", "ends where it cannot tell whose it is", bound=True)
class NeedsUser(Tool):
    def run(self) -> int:
        if not {"USER", "LOGNAME", "HOME"} & os.environ.keys():
            raise SystemExit("no user")
        return super().run()


@broken(
    "needs-python-path", "EXEC-O11", "counts the variables that it needs", bound=True
)
class NeedsManyVariables(Tool):
    def execute(self, args: dict[str, Any]) -> Any:
        if len(os.environ) < 4:
            raise Failure("LOG_LEVEL, API_BASE or DATA_DIR is not set")
        return super().execute(args)
