"""What fuzzing alone finds: no vector is run, at the default settings.

``nox -s reports -- --part=fuzz interop`` writes ``reports/interop-fuzz.md``. No
property is about a host's client.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.proof.proof import Proof, load_proof
from tests.proof.tables import REPORTS, table
from tests.proof.trial import BROKEN_VERDICTS, ROOT, fuzz_row

from wireproof.checks import DEFAULT_FUZZ, Settings
from wireproof.protocols import protocol_for
from wireproof_vectors import load_clauses

FUZZED = (
    *("host_v1", "socket_v1", "interop"),
    *("exec_oneshot", "exec_server", "exec_runtime", "tool_contract"),
)
"""The folders of the protocols that have properties."""

SEED = 1
"""The same examples each time."""


def fuzz_report(protocol: str) -> Path:
    """Return where the table of what fuzzing alone finds is."""
    return REPORTS / f"{protocol}-fuzz.md"


def covered(proof: Proof) -> Sequence[str]:
    """Return the broken subjects whose clause some property is charged to.

    A property at level MUST does not try the part of a clause that is a SHOULD.
    """
    checks = protocol_for(proof.option).checks(Settings(ROOT, fuzz=DEFAULT_FUZZ))
    fuzzed = [check for check in checks if check.kind == "fuzz"]
    levels = {(clause, one.level) for one in fuzzed for clause in one.clauses}
    return [
        name
        for name, row in proof.broken.items()
        if (row.clause, "should") in levels or (row.clause, row.level) in levels
    ]


def is_convicted(folder: str, name: str) -> bool:
    """Return whether something fails while the properties of a row's clause are tried.

    An exit, or silence, is charged to the first clause of a property, and what is wrong
    with a frame to a clause of its own: whatever it is, fuzzing has found the subject.

    Args:
        folder: That of the protocol, such as `interop`.
        name: The subject's.
    """
    proof = load_proof(folder)
    row = proof.broken[name]
    trial = fuzz_row(proof, row, SEED, row.clause)
    return any(one.verdict in BROKEN_VERDICTS for one in trial.results)


def outcomes(folder: str, names: Iterable[str]) -> dict[str, bool]:
    """Tell of each of these subjects whether fuzzing alone convicts it."""
    chosen = list(names)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(partial(is_convicted, folder), chosen)
        return dict(zip(chosen, found, strict=True))


def report_text(folder: str, found: Mapping[str, bool]) -> str:
    """Return the table of a protocol.

    Args:
        folder: That of the protocol, such as `interop`.
        found: Of each subject that was tried whether it was convicted.
    """
    proof = load_proof(folder)
    tried = Counter(proof.broken[name].clause for name in found)
    caught = Counter(proof.broken[name].clause for name, one in found.items() if one)
    order = [one.id for one in load_clauses(proof.protocol) if one.id in tried]
    missed = {
        clause: ", ".join(
            f"`{name}`"
            for name, one in found.items()
            if not one and proof.broken[name].clause == clause
        )
        for clause in order
    }
    share = sum(caught.values()) / len(found)
    head = f"""\
# {proof.protocol}: what fuzzing alone finds

{DEFAULT_FUZZ} examples of each property, as a run has them where nothing else is asked
for, and no vector: {sum(caught.values())} of {len(found)} {proof.subjects} that break
what a property tries are convicted, {share:.0%}. Made by
`nox -s reports -- --part=fuzz {folder}`.

"""
    rows = [
        (clause, str(tried[clause]), str(caught[clause]), missed[clause])
        for clause in order
    ]
    columns = ("clause", proof.subjects, "convicted", "missed")
    return head + table(columns, rows)


def write_report(folder: str) -> None:
    """Fuzz all broken subjects of a protocol that can be found so; write the table."""
    proof = load_proof(folder)
    found = outcomes(folder, covered(proof))
    fuzz_report(proof.protocol).write_text(report_text(folder, found))
