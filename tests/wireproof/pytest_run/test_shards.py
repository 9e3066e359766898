"""Shards are even, each piece of work is in one, and the slow checks are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof.protocols import ProtocolOptions, all_options
from wireproof.pytest_run._shards import Shard, durations, read_shard, share

NOT_MEASURED: tuple[float, dict[str, float]] = (1.0, {})


def test_work_is_split_evenly() -> None:
    assert share([9, 1, 1, 1, 1, 5], 2) == [1, 2, 2, 2, 2, 2]


def test_equal_work_is_dealt_in_turn() -> None:
    assert share([1, 1, 1, 1, 1], 3) == [1, 2, 3, 1, 2]


@given(
    st.lists(st.floats(min_value=0.1, max_value=5_000), max_size=40),
    st.integers(min_value=1, max_value=9),
)
def test_no_share_is_above_the_even_part_by_more_than_one_piece(
    weights: list[float], count: int
) -> None:
    shares = share(weights, count)
    assert len(shares) == len(weights)
    assert set(shares) <= set(range(1, count + 1))
    totals = [
        sum(w for w, number in zip(weights, shares, strict=True) if number == one)
        for one in range(1, count + 1)
    ]
    assert max(totals) <= sum(weights) / count + max(weights, default=0) + 1e-6


@pytest.mark.parametrize("text", ["", "0/2", "3/2", "1/0", "1", "a/b", "1/2/3", "-1/2"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="give K/N, the K-th of N parts"):
        read_shard(text)


def test_a_shard_is_read_as_it_is_written() -> None:
    assert str(read_shard("2/4")) == "2/4"
    assert read_shard("2/4") == Shard(2, 4)


@pytest.mark.parametrize("options", all_options(), ids=lambda one: one.protocol)
def test_the_slow_checks_of_a_protocol_are_known(options: ProtocolOptions) -> None:
    usual, slow = durations(options.protocol)
    if (usual, slow) == NOT_MEASURED:
        pytest.skip("it was not measured: nox -s durations")
    assert all(name.startswith(f"{options.protocol}/") for name in slow)
    assert min(slow.values(), default=4 * usual) > 3 * usual > 0


def test_of_a_protocol_that_was_not_measured_all_take_as_long() -> None:
    assert durations("no-such") == NOT_MEASURED
