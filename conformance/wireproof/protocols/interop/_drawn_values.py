"""Names, ids and small values that are drawn for interop.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from wireproof.fuzzing import texts

keys = st.one_of(st.sampled_from(["path", "input", "", "a", "日本"]), texts(5))
scalars = st.one_of(
    st.sampled_from([None, True, False, 0, -1, 1.5, 2**53, "", "日本", "null"]),
    texts(5),
)
small_values = st.one_of(
    scalars,
    st.lists(scalars, max_size=2),
    st.dictionaries(keys, scalars, max_size=2),
)

words = texts(10)


def words_of(letters: str, longest: int) -> st.SearchStrategy[str]:
    characters = st.lists(st.sampled_from(letters), min_size=1, max_size=longest)
    return characters.map("".join)


tool_names = st.one_of(
    st.sampled_from(["a", "read_file", "A-1", "x" * 64]),
    words_of("abz_-09", 8),
)


def lists(of: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[Any]:
    return st.lists(of, min_size=1, max_size=most)


_FRAGMENTS = (
    *(
        "{",
        "3",
        "{}",
        "[1]",
        '"x"',
        "1e5",
        "null",
        '{"path"',
        '{"path":',
        '{ "b":1.0 }',
    ),
    *('{"path": "a"}', '{"path": ["README.md", 1.0, "日本"]}', '{"path": ["README'),
)
"""Inputs that are JSON or nearly so, the shortest first: so one that fails is made
small. White space around an input is among the texts that are drawn."""

raw_inputs = lists(st.one_of(st.sampled_from(_FRAGMENTS), texts(20)), 8)
