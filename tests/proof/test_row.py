from __future__ import annotations

from itertools import permutations

from tests.proof.row import ClassRow, Tables, around


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


class Greeter:
    def greet(self, name: str) -> str:
        return f"hello {name}"


def test_a_fault_is_entered_with_one_call_and_found_by_its_module() -> None:
    tables = Tables(ClassRow)
    fault = tables.faults(__name__, Greeter)

    fault(
        "loud-and-short",
        "X-1",
        "shouts the beginning of what it is given",
        around("greet", lambda _, greet, name: greet(name[:2])),
        around("greet", lambda _, greet, name: greet(name).upper()),
        level="should",
    )

    entered = tables.broken["loud-and-short"]
    assert (entered.clause, entered.level) == ("X-1", "should")
    assert entered.subject().greet("anna") == "HELLO AN"
    assert globals()["LOUD_AND_SHORT"] is entered.subject
    assert Greeter().greet("anna") == "hello anna"


def test_a_variant_may_be_warned_of_what_it_names() -> None:
    tables = Tables(ClassRow)

    tables.variants(__name__, Greeter)("terse", "is terse", warns={"X-2": "on purpose"})

    assert tables.legal["terse"].warns == {"X-2": "on purpose"}
