from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wireproof_reference.socket_v1 import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "not" / "yet")
    home.create()
    return home


def test_it_is_made_for_its_owner_only(home: Home) -> None:
    home.create()
    assert home.folder.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in home.folder.iterdir()] == ["instances"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b'{"socketPath":"/s"}'),
        (b"junk", b'{"socketPath":"/s"}'),
        (b"[]", b'{"socketPath":"/s"}'),
        (
            b'{"theme":"dark","socketPath":"/old"}',
            b'{"theme":"dark","socketPath":"/s"}',
        ),
    ],
)
def test_the_config_names_the_socket_and_keeps_the_rest(
    before: bytes | None, after: bytes, home: Home
) -> None:
    config = home.folder / "config.json"
    if before is not None:
        config.write_bytes(before)
    home.write_config(Path("/s"))
    assert config.read_bytes() == after
    assert config.stat().st_mode & 0o777 == 0o600
    assert len(list(home.folder.iterdir())) == 2


def test_a_record_comes_and_goes(home: Home) -> None:
    path = home.folder / "instances" / "5.json"
    home.write_instance(5, {"pid": 5})
    assert path.read_bytes() == b'{"pid":5}'
    home.remove_instance(5)
    home.remove_instance(5)
    assert not path.exists()


def test_the_records_of_the_dead_are_reaped(home: Home) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        dead = process.pid
    instances = home.folder / "instances"
    stay = [f"{os.getpid()}.json", "1.json", "notes.json", f"{dead}.txt", "²5.json"]
    for name in (*stay, f"{dead}.json", "0.json", f"{10**30}.json"):
        (instances / name).write_text("{}")
    (instances / "00.json").mkdir()
    home.reap_instances()
    (instances / "00.json").rmdir()
    assert sorted(path.name for path in instances.iterdir()) == sorted(stay)


def test_the_log_grows_by_lines(home: Home) -> None:
    home.append_audit({"a": 1})
    home.append_audit({"b": "\n"})
    log = home.folder / "audit.jsonl"
    assert log.read_bytes() == b'{"a":1}\n{"b":"\\n"}\n'
    assert log.stat().st_mode & 0o777 == 0o600


def test_the_log_may_be_rotated(home: Home) -> None:
    home.append_audit({"a": 1})
    log = home.folder / "audit.jsonl"
    log.rename(log.with_suffix(".old"))
    home.append_audit({"a": 2})
    assert log.read_bytes() == b'{"a":2}\n'
