"""What holds of the vectors of every protocol."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import wireproof_vectors
from wireproof_vectors import load_clauses, load_vectors, protocols

FOLDER = Path(wireproof_vectors.__file__).parent
NOT_VECTORS = {"clauses.json", "model.json", "properties.json", "setup.json"}
FILES = [
    (protocol, file)
    for protocol in protocols()
    for file in sorted((FOLDER / protocol.replace("-", "_")).glob("*.json"))
    if file.name not in NOT_VECTORS
]

each_protocol = pytest.mark.parametrize("protocol", protocols())
each_file = pytest.mark.parametrize(
    ("protocol", "file"), FILES, ids=lambda one: getattr(one, "stem", one)
)


@each_protocol
def test_every_protocol_has_files(protocol: str) -> None:
    assert [one for one, _ in FILES if one == protocol]


@each_protocol
def test_ids_are_unique(protocol: str) -> None:
    ids = Counter(vector.id for vector in load_vectors(protocol))
    assert [name for name, count in ids.items() if count > 1] == []


@each_file
def test_a_group_is_the_stem_of_its_file(protocol: str, file: Path) -> None:
    assert json.loads(file.read_text())["group"] == file.stem


@each_file
def test_vectors_stand_in_the_order_of_their_clauses(protocol: str, file: Path) -> None:
    order = [clause.id for clause in load_clauses(protocol)]
    vectors = json.loads(file.read_text())["vectors"]
    places = [order.index(vector["clauses"][0]) for vector in vectors]
    assert places == sorted(places)


@each_protocol
def test_titles_are_sentences(protocol: str) -> None:
    vectors = load_vectors(protocol)
    wrong = [v.id for v in vectors if not re.fullmatch(r"\S.*[^.]\.", v.title)]
    assert wrong == []


@each_protocol
def test_titles_are_unique_in_their_kind(protocol: str) -> None:
    titles = Counter((v.kind, v.title) for v in load_vectors(protocol))
    assert [title for title, count in titles.items() if count > 1] == []
