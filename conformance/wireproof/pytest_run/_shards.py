"""A run that is split over several machines, evenly by measured time.

Each machine is given the same options and another ``--shard``: every check is in one
shard and in no other. How long checks take is shipped as data; what is slow is listed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import DEFAULT_FUZZ
from wireproof.pytest_run._items import CheckItem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST = 999
"""Most shards of a run."""

_FORM = re.compile(r"([0-9]{1,3})/([0-9]{1,3})\Z")


@dataclass(frozen=True, slots=True)
class Shard:
    """One part of a run.

    Attributes:
        number: Which part it is, from 1.
        count: How many parts there are.
    """

    number: int
    count: int

    def __str__(self) -> str:
        """Return it as it is typed."""
        return f"{self.number}/{self.count}"


def read_shard(text: str) -> Shard:
    """Read a shard as it is typed.

    Raises:
        ValueError: With the remedy, if it is none.
    """
    found = _FORM.match(text)
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not 1 <= shard.number <= shard.count <= MOST:
        raise ValueError("give K/N, the K-th of N parts, such as 1/4")
    return shard


def share(weights: Sequence[float], count: int) -> list[int]:
    """Split work into shares that take about as long.

    The longest goes first, each to the share that has least so far: no share takes
    longer than the even part by more than one piece of work.

    Args:
        weights: How long each piece takes.
        count: How many shares there are.

    Returns:
        The number of the share of each piece, from 1.
    """
    totals = [0.0] * count
    shares = [0] * len(weights)
    for place in sorted(range(len(weights)), key=lambda one: (-weights[one], one)):
        least = min(range(count), key=lambda one: (totals[one], one))
        totals[least] += weights[place]
        shares[place] = least + 1
    return shares


class ShardSelection:
    """Leaves in a run what belongs to its shard; tests of the user's in the first."""

    def __init__(self, shard: Shard) -> None:
        """Select one shard."""
        self.shard = shard

    def pytest_report_header(self) -> str:
        """Say which part of the run this is."""
        return f"wireproof: shard {self.shard}"

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Take out the checks of other shards, after all other selection."""
        checks = [item for item in items if isinstance(item, CheckItem)]
        weights = [weight_of(item) for item in checks]
        shares = share(weights, self.shard.count)
        own = {
            id(item)
            for item, number in zip(checks, shares, strict=True)
            if number == self.shard.number
        }
        if self.shard.number == 1:
            own.update(id(one) for one in items if not isinstance(one, CheckItem))
        left_out = [item for item in items if id(item) not in own]
        if left_out:
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if id(item) in own]


def weight_of(item: CheckItem) -> float:
    """Return how long a check usually takes, in milliseconds."""
    usual, slow = durations(item.subject.protocol.name)
    took = slow.get(item.check.id, usual)
    if item.check.kind != "fuzz":
        return took
    # They were measured with so many examples.
    return took * item.subject.settings.fuzz / DEFAULT_FUZZ


@cache
def durations(protocol: str) -> tuple[float, Mapping[str, float]]:
    """Return how long the checks of a protocol took on its reference.

    Returns:
        How long one usually takes, and how long the slow ones take, in milliseconds.
        Of a protocol that was not measured all take as long.
    """
    folder = files("wireproof.protocols").joinpath(protocol.replace("-", "_"))
    file = folder.joinpath("durations.json")
    if not file.is_file():
        return 1.0, {}
    found: Any = json.loads(file.read_bytes())
    return found["usual_ms"], found["slow_ms"]
