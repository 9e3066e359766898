from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from hypothesis import strategies as st

from wireproof.bridge import (
    OPERATION_FAULTS,
    BridgeDialect,
    Offers,
    OperationDriver,
    OperationOps,
    look_at_operation,
)
from wireproof.checks import Check, Settings, SuiteInputs, Target
from wireproof.fuzzing import OperationPlan
from wireproof.judge import Rules
from wireproof.report import sentence
from wireproof.run import EngineSuite
from wireproof.subjects import driver_command, driver_environment
from wireproof_vectors import Vector

OPS = ("mend", "wrap")

DRIVER = (sys.executable, "-S", "driver.py")

# A driver as an author writes one: it ends when an op does.
DRIVER_SOURCE = """
import json, sys
import own

subject = own.Subject()
for line in sys.stdin:
    asked = json.loads(line)
    number, op = asked.pop("id"), asked.pop("op")
    echo = asked.pop("echo", False)
    answer = {"id": number, "ok": True}
    if op == "describe":
        ops = [name for name in ("mend", "wrap", "tear") if hasattr(subject, name)]
        answer["value"] = {"ops": ops}
        for key in ("targets", "lacks"):
            answer["value"][key] = getattr(subject, key, None)
    else:
        answer["value"] = getattr(subject, op)(**asked)
    if echo:
        answer["args"] = asked
    print(json.dumps(answer), flush=True)
"""

MODULE = """
class Mender:
    formats = ("plain",)

    def mend(self, text):
        return text if text.endswith("}") else text + "}"

    def wrap(self, value, target="list"):
        return {"in": value} if target == "object" else [value]

class Subject(Mender):
    pass
"""

CONTROLS: Any = {
    "mend": [
        {"input": {"text": "{"}, "expected": "{}"},
        {"input": {"text": "["}, "expected": "[}"},
    ],
    "wrap": [{"input": {"value": 1}, "expected": [1]}],
}


def plan_of(texts: Sequence[str]) -> OperationPlan:
    return OperationPlan(
        [
            {"op": "mend", "input": {"text": text}, "expected": f"{text}}}"}
            for text in texts
        ]
    )


def uses(feature: str, step: Mapping[str, Any]) -> bool:
    return feature in step["input"].values()


TEXTS = st.lists(st.text("ab", max_size=3), min_size=1, max_size=3)

STRATEGIES = {"it": TEXTS.map(plan_of)}
"""What is drawn for the property of these tests: this module has its plans."""

SCENARIO = [{"op": "mend", "input": {"text": "s"}, "expected": "s}"}]

OFFERS = Offers(OPS, frozenset({"list", "object"}), uses, optional_ops=("tear",))


Open = Callable[..., EngineSuite]


@pytest.fixture
def open_suite(tmp_path: Path) -> Iterator[Open]:
    """Return what opens a suite on the mender, some of its methods replaced."""
    made: list[EngineSuite] = []

    def make(
        methods: str = "",
        *,
        steps: Sequence[Mapping[str, Any]] = (),
        values: Mapping[str, Any] | None = None,
        module: str = "",
        command: tuple[str, ...] = driver_command("own:Subject"),
        clauses: tuple[str, ...] = ("MEND-1",),
        level: Any = "must",
        kind: Any = "vector",
        needs: Any = None,
        controls: Any = None,
        keeps: bool = False,
        **settings: Any,
    ) -> EngineSuite:
        source = MODULE + indent(methods, "    ") + "\n" + module
        (tmp_path / "own.py").write_text(source)
        (tmp_path / "driver.py").write_text(DRIVER_SOURCE)
        path = {"PYTHONPATH": str(tmp_path)}
        target = Target("mender", command[-1], command, command[-1])
        options = Settings(
            tmp_path, environment=path, shown_environment=path, **settings
        )
        data: Any = {"steps": steps, **({"values": values} if values else {})}
        vector = Vector(
            "mender/own/it",
            "It holds.",
            clauses,
            level,
            "seed",
            "operation",
            "own",
            data,
        )
        check = Check(
            vector.id,
            vector.title,
            vector.clauses,
            level,
            "seed",
            kind,
            needs or {},
        )
        inputs = SuiteInputs(
            target,
            options,
            [check],
            {vector.id: vector},
            {"controls": CONTROLS if controls is None else controls},
            (),
            (),
        )
        environment = driver_environment(target, options, (*OPS, "tear"))

        def new_driver() -> OperationDriver:
            ops = OperationOps(target, options, environment)
            ops.keeps = keeps
            return OperationDriver(inputs, ops, OFFERS)

        suite = EngineSuite(
            inputs,
            new_driver,
            Rules(BridgeDialect, OPERATION_FAULTS, look=look_at_operation),
            {},
            sentence,
            __name__,
            {vector.id: SCENARIO} if kind == "scenario" else {},
            kind="operation",
        )
        made.append(suite)
        return suite

    yield make
    for suite in made:
        suite.discard()
