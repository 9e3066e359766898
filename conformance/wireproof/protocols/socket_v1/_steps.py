"""Steps that only socket-v1 has: connections, the process, files of the server."""

from __future__ import annotations

import json
import signal
import time
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, VectorDefect, Words
from wireproof.line import Diverged, Missing, MissingCause, StepRunner
from wireproof.patterns import difference_of, exit_text, expand, in_words, match
from wireproof.protocols.socket_v1._session import AUDIT_LOG, SocketSession
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.line import StepsOutcome
    from wireproof.subjects import SubjectProcess

    Step = Mapping[str, Any]

POLL_SECONDS = 0.02
"""Seconds between two looks at a file or two requests of a ``poll``."""

GROUP, OTHERS = 0o010, 0o001
"""What lets a group, or others, search a folder; to write a file is twice that bit."""

MOST_FILE_BYTES = 64 << 20
"""Bytes of a file that are read."""


ON_A_CONNECTION = frozenset(
    {
        "send",
        "send_many",
        "send_raw",
        "expect",
        "expect_optional",
        "expect_closed",
        "fence",
        "close_input",
        "poll",
    }
)
"""Steps that are left out where the subject chose to close the connection."""


class SocketSteps(StepRunner[SocketSession]):
    """Carries out the steps of one check on one session."""

    def run(self, steps: Sequence[Step], *, spares_fence: bool = False) -> StepsOutcome:
        """Carry out steps, and prove afterwards that the server serves."""
        outcome = super().run(steps, spares_fence=spares_fence)
        if not (isinstance(outcome, Diverged) and outcome.at_fence and outcome.missing):
            return outcome
        if self.session.started_over and outcome.missing.cause is MissingCause.CLOSED:
            # SOCK-D3: it lives, and serves no new connection after its new start.
            return replace(outcome, clause=outcome.clause or "SOCK-D3")
        return outcome

    def step(self, step: Step) -> Diverged | None:
        """Carry out one step on its connection, or leave it out where that is gone."""
        there = self.session.turn_to(step.get("on"))
        if not there and not ON_A_CONNECTION.isdisjoint(step):
            return None
        return super().step(step)

    def expect(self, pattern: Any, step: Step) -> Diverged | None:
        """Wait for a frame, or for the closing that the step leaves to the server."""
        diverged = super().expect(pattern, step)
        if step.get("or") != "closed":
            return diverged
        if diverged is None:
            self.session.take_refusal()
            return None
        missing = diverged.missing
        # A server that was told to end closes its connections by ending.
        told = (MissingCause.EXITED,) if self.session.told_to_end else ()
        if missing is not None and missing.cause in (MissingCause.CLOSED, *told):
            self.session.take_closing()
            return None
        return diverged

    def own_step(self, step: Step) -> Diverged | None:
        """Carry out a step that only this protocol has.

        Raises:
            VectorDefect: If there is no such step.
        """
        self.session.single = False
        session = self.session
        within = float(step.get("within_ms", 2000)) / 1000
        match step:
            case {"connect": str(name)}:
                found = session.connection(name)
                return _diverged(found, step) if isinstance(found, Missing) else None
            case {"disconnect": str(name)}:
                session.drop(name)
            case {"expect_closed": {"within_ms": int(limit)}}:
                return self._closed(limit / 1000, step)
            case {"poll": request, "until": pattern}:
                return self._poll(request, pattern, within, step)
            case {"terminate": _}:
                session.told_to_end = True
                session.signal(signal.SIGTERM)
            case {"kill": _}:
                session.end_process()
            case {"expect_exit": {"within_ms": int(limit)}}:
                status = session.await_exit(limit / 1000)
                if isinstance(status, Missing):
                    return _diverged(status, step)
                session.ended_as_wanted = True
            case {"second": _}:
                return self._second(within, step)
            case {"stand_in": _}:
                session.stand_in()
            case {"expect_stand_in": _}:
                if not session.stand_in_stands():
                    text = "the server removed a socket that is not its own"
                    return Diverged(text, step.get("clause"))
            case {"serves_new": _}:
                return self._serves_new(within, step)
            case {"took": {"id": str(key), "at_least_ms": int(least)}}:
                return self._took(key, least * self.time_scale / 1000, step)
            case {"expect_lines": str(name), "match": pattern}:
                return self._lines(name, pattern, within, step)
            case {"expect_no_text": str(name), "text": text}:
                return self._no_text(name, text, step)
            case {"expect_file": name}:
                return self._file(name, step, within)
            case {"expect_no_file": name}:
                return self._no_file(name, step, within)
            case {"write_file": name}:
                self._write(name, step)
            case {"expect_mode": _}:
                return self._mode(step)
            case _:
                return super().own_step(step)
        return None

    # --- connections and processes

    def _closed(self, within: float, step: Step) -> Diverged | None:
        connection = self.session.current()
        if isinstance(connection, Missing):
            return None
        limit = self.session.wait_seconds(within)
        if self.session.wait_for(lambda: not connection.open or None, limit):
            self.session.take_closing()
            return None
        text = f"the server did not close the connection within {limit:.1f} s"
        return _diverged(Missing(MissingCause.TIMEOUT, text), step)

    def _poll(
        self,
        request: Any,
        pattern: Any,
        within: float,
        step: Step,
    ) -> Diverged | None:
        session = self.session
        message = {
            key: value if key == "requestId" else expand(value, session.names)
            for key, value in request.items()
        }
        limit = time.monotonic() + session.wait_seconds(within) * self.time_scale
        while True:
            answer = session.ask(message)
            if isinstance(answer, Missing):
                return _diverged(answer, step)
            miss = match(pattern, answer.value, session.names, {})
            if miss is None:
                return None
            if time.monotonic() >= limit:
                text = f"it did not come about within {within * self.time_scale:.1f} s"
                return Diverged(
                    text,
                    step.get("clause"),
                    differences=(difference_of(miss),),
                    about_time=True,
                )
            session.wait_for(lambda: None, POLL_SECONDS)

    def _second(self, within: float, step: Step) -> Diverged | None:
        """Start a second server on the same socket, and see that the first stays."""
        session = self.session
        other = session.start_second()
        try:
            limit = time.monotonic() + session.wait_seconds(within)
            while other.exit_status is None and time.monotonic() < limit:
                other.pump(POLL_SECONDS)
            session.transcript.add(time.monotonic(), "sent", _fate_of(other))
        finally:
            other.kill()
        return None

    def _serves_new(self, within: float, step: Step) -> Diverged | None:
        """See that new connections are served for a while."""
        session = self.session
        limit = time.monotonic() + within
        while time.monotonic() < limit:
            if (missing := session.fence_anew()) is not None:
                return _diverged(missing, step)
            session.wait_for(lambda: None, POLL_SECONDS)
        return None

    def _took(self, key: str, least: float, step: Step) -> Diverged | None:
        asked, answered = self.session.asked_at(key), self.session.answered_at(key)
        if asked is None or answered is None:
            raise VectorDefect("took names a call that was not sent or not answered")
        if answered - asked >= least:
            return None
        wanted = Words(f"after {least * 1000:.0f} ms or more")
        found = Words(f"after {(answered - asked) * 1000:.1f} ms")
        difference = Difference("the result", wanted, found)
        text = "the call ended before its time"
        return Diverged(text, step.get("clause"), differences=(difference,))

    # --- files

    def _path(self, name: str, step: Step) -> list[Path]:
        """Return the files that a name stands for."""
        names = self.session.names
        if name == AUDIT_LOG and names.get("home"):
            return self.session.audit_logs()
        name = str(expand(name, names)).replace("{pid}", str(names.get("pid", 0)))
        if step.get("in") == "scratch":
            base = Path(names["scratch"])
        elif names.get("home") or Path(name).is_absolute():
            base = Path(names["home"])
        else:
            raise VectorDefect("a step about files without needs: home")
        if "*" in name:
            return sorted(base.glob(name))
        return [path] if (path := base / name).exists() else []

    def _lines(
        self, name: str, pattern: Any, within: float, step: Step
    ) -> Diverged | None:
        session = self.session
        count = step.get("count")
        seen: list[Any] = []

        def look() -> bool | None:
            seen[:] = self._new_lines(name, step)
            fitting = [one for one in seen if session.matches(pattern, one)]
            if count is None:
                return True if fitting else None
            return True if len(fitting) >= count else None

        if session.wait_for_slowly(look, session.wait_seconds(within), POLL_SECONDS):
            fitting = [one for one in seen if session.matches(pattern, one)]
            if count is None or len(fitting) == count:
                return None
            text = f"{len(fitting)} lines of {name} are such, not {count}"
            return Diverged(text, step.get("clause"))
        files = [str(path) for path in self._path(name, step)]
        where = " or ".join(files or [f"{session.names['home']}/{name}, not there,"])
        text = f"{where} got no such line within {within:.1f} s"
        shown = seen[-3:] if seen else Words("no new line")
        difference = Difference(name, in_words(pattern), shown)
        return Diverged(text, step.get("clause"), differences=(difference,))

    def _new_lines(self, name: str, step: Step) -> list[Any]:
        found: list[Any] = []
        for path in self._path(name, step):
            with path.open("rb") as file:
                file.seek(self.session.line_offsets.get(path, 0))
                data = file.read(MOST_FILE_BYTES)
            for line in data.split(b"\n")[:-1]:
                try:
                    found.append(loads(line))
                except JsonError:
                    # A text: an object would be an entry.
                    found.append(f"not JSON: {line[:200].decode(errors='replace')}")
        return found

    def _no_text(self, name: str, text: Any, step: Step) -> Diverged | None:
        wanted = str(expand(text, self.session.names)).encode()
        escaped = json.dumps(wanted.decode())[1:-1].encode()
        for path in self._path(name, step):
            with path.open("rb") as file:
                file.seek(self.session.line_offsets.get(path, 0))
                data = file.read(MOST_FILE_BYTES)
            if wanted in data or escaped in data:
                difference = Difference(name, Words("no such text"), text)
                found = f"{name} holds what it must not"
                return Diverged(found, step.get("clause"), differences=(difference,))
        return None

    def _file(self, name: str, step: Step, within: float) -> Diverged | None:
        session = self.session
        pattern = step.get("match")
        seen: list[Any] = []

        def look() -> bool | None:
            seen.clear()
            for path in self._path(name, step):
                if pattern is None:
                    return True
                try:
                    seen.append(loads(path.read_bytes().strip()))
                except (JsonError, OSError) as error:
                    seen.append(str(error))
                else:
                    if session.matches(pattern, seen[-1]):
                        return True
            return None

        if session.wait_for_slowly(look, session.wait_seconds(within), POLL_SECONDS):
            return None
        shown = seen[:3] if seen else Words("no such file")
        difference = Difference(str(name), in_words(pattern), shown)
        text = f"the file {name} is not there or holds something else"
        return Diverged(text, step.get("clause"), differences=(difference,))

    def _no_file(self, name: str, step: Step, within: float) -> Diverged | None:
        session = self.session

        def look() -> bool | None:
            return True if not self._path(name, step) else None

        if session.wait_for_slowly(look, session.wait_seconds(within), POLL_SECONDS):
            return None
        return Diverged(f"the file {name} is there", step.get("clause"))

    def _write(self, name: str, step: Step) -> None:
        names = self.session.names
        path = Path(names["home"], name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if "json" in step:
            path.write_text(json.dumps(expand(step["json"], names)))
        else:
            path.write_text(str(expand(step["text"], names)))

    def _mode(self, step: Step) -> Diverged | None:
        path = Path(self.session.names["socket_path"]).absolute()
        mode = path.stat().st_mode
        # The folder around a launched server's is ours: that it is private is not the
        # server's doing.
        ours = self.session.place().folder
        folders = [one.stat().st_mode for one in takewhile(ours.__ne__, path.parents)]
        if not any(
            mode & 2 * who and all(folder & who for folder in folders)
            for who in (GROUP, OTHERS)
        ):
            return None
        wanted = Words("nobody but its owner may write it, or search its folder")
        found = Words(f"{mode & 0o777:04o} in a folder of {folders[0] & 0o777:04o}")
        difference = Difference("the mode of the socket file", wanted, found)
        text = "others may connect to the socket"
        return Diverged(text, step.get("clause"), differences=(difference,))


def _fate_of(other: SubjectProcess) -> bytes:
    """Say in the transcript that a second server was started, and what became of it."""
    status = other.exit_status
    became = "still runs" if status is None else f"exited with {exit_text(status)}"
    return f"(a second server was started on the same path, and {became})".encode()


def _diverged(missing: Missing, step: Step) -> Diverged:
    return Diverged(
        f"what was expected did not come: {missing.text}", step.get("clause"), missing
    )
