from __future__ import annotations

import pytest

from wireproof_reference.framing import JSON, dumps
from wireproof_reference.socket_v1 import (
    REDACTED,
    is_secret_key,
    redact_text,
    summarise,
)

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    "key",
    [
        "token",
        "access_token",
        "refreshToken",
        "PASSWORD",
        "passwd",
        "secret",
        "client-secret",
        "api_key",
        "apiKey",
        "API-KEY",
        "Authorization",
        "private_key",
        "accessKey",
        "credential",
        "_Credentials-",
    ],
)
def test_a_key_is_secret_however_it_is_written(key: str) -> None:
    assert is_secret_key(key)


@pytest.mark.parametrize("key", ["tokens_used", "keyboard", "secretary", "", "key"])
def test_other_keys_are_not_secret(key: str) -> None:
    assert not is_secret_key(key)


@pytest.mark.parametrize(
    ("value", "summary"),
    [
        (None, None),
        (5, 5),
        (True, True),
        (-(2**127), -(2**127)),
        (2**4000, "[4001 bits]"),
        ("text", "text"),
        ([{"Api_Key": {"deep": "s"}}], [{"Api_Key": REDACTED}]),
        ({"a": [[{"b": {"password": 1}}]]}, {"a": [[{"b": {"password": REDACTED}}]]}),
        ({"token": None}, {"token": REDACTED}),
        ("x" * 256, "x" * 256),
        ("x" * 257, "[257 characters]"),
        ({"k" * 257: 1}, {"[257 characters]": 1}),
        (list(range(20)), list(range(20))),
        (list(range(21)), [*range(20), "[1 more items]"]),
        (
            {str(n): n for n in range(21)},
            {**{str(n): n for n in range(20)}, "[1 more keys]": None},
        ),
        ([[[[[[[1, 2]]]]]]], [[[[[[["[2 items]"]]]]]]]),
        (
            {"a": {"a": {"a": {"a": {"a": {"a": {"x": 1}}}}}}},
            {"a": {"a": {"a": {"a": {"a": {"a": {"[1 keys]": None}}}}}}},
        ),
    ],
)
def test_a_value_is_summarised(value: JSON, summary: JSON) -> None:
    assert summarise(value) == summary


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("Bearer abc.def", "Bearer [redacted]"),
        ("use BEARER  a-b_c= now", "use Bearer [redacted] now"),
        ("the bearer", "the bearer"),
        (f"key: {PEM} end", "key: [redacted] end"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE", "[redacted]"),
        ("-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----"),
    ],
)
def test_a_text_loses_its_secrets(text: str, redacted: str) -> None:
    assert redact_text(text) == redacted


def test_a_summary_is_short_whatever_the_value_is() -> None:
    value: JSON = "x" * 250
    for _ in range(4):
        value = [value] * 30
    assert len(dumps(summarise(value))) < 64 * 1024
