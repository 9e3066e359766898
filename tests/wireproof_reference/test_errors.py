from __future__ import annotations

import pytest

from wireproof_reference import CallTimeout, host_v1, socket_v1
from wireproof_reference import exec as exec_tools

TIMEOUTS = [
    (
        host_v1.CallTimeout("m", 0.5),
        host_v1.HostError,
        "m was not answered within 0.5 s",
    ),
    (
        socket_v1.CallTimeout("m", 0.5),
        socket_v1.SocketError,
        "m was not answered within 0.5 s",
    ),
    (
        exec_tools.CallTimeout("m", 500),
        exec_tools.ExecError,
        "m timed out after 500 ms",
    ),
]


@pytest.mark.parametrize(("timeout", "of_protocol", "text"), TIMEOUTS)
def test_a_timeout_belongs_to_its_protocol_and_to_one_family(
    timeout: CallTimeout, of_protocol: type[Exception], text: str
) -> None:
    assert isinstance(timeout, of_protocol)
    assert (timeout.what, timeout.seconds) == ("m", 0.5)
    assert str(timeout) == text
