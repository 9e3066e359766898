"""What the last runs found, kept in ``reports/mutants.json``, and its report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from tests.mutants.accounts import Account
from tests.mutants.mutant import Mutant
from tests.mutants.subjects import SUBJECTS

REPORTS = Path(__file__).parents[2] / "reports"
SCORES = REPORTS / "mutants.json"
REPORT = REPORTS / "mutants.md"

TITLE = """\
# Mutants

Faults that nobody picked: a tool changes one operator at a time in the subjects that
this project brings, and the suite (`--fuzz=0 --fail-on=should -x`) is the test. Stryker
changes those in JavaScript, Cosmic Ray the Python cores. Made by `nox -s mutants`.

**seen** is the share among the mutants that a peer can convict by a clause: those that
live are accounted for below, by their places.
"""


@dataclass(frozen=True, slots=True)
class Score:
    """What became of the mutants of a subject.

    Attributes:
        tried: How many were tried.
        alive: Those that no check caught.
        every: Of how many mutants one was tried.
    """

    tried: int
    alive: Sequence[Mutant]
    every: int = 1

    @classmethod
    def of(cls, mutants: Iterable[Mutant], every: int = 1) -> Self:
        """Count the mutants of a run."""
        tried = list(mutants)
        return cls(len(tried), [one for one in tried if not one.caught], every)

    def after(self, again: Iterable[Mutant]) -> Self:
        """Return the score after those that lived were tried again."""
        alive = [one for one in again if not one.caught]
        return replace(self, alive=alive)


def load_scores() -> dict[str, Score]:
    """Return the scores that are kept, by the names of their subjects."""
    if not SCORES.exists():
        return {}
    kept = json.loads(SCORES.read_text())
    return {
        name: Score(**one | {"alive": [Mutant(**mutant) for mutant in one["alive"]]})
        for name, one in kept.items()
    }


def dump_scores(scores: Mapping[str, Score]) -> None:
    """Keep scores for the report and for the next runs of some of the subjects."""
    kept = {name: asdict(scores[name]) for name in sorted(scores)}
    SCORES.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def unaccounted(
    score: Score, accounts: Mapping[tuple[str, str], Account]
) -> list[Mutant]:
    """Return the mutants alive whose place nobody has accounted for."""
    return [one for one in score.alive if (one.file, one.line) not in accounts]


def report(
    scores: Mapping[str, Score], accounts: Mapping[tuple[str, str], Account]
) -> str:
    """Return the report: the scores, and a line for each place of the survivors."""
    lines = [TITLE, "| subject | mutants | tried | caught | alive | whole | seen |"]
    lines.append("| --- | --- | --- | --- | --- | --- | --- |")
    for name in sorted(scores):
        score = scores[name]
        caught = score.tried - len(score.alive)
        visible = caught + len(unaccounted(score, accounts))
        which = "all" if score.every == 1 else f"sampled, one of {score.every}"
        cells = (name, which, score.tried, caught, len(score.alive))
        shares = (_percent(caught, score.tried), _percent(caught, visible))
        lines.append(f"| {' | '.join(map(str, (*cells, *shares)))} |")
    if left := ", ".join(sorted(SUBJECTS.keys() - scores.keys())):
        lines += ["", f"Not tried yet: {left}."]
    alive = [mutant for name in sorted(scores) for mutant in scores[name].alive]
    places = Counter((mutant.file, mutant.line) for mutant in alive)
    lines += ["", "## Where mutants live", "", "| place | alive | why |"]
    lines.append("| --- | --- | --- |")
    for (file, line), count in sorted(places.items()):
        account = accounts.get((file, line))
        why = account.reason if account else "**not accounted for**"
        text = line.replace("|", "\\|").replace("`", "'")
        lines.append(f"| {file}: `{text}` | {count} | {why} |")
    return "\n".join(lines) + "\n"


def _percent(part: int, whole: int) -> str:
    # Down, so that 100 % means all.
    return f"{part * 100 // whole} %" if whole else ""
