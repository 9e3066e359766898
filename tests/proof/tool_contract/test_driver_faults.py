"""A wrong shape of what a driver itself says is one finding, and no clause's."""

from __future__ import annotations

from typing import Any

import pytest
from tests.proof.trial import ROOT, Trial

from wireproof.checks import Settings, Target, Verdict
from wireproof.protocols.tool_contract._protocol import PROTOCOL
from wireproof.subjects import driver_command
from wireproof_reference.tool_contract import ToolContractSubject


class NullHandles(ToolContractSubject):
    def register_reducer(self, **told: Any) -> Any:
        super().register_reducer(**told)
        return {"handle": None}


class NoNames(ToolContractSubject):
    def register(self, tools: list[dict[str, Any]]) -> Any:
        super().register(tools)


class TextForRemoved(ToolContractSubject):
    def unregister_reducer(self, handle: str) -> Any:
        super().unregister_reducer(handle)
        return {"removed": "yes"}


class IdsUnderAnotherKey(ToolContractSubject):
    async def execute_parallel(self, calls: list[Any], **told: Any) -> Any:
        value: Any = await super().execute_parallel(calls, **told)
        log = [{"id": one.pop("toolCallId"), **one} for one in value["log"]]
        return {**value, "log": log}


def try_some(subject: type[Any]) -> Trial:
    """Try some vectors of each op on a registry."""
    name = f"{__name__}:{subject.__name__}"
    target = Target("tool-contract", name, driver_command(name), name)
    suite = PROTOCOL.open(target, Settings(ROOT, fuzz=0))
    chosen = [
        check
        for check in suite.checks
        if check.id.split("/")[1] in {"reducers", "progress"}
    ][::3]
    results = [suite.run(check) for check in chosen]
    return Trial([*results, *suite.finish()], suite.facts())


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        (NullHandles, "`register_reducer`.handle is null"),
        (NoNames, "`register` is null"),
        (TextForRemoved, "`unregister_reducer`.removed is a string"),
        (IdsUnderAnotherKey, "`execute_parallel`.log[0] has no 'toolCallId'"),
    ],
)
def test_a_wrong_shape_of_what_the_driver_says_is_one_finding(
    subject: type[Any], fault: str
) -> None:
    trial = try_some(subject)

    [failed] = [one for one in trial.results if one.verdict is Verdict.FAILED]
    assert failed.id == "tool-contract/driver"
    assert failed.clauses == ()
    assert failed.reason == f"the driver's answers do not fit the bridge: {fault}"
    assert trial.clauses(Verdict.PASSED)
    assert not trial.conformant
