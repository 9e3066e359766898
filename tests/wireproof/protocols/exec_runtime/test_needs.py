from __future__ import annotations

from wireproof.protocols.exec_runtime._needs import is_short

BIND = {"op": "bind", "input": {"name": "t", "exec": {}}, "plays": []}


def test_calls_side_by_side_are_counted_one_by_one() -> None:
    call = {"op": "call", "input": {}}
    many = {"op": "call_many", "input": {"calls": [{}, {}]}}
    assert is_short([BIND, call, call, many])
    assert not is_short([BIND, call, call, call, many])
