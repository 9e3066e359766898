"""Steps of socket-v1 alone: they look at a server's process and files, not at frames.

`carry_out` does what a step says and returns what it saw, as JSON; `look` says what is
wrong with that, and reads nothing but its arguments.
"""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, SubjectStartError, VectorDefect, Words
from wireproof.judge import MAIN, Look
from wireproof.patterns import difference_of, expand, in_words, match
from wireproof.protocols.socket_v1._connection import READS, is_gone, try_connect
from wireproof.protocols.socket_v1._descriptors import count_descriptors, inherited
from wireproof.protocols.socket_v1._link import START_SECONDS
from wireproof.protocols.socket_v1._place import AUDIT_LOG
from wireproof.run import Request
from wireproof.subjects import memory_held, peer_pid
from wireproof_reference.framing import JsonError, encode, loads

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.protocols.socket_v1._link import ServerLink
    from wireproof.run import Hands

    Step = Mapping[str, Any]

POLL_SECONDS = 0.02
"""Seconds between two looks at what no frame announces."""

WITHIN_MS = 2000
"""Milliseconds in which something has to show if its step does not say."""

MOST_FILE_BYTES = 64 << 20
"""Bytes of a file that are read."""

MOST_LINES = 200
"""New lines of a file that are kept beside those that fit: the last ones."""

GROUP, OTHERS = 0o010, 0o001
"""What lets a group, or others, search a folder; to write a file is twice that bit."""

ON_A_CONNECTION = frozenset({"reads", "flood", "poll"})
"""Steps that use the connection which they name."""

MEBIBYTE = b"x" * (1 << 20)

HALVES = 2
"""How often as much is sent again of a line that has no end, if all of it is kept."""

FLOOD_SECONDS = 5.0
"""Most seconds to send such a line: a server may copy all of it at each read."""

STALLED_SECONDS = 1.0
"""Seconds in which nothing is read, after which nothing more of it is sent."""

SHOWN_TEXT = 60
"""Characters of a text that a file must not hold, and of what stands before it."""


# --- what is done


def carry_out(step: Step, link: ServerLink, hands: Hands) -> Any:
    """Carry out a step.

    Args:
        step: The step.
        link: The server.
        hands: What requests are made with.

    Returns:
        What it saw, as JSON.
    """
    within = float(step.get("within_ms", WITHIN_MS)) / 1000
    seconds, names = hands.seconds(within), hands.names
    on = step.get("on", MAIN)
    if not ON_A_CONNECTION.isdisjoint(step) and not hands.turn(on):
        return {"opened": False}
    match step:
        case {"connect": str(name)}:
            return {"opened": link.turn(name)}
        case {"disconnect": str(name)}:
            _disconnect(link, name, unread=bool(step.get("unread")))
            return {}
        case {"reads": str(how)}:
            if (connection := link.named(on)) is not None:
                connection.most_read = READS[how]
            return {}
        case {"descriptors": str(name)}:
            return {"names": {name: count_descriptors(link.pid) or 0}}
        case {"expect_descriptors": str(name), "more": int(more)}:
            most: int = names[name] + more

            def is_back() -> bool:
                return (count_descriptors(link.pid) or 0) <= most

            _watch(link, hands, is_back, seconds)
            return {"count": count_descriptors(link.pid) or 0, "most": most}
        case {"inherits_no_connection": pid}:
            return {"held": sorted(inherited(expand(pid, names), link.pid))}
        case {"poll": request, "until": pattern}:
            return _poll(request, pattern, link, hands, seconds)
        case {"terminate": _}:
            link.told_to_end = True
            link.signal(signal.SIGTERM)
            return {}
        case {"kill": _}:
            link.started_over = True
            link.close_all()
            link.kill()
            return {}
        case {"expect_exit": {"within_ms": int(limit)}}:
            left = hands.seconds(limit / 1000)
            _watch(link, hands, lambda: link.exit_status is not None, left)
            return {"status": link.exit_status}
        case {"restart": _}:
            return _restart(link)
        case {"second": _}:
            return _second(link, hands, seconds)
        case {"neighbour": _}:
            return _neighbour(link, seconds)
        case {"serves_new": _}:
            return _serves_new(link, hands, within)
        case {"stand_in": _}:
            link.place.stand_in()
            return {}
        case {"expect_stand_in": _}:
            return {"stands": link.place.stand_in_stands()}
        case {"flood": int(most), "grows_at_most": int(bound)}:
            return _flood(link, hands, most, bound)
        case _:
            return _of_files(step, link, hands, seconds)


def _watch(
    link: ServerLink, hands: Hands, holds: Callable[[], bool], seconds: float
) -> None:
    """Look once in a while for what no frame announces, until it holds."""
    limit = time.monotonic() + seconds
    while not holds():
        left = limit - time.monotonic()
        if left <= 0:
            hands.in_vain()
            return
        link.pump(min(left, POLL_SECONDS))


def _disconnect(link: ServerLink, name: str, *, unread: bool) -> None:
    connection = link.named(name)
    if unread and connection is not None:
        # What is closed with something unread is a reset for the other end.
        connection.send(encode({"type": "list_tools", "protocol": 1}))
        connection.await_unread(STALLED_SECONDS)
    link.drop(name)


def _poll(
    request: Mapping[str, Any],
    pattern: Any,
    link: ServerLink,
    hands: Hands,
    seconds: float,
) -> Any:
    names = hands.names
    filled = {k: expand(v, names) for k, v in request.items() if k != "requestId"}
    limit = time.monotonic() + seconds
    while True:
        message = {**filled, "requestId": f"polled-{next(link.numbers)}"}
        answer = hands.ask(Request(message, _matches(pattern, names)))
        is_over = time.monotonic() >= limit
        if answer.ended != "refused" or is_over:
            return {"value": answer.value, "ended": answer.ended, "seconds": seconds}
        link.pump(POLL_SECONDS)


def _matches(pattern: Any, names: Mapping[str, Any]) -> Callable[[Any], bool]:
    return lambda value: match(pattern, value, names, {}) is None


def _restart(link: ServerLink) -> Any:
    try:
        link.start_again()
    except SubjectStartError as error:
        return {"why": error.detail}
    why = link.await_listening(START_SECONDS)
    link.drop(MAIN)
    return {"why": why, "names": {"pid": link.pid}}


def _second(link: ServerLink, hands: Hands, seconds: float) -> Any:
    """Start a second server on the same socket; see whether it takes that over."""
    link.started_over = True
    other = link.begin_process(link.place)
    try:
        limit = time.monotonic() + seconds
        is_taken = False
        while other.exit_status is None and time.monotonic() < limit and not is_taken:
            other.pump(POLL_SECONDS)
            is_taken = _listener(link) not in {0, link.pid}
        return {"taken": is_taken, "status": other.exit_status}
    finally:
        other.release()


def _listener(link: ServerLink) -> int:
    """Return the process that listens at the socket; 0 if that is not known."""
    found = try_connect(link.place.socket)
    if isinstance(found, OSError):
        return 0
    with found:
        return peer_pid(found) or 0


def _neighbour(link: ServerLink, seconds: float) -> Any:
    """Start a server on another path, and end it once it accepts."""
    link.started_over = True
    place = link.place.beside()
    other = link.begin_process(place)
    try:
        limit = time.monotonic() + seconds
        while other.exit_status is None and time.monotonic() < limit:
            other.pump(POLL_SECONDS)
            if not is_gone(place.socket):
                with suppress(ProcessLookupError):  # it has just ended
                    os.kill(other.pid, signal.SIGTERM)
                break
        limit = time.monotonic() + seconds
        while other.exit_status is None and time.monotonic() < limit:
            other.pump(POLL_SECONDS)
        return {"status": other.exit_status}
    finally:
        other.release()


def _serves_new(link: ServerLink, hands: Hands, within: float) -> Any:
    """See whether new connections are served for a while."""
    limit = time.monotonic() + within
    while time.monotonic() < limit:
        link.drop("new")
        if not hands.turn("new"):
            return {"ended": "unreached"}
        answer = hands.ask(link.control())
        if answer.ended != "answered":
            return {"ended": answer.ended}
        link.pump(POLL_SECONDS)
    return {"ended": "answered"}


def _flood(link: ServerLink, hands: Hands, most: int, bound: int) -> Any:
    """Send a line that has no end; see whether the server keeps all of it.

    One that collects its garbage late grows once, and no more by the second half.
    """
    connection = link.named(MAIN)
    # The observation holds the beginning: enough to be refused.
    hands.sent(MEBIBYTE)
    sent = grown = 0
    for _ in range(HALVES):
        before = _held(link)
        sent += _send_without_end(link, most)
        after = _held(link)
        is_bounded = before is None or after is None or after - before <= bound
        if connection is None or not connection.open or is_bounded:
            return {"sent": sent, "grown": 0}
        grown += (after or 0) - (before or 0)
    return {"sent": sent, "grown": grown}


def _held(link: ServerLink) -> int | None:
    return memory_held(link.process.pid) if link.process is not None else None


def _send_without_end(link: ServerLink, mebibytes: int) -> int:
    """Send so much as fast as it is read; return how much was.

    It stops if the server closes the connection or reads no more.
    """
    connection = link.named(MAIN)
    if connection is None:
        return 0
    limit = time.monotonic() + FLOOD_SECONDS
    for sent in range(mebibytes):
        began = time.monotonic()
        connection.send(MEBIBYTE)
        until = min(limit, began + STALLED_SECONDS)
        while connection.unsent and time.monotonic() < until:
            link.pump(until - time.monotonic())
        link.pump(0)
        if connection.unsent or connection.write_closed:
            return sent
    return mebibytes


# --- files


def _of_files(
    step: Step,
    link: ServerLink,
    hands: Hands,
    seconds: float,
) -> Any:
    names = hands.names
    match step:
        case {"expect_lines": str(name), "match": pattern}:

            def is_there() -> bool:
                lines = _new_lines(_files(name, step, link, names), link)
                least: int = step.get("at_least", 1)
                return _count(pattern, lines, names) >= least

            _watch(link, hands, is_there, seconds)
            files = _files(name, step, link, names)
            lines = _new_lines(files, link)
            others = [one for one in lines if not _is_match(pattern, one, names)]
            fitting = [one for one in lines if _is_match(pattern, one, names)]
            kept = [*others[-MOST_LINES:], *fitting]
            return {"lines": kept, "files": [*map(str, files)]}
        case {"expect_no_text": str(name), "text": text}:
            return {
                "held": _held_text(_files(name, step, link, names), link, text, names)
            }
        case {"expect_file": name}:
            pattern = step.get("match")

            def fits() -> bool:
                found = _values(_files(name, step, link, names), pattern)
                return any(_is_match(pattern, one, names) for one in found)

            _watch(link, hands, fits, seconds)
            files = _files(name, step, link, names)
            return {"files": [*map(str, files)], "values": _values(files, pattern)}
        case {"expect_no_file": name}:
            _watch(link, hands, lambda: not _files(name, step, link, names), seconds)
            return {"files": [*map(str, _files(name, step, link, names))]}
        case {"write_file": name}:
            path = Path(names["home"], name)
            path.parent.mkdir(parents=True, exist_ok=True)
            has_json = "json" in step
            value = expand(step["json" if has_json else "text"], names)
            path.write_text(json.dumps(value) if has_json else str(value))
            return {}
        case {"expect_mode": _}:
            return _modes(link)
        case _:
            raise VectorDefect(f"unknown step {', '.join(step)}")


def _files(
    name: Any, step: Step, link: ServerLink, names: Mapping[str, Any]
) -> list[Path]:
    """Return the files that a name stands for."""
    if name == AUDIT_LOG and names.get("home"):
        return link.place.audit_logs()
    text = str(expand(name, names)).replace("{pid}", str(link.pid))
    folder = names["scratch" if step.get("in") == "scratch" else "home"]
    if not folder and not Path(text).is_absolute():
        raise VectorDefect("a step about files without needs: home")
    wanted = Path(folder, text)
    if "*" in wanted.name:
        return sorted(wanted.parent.glob(wanted.name))
    return [wanted] if wanted.exists() else []


def _added(path: Path, link: ServerLink) -> bytes:
    with path.open("rb") as file:
        file.seek(link.offsets.get(path, 0))
        return file.read(MOST_FILE_BYTES)


def _new_lines(files: Sequence[Path], link: ServerLink) -> list[Any]:
    found: list[Any] = []
    for path in files:
        for line in _added(path, link).split(b"\n")[:-1]:
            try:
                found.append(loads(line))
            except JsonError:
                # A text: an object would be an entry.
                found.append(f"not JSON: {line[:200].decode(errors='replace')}")
    return found


def _held_text(
    files: Sequence[Path], link: ServerLink, text: Any, names: Mapping[str, Any]
) -> list[str]:
    """Return where a text stands that must not, with what stands before it."""
    wanted = str(expand(text, names))
    found: list[str] = []
    for path in files:
        data = _added(path, link)
        for one in (wanted.encode(), json.dumps(wanted)[1:-1].encode()):
            if (place := data.find(one)) >= 0:
                line = data.rfind(b"\n", 0, place) + 1
                start = max(line, place - SHOWN_TEXT)
                found.append(data[start : place + SHOWN_TEXT].decode(errors="ignore"))
                break
    return found


def _values(files: Sequence[Path], pattern: Any) -> list[Any]:
    found: list[Any] = []
    for path in files:
        try:
            found.append(None if pattern is None else loads(path.read_bytes().strip()))
        except (JsonError, OSError) as error:
            found.append(f"not JSON: {error}")
    return found


def _modes(link: ServerLink) -> Any:
    path = Path(link.place.socket).absolute()
    # The folder around a launched server's is ours: that it is private is not the
    # server's doing.
    folders = takewhile(link.place.folder.__ne__, path.parents)
    return {
        "mode": path.stat().st_mode,
        "folders": [one.stat().st_mode for one in folders],
    }


# --- what is wrong


def look(step: Step, seen: Any, names: Mapping[str, Any]) -> Look | dict[str, Any]:
    """Return what is wrong with what a step saw; the values that it saves if nothing.

    Args:
        step: The step.
        seen: What it saw.
        names: The values that the step refers to by name.
    """
    saved: dict[str, Any] = {}
    if seen.get("opened") is False:
        return Look("unreached", {})
    match step:
        case {"expect_descriptors": _} if seen["count"] > seen["most"]:
            wanted = Words(f"{seen['most']} or fewer")
            shown = Difference("descriptors", wanted, Words(str(seen["count"])))
            return Look("descriptors-held", {}, (shown,))
        case {"inherits_no_connection": _} if seen["held"]:
            return Look("connection-inherited", {})
        case {"poll": _, "until": pattern}:
            if seen["value"] is None:
                return Look("poll-unanswered", {"ended": seen["ended"]})
            miss = match(pattern, seen["value"], names, saved)
            if miss is not None:
                fields = {"seconds": seen["seconds"], "where": miss.path}
                return Look("did-not-come-about", fields, (difference_of(miss),))
        case {"expect_exit": _} if seen["status"] is None:
            return Look("runs-on", {})
        case {"restart": _} if seen["why"]:
            return Look("did-not-start-again", {"detail": seen["why"]})
        case {"serves_new": _} if seen["ended"] != "answered":
            return Look("serves-no-new-connection", {"ended": seen["ended"]})
        case {"expect_stand_in": _} if not seen["stands"]:
            return Look("removed-foreign-socket", {})
        case {"flood": _} if seen["grown"]:
            return Look("keeps-endless-line", {**seen})
        case {"expect_lines": name, "match": pattern}:
            return _look_at_lines(name, pattern, step, seen, names)
        case {"expect_no_text": name} if seen["held"]:
            shown = Difference(name, Words("no such text"), Words(seen["held"][0]))
            return Look("text-held", {"file": name}, (shown,))
        case {"expect_file": name}:
            pattern = step.get("match")
            if not any(_is_match(pattern, one, names) for one in seen["values"]):
                values = seen["values"][:3] or Words("no such file")
                found = Difference(str(name), in_words(pattern), values)
                kind = "file-differs" if seen["values"] else "no-file"
                return Look(kind, {"file": str(expand(name, names))}, (found,))
        case {"expect_no_file": name} if seen["files"]:
            return Look("file-left", {"file": str(expand(name, names))})
        case {"expect_mode": _}:
            return _look_at_modes(seen)
        case _:
            pass
    return saved


def _is_match(pattern: Any, value: Any, names: Mapping[str, Any]) -> bool:
    return pattern is None or match(pattern, value, names, {}) is None


def _count(pattern: Any, lines: Sequence[Any], names: Mapping[str, Any]) -> int:
    return sum(_is_match(pattern, one, names) for one in lines)


def _look_at_lines(
    name: str, pattern: Any, step: Step, seen: Any, names: Mapping[str, Any]
) -> Look | dict[str, Any]:
    lines, count = seen["lines"], step.get("count")
    found = _count(pattern, lines, names)
    if count is not None and found > count:
        return Look("too-many-lines", {"file": name, "found": found, "wanted": count})
    if found >= (step.get("at_least", 1) if count is None else count):
        saved: dict[str, Any] = {}
        for one in lines:
            if match(pattern, one, names, saved) is None:
                break
        return saved
    parts: Sequence[Any] = pattern.get("$all_of", [pattern])

    def lacking(line: Any) -> list[Any]:
        return [one for one in parts if not _is_match(one, line, names)]

    nearest = min(reversed(lines), key=lambda one: len(lacking(one)), default=None)
    missed = lacking(nearest) or [*parts]
    wanted = missed[0] if len(missed) == 1 else {"$all_of": missed}
    shown = nearest if lines else Words("no new line")
    difference = Difference(name, in_words(wanted), shown)
    return Look("no-such-line", {"file": name, "found": found}, (difference,))


def _look_at_modes(seen: Any) -> Look | dict[str, Any]:
    mode, folders = seen["mode"], seen["folders"]
    if not any(
        mode & 2 * who and all(folder & who for folder in folders)
        for who in (GROUP, OTHERS)
    ):
        return {}
    wanted = Words("nobody but its owner may write it, or search its folder")
    found = Words(f"{mode & 0o777:04o} in a folder of {folders[0] & 0o777:04o}")
    shown = Difference("the mode of the socket file", wanted, found)
    return Look("open-to-others", {}, (shown,))
