"""The file of a baseline: read with all its faults told by their lines, and written.

What is wrong with the file itself is found before anything is run: what is no such
file, an empty reason, a day that is over, an id that nothing has, a check listed twice.
"""

from __future__ import annotations

import difflib
import json
from datetime import date
from typing import TYPE_CHECKING, Any

from wireproof.checks import WireproofError
from wireproof.reporting._baseline import Baseline, KnownFailure, is_of_monitor
from wireproof.reporting._files import write_whole
from wireproof.reporting._json_lines import line_of
from wireproof_vectors import load_schema

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

SCHEMA = "wireproof-baseline/1"
"""What the key ``schema`` of a baseline says."""

QUOTED = 60
"""Characters of a wrong value that are shown."""


class BaselineError(WireproofError):
    """A baseline cannot be used as it stands; the text has a line for each fault."""


def read_baseline(path: Path, name: str) -> Baseline:
    """Read a baseline.

    Args:
        path: Where it is.
        name: How the user named it, for what is said of it.

    Raises:
        BaselineError: If it cannot be read, or is no baseline.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BaselineError(f"{name}: it cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BaselineError(f"{name}: it is not UTF-8; save it so") from error
    try:
        document = json.loads(text, object_pairs_hook=_no_key_twice)
    except json.JSONDecodeError as error:
        raise BaselineError(
            f"{name}, line {error.lineno}: {error.msg} (column {error.colno}); mend "
            "the JSON there"
        ) from error
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"{name}: {error}") from error
    if faults := list(_faults(document, text)):
        raise BaselineError("\n".join(f"{name}, {fault}" for fault in faults))
    return Baseline(
        name,
        [
            KnownFailure(
                entry["id"],
                frozenset(entry["clauses"]),
                entry["reason"],
                entry.get("subject"),
                entry.get("issue"),
                date.fromisoformat(entry["expires"]) if "expires" in entry else None,
                f"{name}, {_place(text, index)}",
            )
            for index, entry in enumerate(document["entries"])
        ],
    )


def require_current(
    baseline: Baseline, today: date, known_ids: Mapping[str, Collection[str]]
) -> None:
    """See to it that a baseline is not out of date.

    Args:
        baseline: What was read.
        today: The local date.
        known_ids: The ids of all checks of each protocol of the run, by its name; what
            is listed of another protocol is left alone.

    Raises:
        BaselineError: If an entry has expired, an id is no check's, or one is listed
            twice for a subject.
    """
    faults: list[str] = []
    seen: set[tuple[str, str | None]] = set()
    for entry in baseline.entries:
        told = f"{entry.place}: {entry.id}"
        if entry.expires is not None and entry.expires < today:
            faults.append(
                f"{told}: it has expired on {entry.expires.isoformat()}; mend what "
                "fails and remove the entry, or set a later day"
            )
        known = known_ids.get(entry.id.partition("/")[0])
        is_known = known is None or is_of_monitor(entry.id) or entry.id in known
        if known is not None and not is_known:
            near = difflib.get_close_matches(entry.id, known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            faults.append(
                f"{told}: no check has this id{hint}; mend or remove the entry, or "
                "name the vector file that it stands in as well"
            )
        if (entry.id, entry.subject) in seen:
            faults.append(f"{told}: it is listed twice; remove one of the entries")
        seen.add((entry.id, entry.subject))
    if faults:
        raise BaselineError("\n".join(faults))


def write_baseline(path: Path, entries: Sequence[KnownFailure]) -> None:
    """Write a baseline, whole or not at all.

    Raises:
        OSError: If the place cannot be written to.
    """
    document = {"schema": SCHEMA, "entries": [_as_json(entry) for entry in entries]}
    write_whole(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _as_json(entry: KnownFailure) -> dict[str, Any]:
    return {
        "id": entry.id,
        **({"subject": entry.subject} if entry.subject is not None else {}),
        "clauses": sorted(entry.clauses),
        "reason": entry.reason,
        **({"issue": entry.issue} if entry.issue is not None else {}),
        **({"expires": entry.expires.isoformat()} if entry.expires else {}),
    }


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"an object has the key {name!r} twice; keep one")
        found[name] = value
    return found


def _place(text: str, index: int) -> str:
    return f"line {line_of(text, ('entries', index))}, entry {index + 1}"


def _faults(document: Any, text: str) -> Iterator[str]:
    """Yield what breaks the schema, each with its line, its entry and its key."""
    from jsonschema import Draft202012Validator

    schema: Any = load_schema("baseline")
    validator: Any = Draft202012Validator(schema)
    errors: list[Any] = list(validator.iter_errors(document))
    for error in sorted(errors, key=lambda one: list(one.absolute_path)):
        path: list[str | int] = list(error.absolute_path)
        for key in _keys_at_fault(error):
            whole = [*path, *key]
            problem, remedy = _words(error, whole)
            yield f"line {line_of(text, whole)}{_beside(whole)}: {problem}; {remedy}"
    if not errors:
        yield from _no_days(document["entries"], text)


def _no_days(entries: Sequence[Mapping[str, str]], text: str) -> Iterator[str]:
    """Yield the days that no calendar has."""
    for index, entry in enumerate(entries):
        try:
            date.fromisoformat(entry.get("expires", "2000-01-01"))
        except ValueError:
            path = ("entries", index, "expires")
            line = f"line {line_of(text, path)}{_beside(path)}"
            problem = f"there is no day {entry['expires']!r}"
            yield f"{line}: {problem}; write a day as YYYY-MM-DD"


def _keys_at_fault(error: Any) -> list[list[str]]:
    """Return the keys below the place of an error that it is about, if any."""
    if error.validator == "additionalProperties":
        return [
            [key] for key in error.instance if key not in error.schema["properties"]
        ]
    if error.validator == "required":
        return [[key] for key in error.validator_value if key not in error.instance][:1]
    return [[]]


def _words(error: Any, path: Sequence[str | int]) -> tuple[str, str]:
    """Say a fault and its remedy."""
    remedy = error.schema.get("$comment", "write it so")
    match error.validator:
        case "additionalProperties":
            known = list(error.schema["properties"])
            near = difflib.get_close_matches(str(path[-1]), known, 1)
            hint = f"write {near[0]!r}" if near else "remove it"
            return (
                f"there is no key {path[-1]!r}",
                f"{hint} (known: {', '.join(known)})",
            )
        case "required":
            own = error.schema["properties"][path[-1]]
            return f"the key {path[-1]!r} is missing", own.get("$comment", "add it")
        case "pattern" | "minLength" | "minItems" if not _holds(error.instance):
            return "it is empty", remedy
        case "pattern":
            return f"{_quoted(error.instance)} will not do", remedy
        case _:
            quoted = repr(error.instance)
            return error.message.replace(quoted, _quoted(error.instance)), remedy


def _holds(value: Any) -> bool:
    return bool(value.strip() if isinstance(value, str) else value)


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def _beside(path: Sequence[str | int]) -> str:
    """Name the entry and the key that a path leads to."""
    told = ""
    match path:
        case ["entries", int(index), *rest]:
            told, path = f", entry {index + 1}", rest
        case _:
            pass
    keys = [str(step) for step in path if isinstance(step, str)]
    return told + (f", {keys[0]!r}" if keys else "")
