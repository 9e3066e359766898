"""Where this wireproof was installed from, as the installer recorded it (PEP 610)."""

from __future__ import annotations

import json
import re
import subprocess
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit
from urllib.request import url2pathname

NAME = "wireproof"

_SCP = re.compile(r"(?P<host>[\w.-]+@[\w.-]+):(?P<path>[^/].*)\Z")
"""The short form in which git names a repository that is reached over SSH."""


def recorded_origin() -> str | None:
    """Return the text of ``direct_url.json``; None if an index had the distribution."""
    with suppress(metadata.PackageNotFoundError):
        return metadata.distribution(NAME).read_text("direct_url.json")
    return None


def folder_of_origin(direct_url: str | None) -> Path | None:
    """Return the folder that it was installed from, or None if it was not one.

    Args:
        direct_url: The text of ``direct_url.json``, or None.
    """
    url = urlsplit(str(_record(direct_url).get("url", "")))
    return Path(url2pathname(url.path)) if url.scheme == "file" else None


def requirement_of_origin(direct_url: str | None, version: str) -> str:
    """Return the argument of ``pip install`` that gives the same on another machine.

    Args:
        direct_url: The text of ``direct_url.json``; None if an index had it.
        version: The version that is installed.

    Returns:
        Empty if it was a folder without a remote, which no other machine has.
    """
    record = _record(direct_url)
    url = str(record.get("url", ""))
    if folder := folder_of_origin(direct_url):
        return _of_remote(folder)
    vcs: dict[str, Any] = record.get("vcs_info") or {}
    if "commit_id" in vcs:
        return _of_git(url, str(vcs["commit_id"]), str(record.get("subdirectory", "")))
    return f"{NAME} @ {_without_secrets(url)}" if url else f"{NAME}=={version}"


def _record(direct_url: str | None) -> dict[str, Any]:
    try:
        record: Any = json.loads(direct_url or "{}")
    except ValueError:
        return {}
    return cast("dict[str, Any]", record) if isinstance(record, dict) else {}


def _of_remote(folder: Path) -> str:
    """Return the requirement of a clone: its remote and commit; empty without them."""
    remote = _git(folder, "config", "--get", "remote.origin.url")
    commit = _git(folder, "rev-parse", "HEAD")
    if short := _SCP.match(remote):
        remote = f"ssh://{short['host']}/{short['path']}"
    known = urlsplit(remote).scheme in {"https", "http", "ssh", "git"}
    return _of_git(remote, commit) if known and commit else ""


def _of_git(url: str, commit: str, subdirectory: str = "") -> str:
    below = f"#subdirectory={subdirectory}" if subdirectory else ""
    return f"{NAME} @ git+{_without_secrets(url)}@{commit}{below}"


def _without_secrets(url: str) -> str:
    """Return a URL without a password or token; a user of SSH is no secret."""
    parts = urlsplit(url)
    if parts.scheme == "ssh" and parts.password is None:
        return url
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, and return its output; empty if there is no git."""
    try:
        done = subprocess.run(  # noqa: S603 - the arguments are ours
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - the one on PATH
            capture_output=True,
            check=False,
            text=True,
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
