"""``wireproof report``: reports put together, compared, and made into badges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wireproof.command._usage import CommandError, CommandParser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from wireproof.command._usage import Subcommands
    from wireproof.reporting import Report

HAS_REGRESSIONS = 1
"""Exit status where a check became worse."""


def add_parser(subcommands: Subcommands) -> None:
    """Add the subcommand."""
    parser = subcommands.add_parser(
        "report", help="put reports together, compare them, make a badge of one"
    )
    actions = parser.add_subparsers(
        metavar="ACTION", required=True, parser_class=CommandParser
    )
    merge = actions.add_parser(
        "merge",
        help="put reports of several subjects, versions or parts of a run together",
    )
    merge.add_argument(
        "reports",
        nargs="+",
        metavar="[NAME=]REPORT.json",
        help="a JSON report, and what tells its subjects from others of their name",
    )
    _add_output(merge, "the report of all, in the kind that the ending says")
    merge.set_defaults(run=_merge)
    diff = actions.add_parser(
        "diff", help="say what became worse or better; exit status 1 where worse"
    )
    diff.add_argument("before", metavar="OLD.json")
    diff.add_argument("after", metavar="NEW.json")
    diff.set_defaults(run=_diff)
    badge = actions.add_parser("badge", help="make a badge of a report")
    badge.add_argument("report", metavar="REPORT.json")
    _add_output(badge, "the badge, .svg or .shields.json")
    badge.set_defaults(run=_badge)


def _add_output(parser: argparse.ArgumentParser, told: str) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="PATH", help=told)


def _merge(arguments: argparse.Namespace) -> int:
    """Write one report of several."""
    from wireproof.reporting import combine

    output = _output(arguments.output)
    _write(output, combine(dict(_labelled(arguments.reports))))
    return 0


def _diff(arguments: argparse.Namespace) -> int:
    """Print what two reports differ in."""
    from wireproof.reporting import compare, comparison_lines, layout_of_stdout

    found = compare(_read(arguments.before), _read(arguments.after))
    for line in comparison_lines(found, layout_of_stdout()):
        print(line)
    return HAS_REGRESSIONS if found.has_regressions else 0


def _badge(arguments: argparse.Namespace) -> int:
    """Write the badge of a report."""
    output = _output(arguments.output)
    if not output.name.endswith((".svg", ".shields.json")):
        raise CommandError(f"{output}: a badge is an .svg or a .shields.json file")
    _write(output, _read(arguments.report))
    return 0


def _labelled(texts: Sequence[str]) -> list[tuple[str, Report]]:
    """Read reports, each with what was said to tell it apart, else its file's name."""
    found: list[tuple[str, Report]] = []
    for text in texts:
        name, given, path = text.partition("=")
        if not given or Path(text).exists():
            name, path = "", text
        label = name or path.removesuffix(".json")
        if label in dict(found):
            raise CommandError(
                f"{text}: two reports are called {label}; give them names: "
                f"{Path(path).stem}-2={path}"
            )
        found.append((label, _read(path)))
    return found


def _read(path: str) -> Report:
    from wireproof.reporting import ReportError, read_report

    try:
        return read_report(Path(path))
    except ReportError as error:
        raise CommandError(str(error)) from error


def _output(text: str) -> Path:
    from wireproof.reporting import check_report_path

    path = Path(text)
    if remedy := check_report_path(path):
        raise CommandError(f"{path}: {remedy}")
    return path


def _write(path: Path, report: Report) -> None:
    from wireproof.reporting import write_report

    try:
        write_report(path, report)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error
