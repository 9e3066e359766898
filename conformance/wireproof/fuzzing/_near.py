"""Names that are nearly others, which a program that compares loosely takes for these.

Such are a part of one, one with a tail, in another case or style, or in a container.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

_FULL_WIDTH = 0xFEE0
"""How far the full-width form of an ASCII character lies from it."""

_ALIKE = dict(zip("aceois", "\u0430\u0441\u0435\u043e\u0131\u017f", strict=True))
"""Letters that look like one of ASCII, or that some case mapping makes one."""

_AROUND = ("", " ", "\t", "\n", "\0", "\0x", ".", "/", ":", "*", "%00", "()", "\u200b")

_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

_LEAST_CUT, _MOST_CUT = 2, 4
"""Characters that are cut off where the rest has to look like a name of its own."""


def near_names(
    names: Sequence[str], kinds: Collection[str], *, snake: bool
) -> st.SearchStrategy[Any]:
    """Draw what is nearly one of some names, and none of them.

    Args:
        names: The names.
        kinds: The JSON types that may stand there; names in containers where no string
            may.
        snake: Whether it has to be in snake_case, and unlike what a program may have of
            its own: not a word of the name, or its plural.
    """
    one = st.sampled_from(names)
    if "string" not in kinds:
        contained = {name: st.sampled_from(_contained(name)) for name in names}
        return one.flatmap(contained.__getitem__)
    # Each is made once, and not whenever its name is drawn, which takes longer by far.
    variants = _snake_variants if snake else _variants
    near = {name: variants(name).filter(_is_none_of(names)) for name in names}
    return one.flatmap(near.__getitem__)


def _is_none_of(names: Collection[str]) -> Callable[[str], bool]:
    return lambda name: name not in names


def _contained(name: str) -> list[Any]:
    return [
        [name],
        [[name]],
        {"name": name},
        {"tool_name": name},
        {"toString": name},
        {name: True},
    ]


def _snake_variants(name: str) -> st.SearchStrategy[str]:
    cut = st.integers(_LEAST_CUT, _MOST_CUT)
    variants = st.one_of(
        cut.map(lambda count: name[count:]),
        cut.map(lambda count: name[:-count]),
        st.sampled_from(("x", "_x", "0", "_0")).map(lambda tail: name + tail),
        st.sampled_from(("x_", "x")).map(lambda lead: lead + name),
        _at_one(name, lambda letter: letter * 2),
    )

    def is_other(one: str) -> bool:
        return bool(_SNAKE.fullmatch(one)) and f"_{one}_" not in f"_{name}_"

    return variants.filter(is_other)


def _variants(name: str) -> st.SearchStrategy[str]:
    words = name.split("_")
    styled = (
        "".join(word.title() for word in words),
        words[0] + "".join(word.title() for word in words[1:]),
        *(joint.join(words) for joint in ("-", " ", "", "__", ".", "/", "::")),
        *(words[1:] and ("_".join(words[1:]), "_".join(words[:-1]), words[0])),
    )
    cut = st.integers(1, len(name) - 1)
    around = st.sampled_from(_AROUND)
    tail, lead = around.map(name.__add__), around.map(lambda one: one + name)
    return st.one_of(
        cut.map(lambda count: name[count:]),
        cut.map(lambda count: name[:count]),
        tail,
        lead,
        st.sampled_from(styled),
        st.sampled_from((name.upper(), name.title(), name.swapcase())),
        _at_one(name, str.swapcase),
        _at_one(name, lambda letter: letter * 2),
        _at_one(name, lambda letter: ""),
        _at_one(name, lambda letter: chr(ord(letter) + _FULL_WIDTH)),
        _at_one(name, lambda letter: letter + "\u0301"),
        _at_one(name, lambda letter: _ALIKE.get(letter, letter)),
    )


def _at_one(name: str, change: Callable[[str], str]) -> st.SearchStrategy[str]:
    """Change one character of a name."""

    def changed(place: int) -> str:
        return name[:place] + change(name[place]) + name[place + 1 :]

    return st.integers(0, len(name) - 1).map(changed)
