from __future__ import annotations

import pytest

from wireproof_reference.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "usage"),
    [
        ([], "exec call|runtime|server|tool ..."),
        (["nope"], "exec call|runtime|server|tool ..."),
        (["tool", "--loud"], "exec tool"),
        (["server", "--loud"], "exec server"),
        (["runtime", "--loud"], "exec runtime [--backend=asyncio|trio]"),
    ],
)
def test_a_wrong_command_line_shows_the_right_one(
    arguments: list[str], usage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["exec", *arguments]) == 2
    shown = capsys.readouterr().err
    assert shown == f"usage: python -m wireproof_reference {usage}\n"
