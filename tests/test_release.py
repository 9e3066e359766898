"""What is written beside the distributions of a version."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest
from tests import release

from wireproof_vectors import vectors_sha256

if TYPE_CHECKING:
    from pathlib import Path

CHANGELOG = "# Changelog\n\n## 1.1.0 - 2027\n\n- new\n\n## 1.0.0\n\n- old\n"


def test_the_notes_of_a_version_are_its_section() -> None:
    assert release.notes(CHANGELOG, "1.1.0") == "- new\n"
    assert release.notes(CHANGELOG, "1.0.0") == "- old\n"


@pytest.mark.parametrize("wanted", ["1.0", "2.0.0"])
def test_a_version_without_notes_is_not_ready(wanted: str) -> None:
    with pytest.raises(release.NotReady, match="has no section"):
        release.notes(CHANGELOG, wanted)


def test_the_checks_of_a_minor_version_are_frozen_once(tmp_path: Path) -> None:
    folder = tmp_path / "requirements"
    with pytest.raises(release.NotReady, match=r"1\.4\.json is new"):
        release.freeze(folder, "1.4.0")
    document = json.loads((folder / "1.4.json").read_bytes())
    assert "host-v1/init/first-init" in document["checks"]["host-v1"]
    assert "host-v1/monitor/HV1-M1" in document["checks"]["host-v1"]
    release.freeze(folder, "1.4.2")


def test_a_frozen_check_may_not_go(tmp_path: Path) -> None:
    gone = {"checks": {"host-v1": ["host-v1/init/gone"]}}
    (tmp_path / "1.3.json").write_text(json.dumps(gone))
    (tmp_path / "1.4.json").write_text(json.dumps({"checks": {}}))
    with pytest.raises(release.NotReady, match=r"1\.3\.json has checks that are gone"):
        release.freeze(tmp_path, "1.4.1")


def test_hashes_are_written_of_all_that_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = release.version()
    wheel = tmp_path / f"wireproof-{version}-py3-none-any.whl"
    sdist = tmp_path / f"wireproof-{version}.tar.gz"
    wheel.write_bytes(b"wheel")
    sdist.write_bytes(b"sdist")
    requirements = tmp_path / "requirements"
    requirements.mkdir()
    minor = ".".join(version.split(".")[:2])
    (requirements / f"{minor}.json").write_text('{"checks": {}}')
    monkeypatch.setattr(release, "REQUIREMENTS", requirements)
    monkeypatch.setattr(release, "notes", lambda *_: "- new\n")
    release.write(tmp_path)
    sums = [
        f"{hashlib.sha256(b'wheel').hexdigest()}  {wheel.name}",
        f"{hashlib.sha256(b'sdist').hexdigest()}  {sdist.name}",
    ]
    assert (tmp_path / "SHA256SUMS").read_text().splitlines() == sums
    assert (tmp_path / "VECTORS.sha256").read_text().strip() == vectors_sha256()
    assert (tmp_path / "NOTES.md").read_text() == "- new\n"
