"""Limits on the structure; `pytest -s` prints the figures.

Those of the last test hold of the whole project. They may fall, and not rise: who makes
one smaller lowers its limit too.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import wireproof
from wireproof.checks import Settings, Target, Verdict
from wireproof.protocols import protocol_for

HERE = Path(wireproof.__file__).parent

ROOMS = ("conversation", "judge", "run", "report", "bridge")

PROTOCOLS = ("exec_server", "host_v1")

ABOUT_CHECKS = (
    "_fuzz_plans",
    "_sequences",
    "_sequence_plans",
    "_long_call",
)
"""Modules of a protocol that are data about checks: these name clauses."""

TABLE = HERE / "run" / "_waits.py"

MODULES = [
    path
    for folder in (*ROOMS, *(f"protocols/{one}" for one in PROTOCOLS))
    for path in sorted((HERE / folder).glob("*.py"))
    if path.stem not in ABOUT_CHECKS
]

MOST_ANCESTORS = 2
MOST_MODULES = 20
MOST_FUNCTIONS = 120
MOST_TIMES = 15
MOST_CLAUSES = 40

CLAUSE = re.compile(r"\b(?:HV1|EXEC|SOCK|INT|TOOL)-[A-Z]\d+\b")

OF_TIME = re.compile(
    r"(?:^|_)(?:SECONDS?|MS|MINUTES?|TIMEOUTS?|POLL|DELAYS?|PAUSE|WAITS?|PATIENCE)(?:_|$)"
)
"""Words in the name of a constant that say that it is a time."""

PURE = frozenset(
    {"time", "os", "select", "subprocess", "random", "socket", "threading"}
)
"""Modules that a pure function does not import."""

WARMING = 6
"""Checks before those that are measured: later ones import and start nothing."""

MEASURED = ("host-v1/execute-tool/", "host-v1/request-ids/", "host-v1/bad-input/")
"""Groups of which a check is measured each."""


def name_of(path: Path) -> str:
    """Return a module's name below the package, such as `run/_waits.py`."""
    return str(path.relative_to(HERE))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def show(figures: str) -> None:
    sys.stdout.write(f"\n{figures}\n")


# --- classes


def classes() -> Iterator[type[Any]]:
    for path in MODULES:
        name = "wireproof." + name_of(path).removesuffix(".py").replace("/", ".")
        module = importlib.import_module(name.removesuffix(".__init__"))
        for _, found in inspect.getmembers(module, inspect.isclass):
            if found.__module__ == module.__name__:
                yield found


def ancestors(one: type[Any]) -> list[str]:
    """Return the ancestors of a class that are ours, without the class."""
    return [
        ancestor.__qualname__
        for ancestor in one.__mro__[1:]
        if ancestor.__module__.partition(".")[0] == "wireproof"
    ]


def test_no_class_has_more_than_two_ancestors_of_ours() -> None:
    found = {
        f"{one.__module__}.{one.__qualname__}": ancestors(one) for one in classes()
    }
    most = max(map(len, found.values()))
    show(f"{len(found)} classes; at most {most} ancestors of ours")

    assert {n: some for n, some in found.items() if len(some) > MOST_ANCESTORS} == {}


# --- a warm check


def entered(run: Any, check: Any) -> tuple[Any, set[CodeType]]:
    """Run a check; return its result and the functions of the suite it entered.

    A comprehension or generator expression belongs to the function around it.
    """
    found: set[CodeType] = set()

    def on_event(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        is_ours = code.co_filename.startswith(f"{HERE}/")
        is_part = code.co_name.startswith("<") and code.co_name != "<lambda>"
        if event == "call" and is_ours and not is_part:
            found.add(code)

    before = sys.getprofile()
    sys.setprofile(on_event)
    try:
        result = run(check)
    finally:
        sys.setprofile(before)
    return result, found


def reference_suite(option: str, folder: Path) -> Any:
    """Return the suite of a protocol on its reference."""
    protocol = protocol_for(option)
    command = (sys.executable, *protocol.reference)
    python_path = ":".join(path for path in sys.path if path)
    settings = Settings(folder, environment={"PYTHONPATH": python_path})
    return protocol.open(Target(protocol.name, option, command, "subject"), settings)


def test_a_warm_check_of_a_host_enters_few_modules_and_functions(
    tmp_path: Path,
) -> None:
    suite = reference_suite("host", tmp_path)
    groups = [
        [check for check in suite.checks if check.id.startswith(group)]
        for group in MEASURED
    ]
    try:
        warm = [suite.run(check) for group in groups for check in group[:WARMING]]
        tried = [entered(suite.run, group[WARMING]) for group in groups]
    finally:
        suite.finish()
    figures = [
        (result.id, len({code.co_filename for code in found}), len(found))
        for result, found in tried
    ]
    show("\n".join(f"{one}: {m} modules, {f} functions" for one, m, f in figures))

    assert {one.verdict for one in (*warm, *(one for one, _ in tried))} == {
        Verdict.PASSED
    }
    assert [one for one, modules, _ in figures if modules > MOST_MODULES] == []
    # A bad line takes the way of strays as well: it is only shown.
    plain = [one for one in figures if "bad-input" not in one[0]]
    assert [one for one, _, count in plain if count > MOST_FUNCTIONS] == []


# --- times


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr, str]]:
    """Yield the names that a module binds, each with its value and its docstring."""
    for statement, following in pairwise([*tree.body, ast.Pass()]):
        match following:
            case ast.Expr(value=ast.Constant(value=str(docstring))):
                pass
            case _:
                docstring = ""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value, docstring
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value, docstring
            case _:
                pass


def is_number(value: ast.expr) -> bool:
    """Return whether an expression is arithmetic of literal numbers alone."""
    allowed = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    return all(
        isinstance(node, allowed)
        and (not isinstance(node, ast.Constant) or type(node.value) in {int, float})
        for node in ast.walk(value)
    )


def times(path: Path) -> list[str]:
    """Return the times that a module names.

    These are each `Limit(...)`, and each numeric constant of the module if its name
    has a word of time or its docstring has the word "seconds". In the table of waits
    a factor of a time counts too.
    """
    tree = tree_of(path)
    limits = [
        f"{name_of(path)}:{node.lineno} Limit"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Limit"
    ]
    return limits + [
        f"{name_of(path)}:{value.lineno} {name}"
        for name, value, docstring in constants(tree)
        if is_number(value)
        and (
            OF_TIME.search(name)
            or "seconds" in docstring.lower().split()
            or (path == TABLE and docstring.startswith("Factor"))
        )
    ]


def test_all_times_stand_in_the_table_of_waits() -> None:
    in_table = times(TABLE)
    elsewhere = [one for path in MODULES if path != TABLE for one in times(path)]
    numbers = [name for name, value, _ in constants(tree_of(TABLE)) if is_number(value)]
    show(
        f"{len(in_table)} times in {name_of(TABLE)}, which has {len(numbers)} numeric "
        f"constants beside its limits; {len(elsewhere)} times elsewhere"
    )

    assert elsewhere == []
    assert len(in_table) <= MOST_TIMES


# --- clauses


def clauses_in(path: Path) -> set[str]:
    """Return the clauses in the strings of a module, docstrings excluded."""
    tree = tree_of(path)
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
    }
    return {
        clause
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
        for clause in CLAUSE.findall(node.value)
    }


def test_only_the_rules_of_a_protocol_name_clauses() -> None:
    rules = [path for path in MODULES if path.name == "rules.py"]
    named = {name_of(path): clauses_in(path) for path in rules}
    show("\n".join(f"{len(found)} clauses in {name}" for name, found in named.items()))
    others = [path for path in MODULES if path not in rules]

    assert {name_of(one): found for one in others if (found := clauses_in(one))} == {}
    assert 0 < len(set().union(*named.values())) <= MOST_CLAUSES


# --- what the judge imports


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a module imports anywhere."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        match node:
            case ast.Import(names=names):
                found.update(one.name.partition(".")[0] for one in names)
            case ast.ImportFrom(module=str(module)):
                found.add(module.partition(".")[0])
            case _:
                pass
    return found


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.name) for p in MODULES if p.parent.name == "judge"]
)
def test_the_judge_imports_no_input_output_clock_or_randomness(path: Path) -> None:
    assert imported(path) & PURE == set()


# --- the whole project

ROOT = HERE.parents[1]

SUITE = [path for path in sorted(HERE.rglob("*.py")) if "__pycache__" not in path.parts]

LIMITS = {
    "lines of the suite": 43_400,
    "lines of the tests": 102_700,
    "lines of the reference": 16_600,
    "modules of the reference": 134,
    "rooms of the suite": 14,
    "ancestors of ours of any class": 2,
    "modules entered by a warm check of interop": 22,
    "constants that name a time": 81,
    "clauses named by modules": 104,
    "test files that import private modules of other rooms": 38,
}
"""The most of each."""


def lines_below(folder: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in folder.rglob("*.py"))


def modules_of_a_warm_check_of_interop(folder: Path) -> int:
    suite = reference_suite("adapter", folder)
    checks = [one for one in suite.checks if one.id.startswith("interop/calls/")]
    try:
        warm = [suite.run(check) for check in checks[:WARMING]]
        result, found = entered(suite.run, checks[WARMING])
    finally:
        suite.finish()
    assert {one.verdict for one in (*warm, result)} == {Verdict.PASSED}
    return len({code.co_filename for code in found})


def deepest() -> int:
    """Return the most ancestors of ours of any class of the suite."""
    found = 0
    for path in SUITE:
        name = name_of(path).removesuffix(".py").removesuffix("/__init__")
        # Neither is imported: one is run, the others serve a subject in its process.
        if name == "__main__" or "_inside" in name:
            continue
        module = importlib.import_module("wireproof." + name.replace("/", "."))
        kinds = [kind for _, kind in inspect.getmembers(module, inspect.isclass)]
        found = max([found, *(len(ancestors(kind)) for kind in kinds)])
    return found


def reaching_into_other_rooms() -> list[str]:
    """Return the tests that import a private module whose own tests they are not."""
    found: list[str] = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        own = path.relative_to(ROOT / "tests").parts
        for node in ast.walk(tree_of(path)):
            if not (isinstance(node, ast.ImportFrom) and node.module):
                continue
            package, *parts = node.module.split(".")
            is_private = any(part.startswith("_") for part in parts)
            room = [package, *parts[: next_private(parts)]]
            if package == "wireproof" and is_private and list(own[: len(room)]) != room:
                found.append("/".join(own))
                break
    return found


def next_private(parts: list[str]) -> int:
    return next(i for i, part in enumerate([*parts, "_"]) if part.startswith("_"))


def test_the_figures_of_the_project_do_not_rise(tmp_path: Path) -> None:
    reference = ROOT / "reference" / "wireproof_reference"
    rooms = {name_of(path).partition("/")[0] for path in SUITE} - {
        "__init__.py",
        "__main__.py",
    }
    figures = {
        "lines of the suite": lines_below(HERE),
        "lines of the tests": lines_below(ROOT / "tests"),
        "lines of the reference": lines_below(reference),
        "modules of the reference": len([*reference.rglob("*.py")]),
        "rooms of the suite": len(rooms),
        "ancestors of ours of any class": deepest(),
        "modules entered by a warm check of interop": (
            modules_of_a_warm_check_of_interop(tmp_path)
        ),
        "constants that name a time": sum(len(times(path)) for path in SUITE),
        "clauses named by modules": sum(len(clauses_in(path)) for path in SUITE),
        "test files that import private modules of other rooms": len(
            reaching_into_other_rooms()
        ),
    }
    show("\n".join(f"{count:>7} {name}" for name, count in figures.items()))

    assert {name: one for name, one in figures.items() if one > LIMITS[name]} == {}
