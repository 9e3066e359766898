"""What a protocol brings to its proof; `PROOF` in the `proof` of its folder."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.proof.row import Row

from wireproof_vectors import Clause

Command = tuple[str, ...]
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Nulls:
    """The subjects that do nothing, and those that do the same whatever is asked.

    Attributes:
        nothing: Those that treat everything alike: they pass nothing at all.
        almost_nothing: Those that answer in the shape of a message.
        earned: The clauses of which one of the latter is seen to keep a part.
        unearned: The clauses that a subject keeps which does nothing but write frames.
    """

    nothing: Mapping[str, Command]
    almost_nothing: Mapping[str, Command]
    earned: Mapping[str, frozenset[str]]
    unearned: frozenset[str] = frozenset()

    @property
    def commands(self) -> Mapping[str, Command]:
        """What starts each of them."""
        return {**self.nothing, **self.almost_nothing}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostiles:
    """The subjects that misuse their pipes, their process or the machine.

    Attributes:
        commands: What starts each of them.
        sound: Those that keep every MUST that they are tried on, whatever else they do.
        timeouts: Longest wait for an answer of those that are slow on purpose.
        most_mebibytes: The most memory that a run on one of them may take.
    """

    commands: Mapping[str, Command]
    sound: frozenset[str] = frozenset()
    timeouts: Mapping[str, float] = field(default_factory=dict[str, float])
    most_mebibytes: int = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Every:
    """One vector of so many is run where the whole suite is not.

    Attributes:
        broken: On a broken subject, beside the vectors of the clause that it breaks.
        legal: On a legal subject.
        nothing: On a subject that does nothing.
        almost_nothing: On one that does almost nothing.
        hostile: On a hostile subject: what is looked at is the end, not each verdict.
        must: The broken subject of one MUST in so many is tried, the sweep tries all:
            for a protocol whose subjects are waited for long.
    """

    broken: int
    legal: int
    nothing: int = 1
    almost_nothing: int = 1
    hostile: int
    must: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The subjects of a protocol, and how they are tried.

    Attributes:
        protocol: Such as `host-v1`.
        option: What names a subject of it, such as `host`.
        subject: What a subject of it is called, such as `host`.
        subjects: What more than one are called.
        clauses: The clauses of its catalogue that are about such a subject.
        broken: The broken subjects by name.
        legal: The legal ones; they may be warned of the clauses in `warns`.
        nulls: Those that do nothing.
        hostiles: Those that misuse what they can.
        every: How many of the vectors are run where not all are.
        slow: Broken subjects that are waited for long: another of their clause stands
            for it where the sweep does not try all.
        answer_seconds: Longest wait for an answer.
        null_text: What the table of null subjects begins with, below its title.
        own: What the protocol is told of all its subjects beside their commands.
    """

    protocol: str
    option: str
    subject: str
    subjects: str
    clauses: Sequence[Clause]
    broken: Mapping[str, Row]
    legal: Mapping[str, Row]
    nulls: Nulls
    hostiles: Hostiles
    every: Every
    answer_seconds: float
    null_text: str
    own: object = None
    slow: Collection[str] = ()

    @property
    def binding(self) -> frozenset[str]:
        """The clauses that bind a subject: each has a broken one."""
        return frozenset(one.id for one in self.clauses if one.level != "may")

    @property
    def musts(self) -> frozenset[str]:
        """Those of MUST level among them."""
        return frozenset(one.id for one in self.clauses if one.level == "must")

    @property
    def first(self) -> Mapping[str, str]:
        """For each MUST the first subject that breaks it, not a slow one if any."""
        rows = reversed(list(self.broken.items()))
        musts = [(row.clause, name) for name, row in rows if row.level == "must"]
        return dict(musts) | {c: name for c, name in musts if name not in self.slow}


@cache
def load_proof(folder: str) -> Proof:
    """Load the proof in a folder, such as `host_v1`."""
    proof: Proof = import_module(f"tests.proof.{folder}.proof").PROOF
    return proof


def all_proofs() -> Mapping[str, Proof]:
    """Load the proof of each protocol, by its folder."""
    folders = sorted(path.parent.name for path in HERE.glob("*/proof.py"))
    return {folder: load_proof(folder) for folder in folders}
