"""YAML as a tree whose nodes know their lines; nothing but plain data is made of it."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from wireproof_reference.exec._nodes import ConfigError, Node

# PyYAML says by no type what it gives: it is held as Any in this module.


def read_yaml(source: str, data: bytes) -> Node:
    """Read one document of YAML.

    Raises:
        ConfigError: It is none, holds what JSON cannot, or PyYAML is not installed.
    """
    try:
        yaml: Any = import_module("yaml")
    except ImportError as error:
        detail = "PyYAML is not installed: install wireproof[yaml], or use JSON"
        raise ConfigError(source, detail) from error
    try:
        loader: Any = yaml.SafeLoader(data.decode())
        return _Reader(source, yaml, loader).read(loader.get_single_node())
    except UnicodeDecodeError as error:
        raise ConfigError(source, f"is not UTF-8: {error.reason}") from error
    except RecursionError as error:
        raise ConfigError(source, "nests too deep") from error
    except yaml.YAMLError as error:
        raise _as_config_error(source, error) from error


def _as_config_error(source: str, error: Any) -> ConfigError:
    mark: Any = getattr(error, "problem_mark", None)
    problem: str = getattr(error, "problem", None) or str(error)
    return ConfigError(source, problem, line=None if mark is None else mark.line + 1)


class _Reader:
    """Makes nodes of ours of those of PyYAML."""

    def __init__(self, source: str, yaml: Any, loader: Any) -> None:
        self._source = source
        self._yaml = yaml
        self._loader = loader
        # Many aliases may stand for one node: it is read once.
        self._read: dict[int, Node] = {}
        self._open: set[int] = set()

    def read(self, node: Any) -> Node:
        if node is None:
            raise ConfigError(self._source, "is empty")
        known = self._read.get(id(node))
        if known is not None:
            return known
        if id(node) in self._open:
            raise self._error(node, "it contains itself")
        self._open.add(id(node))
        self._read[id(node)] = made = Node(self._value(node), _line(node))
        self._open.remove(id(node))
        return made

    def _value(self, node: Any) -> Any:
        if isinstance(node, self._yaml.ScalarNode):
            return self._scalar(node)
        if node.tag == "tag:yaml.org,2002:seq":
            return [self.read(item) for item in node.value]
        if node.tag != "tag:yaml.org,2002:map":
            raise self._error(node, f"a tag such as {node.tag} is not allowed")
        members: dict[str, Node] = {}
        for key_node, item in node.value:
            key = self._key(key_node)
            if key in members:
                raise self._error(key_node, f"the key {key!r} stands there twice")
            members[key] = Node(self.read(item).value, _line(key_node))
        return members

    def _key(self, node: Any) -> str:
        key = self.read(node).value
        if isinstance(key, str):
            return key
        detail = f"the key {node.value} is read as {key!r}: put it into quotes"
        raise self._error(node, detail)

    def _scalar(self, node: Any) -> Any:
        try:
            value = self._loader.construct_object(node)
        except ValueError as error:  # such as the date 2026-99-99
            raise self._error(node, f"{node.value}: {error}") from error
        if isinstance(value, float) and not math.isfinite(value):
            raise self._error(node, f"{node.value} is no number of JSON")
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        kind = type(value).__name__
        raise self._error(node, f"{node.value} is read as a {kind}: put it into quotes")

    def _error(self, node: Any, detail: str) -> ConfigError:
        return ConfigError(self._source, detail, line=_line(node))


def _line(node: Any) -> int:
    line: int = node.start_mark.line
    return line + 1
