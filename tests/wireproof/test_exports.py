"""What a user's own tests type is in ``wireproof``."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import wireproof
import wireproof_vectors
from wireproof import AdapterHandle, HostHandle, NoAnswer, SocketHandle, WireproofError
from wireproof.protocols import all_protocols
from wireproof.protocols.host_v1 import _handle as host_v1
from wireproof.protocols.interop import _handle as interop
from wireproof.protocols.socket_v1 import _handle as socket_v1


def execute(host: HostHandle) -> Any:
    return host.execute("echo", {"text": "hi"})


def call(client: SocketHandle) -> Any:
    return client.call("echo", {"text": "hi"})


def ask(adapter: AdapterHandle) -> Any:
    return adapter.ask("convert_schemas", schemas=[], target="openai.responses")


def test_the_handles_are_those_of_the_fixtures() -> None:
    assert HostHandle is host_v1.HostHandle
    assert SocketHandle is socket_v1.SocketHandle
    assert AdapterHandle is interop.AdapterHandle


def test_every_protocol_has_its_handle_here() -> None:
    handles = {name for name in wireproof.__all__ if name.endswith("Handle")}
    assert handles == {
        str(type(protocol).handle.__annotations__["return"])
        for protocol in all_protocols()
    }


@pytest.mark.parametrize("name", wireproof.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(wireproof, name).__name__ == name


def test_what_can_go_wrong_has_one_root() -> None:
    assert issubclass(NoAnswer, WireproofError)
    assert issubclass(wireproof.SubjectStartError, WireproofError)
    assert issubclass(wireproof.VectorDefect, WireproofError)


def test_the_loader_is_that_of_the_vectors() -> None:
    assert wireproof.load_vectors is wireproof_vectors.load_vectors
    assert wireproof.VectorError is wireproof_vectors.VectorError


def test_there_is_nothing_else() -> None:
    assert dir(wireproof) == sorted(wireproof.__all__)
    with pytest.raises(AttributeError, match=r"^module 'wireproof' has no attribute"):
        getattr(wireproof, "HostSession")  # noqa: B009 - a checker of types refuses it


def test_importing_it_imports_nothing_more() -> None:
    program = "import sys, wireproof; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    names = [name for name in done.stdout.split() if name.startswith("wireproof")]
    assert names == ["wireproof"]
