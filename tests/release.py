"""Write what a publication needs beside the distributions.

    python -m tests.release FOLDER

In FOLDER are the wheel and the sdist. Beside them come the notes of the version, the
hashes of all files, and the hash of the vectors, by which a report says what it ran.
The checks of a minor version are frozen with its first release.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from wireproof.checks import Settings
from wireproof.protocols import all_protocols
from wireproof.reporting import monitor_id
from wireproof_vectors import vectors_sha256

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "vectors" / "wireproof_vectors" / "requirements"


class NotReady(Exception):
    """Something has to be done before; the text says what."""


def version() -> str:
    """Return the version, which stands in one place."""
    found: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "version"
    ]
    return found


def notes(changelog: str, wanted: str) -> str:
    """Return the section of a version.

    Raises:
        NotReady: If there is none, or it is empty.
    """
    heading = rf"^## {re.escape(wanted)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)"
    found = re.search(heading, changelog, re.DOTALL | re.MULTILINE)
    if found is None or not found[1].strip():
        raise NotReady(f"CHANGELOG.md has no section {wanted}: rename Unreleased to it")
    return found[1].strip() + "\n"


def checks() -> dict[str, list[str]]:
    """Return the ids of all checks, and of what monitors may find, by protocol."""
    settings = Settings(ROOT)
    return {
        one.name: [
            *(check.id for check in one.checks(settings)),
            *(monitor_id(one.name, clause.id) for clause in one.clauses()),
        ]
        for one in all_protocols()
    }


def freeze(folder: Path, wanted: str) -> None:
    """See to it that the checks of a minor version are frozen.

    Raises:
        NotReady: If they were not until now, or a check of theirs is gone.
    """
    minor = ".".join(wanted.split(".")[:2])
    file = folder / f"{minor}.json"
    if not file.is_file():
        folder.mkdir(exist_ok=True)
        document = {"version": minor, "checks": checks()}
        file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        raise NotReady(f"{file.name} is new, with the checks of {minor}: commit it")
    there = checks()
    for frozen in sorted(folder.glob("*.json")):
        found: Any = json.loads(frozen.read_bytes())
        for protocol, ids in found["checks"].items():
            if gone := sorted(set(ids) - set(there.get(protocol, ()))):
                raise NotReady(f"{frozen.name} has checks that are gone: {gone}")


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def write(folder: Path) -> None:
    """Write the notes and the hashes beside the distributions.

    Raises:
        NotReady: If the version is not ready to be published.
    """
    wanted = version()
    text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), wanted)
    freeze(REQUIREMENTS, wanted)
    (folder / "NOTES.md").write_text(text, encoding="utf-8")
    built = sorted([*folder.glob(f"*{wanted}*.whl"), *folder.glob(f"*{wanted}*.gz")])
    sums = [f"{_sha256(one)}  {one.name}" for one in built]
    if len(built) != 2:
        raise NotReady(f"{folder} has not one wheel and one sdist of {wanted}")
    (folder / "SHA256SUMS").write_text("\n".join(sums) + "\n", encoding="utf-8")
    (folder / "VECTORS.sha256").write_text(vectors_sha256() + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        write(Path(sys.argv[1]))
    except NotReady as error:
        sys.exit(f"not ready: {error}")
