"""Numbers that are wider than others read them, and come back as they came."""

from __future__ import annotations

import copy
import math
from typing import Any

import orjson
import pytest

from wireproof.patterns import DECODER, expand, json_equal, written
from wireproof_reference.framing import EncodeError

LONG = "-" + "1" * 5000

OWN = '{"a":1e400,"b":[' + LONG + ',"x"],"c":"\\ud800"}'
"""JSON text that hardly any reader takes as it is."""


def test_what_was_read_is_written_as_it_came() -> None:
    value = DECODER.decode(OWN)
    assert written(value) == OWN.encode() + b"\n"


def test_a_copy_is_written_so_too() -> None:
    value = copy.deepcopy(DECODER.decode(OWN))
    assert written({"state": value}) == b'{"state":' + OWN.encode() + b"}\n"


def test_the_text_of_a_value_has_them_too() -> None:
    names: dict[str, Any] = {"state": DECODER.decode('{"a":1e400}')}
    found = expand({"$json_text": {"s": {"$use": "state"}}}, names)
    assert found == '{"s":{"a":1e400}}'


def test_what_has_a_spelling_stands_beside_them() -> None:
    value = {"own": DECODER.decode("1e400"), "sent": orjson.Fragment("1.50")}
    assert written(value) == b'{"own":1e400,"sent":1.50}\n'


def test_they_are_numbers_and_equal_to_themselves() -> None:
    value = DECODER.decode(OWN)
    assert math.isinf(value["a"])
    assert json_equal(value, DECODER.decode(OWN))
    assert not json_equal(value, {**value, "a": 1})


def test_an_infinity_that_was_never_read_is_refused() -> None:
    with pytest.raises(EncodeError, match="no JSON text"):
        written({"a": math.inf})
