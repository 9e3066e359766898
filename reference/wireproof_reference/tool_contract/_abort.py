"""The signal by which a turn is called off."""

from __future__ import annotations

import anyio


class AbortSignal:
    """Fires once, and has fired from then on (TOOL-X9).

    Attributes:
        aborted: Whether it has fired.
    """

    def __init__(self) -> None:
        self.aborted = False
        self._fired: anyio.Event | None = None

    def abort(self) -> None:
        """Fire; once more changes nothing."""
        self.aborted = True
        if self._fired is not None:
            self._fired.set()

    async def wait(self) -> None:
        """Return once it has fired."""
        if self.aborted:
            return
        if self._fired is None:
            self._fired = anyio.Event()
        await self._fired.wait()
