"""A host's process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof_reference._child import ChildProcess
from wireproof_reference.host_v1.core import HostLost

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Self


class HostProcess(ChildProcess):
    """A running host."""

    __slots__ = ()

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | str | None = None,
    ) -> Self:
        """Start a host; its arguments are those of `ChildProcess.start`.

        Raises:
            HostLost: It could not be started.
        """
        try:
            return await super().start(command, env=env, cwd=cwd)
        except OSError as error:
            raise HostLost(f"did not start: {error}", None, "") from error
