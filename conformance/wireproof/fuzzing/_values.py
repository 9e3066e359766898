"""What the fuzzers of all line protocols draw: texts, values, bytes that are none.

Strings are made of numbers: Hypothesis' own character strategies write a table of
Unicode into the user's folder.
"""

from __future__ import annotations

import base64
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import strategies as st

from wireproof.fuzzing._several import evenly
from wireproof.patterns import given_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.patterns import Given

Move = TypeVar("Move")

SMALL_BYTES = 300
"""Values of the corpus up to this size are mixed with random ones."""

_CORPUS = {
    "kinds": ["string", "number", "null", "boolean", "array", "object"],
    "without": dict.fromkeys(
        (
            "surrogate",
            "beyond-53-bits",
            "beyond-a-double",
            "huge",
            "spelling",
            "deeper",
        ),
        "a clause may let it be refused or changed",
    ),
}


@cache
def small_corpus() -> Sequence[Given]:
    """Return the values of the corpus that are mixed with random ones."""
    found = given_at({"values": _CORPUS})
    return [one for one in found if one.size <= SMALL_BYTES]


_corpus: st.SearchStrategy[Any] = st.sampled_from([one.value for one in small_corpus()])

corpus_texts: st.SearchStrategy[str] = st.sampled_from(
    [one.value for one in small_corpus() if isinstance(one.value, str)]
)
"""The strings of the corpus that are small."""

_TELLING = (
    "\x00\x01\t\n\r\x1f \"\\/'<>&{}[]:,07aZ~\x7f\x80\x85\xa0éßİ\u0131\u0300\u200b\u200d"
    "\u2028\u2029\ufeff\ufffd\ufffe\uffff漢\ud7ff\ue000😀\U0001f468\U0010ffff"
)

_SHORT = (*map(chr, (*range(0x30, 0x7F), *range(0x20, 0x30))), *_TELLING)
"""The characters of one byte: those of ASCII that are printed, the simplest first, and
those that tell much."""

_LONG = (range(0xD800), range(0xE000, 0x110000))
"""What those of three bytes are taken from, from one as often as from the other."""


def _text(drawn: bytes) -> str:
    """Return the characters of bytes: one fewer of these is one character less."""
    found: list[str] = []
    place = 0
    while place < len(drawn):
        lead = drawn[place]
        rest = b""
        if lead < len(_SHORT):
            found.append(_SHORT[lead])
        else:
            number, which = divmod(lead - len(_SHORT), len(_LONG))
            rest = drawn[place + 1 : place + 3]
            number = number << 16 | int.from_bytes(rest)
            found.append(chr(_LONG[which][number % len(_LONG[which])]))
        place += 1 + len(rest)
    return "".join(found)


@cache
def texts(longest: int) -> st.SearchStrategy[str]:
    """Strings of any Unicode scalars.

    They are made of bytes, which are one draw however many there are: a draw for each
    character took more time than all else that is drawn.

    Args:
        longest: Most characters.
    """
    # Hypothesis draws short ones where it may.
    least = sorted({0, min(3, longest), longest // 2})
    sized = [st.binary(min_size=size, max_size=longest) for size in least]
    return evenly(*sized).map(_text)


_KEYS = ("", "__proto__", "constructor", "toString", "v", "id", "ok", "value", "0", "$")

_keys = st.one_of(st.sampled_from(_KEYS), corpus_texts, texts(6))

MOST_EXACT = 2**53
"""The largest integer of which clauses say that it survives: beyond it, and doubles
that large are all integers, it may be rounded or refused."""

_integers = st.one_of(
    st.integers(-MOST_EXACT, MOST_EXACT),
    st.sampled_from(
        [0, -1, 2**31, -(2**31), 2**32, MOST_EXACT, -MOST_EXACT, 2**53 - 1]
    ),
)


def _within(number: float) -> float:
    """Return a double, one that is a larger integer turned over."""
    return number if abs(number) <= MOST_EXACT else 1 / number


_fractions = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(_within),
    st.sampled_from([0.1, -0.0, 1e-7, 1.5e-300, 5e-324, 4503599627370495.5]),
)

numbers: st.SearchStrategy[int | float] = st.one_of(_integers, _fractions)

_flat: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), numbers, texts(12), _corpus
)


def _holding(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Arrays and objects of values; of a key that is drawn twice the last counts."""
    members = st.lists(st.tuples(_keys, inner), max_size=4)
    return st.one_of(st.lists(inner, max_size=4), members.map(dict))


# `recursive` takes three times as long for a value: it draws more of them nested.
_nested = st.one_of(_flat, _holding(_flat), _holding(st.one_of(_flat, _holding(_flat))))

values = st.one_of(_flat, _holding(_flat), _holding(_nested))
"""Any JSON value, of up to four levels; a third are arrays and objects."""

_BAD_BYTES = (
    b"\xff",
    b"\xfe\xff",
    b"\x80",
    b"\xc0\xaf",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xe2\x82",
    b"\x00",
    b"\xef\xbb\xbf{}",
)

bad_byte_lines = st.one_of(
    st.sampled_from(_BAD_BYTES),
    st.tuples(st.binary(max_size=20), st.sampled_from(_BAD_BYTES)).map(
        lambda pair: pair[0].replace(b"\n", b" ") + pair[1]
    ),
)


_WHOLE = (
    rb'{"text":"\u0061\n\\\ud83d\ude00\u12ab","numbers":[-1.5e+3,0.5],'
    rb'"words":[true,false,null]}'
)

torn_lines = st.integers(1, len(_WHOLE) - 1).map(lambda end: _WHOLE[:end])
"""Lines that end in the middle of JSON: of an escape, a number, a word."""


def mixed(
    good: st.SearchStrategy[Move], bad: st.SearchStrategy[Move]
) -> st.SearchStrategy[tuple[tuple[Move, ...], bool]]:
    """Bad lines among good requests, at least one of each, the last one good.

    Beside them, whether all are sent before the first answer is awaited.
    """

    def build(
        before: list[Move],
        one: Move,
        rest: list[Move],
        last: Move,
        together: bool,  # noqa: FBT001 - drawn
    ) -> tuple[tuple[Move, ...], bool]:
        return (*before, one, *rest, last), together

    return st.builds(
        build,
        st.lists(good, max_size=2),
        bad,
        st.lists(st.one_of(bad, good), max_size=8),
        good,
        st.booleans(),
    )


def piece(data: bytes) -> dict[str, str]:
    """Return bytes as a piece of a ``send_raw`` step."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
