"""What the scripted hosts of a vector have to tell, once the client is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wireproof.protocols.host_client._monitor import RequestMonitor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import Deviation
    from wireproof.checks._transcript import Direction
    from wireproof.subjects import Playing


@dataclass(slots=True)
class HostsReport:
    """What was seen of a client by the hosts that it started.

    Attributes:
        starts: How many there were.
        lines: How many lines it sent.
        taken: The requests that the first script has taken, by name.
        answered: Whether a request was answered with success.
        exited: Whether the first host ended by itself, as its script told it to.
        stuck: Why no answer was possible; empty where it was.
        defect: Why the vector cannot be carried out; empty where it can.
        deviations: Where what it sent broke HV1-C1.
    """

    starts: int
    lines: int = 0
    taken: dict[str, Any] = field(default_factory=dict[str, Any])
    answered: bool = False
    exited: bool = False
    stuck: str = ""
    defect: str = ""
    deviations: list[Deviation] = field(default_factory=list["Deviation"])


def read_reports(playings: Sequence[Playing]) -> HostsReport:
    """Put together what the hosts reported."""
    found = HostsReport(len(playings))
    for playing in reversed(playings):
        said = [report.data for report in playing.reports]
        # The first host is read last: the requests that count are those it has taken.
        found.taken = {}
        # At the end of its input it exits too, but that is the client's doing.
        at_end = any("fragment" in one for one in said)
        found.exited = any("exits" in one for one in said) and not at_end
        # An id is in flight on one host; a host started anew knows nothing of it.
        monitor = RequestMonitor()
        for one in said:
            _take_in(found, monitor, one)
        found.lines += monitor.lines
        found.deviations = monitor.deviations + found.deviations
    return found


def _take_in(
    found: HostsReport, monitor: RequestMonitor, said: Mapping[str, Any]
) -> None:
    match said:
        case {"line": str(line)}:
            monitor.line(line.encode("latin-1") + b"\n")
        case {"fragment": str(rest)}:
            monitor.end(rest.encode("latin-1"))
        case {"message": {"ok": bool(ok), "id": request_id}}:
            found.answered = found.answered or ok
            if isinstance(request_id, str):
                monitor.answered(request_id)
        case {"took": str(name), "request": request}:
            found.taken[name] = request
        case {"stuck": str(why)}:
            found.stuck = why
        case {"defect": str(why)}:
            found.defect = why
        case _:
            pass


def traffic(playings: Sequence[Playing]) -> Iterator[tuple[float, Direction, bytes]]:
    """Yield what went over the pipes of the hosts: time, direction and bytes."""
    for playing in playings:
        for report in playing.reports:
            match report.data:
                case {"line": str(line)}:
                    yield report.time, "received", line.encode("latin-1") + b"\n"
                case {"fragment": str(rest)} if rest:
                    yield report.time, "received", rest.encode("latin-1")
                case {"writes": str(text)}:
                    yield report.time, "sent", text.encode("latin-1")
                case {"stderr": str(text)}:
                    yield report.time, "stderr", text.encode()
                case _:
                    pass
