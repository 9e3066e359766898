"""Bindings out of `runtimeconfig.yaml`, and the schemas of tools out of a pack file.

A file may be JSON as well.  An error names the file, the line and the field, and
nothing is run then (EXEC-Y2).  The head of a file (`apiVersion`, `kind`, `metadata`),
other sections under `spec` and other keys beside `exec` are ignored (EXEC-Y6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from wireproof_reference._members import as_integer
from wireproof_reference._schemas import ArgumentSchema
from wireproof_reference.exec._documents import read_document
from wireproof_reference.exec._nodes import ConfigError, Node
from wireproof_reference.exec.core import Binding

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from wireproof_reference.exec.core import Mode
    from wireproof_reference.framing import JSON, JSONObject

_TOP_FIELDS: Final = ("apiVersion", "kind", "metadata", "spec")
_EXEC_FIELDS: Final = ("command", "args", "runtime", "env", "timeout_ms")
_RUNTIMES: Final = ("exec", "server")


@dataclass(frozen=True, slots=True)
class RuntimeConfig:
    """What a configuration file says.

    Attributes:
        bindings: The tools that it binds (EXEC-Y1).
        warnings: What is worth a look, such as a tool that the pack does not define.
    """

    bindings: tuple[Binding, ...]
    warnings: tuple[str, ...] = ()


def load_config(config: Path | str, pack: Path | str | None = None) -> RuntimeConfig:
    """Read a configuration, and the schemas of its tools.

    Args:
        config: A file such as `runtimeconfig.yaml`; `.json` needs no PyYAML.
        pack: A pack file, or None: then arguments are not checked.

    Raises:
        ConfigError: A file cannot be read, or says what it must not.
    """
    root = _Field(str(config), "", read_document(config))
    head = root.members(_TOP_FIELDS)
    if "spec" not in head:
        raise root.error("spec is missing")
    tools = head["spec"].needed("tools").members()
    known = None if pack is None else _read_pack(pack)
    bindings: list[Binding] = []
    warnings: list[str] = []
    for name, tool in tools.items():
        parameters = None if known is None else known.get(name)
        fields = tool.members()
        if "exec" not in fields and fields:
            warnings.append(str(tool.error("has no exec block, and is not bound")))
            continue
        bindings.append(_read_exec(name, tool.needed("exec"), parameters))
        # EXEC-Y3
        if known is not None and name not in known:
            warnings.append(str(tool.error(f"{pack} defines no such tool")))
    return RuntimeConfig(tuple(bindings), tuple(warnings))


def read_binding(value: JSON) -> Binding:
    """Read `{"name", "exec", "parameters"?}`; other keys are the caller's.

    Raises:
        ConfigError: It is not of that shape.
    """
    members = _Field("", "", Node.from_json(value)).members()
    fields = {
        key: members[key]
        for key in ("name", "exec", "parameters")
        if key in members and members[key].node.value is not None
    }
    for key in ("name", "exec"):
        if key not in fields:
            raise ConfigError("", f"{key} is missing")
    schema = fields.get("parameters")
    parameters = None if schema is None else _read_schema(schema)
    return _read_exec(fields["name"].text(), fields["exec"], parameters)


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a file, read as what it must be.

    Attributes:
        source: The file.
        name: Its name from the root on.
        node: What stands there.
    """

    source: str
    name: str
    node: Node

    def error(self, detail: str) -> ConfigError:
        return ConfigError(self.source, detail, line=self.node.line, field=self.name)

    def members(self, known: Collection[str] | None = None) -> dict[str, _Field]:
        """The members; a null counts as absent where a key is one of those known."""
        if not isinstance(self.node.value, dict):
            raise self.error("must be an object")
        fields = {
            key: _Field(self.source, f"{self.name}.{key}".removeprefix("."), node)
            for key, node in self.node.value.items()
        }
        for key, field in fields.items():
            if known is not None and key not in known:
                raise field.error(f"is unknown; known are {', '.join(known)}")
        if known is None:
            return fields
        return {key: one for key, one in fields.items() if one.node.value is not None}

    def needed(self, key: str) -> _Field:
        """A member that must be there, whatever stands beside it (EXEC-Y6)."""
        fields = self.members()
        if key not in fields:
            raise self.error(f"{key} is missing")
        return fields[key]

    def text(self) -> str:
        if not isinstance(self.node.value, str):
            raise self.error(f"must be a string{self._as_read()}")
        return self.node.value

    def filled_text(self) -> str:
        text = self.text()
        if not text:
            raise self.error("must not be empty")
        return text

    def items(self) -> list[_Field]:
        if not isinstance(self.node.value, list):
            raise self.error("must be a list of strings")
        return [
            _Field(self.source, f"{self.name}[{index}]", node)
            for index, node in enumerate(self.node.value)
        ]

    def positive(self) -> int:
        value = as_integer(self.node.value)
        if value is None or value <= 0:
            raise self.error("must be an integer above 0")
        return value

    def _as_read(self) -> str:
        """What YAML made of what someone took for a string."""
        value = self.node.value
        if isinstance(value, (list, dict)):
            return ""
        return f", and is read as {value!r}: put it into quotes"


def _read_exec(name: str, block: _Field, parameters: JSONObject | None) -> Binding:
    fields = block.members(_EXEC_FIELDS)
    if "command" not in fields:
        raise block.error("command is missing")
    return Binding(
        name,
        fields["command"].filled_text(),
        args=tuple(item.text() for item in _items(fields, "args")),
        runtime=_read_runtime(fields.get("runtime")),
        env=tuple(_read_variable(item) for item in _items(fields, "env")),
        timeout_ms=fields["timeout_ms"].positive() if "timeout_ms" in fields else None,
        parameters=parameters,
    )


def _items(fields: dict[str, _Field], key: str) -> list[_Field]:
    return fields[key].items() if key in fields else []


def _read_runtime(field: _Field | None) -> Mode:
    if field is None:
        return "exec"
    if field.text() not in _RUNTIMES:
        raise field.error(f"must be {' or '.join(_RUNTIMES)}")
    return cast("Mode", field.text())


def _read_variable(field: _Field) -> str:
    name = field.filled_text()
    if "=" in name or "\0" in name:
        raise field.error("must be the name of a variable, without its value")
    return name


def _read_pack(pack: Path | str) -> dict[str, JSONObject | None]:
    """The schemas of the tools that a pack defines, by their names."""
    fields = _Field(str(pack), "", read_document(pack)).members()
    if "tools" not in fields:
        return {}
    return {
        name: _read_definition(name, field)
        for name, field in fields["tools"].members().items()
    }


def _read_definition(name: str, definition: _Field) -> JSONObject | None:
    fields = definition.members()
    if "name" in fields and fields["name"].text() != name:
        raise fields["name"].error(f"must be {name!r}, as its key")
    if "parameters" not in fields:
        return None
    return _read_schema(fields["parameters"])


def _read_schema(field: _Field) -> JSONObject:
    from jsonschema import SchemaError  # noqa: PLC0415  # slow, and needed here only

    field.members()
    schema = cast("JSONObject", field.node.to_json())
    try:
        ArgumentSchema(schema).check()
    except SchemaError as error:
        raise field.error(f"is no JSON Schema: {error.message}") from error
    return schema
