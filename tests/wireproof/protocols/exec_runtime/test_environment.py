from __future__ import annotations

from wireproof.protocols.exec_runtime._environment import judge_environment

PARENTS = {"PATH", "HOME", "CITY", "SECRET"}


def test_listed_variables_path_and_those_of_the_runtimes_own_making_may_be_there() -> (
    None
):
    found = {"CITY": "Oslo", "PATH": "/bin", "TOOL_NAME": "t", "LC_CTYPE": "C.UTF-8"}
    assert (
        judge_environment({"has": {"CITY": "Oslo"}}, found, ["CITY"], PARENTS) is None
    )


def test_another_variable_of_the_runtime_is_told_by_its_name() -> None:
    found = judge_environment({}, {"HOME": "/root", "CITY": "Oslo"}, ["CITY"], PARENTS)
    assert found is not None
    assert found.text == "the tool has variables that are not listed: HOME"


def test_a_variable_with_another_value_is_told() -> None:
    found = judge_environment(
        {"has": {"CITY": "Oslo"}}, {"CITY": ""}, ["CITY"], PARENTS
    )
    assert found is not None
    assert found.text == "the variable CITY has not the runtime's value"


def test_a_variable_that_is_not_set_must_not_be_set_in_the_tool() -> None:
    found = judge_environment({"lacks": ["CITY"]}, {"CITY": ""}, ["CITY"], PARENTS)
    assert found is not None
    assert "which is not set, is set in the tool" in found.text
