"""Records the verdicts of rows of the proof, and compares two records.

``python -m tests.proof.fingerprint write FILE FOLDER...`` runs about one row in twenty
of each folder, such as ``host_v1``, and writes a record.
``python -m tests.proof.fingerprint compare OLD NEW`` prints how two records differ.

To compare with an older commit, copy this file into a checkout of it: it uses only
parts of the proof that older commits have too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast
from zlib import crc32

from tests.proof.proof import HERE, load_proof
from tests.proof.trial import BROKEN_VERDICTS, try_out, try_row

NULL_SECONDS = 1.0
"""Longest wait for an answer of a null subject, as in the published tables."""

MOST_LINES = 50
"""Lines that are printed of each kind of difference."""

SLOWER = 2.0
"""A row that takes more than this many times as long as before is reported."""

Checks: TypeAlias = dict[str, list[Any]]
"""For each check its verdict, clause, reason key and seconds."""

Record: TypeAlias = dict[str, Checks]
"""The checks of each row, by the row's label."""


class RowName(NamedTuple):
    """A row of the proof: the folder, ``broken``, ``legal`` or ``null``, its name."""

    folder: str
    kind: str
    name: str

    @property
    def label(self) -> str:
        """What the row is called in a record."""
        return "/".join(self)


def known_folders() -> list[str]:
    """Return the folders that have a proof."""
    return sorted(path.parent.name for path in HERE.glob("*/proof.py"))


def chosen_rows(folders: Iterable[str], every: int) -> list[RowName]:
    """Return about one row in so many; a row is chosen by its own name alone."""
    found: list[RowName] = []
    for folder in folders:
        proof = load_proof(folder)
        tables = {"broken": proof.broken, "legal": proof.legal}
        names: dict[str, Iterable[str]] = {**tables, "null": proof.nulls.commands}
        found += [
            RowName(folder, k, name) for k, some in names.items() for name in some
        ]
    return [row for row in found if crc32(row.label.encode()) % every == 0]


def fingerprint_of(row: RowName, *, only: Collection[str] | None = None) -> Checks:
    """Run the checks on a row.

    Args:
        row: The row.
        only: The ids of the checks; None for all.
    """
    proof = load_proof(row.folder)
    # An older `try_row` has no parameter `only`.
    limit: dict[str, Any] = {} if only is None else {"only": only}
    if row.kind == "null":
        command = proof.nulls.commands[row.name]
        trial = try_out(proof, command, timeout=NULL_SECONDS, **limit)
    else:
        table = proof.broken if row.kind == "broken" else proof.legal
        trial = try_row(proof, table[row.name], **limit)
    return {result.id: _entry(result) for result in trial.results}


def _entry(result: Any) -> list[Any]:
    is_charged = result.verdict in BROKEN_VERDICTS
    clause = getattr(result, "because", None) or (
        result.clauses[0] if is_charged else ""
    )
    why = getattr(result, "why", None)
    key = " ".join(why.key).rstrip() if why is not None else ""
    return [str(result.verdict), clause, key, round(result.duration_s, 3)]


def write(
    path: Path,
    rows: Sequence[RowName],
    *,
    workers: int = 1,
    only: Collection[str] | None = None,
) -> None:
    """Run rows and write their record, once more after each row.

    Args:
        path: The file to write.
        rows: The rows.
        workers: How many rows are run at once.
        only: The ids of the checks; None for all.
    """
    record: Record = {}
    run = partial(fingerprint_of, only=only)
    if workers == 1:
        _collect(path, record, rows, map(run, rows))
        return
    with ProcessPoolExecutor(workers) as pool:
        _collect(path, record, rows, pool.map(run, rows))


def _collect(
    path: Path, record: Record, rows: Sequence[RowName], found: Iterator[Checks]
) -> None:
    path.write_text("{}\n")
    for row, checks in zip(rows, found, strict=True):
        record[row.label] = checks
        path.write_text(json.dumps(record, indent=1) + "\n")


def read(path: Path) -> Record:
    """Read a record.

    Raises:
        SystemExit: The file cannot be read, or is not a record.
    """
    try:
        record: Any = json.loads(path.read_text())
    except OSError as error:
        raise SystemExit(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise SystemExit(f"{path} is not JSON: {error}") from error
    if not _is_record(record):
        raise SystemExit(f"{path} is not a record; write one with `write`")
    return cast("Record", record)


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(checks, dict)
        and all(isinstance(one, list) and len(one) == 4 for one in checks.values())
        for checks in value.values()
    )


def differences(old: Record, new: Record) -> Iterator[str]:
    """Yield the lines that say how two records differ."""
    both = [
        (row, check, before, new[row][check])
        for row, checks in old.items()
        for check, before in checks.items()
        if check in new.get(row, {})
    ]
    yield f"{len(both)} verdicts of {len(old.keys() & new.keys())} rows compared"
    for one, other, word in ((old, new, "old"), (new, old, "new")):
        if rows := sorted(one.keys() - other.keys()):
            yield f"only in the {word} record: {', '.join(rows)}"
        shared = one.keys() & other.keys()
        checks = sum(len(one[row].keys() - other[row].keys()) for row in shared)
        if checks:
            yield f"results only in the {word} record: {checks}"
    yield from _changed(
        "verdicts", [(*one, 0) for one in both if one[2][0] != one[3][0]]
    )
    same = [one for one in both if one[2][0] == one[3][0]]
    yield from _changed(
        "clauses", [(*one, 1) for one in same if one[2][1] != one[3][1]]
    )
    times = [(row, _seconds(old[row]), _seconds(new[row])) for row in old if row in new]
    slow = [one for one in times if one[2] > SLOWER * one[1]]
    yield f"rows slower than {SLOWER:g} times: {len(slow)}"
    yield from (f"  {row}: {one:.1f} s -> {two:.1f} s" for row, one, two in slow)


def _changed(
    what: str, found: Sequence[tuple[str, str, list[Any], list[Any], int]]
) -> Iterator[str]:
    """Yield the count of changes, the counts by kind, and a line for each."""
    yield f"{what} changed: {len(found)}"
    kinds = Counter(
        f"{before[place] or 'none'} -> {after[place] or 'none'}"
        for _, _, before, after, place in found
    )
    yield from (f"  {count:5} {kind}" for kind, count in kinds.most_common())
    for row, check, before, after, place in found[:MOST_LINES]:
        was, now = before[place] or "none", after[place] or "none"
        yield f"  {row} {check}: {was} -> {now} ({before[2]} -> {after[2]})"
    if len(found) > MOST_LINES:
        yield f"  and {len(found) - MOST_LINES} more"


def _seconds(checks: Checks) -> float:
    return sum(float(entry[3]) for entry in checks.values())


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(
        description="Record what the suite says of rows, or compare two records."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="run rows and write their record")
    writing.add_argument("file", type=Path)
    writing.add_argument("folders", nargs="+", metavar="FOLDER")
    writing.add_argument("--every", type=int, default=20, metavar="N")
    writing.add_argument("--workers", type=int, default=2, metavar="W")
    comparing = commands.add_parser("compare", help="print how two records differ")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    asked = parser.parse_args(arguments)
    if asked.command == "compare":
        lines = differences(read(asked.old), read(asked.new))
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    if unknown := [one for one in asked.folders if one not in known_folders()]:
        known = ", ".join(known_folders())
        parser.error(f"no proof in {', '.join(unknown)}; the folders are {known}")
    if asked.every < 1 or asked.workers < 1:
        parser.error("--every and --workers are at least 1")
    rows = chosen_rows(asked.folders, asked.every)
    if not rows:
        parser.error("no row was chosen; lower --every")
    write(asked.file, rows, workers=asked.workers)


if __name__ == "__main__":
    main()
