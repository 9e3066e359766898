"""How a subject reads is tried once, where an answer is missing that it may explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from wireproof.line import Completed, Diverged, Missing, MissingCause, Reads

if TYPE_CHECKING:
    from wireproof.line import Cut

LATE = Missing(MissingCause.TIMEOUT, "no answer within 1.0 s")
MISSING = Diverged("it was not answered", missing=LATE)
AT_ONCE: list[dict[str, Any]] = [{"send": 1}, {"send": 2}, {"expect": 1}]
ALONE: list[dict[str, Any]] = [{"send": 1}, {"expect": 1}]

SHORT, LONG = b"{}\n", b"x" * 1000


class Subject:
    """Answers what it is asked, but for what it leaves out."""

    def __init__(self, *left_out: tuple[int, bool]) -> None:
        self.left_out = left_out
        self.asked: list[tuple[int, bool]] = []

    def __call__(self, count: int, cut: Cut) -> bool:
        self.asked.append((count, cut is not None))
        return self.asked[-1] not in self.left_out


LINES, PIECES, ONE = (2, False), (1, True), (1, False)


def reads_of(subject: Subject, *, takes_one: bool = False) -> Reads:
    return Reads(subject, lambda: takes_one)


@pytest.mark.parametrize(
    ("left_out", "lines", "pieces"),
    [
        ((), False, False),
        ((LINES,), True, False),
        ((PIECES,), False, True),
        ((LINES, PIECES), True, True),
        # One that answers nothing any more tells nothing.
        ((LINES, PIECES, ONE), False, False),
    ],
)
def test_what_is_left_out_is_what_is_answered_alone(
    left_out: tuple[tuple[int, bool], ...], lines: object, pieces: object
) -> None:
    reads = reads_of(Subject(*left_out))
    assert (reads.loses_lines, reads.loses_pieces) == (lines, pieces)
    assert (reads.known_to_lose(2, 80), reads.known_to_lose(1, 1000)) == (lines, pieces)
    assert (reads.loses(2, 80), reads.loses(1, 1000)) == (lines, pieces)
    assert not reads.loses(1, 999)


def test_it_is_tried_once_and_is_so_twice() -> None:
    subject = Subject(LINES)
    reads = reads_of(subject)
    assert reads.loses_lines
    assert reads.loses_lines
    assert subject.asked == [LINES, ONE, LINES]


def test_what_is_answered_the_second_time_was_late_only() -> None:
    class Late(Subject):
        def __call__(self, count: int, cut: Cut) -> bool:
            first = not self.asked
            return super().__call__(count, cut) and not first

    assert not reads_of(Late()).loses_lines


def test_only_what_is_asked_for_is_tried() -> None:
    subject = Subject()
    reads = reads_of(subject)
    assert not reads.known_to_lose(2, 1000)
    assert subject.asked == []
    assert not reads.loses(1, 999)
    assert subject.asked == []
    assert not reads.loses(2, 80)
    assert subject.asked == [LINES]


def test_one_that_answers_nothing_is_not_asked_for_ever() -> None:
    subject = Subject(LINES, ONE)
    reads = reads_of(subject)
    assert [reads.loses_lines for _ in range(4)] == [False] * 4
    assert subject.asked == [LINES, ONE] * 2


@pytest.mark.parametrize(
    ("outcome", "steps", "sent", "fault"),
    [
        (
            MISSING,
            AT_ONCE,
            SHORT,
            "of two requests in one write it does not answer both",
        ),
        (MISSING, ALONE, SHORT, ""),
        (MISSING, ALONE, LONG, "it does not answer a request that comes in two pieces"),
        (Diverged("other"), AT_ONCE, LONG, ""),
        (Completed({}, 1), AT_ONCE, LONG, ""),
    ],
)
def test_a_missing_answer_is_explained_by_what_was_sent(
    outcome: Any, steps: list[dict[str, Any]], sent: bytes, fault: str
) -> None:
    reads = reads_of(Subject(LINES, PIECES))
    assert reads.fault(outcome, steps, [sent]) == fault


def test_one_that_takes_a_line_of_each_read_is_told_as_that() -> None:
    subject = Subject(LINES, PIECES)
    reads = reads_of(subject, takes_one=True)
    told = "of two requests in one write it answers the second once a third comes"
    assert reads.fault(MISSING, ALONE, [SHORT]) == told
    assert not reads.fault(Completed({}, 1), AT_ONCE, [LONG])
    assert subject.asked == []


def test_nothing_is_tried_where_reading_explains_nothing() -> None:
    subject = Subject(LINES, PIECES)
    assert not reads_of(subject).fault(MISSING, ALONE, [SHORT])
    assert subject.asked == []
