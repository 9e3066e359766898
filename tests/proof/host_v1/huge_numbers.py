"""Hosts that read numbers beyond a double: HV1-M11.

One that has such numbers in its state gets them back as it wrote them.
"""

from __future__ import annotations

import re
import sys
from typing import ClassVar

from tests.proof.host_v1.input_faults import LineHost
from tests.proof.host_v1.subject import broken, legal

from wireproof_reference.host_v1.core._messages import HostMessage

_HUGE = re.compile(rb"(?<=:)(-?)[0-9]+e[1-9][0-9]{2,3}(?=[,}])")
_MARK = re.compile(rb'"(-?)a number beyond a double"')


class HugeNumbers(LineHost):
    """Reads a number beyond a double, and writes something in its place.

    Attributes:
        written: What that is, without its sign.
    """

    written: ClassVar[bytes]

    def handle_line(self, line: bytes) -> None:
        # The mark stands for the number until the answer is written.
        super().handle_line(_HUGE.sub(rb'"\1a number beyond a double"', line))

    def encode(self, message: HostMessage) -> bytes:
        return _MARK.sub(rb"\g<1>" + self.written, super().encode(message))


@broken(
    "infinity",
    "HV1-M11",
    "answers a number beyond a double with Infinity",
    shown_by="host-v1/values/no-infinity-in-an-answer",
)
class Infinity(HugeNumbers):
    written = b"Infinity"


@broken(
    "infinity-as-c-prints-it",
    "HV1-M11",
    "answers a number beyond a double with inf",
    shown_by="host-v1/values/no-infinity-in-an-answer",
)
class InfinityAsPrinted(HugeNumbers):
    written = b"inf"


@legal("huge-numbers-kept", "answers a number beyond a double with one")
class HugeNumbersKept(HugeNumbers):
    written = b"1e400"


@legal("huge-numbers-rounded", "answers a number beyond a double with the greatest one")
class HugeNumbersRounded(HugeNumbers):
    written = repr(sys.float_info.max).encode()


@legal("huge-numbers-null", "answers a number beyond a double with null")
class HugeNumbersNull(HugeNumbers):
    written = b"null"

    def encode(self, message: HostMessage) -> bytes:
        return _MARK.sub(self.written, LineHost.encode(self, message))


_COUNTER = b'"conformance_counter":'
_OWN = b'"own":[1e400,-' + b"1" * 5000 + b',"\\ud800"],'


@legal(
    "odd-state", "has numbers beyond a double and half a surrogate pair in its state"
)
class OddState(LineHost):
    def handle_line(self, line: bytes) -> None:
        # A state that has not come back as it was written is refused.
        line = line.replace(_OWN + _COUNTER, _COUNTER)
        super().handle_line(line)

    def encode(self, message: HostMessage) -> bytes:
        return super().encode(message).replace(_COUNTER, _OWN + _COUNTER)
