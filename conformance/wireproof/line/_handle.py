"""A subject of a line protocol as the handle that a user's own tests get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wireproof.checks import NoAnswer
from wireproof.line._session import LineSession

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

SessionType = TypeVar("SessionType", bound=LineSession[Any])


class LineHandle(Generic[SessionType]):
    """A subject that was brought up, to be used in a ``with`` block."""

    def __init__(self, session: SessionType) -> None:
        """Prepare; the subject is started or reached on entering the block."""
        self._session = session

    def __enter__(self) -> Self:
        """Bring the subject up.

        Raises:
            NoAnswer: If it does not come up.
        """
        self._session.begin()
        if (not_up := self._session.ensure_up()) is not None:
            __tracebackhide__ = True
            self._session.discard()
            raise NoAnswer(f"{not_up.text}\n{self._session.stderr_tail}".rstrip())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the subject and whatever was started for it."""
        self._session.stop()
