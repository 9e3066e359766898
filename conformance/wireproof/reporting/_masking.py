"""Values of variables that the user handed on are hidden in what is shown and written.

A subject may print its environment, and a value handed on with ``--subject-env`` may be
a secret. ``Mask`` puts ``***NAME***`` in its place wherever it stands in a result, also
in the forms that JSON, Python and URLs give it. Results are masked once, where they
come from the suite; all that is shown, carried or written is made of them.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

from wireproof.checks import Words
from wireproof.patterns import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wireproof.checks import Deviation, Difference, Entry, Result

SHORTEST = 4
"""Characters of a value that is masked; shorter ones stand in every text."""

SHORTEST_NUMBER = 8
"""Digits of a number that is masked; shorter ones are ports, sizes and seconds."""

PLAIN_WORDS = frozenset(
    {
        *("debug", "default", "development", "disabled", "enabled", "error", "false"),
        *("info", "none", "null", "production", "test", "true", "verbose", "warn"),
        *("warning",),
    }
)
"""Values that are settings and no secrets, in lower case."""


def is_secret(value: str) -> bool:
    """Tell whether a value may be a secret: no setting, small number or folder."""
    if len(value.strip()) < SHORTEST or value.lower() in PLAIN_WORDS:
        return False
    if re.fullmatch(r"[0-9.,:+-]+", value):
        return len(value) >= SHORTEST_NUMBER
    # What names places of this machine, as PATH and HOME do, is in every trace.
    places = [Path(one) for one in value.split(os.pathsep) if one]
    return not all(one.is_absolute() and one.exists() for one in places)


class Mask:
    """Hides the values of variables in texts and results."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        """Hide the values of these variables that may be secrets, by their names."""
        self._names = {
            form: name
            for name, value in variables.items()
            if is_secret(value)
            for form in _forms(value)
        }
        longest_first = sorted(self._names, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def text(self, text: str) -> str:
        """Return a text without the values."""
        if not self._names:
            return text
        return self._pattern.sub(lambda found: _shown(self._names[found[0]]), text)

    def result(self, result: Result) -> Result:
        """Return a result without the values, in all of its fields."""
        if not self._names:
            return result
        return replace(
            result,
            reason=self.text(result.reason),
            evidence=self._value(dict(result.evidence)),
            entries=tuple(map(self._entry, result.entries)),
            differences=tuple(map(self._difference, result.differences)),
            stderr=self._tail(result.stderr),
            reproduce=self.text(result.reproduce) if result.reproduce else None,
            monitors=tuple(map(self._deviation, result.monitors)),
            ended=self.text(result.ended) if result.ended else None,
            key=tuple(map(self.text, result.key)),
        )

    def _value(self, value: Any) -> Any:
        if isinstance(value, Words):
            return Words(self.text(value))
        if isinstance(value, str):
            return self.text(value)
        if is_object(value):
            return {self.text(name): self._value(one) for name, one in value.items()}
        if is_array(value):
            return [self._value(one) for one in value]
        return value

    def _difference(self, one: Difference) -> Difference:
        return replace(
            one,
            where=self.text(one.where),
            expected=self._value(one.expected),
            actual=self._value(one.actual),
        )

    def _deviation(self, one: Deviation) -> Deviation:
        return replace(one, text=self.text(one.text), evidence=self.text(one.evidence))

    def _entry(self, entry: Entry) -> Entry:
        # Bytes that are no UTF-8 stay what they are on the way to text and back.
        text = entry.data.decode(errors="surrogateescape")
        masked = self.text(text)
        if entry.size > len(entry.data):
            masked = self._head(masked)
        if masked == text:
            return entry
        data = masked.encode(errors="surrogateescape")
        return replace(entry, data=data, size=entry.size + len(data) - len(entry.data))

    def _head(self, text: str) -> str:
        """Mask what a text was cut off in."""
        for form, name in self._names.items():
            for length in range(len(form) - 1, SHORTEST - 1, -1):
                if text.endswith(form[:length]):
                    return text[:-length] + _shown(name)
        return text

    def _tail(self, text: str) -> str:
        """Mask a text of which only the end was kept."""
        text = self.text(text)
        for form, name in self._names.items():
            for start in range(1, len(form) - SHORTEST + 1):
                if text.startswith(form[start:]):
                    return _shown(name) + text[len(form) - start :]
        return text


def _shown(name: str) -> str:
    return f"***{name}***"


def _forms(value: str) -> Iterator[str]:
    """Yield a value as it is, and as it is written within texts of other formats."""
    yield value
    yield from _in_json((value,))
    yield from _in_json(tuple(_in_json((value,))))
    yield repr(value)[1:-1]
    yield quote(value, safe="")
    yield quote_plus(value)


def _in_json(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        for is_ascii in (True, False):
            form = json.dumps(value, ensure_ascii=is_ascii)[1:-1]
            yield form
            yield form.replace("/", "\\/")
