"""What the scripted hosts of a vector have to tell, once the client is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.judge import Noted
from wireproof.patterns import is_object
from wireproof.protocols.host_client._monitor import RequestMonitor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.subjects import Playing

SHOWN_SIZE = 2_000
"""Characters of a line that the traffic shows."""


def seen_by(playings: Sequence[Playing]) -> dict[str, Any]:
    """Put together what the hosts reported.

    Returns:
        How many ``starts`` there were; the requests that the first script has
        ``taken``, by name; whether a request was ``answered`` with success; whether the
        first host ``exited`` by itself, as its script told it to; why no answer was
        possible (``stuck``) or the vector cannot be carried out (``defect``), or "";
        and what monitors saw, as `StepDone` has it.
    """
    seen: dict[str, Any] = {"starts": len(playings), "answered": False}
    seen |= {"stuck": "", "defect": ""}
    faults: list[Any] = []
    lines = 0
    for playing in reversed(playings):
        said = [report.data for report in playing.reports]
        # The first host is read last: the requests that count are those it has taken.
        seen["taken"] = {}
        # At the end of its input it exits too, but that is the client's doing.
        at_end = any("fragment" in one for one in said)
        seen["exited"] = any("exits" in one for one in said) and not at_end
        # An id is in flight on one host; a host started anew knows nothing of it.
        monitor = RequestMonitor()
        for one in said:
            _take_in(seen, monitor, one)
        lines += monitor.lines
        faults = [*monitor.faults, *faults]
    return {**seen, "kinds": {"requests": lines}, "faults": faults}


def _take_in(
    seen: dict[str, Any], monitor: RequestMonitor, said: Mapping[str, Any]
) -> None:
    match said:
        case {"line": str(line)}:
            monitor.line(line.encode("latin-1") + b"\n")
        case {"fragment": str(rest)}:
            monitor.end(rest.encode("latin-1"))
        case {"message": {"ok": bool(ok), "id": request_id}}:
            seen["answered"] |= ok
            if isinstance(request_id, str):
                monitor.answered(request_id)
        case {"took": str(name), "request": request}:
            seen["taken"][name] = request
        case {"stuck": str(why)}:
            seen["stuck"] = why
        case {"defect": str(why)}:
            seen["defect"] = why
        case _:
            pass


def notes_of(playings: Sequence[Playing]) -> Iterator[Noted]:
    """Yield what went over the pipes of the hosts."""
    for playing in playings:
        for report in playing.reports:
            match report.data:
                case {"line": str(line)}:
                    yield Noted(report.time, f"the host read {_shown(line)}⏎")
                case {"fragment": str(rest)} if rest:
                    yield Noted(report.time, f"the host read {_shown(rest)}")
                case {"writes": str(text)}:
                    yield Noted(
                        report.time, f"the host wrote {_shown(text)}", by_runner=True
                    )
                case _:
                    pass


def ids_of(taken: Mapping[str, Any]) -> list[Any]:
    """Return the ids of the requests that a script has taken."""
    return [one.get("id") for one in taken.values() if is_object(one)]


def _shown(text: str) -> str:
    data = text[:SHOWN_SIZE].encode("latin-1")
    return data.decode(errors="backslashreplace").replace("\n", "⏎")
