from __future__ import annotations

import pytest

from wireproof.reporting._json_lines import line_of

TEXT = """
{"a": 1,
 "b": [10,
       {"c": "}\\"\\n", "d":
         [true]},
       []], "e": {}}
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 2),
        (("a",), 2),
        (("b",), 3),
        (("b", 0), 3),
        (("b", 1), 4),
        (("b", 1, "d"), 4),
        (("b", 1, "d", 0), 5),
        (("b", 2), 6),
        (("e",), 6),
    ],
)
def test_a_value_stands_in_the_line_of_its_key(
    path: tuple[str | int, ...], line: int
) -> None:
    assert line_of(TEXT, path) == line


@pytest.mark.parametrize(
    ("path", "line"), [(("b", 1, "missing"), 4), (("a", "x"), 2), (("b", 9), 3)]
)
def test_what_is_missing_stands_where_it_would(
    path: tuple[str | int, ...], line: int
) -> None:
    assert line_of(TEXT, path) == line
