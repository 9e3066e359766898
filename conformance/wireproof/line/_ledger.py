"""What a ledger of one process on stdio keeps: what was asked of it, and what came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from wireproof.line._conversation import Arrival

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from wireproof.checks import Deviation


class LineArrival(Arrival, Protocol):
    """A frame or a line that came from the subject."""

    @property
    def kind(self) -> str:
        """What it was taken for; ``none`` where it belongs to nothing."""
        ...

    @property
    def line(self) -> bytes:
        """Its bytes, without the line feed."""
        ...


LineType = TypeVar("LineType", bound=LineArrival)
LineType_co = TypeVar("LineType_co", bound=LineArrival, covariant=True)


class LineLedger(Protocol[LineType_co]):
    """What was asked of one process, and what came."""

    deviations: list[Deviation]
    """What the monitors found since the last ``forget``."""

    seen: Counter[str]
    """How many frames have come, and how many of each kind."""

    noise: int
    """How many lines came that belong to nothing."""

    finished: bool
    """Whether the end of stdout has been booked."""

    requests: int
    """How many requests were sent."""

    @property
    def midline(self) -> bool:
        """Whether the last line that was sent has no line feed yet."""
        ...

    @property
    def pending(self) -> int:
        """How many bytes of a line have come whose line feed has not."""
        ...

    @property
    def unfinished(self) -> bytes:
        """The beginning of a line whose line feed has not come."""
        ...

    @property
    def asked(self) -> frozenset[str]:
        """The ids of the requests of the check in hand, the suite's own aside."""
        ...

    def sent(self, data: bytes, time: float, *, cut: bool = False) -> None:
        """Book bytes that go to the subject."""
        ...

    def received(self, data: bytes, time: float) -> Sequence[LineType_co]:
        """Take bytes from the subject's stdout; return what arrived with them."""
        ...

    def ended(self, time: float) -> Sequence[LineType_co]:
        """Take note that the subject's stdout has come to its end."""
        ...

    def settle_text(self, time: float) -> Sequence[LineType_co]:
        """Book the lines whose case was open, now that nothing follows them."""
        ...

    def forget(self, time: float) -> None:
        """Begin a new check: what was found before has been reported."""
        ...

    def note(self, *found: Deviation) -> None:
        """Add deviations."""
        ...


LedgerType = TypeVar("LedgerType", bound=LineLedger[Any])
