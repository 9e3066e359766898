"""How a call to a host fails.

::

    WireproofReferenceError
    ├── HostError
    │   ├── HostFailure    the host answered with a failure
    │   ├── CallTimeout    the host did not answer in time
    │   └── HostLost       the host died, or cannot be reached any more
    └── ProtocolError
        └── RemoteProtocolError    the host's answer is no message
"""

from __future__ import annotations

from wireproof_reference import _errors


class HostError(_errors.WireproofReferenceError):
    """A call has failed for a reason that lies with the host."""


class HostFailure(HostError):
    """The host answered with a failure (HV1-C5).

    Attributes:
        type: The kind of error, in the host's words.
        detail: What went wrong, in the host's words.
        stack: Where it went wrong, if the host says so.
    """

    def __init__(self, type_: str, detail: str, stack: str | None = None) -> None:
        self.type = type_
        self.detail = detail
        self.stack = stack
        super().__init__(f"{type_}: {detail}")


class CallTimeout(_errors.CallTimeout, HostError):
    """The host did not answer before the deadline (HV1-C9)."""


class HostLost(HostError):
    """The host died, or closed what it is reached by (HV1-C7).

    Attributes:
        reason: What happened, in a few words.
        status: Its exit status, negative for a signal, or None while it lives.
        last_line: The last line that it wrote to stderr; may be empty.
    """

    def __init__(self, reason: str, status: int | None, last_line: str) -> None:
        self.reason = reason
        self.status = status
        self.last_line = last_line
        parts = [f"the host {reason}"]
        if status is not None:
            parts.append(f"with status {status}")
        if last_line:
            parts.append(f"after writing {last_line!r} to stderr")
        super().__init__(" ".join(parts))
