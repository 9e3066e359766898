"""Changes of the Python cores, made by Cosmic Ray."""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from tests.mutants.mutant import Change

# What reads as another program: of the comparisons the opposite one and those that
# differ at the limit. Sums, products and ``|`` of types mostly end in a type error.
LEFT_OUT = re.compile(
    r"core/(ReplaceBinaryOperator_.*"
    r"|RemoveDecorator"
    r"|Variable.*"
    r"|ReplaceComparisonOperator_(Eq|NotEq)_(Lt|LtE|Gt|GtE|Is|IsNot)"
    r"|ReplaceComparisonOperator_(Is|IsNot)_(Eq|NotEq|Lt|LtE|Gt|GtE)"
    r"|ReplaceComparisonOperator_(Lt|LtE|Gt|GtE)_(Eq|NotEq|Is|IsNot))"
)

# Types are looked at by no program, and that a class is frozen by no peer.
UNSEEN = ("if TYPE_CHECKING:", "@dataclass(")


def changes(source: Path, name: str, modules: Sequence[str]) -> Iterator[Change]:
    """Let Cosmic Ray change a program in all its places.

    Args:
        source: The program's folder.
        name: The folder, relative to the repository.
        modules: Which of its files or folders to change.
    """
    # Installed by no group but that of the mutants.
    plugins: Any = importlib.import_module("cosmic_ray.plugins")
    mutating: Any = importlib.import_module("cosmic_ray.mutating")
    operators = [
        plugins.get_operator(it)
        for it in sorted(plugins.operator_names())
        if not LEFT_OUT.fullmatch(it)
    ]
    for path in _files(source, modules):
        code, file = path.read_text(), path.relative_to(source).as_posix()
        for operator in operators:
            if operator.arguments():
                continue
            for occurrence in count():
                changed = mutating.mutate_code(code, operator(), occurrence)
                if changed is None:
                    break
                line, becomes = difference(code, changed)
                if line.startswith(UNSEEN):
                    continue
                yield Change(f"{name}/{file}", line, becomes, files={file: changed})


def _files(source: Path, modules: Sequence[str]) -> Iterator[Path]:
    for module in modules:
        path = source / module
        yield from sorted(path.rglob("*.py")) if path.is_dir() else (path,)


def difference(before: str, after: str) -> tuple[str, str]:
    """Return the first line that differs, without indentation, and what it becomes."""
    old, new = before.splitlines(), after.splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for what, start, _, first, last in matcher.get_opcodes():
        if what != "equal":
            return old[start].strip(), " ".join(" ".join(new[first:last]).split())
    return "", ""
