"""Where a server lives."""

import tempfile
from pathlib import Path

import pytest

from wireproof.protocols.socket_v1._place import Place


def test_a_place_is_private_and_filled_into_the_command() -> None:
    place = Place(None, None, names=True)
    try:
        folder = place.scratch.parent
        assert folder.stat().st_mode & 0o077 == 0
        assert place.fill(["serve", "{socket}", "--at={home}/x"]) == (
            "serve",
            str(folder / "run/s"),
            f"--at={folder}/home/x",
        )
        assert place.home == folder / "home" / ".meith"
    finally:
        place.remove()
    assert not folder.exists()


def test_a_home_that_nobody_names_is_not_known() -> None:
    place = Place(None, None, names=False)
    place.remove()
    assert place.home is None


def test_what_the_user_names_is_left_alone(tmp_path: Path) -> None:
    place = Place("/run/s", tmp_path, names=False)
    place.remove()
    assert (place.socket, place.home) == ("/run/s", tmp_path)
    assert tmp_path.exists()


def test_a_long_temporary_folder_is_not_used_for_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("x" * 80)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    place = Place(None, None, names=False)
    place.remove()
    assert len(place.socket) < 100
