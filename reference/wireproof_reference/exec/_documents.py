"""Files of JSON or YAML, read as trees whose nodes know their lines."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from pathlib import Path
from typing import Final

from wireproof_reference._errors import JsonError
from wireproof_reference.exec._nodes import ConfigError, Node
from wireproof_reference.framing import loads

YAML_ENDINGS: Final = (".yaml", ".yml")
"""Of the names of files that are read as YAML; any other is JSON."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")


def read_document(path: Path | str) -> Node:
    """Read a file.

    Args:
        path: Of YAML where it ends so, else of JSON.

    Raises:
        ConfigError: It cannot be read, or PyYAML is needed and not installed.
    """
    source = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(source, f"cannot be read: {error.strerror}") from error
    if source.endswith(YAML_ENDINGS):
        # PyYAML is an extra.
        from wireproof_reference.exec._yaml import read_yaml  # noqa: PLC0415

        return read_yaml(source, data)
    return _read_json(source, data)


def _read_json(source: str, data: bytes) -> Node:
    try:
        loads(data)
    except JsonError as error:
        line = None
        if error.position is not None:
            line = data.count(b"\n", 0, error.position) + 1
        raise ConfigError(source, error.detail, line=line) from error
    return _JsonLines(source, data.decode()).read()


class _JsonLines:
    """Walks over a text that is known to be JSON, and finds the line of each value."""

    def __init__(self, source: str, text: str) -> None:
        self._source = source
        self._text = text
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._decoder = json.JSONDecoder()

    def read(self) -> Node:
        return self._value(0, None)[0]

    def _value(self, position: int, line: int | None) -> tuple[Node, int]:
        """The value from a position on, and where it ends."""
        position = self._skip(position)
        if line is None:
            line = self._line(position)
        if self._text[position] == "[":
            items, end = self._items(position)
            return Node(items, line), end
        if self._text[position] == "{":
            members, end = self._members(position)
            return Node(members, line), end
        scalar, end = self._decoder.raw_decode(self._text, position)
        return Node(scalar, line), end

    def _items(self, position: int) -> tuple[list[Node], int]:
        items: list[Node] = []
        position = self._skip(position + 1)
        while self._text[position] != "]":
            node, position = self._value(position, None)
            items.append(node)
            position = self._skip_comma(position)
        return items, position + 1

    def _members(self, position: int) -> tuple[dict[str, Node], int]:
        members: dict[str, Node] = {}
        position = self._skip(position + 1)
        while self._text[position] != "}":
            line = self._line(position)
            key, position = self._decoder.raw_decode(self._text, position)
            if key in members:
                detail = f"the key {key!r} stands there twice"
                raise ConfigError(self._source, detail, line=line)
            colon = self._skip(position)
            members[key], position = self._value(colon + 1, line)
            position = self._skip_comma(position)
        return members, position + 1

    def _skip_comma(self, position: int) -> int:
        position = self._skip(position)
        return self._skip(position + 1) if self._text[position] == "," else position

    def _skip(self, position: int) -> int:
        match = _SPACE.match(self._text, position)
        return position if match is None else match.end()

    def _line(self, position: int) -> int:
        return bisect_left(self._ends, position) + 1
