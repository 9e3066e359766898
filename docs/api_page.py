"""The page of the Python API, made of the docstrings."""

from __future__ import annotations

import inspect
import re
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import wireproof
import wireproof_vectors
from wireproof.protocols import all_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FIXTURES = "[docs/fixtures.md](docs/fixtures.md)"

PARTS: Sequence[tuple[str, str, Sequence[str]]] = (
    (
        "Handles",
        f"What the fixtures hand out; {FIXTURES} says which of them is whose.",
        [name for name in wireproof.__all__ if name.endswith("Handle")]
        + ["PendingCall"],
    ),
    (
        "Errors",
        "What handles and loaders raise, all in `wireproof`.",
        [
            "WireproofError",
            "NoAnswer",
            "SubjectStartError",
            "VectorDefect",
            "VectorError",
        ],
    ),
    (
        "Loader",
        "What reads the data, in `wireproof_vectors`; `wireproof` has most of it too.",
        [name for name in wireproof_vectors.__all__ if name[0].islower()],
    ),
    (
        "Data",
        "The shapes in which the loader hands it out.",
        [
            "Clause",
            "ClausePart",
            "Exclusion",
            "Vector",
            "Property",
            "CorpusValue",
            "ToolSpec",
        ],
    ),
)
"""Title, what is said of the part, and the names in it."""

SECTIONS = ("Args", "Attributes", "Raises", "Returns")


def api_page() -> str:
    """Return the page."""
    lines = ["# The Python API", "", "## Fixtures", ""]
    lines += [f"Each lives as long as the run; {FIXTURES} shows them in use.", ""]
    lines += ["| fixture | option | what it is |", "| --- | --- | --- |"]
    lines += [
        f"| `{one.fixture}` | `{one.subject.flag}` | {one.fixture_help} |"
        for one in all_options()
    ]
    lines.append("")
    for title, told, names in PARTS:
        lines += [f"## {title}", "", told, ""]
        for name in names:
            ours = name in wireproof_vectors.__all__
            owner = wireproof_vectors if ours else wireproof
            lines += _entry(name, getattr(owner, name))
    return "\n".join(lines)


def _entry(name: str, one: Any) -> Iterator[str]:
    yield f"### {name}"
    yield ""
    if not inspect.isclass(one):
        yield f"`{name}{_signature(one)}`"
        yield ""
    yield from _prose(one)
    if inspect.isclass(one):
        for member, found in _members(one):
            yield from _member(member, found)


def _members(one: type) -> Iterator[tuple[str, Any]]:
    """Yield what a class offers of its own, or of a base of ours."""
    seen: dict[str, Any] = {}
    for base in reversed(one.__mro__):
        if base.__module__.startswith("wireproof"):
            seen |= {n: v for n, v in vars(base).items() if not n.startswith("_")}
    for name, value in seen.items():
        if isinstance(value, property) or inspect.isfunction(value):
            yield name, value


def _member(name: str, found: Any) -> Iterator[str]:
    own = "" if isinstance(found, property) else _signature(found, bound=True)
    yield f"#### `.{name}{own}`"
    yield ""
    yield from _prose(found)


def _signature(one: Any, *, bound: bool = False) -> str:
    signature = inspect.signature(one)
    own = list(signature.parameters.values())[1:] if bound else None
    told = str(signature.replace(parameters=own) if bound else signature)
    # Annotations are texts, which stand in quotes; where a class is defined is private.
    told = re.sub(r"(: |-> )'([^']*)'", r"\1\2", told)
    return re.sub(r"\bwireproof\w*\._\w+\.", "", told)


def _prose(one: Any) -> Iterator[str]:
    """Yield a docstring, its sections as lists."""
    for block in inspect.cleandoc(one.__doc__ or "").split("\n\n"):
        head, _, rest = block.partition("\n")
        if head.rstrip(":") in SECTIONS and head.endswith(":"):
            yield f"{head.rstrip(':')}"
            yield ""
            yield from _items(dedent(rest).split("\n"))
        else:
            yield block.replace("``", "`")
        yield ""


def _items(lines: Sequence[str]) -> Iterator[str]:
    """Yield the entries of a section, each in a line."""
    entries: list[str] = []
    for line in lines:
        if line.startswith(" ") and entries:
            entries[-1] += f" {line.strip()}"
        else:
            entries.append(line)
    for entry in entries:
        name, colon, told = entry.partition(": ")
        shown = f"`{name}`: {told}" if colon and " " not in name else entry
        yield f"- {shown.replace('``', '`')}"
