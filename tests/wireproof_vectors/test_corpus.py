"""The corpus holds values that differ, each with a name, a kind and a reason."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import wireproof_vectors
from wireproof.checks import VectorDefect
from wireproof.patterns import expand
from wireproof.patterns._equality import json_type
from wireproof_vectors import CorpusValue, load_corpus, load_schema

FOLDER = Path(str(files(wireproof_vectors))) / "corpus"
README = (Path(__file__).parents[2] / "vectors/README.md").read_text()


def validator() -> Any:
    shared = Resource[Any].from_contents(dict(load_schema("vectors")))
    registry: Any = Registry[Any]().with_resource(shared.id() or "", shared)
    return Draft202012Validator(dict(load_schema("corpus")), registry=registry)


def kind_of(value: CorpusValue) -> str:
    found = json_type(expand(value.value, {}))
    return "number" if found == "integer" else found


@pytest.mark.parametrize("file", sorted(FOLDER.iterdir()), ids=lambda f: f.name)
def test_a_corpus_file_is_valid(file: Path) -> None:
    errors = validator().iter_errors(json.loads(file.read_text()))
    assert [error.message for error in errors] == []


def test_a_value_without_a_reason_is_refused() -> None:
    value = {"name": "a", "kind": "null", "value": None}
    document = {"schema": "wireproof-corpus/1", "title": "a", "values": [value]}
    errors = validator().iter_errors(document)
    assert [e.message for e in errors] == ["'reason' is a required property"]


def test_names_are_unique() -> None:
    names = [value.name for value in load_corpus()]
    assert len(names) == len(set(names))


def test_no_value_stands_there_twice() -> None:
    written = [json.dumps(value.value) for value in load_corpus()]
    assert len(written) == len(set(written))


def test_no_value_has_the_reason_of_another() -> None:
    reasons = [value.reason for value in load_corpus() if "size" not in value.tags]
    assert {reason for reason in reasons if reasons.count(reason) > 4} == set()


def test_the_kind_is_that_of_the_value() -> None:
    wrong = [
        value.name
        for value in load_corpus()
        if "beyond-a-double" not in value.tags and kind_of(value) != value.kind
    ]
    assert wrong == []


def test_a_number_beyond_a_double_cannot_be_sent_as_a_value() -> None:
    values = {value.name: value for value in load_corpus()}
    with pytest.raises(VectorDefect, match="1e400 cannot be sent"):
        expand(values["infinite"].value, {})


def test_a_number_that_rounds_to_zero_can() -> None:
    values = {value.name: value for value in load_corpus()}
    assert expand(values["almost-nothing"].value, {}) == 0.0


def test_every_tag_is_explained_and_no_other() -> None:
    used = {tag for value in load_corpus() for tag in value.tags}
    schema: Any = load_schema("corpus")
    assert used == set(schema["$defs"]["tag"]["enum"])
    section = README[README.index("## The corpus") : README.index("## Write your own")]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    assert used == {tag for row in rows for tag in re.findall(r"`([a-z0-9-]+)`", row)}


def test_every_kind_has_values() -> None:
    assert {value.kind for value in load_corpus()} == {
        "string",
        "number",
        "null",
        "boolean",
        "array",
        "object",
    }
