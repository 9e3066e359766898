from __future__ import annotations

from itertools import permutations

from tests.proof.row import ClassRow, Tables


def _subject(module: str) -> type:
    return type("Subject", (), {"__module__": module})


def test_the_order_of_a_table_does_not_hang_on_what_was_imported_first() -> None:
    found: set[tuple[str, ...]] = set()
    for modules in permutations(("frames", "calls", "values")):
        tables = Tables(ClassRow)
        for module in modules:
            for part in ("whole", "cut"):
                tables.enter_broken(f"{module}-{part}", "X-1", "")(_subject(module))
        tables.order()
        found.add(tuple(tables.broken))

    (names,) = found
    assert [one.rpartition("-")[2] for one in names] == ["whole", "cut"] * 3
