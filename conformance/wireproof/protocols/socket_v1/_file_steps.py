"""Steps about files: a server's audit log, discovery files, its socket's mode."""

from __future__ import annotations

import json
import time
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, VectorDefect, Words
from wireproof.line import Diverged
from wireproof.patterns import expand, in_line, in_words, match
from wireproof.protocols.socket_v1._place import AUDIT_LOG
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.protocols.socket_v1._session import SocketSession

    Step = Mapping[str, Any]

POLL_SECONDS = 0.02
"""Seconds between two looks at a file."""

BRIEF_SECONDS = 0.3
"""How long a line or a file is waited for at least once a few of its kind did not come.
"""

LATE_TIMES = 4
"""How many times as long as any took that did come it is waited for then."""

GROUP, OTHERS = 0o010, 0o001
"""What lets a group, or others, search a folder; to write a file is twice that bit."""

MOST_FILE_BYTES = 64 << 20
"""Bytes of a file that are read."""

MOST_FILES = 3
"""Files that are shown where a name stands for several."""


BEFORE_TEXT = 24
"""Bytes of a line that are shown before a text which it must not hold: its key is among
them."""

MOST_TEXT = 60
"""Bytes of such a text that are shown."""


class FileSteps:
    """Carries out what the steps of one check ask of a server's files."""

    def __init__(self, session: SocketSession) -> None:
        """Begin.

        Args:
            session: The conversation.
        """
        self._session = session
        self._waited = 0.0

    def lines(
        self, name: str, pattern: Any, within: float, step: Step
    ) -> Diverged | None:
        """See that as many lines as wanted were added that match."""
        session = self._session
        count, least = step.get("count"), step.get("at_least", 1)
        seen: list[Any] = []

        def look() -> bool | None:
            seen[:] = self._new_lines(name, step)
            fitting = [one for one in seen if session.matches(pattern, one)]
            wanted = least if count is None else count
            return True if len(fitting) >= wanted else None

        kind = f"a line of {name}"
        waited = self._wait_for(look, kind, within)
        if waited is None:
            fitting = [one for one in seen if session.matches(pattern, one)]
            if fitting:
                session.kinds.answered(kind, self._waited)
            if count is None or len(fitting) == count:
                return None
            text = f"{len(fitting)} lines of {name} are such, not {count}"
            return Diverged(text, step.get("clause"))
        files = [str(path) for path in self._path(name, step)]
        where = " or ".join(files or [f"{session.names['home']}/{name}, not there,"])
        text = f"{where} got no such line within {waited:.1f} s"
        nearest, missed = _nearest(pattern, seen, session.names)
        lacking = in_words(_together(missed or _parts(pattern)))
        if seen and missed:
            text += f": the one that fits best lacks {in_line(lacking)}"
        at = f"{name}, the line that fits best" if seen else name
        shown = nearest if seen else Words("no new line")
        difference = Difference(at, lacking, shown)
        clause = step.get("clause")
        # What comes at other times and not here is missed here, by this check alone.
        is_missed = not seen and session.kinds.was_answered(kind)
        charged = clause if is_missed else None
        return Diverged(text, clause, differences=(difference,), charged=charged)

    def no_text(self, name: str, text: Any, step: Step) -> Diverged | None:
        """See that a text is in nothing that was added."""
        wanted = str(expand(text, self._session.names)).encode()
        escaped = json.dumps(wanted.decode())[1:-1].encode()
        for path in self._path(name, step):
            with path.open("rb") as file:
                file.seek(self._session.line_offsets.get(path, 0))
                data = file.read(MOST_FILE_BYTES)
            places = [data.find(one) for one in (wanted, escaped)]
            if found := [place for place in places if place >= 0]:
                return _held(name, data, found[0], len(wanted), step.get("clause"))
        return None

    def file(self, name: str, step: Step, within: float) -> Diverged | None:
        """See that a file is there that matches."""
        session = self._session
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
                    seen.append(Words(error))
                else:
                    if session.matches(pattern, seen[-1]):
                        return True
            return None

        kind = f"the file {name}"
        if self._wait_for(look, kind, within) is None:
            session.kinds.answered(kind, self._waited)
            return None
        several = seen[:MOST_FILES] if seen else Words("no such file")
        shown = seen[0] if len(seen) == 1 else several
        difference = Difference(self._shown_name(name), in_words(pattern), shown)
        found = ", ".join(map(str, self._path(name, step)[:MOST_FILES]))
        wanted = self._wanted(name, step)
        text = f"{found} holds something else" if found else f"there is no {wanted}"
        return Diverged(text, step.get("clause"), differences=(difference,))

    def no_file(self, name: str, step: Step, within: float) -> Diverged | None:
        """See that a file is not there, or goes."""
        session = self._session

        def look() -> bool | None:
            return True if not self._path(name, step) else None

        if session.wait_for_slowly(look, session.wait_seconds(within), POLL_SECONDS):
            return None
        text = f"the file {self._shown_name(name)} is there"
        return Diverged(text, step.get("clause"))

    def write(self, name: str, step: Step) -> None:
        """Write a file into the home, as text or as JSON."""
        names = self._session.names
        path = Path(names["home"], name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if "json" in step:
            path.write_text(json.dumps(expand(step["json"], names)))
        else:
            path.write_text(str(expand(step["text"], names)))

    def mode(self, step: Step) -> Diverged | None:
        """See that nobody but its owner may connect to the socket."""
        path = Path(self._session.names["socket_path"]).absolute()
        mode = path.stat().st_mode
        # The folder around a launched server's is ours: that it is private is not the
        # server's doing.
        ours = self._session.place().folder
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

    def _wait_for(
        self,
        look: Callable[[], bool | None],
        kind: str,
        within: float,
    ) -> float | None:
        """Wait for what stands in a file: briefly once a few of its kind did not come.

        One that comes late at times is waited for by how late those came that did, and
        what such a wait misses is no verdict: the check is tried again in full.

        Args:
            look: Tells whether it is there.
            kind: What it is, in words.
            within: The seconds in which it has to be there.

        Returns:
            None where it came, else the seconds of the wait, latency aside.
        """
        session = self._session
        longest = session.kinds.longest_wait(kind)
        meant = within
        if longest is not None and not session.waits_in_full:
            within = min(within, max(BRIEF_SECONDS, LATE_TIMES * longest))
        limit = session.wait_seconds(within)
        begun = time.monotonic()
        if session.wait_for_slowly(look, limit, POLL_SECONDS):
            self._waited = time.monotonic() - begun
            return None
        if within < meant:
            # It may be later than that: the check is tried again with waits in full.
            session.hasty = True
        else:
            session.kinds.left(kind)
        return within

    def _shown_name(self, name: Any) -> str:
        """Return the name of a file as a message has it, the value where it has one."""
        return str(expand(name, self._session.names))

    def _wanted(self, name: str, step: Step) -> Path:
        """Return where a file is looked for; its name may be a pattern."""
        names = self._session.names
        name = str(expand(name, names)).replace("{pid}", str(names.get("pid", 0)))
        if step.get("in") == "scratch":
            return Path(names["scratch"], name)
        if names.get("home") or Path(name).is_absolute():
            return Path(names["home"], name)
        raise VectorDefect("a step about files without needs: home")

    def _path(self, name: str, step: Step) -> list[Path]:
        """Return the files that a name stands for."""
        if name == AUDIT_LOG and self._session.names.get("home"):
            return self._session.place().audit_logs()
        wanted = self._wanted(name, step)
        if "*" in wanted.name:
            return sorted(wanted.parent.glob(wanted.name))
        return [wanted] if wanted.exists() else []

    def _new_lines(self, name: str, step: Step) -> list[Any]:
        found: list[Any] = []
        for path in self._path(name, step):
            with path.open("rb") as file:
                file.seek(self._session.line_offsets.get(path, 0))
                data = file.read(MOST_FILE_BYTES)
            for line in data.split(b"\n")[:-1]:
                try:
                    found.append(loads(line))
                except JsonError:
                    # A text: an object would be an entry.
                    found.append(f"not JSON: {line[:200].decode(errors='replace')}")
        return found


def _parts(pattern: Any) -> Sequence[Any]:
    """Return the patterns that a line has to match, each of them."""
    parts: Sequence[Any] = pattern.get("$all_of", [pattern])
    return parts


def _together(parts: Sequence[Any]) -> Any:
    return parts[0] if len(parts) == 1 else {"$all_of": parts}


def _held(
    name: str, data: bytes, place: int, size: int, clause: str | None
) -> Diverged:
    """Tell what a file must not hold, with what stands before it: the key, mostly.

    Args:
        name: The file.
        data: What was added to it.
        place: Where the text begins.
        size: Bytes of the text.
        clause: What the step is charged to, where it says.
    """
    line = data.rfind(b"\n", 0, place) + 1
    start = max(line, place - BEFORE_TEXT)
    end = place + min(size, MOST_TEXT)
    before = ("…" if start > line else "") + data[start:place].decode(errors="ignore")
    after = data[place:end].decode(errors="ignore") + ("…" if size > MOST_TEXT else "")
    shown = before + after
    # Behind another key it is another mistake.
    at = f"{name}, behind {before}"
    difference = Difference(at, Words("no such text"), Words(shown))
    text = f"{name} holds what it must not: {shown}"
    return Diverged(text, clause, differences=(difference,))


def _nearest(
    pattern: Any, seen: Sequence[Any], names: Mapping[str, Any]
) -> tuple[Any, Sequence[Any]]:
    """Return the line that fits a pattern best, and the parts of it that it lacks.

    Many calls leave lines: the one that was meant is found by what does fit. Where more
    lines are wanted than there are, it may lack nothing.
    """

    def lacking(line: Any) -> list[Any]:
        parts = _parts(pattern)
        return [one for one in parts if match(one, line, names, {}) is not None]

    nearest = min(reversed(seen), key=lambda line: len(lacking(line)), default=None)
    return nearest, lacking(nearest)
