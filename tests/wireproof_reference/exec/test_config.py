from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from wireproof_reference.exec import Binding, ConfigError, load_config
from wireproof_reference.exec._config import read_binding

SEED = """\
spec:
  tools:
    # One-shot mode (default)
    sentiment_check:
      exec:
        command: python3
        args: [./tools/sentiment-check.py]
        timeout_ms: 5000
        env: [NLTK_DATA]
    # Server mode
    db_query:
      exec:
        command: ./tools/db-query
        runtime: server
        timeout_ms: 10000
        env: [DATABASE_URL]
"""
SEED_BINDINGS = (
    Binding(
        "sentiment_check",
        "python3",
        ("./tools/sentiment-check.py",),
        env=("NLTK_DATA",),
        timeout_ms=5000,
    ),
    Binding(
        "db_query",
        "./tools/db-query",
        runtime="server",
        env=("DATABASE_URL",),
        timeout_ms=10000,
    ),
)
# The block of one tool, to be filled in: it begins in line 4.
BLOCK = "spec:\n  tools:\n    t:\n      exec:\n"


TOP = "apiVersion, kind, metadata, spec"
"""The keys that a file may have."""


def yaml_error(tmp_path: Path, text: str) -> str:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    return str(caught.value).replace(str(path), "c.yaml")


def json_error(tmp_path: Path, text: str | bytes) -> str:
    path = tmp_path / "c.json"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    return str(caught.value).replace(str(path), "c.json")


def block_error(tmp_path: Path, block: str) -> str:
    lines = "".join(f"        {line}\n" for line in block.splitlines())
    return yaml_error(tmp_path, BLOCK + lines).removeprefix("c.yaml:")


def write(tmp_path: Path, name: str, value: Any) -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(value, indent=1))
    return path


def test_the_example_binds_its_tools(tmp_path: Path) -> None:
    path = tmp_path / "runtimeconfig.yaml"
    path.write_text(SEED)
    assert load_config(path).bindings == SEED_BINDINGS


def test_json_of_the_same_content_needs_no_yaml(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    exec_blocks = {
        "sentiment_check": {
            "command": "python3",
            "args": ["./tools/sentiment-check.py"],
            "timeout_ms": 5000,
            "env": ["NLTK_DATA"],
        },
        "db_query": {
            "command": "./tools/db-query",
            "runtime": "server",
            "timeout_ms": 10000,
            "env": ["DATABASE_URL"],
        },
    }
    tools = {name: {"exec": block} for name, block in exec_blocks.items()}
    path = write(tmp_path, "runtimeconfig.json", {"spec": {"tools": tools}})
    assert load_config(path).bindings == SEED_BINDINGS


def test_null_counts_as_absent_and_a_number_has_many_spellings(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    block = "command: x\nargs:\nenv: null\nruntime: ~\ntimeout_ms: 5000.0\n"
    path.write_text(BLOCK + "".join(f"        {one}\n" for one in block.splitlines()))
    assert load_config(path).bindings == (Binding("t", "x", timeout_ms=5000),)
    bound: Any = {
        "name": "t",
        "exec": {"command": "x", "env": None},
        "parameters": None,
    }
    assert read_binding(bound) == Binding("t", "x")


def test_without_pyyaml_the_remedy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert yaml_error(tmp_path, SEED) == (
        "c.yaml: PyYAML is not installed: install wireproof[yaml], or use JSON"
    )


@pytest.mark.parametrize(
    ("block", "error"),
    [
        ("args: []", "4: spec.tools.t.exec: command is missing"),
        (
            "command: x\nruntime: batch",
            "6: spec.tools.t.exec.runtime: must be exec or server",
        ),
        (
            "command: x\ntimeout: 5",
            (
                "6: spec.tools.t.exec.timeout: is unknown; "
                "known are command, args, runtime, env, timeout_ms"
            ),
        ),
        ("command: ''", "5: spec.tools.t.exec.command: must not be empty"),
        (
            "command: 5",
            (
                "5: spec.tools.t.exec.command: must be a string, "
                "and is read as 5: put it into quotes"
            ),
        ),
        ("command: [x]", "5: spec.tools.t.exec.command: must be a string"),
        (
            "command: x\nargs: y",
            "6: spec.tools.t.exec.args: must be a list of strings",
        ),
        (
            "command: x\nargs:\n- a\n- 5",
            (
                "8: spec.tools.t.exec.args[1]: must be a string, "
                "and is read as 5: put it into quotes"
            ),
        ),
        (
            "command: x\nenv: [NO]",
            (
                "6: spec.tools.t.exec.env[0]: must be a string, "
                "and is read as False: put it into quotes"
            ),
        ),
        (
            "command: x\nenv: [A=1]",
            (
                "6: spec.tools.t.exec.env[0]: "
                "must be the name of a variable, without its value"
            ),
        ),
        (
            "command: x\ntimeout_ms: 0",
            "6: spec.tools.t.exec.timeout_ms: must be an integer above 0",
        ),
        (
            "command: x\ntimeout_ms: true",
            "6: spec.tools.t.exec.timeout_ms: must be an integer above 0",
        ),
        (
            "command: x\ntimeout_ms: 0.5",
            "6: spec.tools.t.exec.timeout_ms: must be an integer above 0",
        ),
        ("command: x\ncommand: y", "6: the key 'command' stands there twice"),
        ("command: x\non: y", "6: the key on is read as True: put it into quotes"),
        (
            "command: 2001-01-01",
            "5: 2001-01-01 is read as a date: put it into quotes",
        ),
        ("command: 2001-99-99", "5: 2001-99-99: month must be in 1..12"),
        ("command: .inf", "5: .inf is no number of JSON"),
        (
            "command: !!python/name:os.system",
            (
                "5: could not determine a constructor for the tag "
                "'tag:yaml.org,2002:python/name:os.system'"
            ),
        ),
        (
            "command: !!set {a}",
            "5: a tag such as tag:yaml.org,2002:set is not allowed",
        ),
        ("command: &a [*a]", "5: it contains itself"),
        ("command: 'x", "6: found unexpected end of stream"),
    ],
)
def test_an_error_names_the_line_and_the_field(
    tmp_path: Path, block: str, error: str
) -> None:
    assert block_error(tmp_path, block) == error


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "c.yaml: is empty"),
        ("5", "c.yaml:1: must be an object"),
        ("tools: {}", f"c.yaml:1: tools: is unknown; known are {TOP}"),
        ("{}", "c.yaml:1: spec is missing"),
        ("spec: {}", "c.yaml:1: spec: tools is missing"),
        ("spec:\n  tools: []", "c.yaml:2: spec.tools: must be an object"),
        ("spec:\n  tools:\n    t: {}", "c.yaml:3: spec.tools.t: exec is missing"),
        ("a: 1\n---\nb: 2", "c.yaml:2: but found another document"),
        ("[" * 2000, "c.yaml: nests too deep"),
    ],
)
def test_what_is_no_configuration_is_refused(
    tmp_path: Path, text: str, error: str
) -> None:
    assert yaml_error(tmp_path, text) == error


def test_many_aliases_are_no_burden(tmp_path: Path) -> None:
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 30)]
    text = "l0: &l0 [x]\n" + "\n".join(levels)
    assert yaml_error(tmp_path, text) == f"c.yaml:1: l0: is unknown; known are {TOP}"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{\n"spec":\n\n{"tools": []}}', "c.json:4: spec.tools: must be an object"),
        (
            '{"spec":{"tools":{"t":{"exec":\n{"command":"x",\n"args":["a",\n[]]}}}}}',
            "c.json:4: spec.tools.t.exec.args[1]: must be a string",
        ),
        (
            '{"spec":{"tools":{"t":{"exec":\n{"command":"x",\n"env":7}}}}}',
            "c.json:3: spec.tools.t.exec.env: must be a list of strings",
        ),
        ('{"a":1,\n"a":2}', "c.json:2: the key 'a' stands there twice"),
        ('{"a":1,\n"b"}', "c.json:2: expecting ':' delimiter"),
        (b'{"a":\n"\xff"}', "c.json:2: invalid start byte"),
        ("[" * 600 + "]" * 600, "c.json: nested 600 deep, at most 512 allowed"),
        ('{"spec":{"tools":{}},\n"x":[ ]}', "c.json:2: x: is unknown"),
    ],
)
def test_json_has_lines_too(tmp_path: Path, text: str | bytes, error: str) -> None:
    assert json_error(tmp_path, text).removesuffix(f"; known are {TOP}") == error


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nope\.yaml: cannot be read: No such file"):
        load_config(tmp_path / "nope.yaml")


def test_yaml_must_be_utf8(tmp_path: Path) -> None:
    path = tmp_path / "c.yml"
    path.write_bytes(b"a: \xff")
    with pytest.raises(ConfigError, match=r"c\.yml: is not UTF-8: invalid start byte"):
        load_config(path)


def test_the_pack_has_the_schemas(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    pack = write(
        tmp_path,
        "pack.json",
        {
            "tools": {
                "sentiment_check": {
                    "name": "sentiment_check",
                    "description": "Analyze the sentiment of a text string",
                    "parameters": schema,
                },
                "db_query": {"name": "db_query"},
                "other": {},
            },
            "prompts": {"assistant": {"tools": ["sentiment_check"]}},
        },
    )
    path = tmp_path / "runtimeconfig.yaml"
    path.write_text(SEED)
    loaded = load_config(path, pack)
    assert [binding.parameters for binding in loaded.bindings] == [schema, None]
    assert loaded.warnings == ()


def test_a_tool_that_the_pack_does_not_define_is_a_warning(tmp_path: Path) -> None:
    pack = write(tmp_path, "pack.json", {"tools": {"sentiment_check": {}}})
    path = tmp_path / "runtimeconfig.yaml"
    path.write_text(SEED)
    assert load_config(path, pack).warnings == (
        f"{path}:11: spec.tools.db_query: {pack} defines no such tool",
    )


@pytest.mark.parametrize(
    ("pack", "error"),
    [
        ([], "1: must be an object"),
        ({"tools": {"t": 5}}, "3: tools.t: must be an object"),
        ({"tools": {"t": {"name": "u"}}}, "4: tools.t.name: must be 't', as its key"),
        (
            {"tools": {"t": {"parameters": None}}},
            "4: tools.t.parameters: must be an object",
        ),
        (
            {"tools": {"t": {"parameters": {"type": "text"}}}},
            (
                "4: tools.t.parameters: is no JSON Schema: "
                "'text' is not valid under any of the given schemas"
            ),
        ),
    ],
)
def test_a_pack_that_is_wrong_is_refused(tmp_path: Path, pack: Any, error: str) -> None:
    config = write(tmp_path, "c.json", {"spec": {"tools": {}}})
    path = write(tmp_path, "pack.json", pack)
    with pytest.raises(ConfigError) as caught:
        load_config(config, path)
    assert str(caught.value) == f"{path}:{error}"


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({}, "name is missing"),
        ({"name": "t"}, "exec is missing"),
        ({"name": 5, "exec": {}}, "name: must be a string"),
        ({"name": "t", "exec": {"command": "x", "cwd": "/"}}, "exec.cwd: is unknown"),
        (
            {"name": "t", "exec": {"command": "x"}, "parameters": {"type": 5}},
            "parameters: is no JSON Schema",
        ),
    ],
)
def test_a_binding_by_itself_is_checked_too(value: Any, error: str) -> None:
    with pytest.raises(ConfigError, match=f"^{error}"):
        read_binding(value)


def test_a_binding_by_itself_has_its_schema() -> None:
    value: Any = {"name": "t", "exec": {"command": "x"}, "parameters": {}, "id": 1}
    assert read_binding(value) == Binding("t", "x", parameters={})


def test_the_head_and_what_other_readers_need_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        """\
apiVersion: promptkit.altairalabs.ai/v1alpha1
kind: RuntimeConfig
metadata: {name: mine, labels: {team: tools}}
spec:
  providers: {main: {type: openai}}
  tools:
    add:
      description: adds
      mode: live
      input_schema: {type: object}
      exec: {command: ./add}
""",
        encoding="utf-8",
    )
    loaded = load_config(path)
    assert loaded.bindings == (Binding("add", "./add"),)
    assert loaded.warnings == ()


def test_a_tool_that_is_bound_in_another_way_is_left_out_with_a_warning(
    tmp_path: Path,
) -> None:
    path = tmp_path / "c.json"
    tools = '{"a":{"mode":"mock"},\n"b":{"exec":{"command":"b"}}}'
    path.write_text(f'{{"spec":{{"tools":{tools}}}}}')
    loaded = load_config(path)
    assert [one.name for one in loaded.bindings] == ["b"]
    assert loaded.warnings == (
        f"{path}:1: spec.tools.a: has no exec block, and is not bound",
    )
