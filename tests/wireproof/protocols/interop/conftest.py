from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from tests.bridge import PYTHON_DRIVER
from tests.inputs import inputs_of

from wireproof.checks import Check, Settings, Target
from wireproof.protocols.interop._protocol import PROTOCOL
from wireproof.run import EngineSuite
from wireproof.subjects._in_python import SERVER
from wireproof_vectors import Vector

OBJECT = (*SERVER, "own:Subject")

DRIVER = (sys.executable, str(PYTHON_DRIVER), "own:Subject")

MODULE = """
from wireproof_reference.interop import *

class Subject(InteropSubject):
    pass
"""

Open = Callable[..., EngineSuite]


@pytest.fixture
def open_suite(tmp_path: Path) -> Iterator[Open]:
    """Return what opens a suite on the reference, some of its methods replaced."""
    made: list[EngineSuite] = []

    def make(
        methods: str = "",
        *,
        steps: Sequence[Mapping[str, Any]] = (),
        checks: Sequence[Check] = (),
        module: str = "",
        command: tuple[str, ...] = OBJECT,
        level: Any = "must",
        needs: Any = None,
        setup: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> EngineSuite:
        source = MODULE + indent(methods, "    ") + "\n" + module
        (tmp_path / "own.py").write_text(source)
        path = {"PYTHONPATH": str(tmp_path)}
        data: Any = {"steps": steps, "needs": needs or {}}
        vector = Vector(
            "interop/own/it",
            "It holds.",
            ("INT-S1",),
            level,
            "seed",
            "operation",
            "own",
            data,
        )
        target = Target("interop", command[-1], command, command[-1])
        options = Settings(
            tmp_path, environment=path, shown_environment=path, **settings
        )
        inputs = inputs_of(PROTOCOL, target, options, [vector])
        inputs = replace(
            inputs, checks=checks or inputs.checks, setup=setup or inputs.setup
        )
        made.append(PROTOCOL.bind(inputs))
        return made[-1]

    yield make
    for suite in made:
        suite.discard()
