"""What is wrong with what steps saw beside the frames, from the step and the facts."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.judge import Look, Reason
from wireproof.protocols.socket_v1._looks import look
from wireproof.report import sentence

NAMES = {"home": "/home", "number": 3}
ENTRY = {"tool": "echo", "decision": "allow"}
PRIVATE, OPEN = 0o140600, 0o140666
CLOSED, SEARCHED = 0o040700, 0o040755

FINE: list[tuple[Any, Any]] = [
    ({"connect": "a"}, {"opened": True}),
    ({"expect_descriptors": "n", "more": 5}, {"count": 8, "most": 8}),
    ({"inherits_no_connection": 1}, {"held": []}),
    ({"expect_exit": {"within_ms": 5}}, {"status": 0}),
    ({"expect_exit": {"within_ms": 5}}, {"status": -15}),
    ({"restart": True}, {"why": "", "names": {"pid": 5}}),
    ({"serves_new": True}, {"ended": "answered"}),
    ({"expect_stand_in": True}, {"stands": True}),
    ({"flood": 9, "grows_at_most": 1}, {"sent": 9, "grown": 0}),
    ({"expect_no_text": "log", "text": "t"}, {"held": []}),
    ({"expect_file": "f"}, {"files": ["f"], "values": [None]}),
    ({"expect_file": "f", "match": {"a": 1}}, {"files": ["f"], "values": [{"a": 1}]}),
    ({"expect_no_file": "f"}, {"files": []}),
    ({"expect_mode": "socket"}, {"mode": PRIVATE, "folders": [SEARCHED]}),
    ({"expect_mode": "socket"}, {"mode": OPEN, "folders": [CLOSED, SEARCHED]}),
    ({"expect_lines": "log", "match": {"tool": "echo"}}, {"lines": [ENTRY]}),
    ({"expect_lines": "log", "match": {}, "at_least": 2}, {"lines": [ENTRY, ENTRY]}),
    ({"expect_lines": "log", "match": {}, "count": 1}, {"lines": [ENTRY]}),
]


@pytest.mark.parametrize(("step", "seen"), FINE, ids=range(len(FINE)))
def test_nothing_is_wrong(step: Any, seen: Any) -> None:
    assert look(step, seen, NAMES) == {}


WRONG: list[tuple[Any, Any, str]] = [
    ({"connect": "a"}, {"opened": False}, "unreached"),
    ({"poll": {}, "until": {}}, {"opened": False}, "unreached"),
    ({"expect_descriptors": "n"}, {"count": 9, "most": 8}, "descriptors-held"),
    ({"inherits_no_connection": 1}, {"held": ["5"]}, "connection-inherited"),
    (
        {"poll": {}, "until": {"a": 1}},
        {"value": {"a": 2}, "ended": "refused", "seconds": 2.0},
        "did-not-come-about",
    ),
    (
        {"poll": {}, "until": {"a": 1}},
        {"value": None, "ended": "silent", "seconds": 2.0},
        "poll-unanswered",
    ),
    ({"expect_exit": {"within_ms": 5}}, {"status": None}, "runs-on"),
    ({"restart": True}, {"why": "no socket"}, "did-not-start-again"),
    ({"serves_new": True}, {"ended": "silent"}, "serves-no-new-connection"),
    ({"expect_stand_in": True}, {"stands": False}, "removed-foreign-socket"),
    ({"flood": 9}, {"sent": 18, "grown": 17}, "keeps-endless-line"),
    ({"expect_no_text": "log", "text": "t"}, {"held": ["key: t"]}, "text-held"),
    ({"expect_file": "f"}, {"files": [], "values": []}, "no-file"),
    (
        {"expect_file": "f", "match": {"a": 1}},
        {"files": ["f"], "values": [{"a": 2}]},
        "file-differs",
    ),
    ({"expect_no_file": "f"}, {"files": ["f"]}, "file-left"),
    (
        {"expect_mode": "socket"},
        {"mode": OPEN, "folders": [SEARCHED]},
        "open-to-others",
    ),
    (
        {"expect_lines": "log", "match": {"tool": "x"}},
        {"lines": [ENTRY]},
        "no-such-line",
    ),
    ({"expect_lines": "log", "match": {}}, {"lines": []}, "no-such-line"),
    (
        {"expect_lines": "log", "match": {}, "count": 1},
        {"lines": [ENTRY, ENTRY]},
        "too-many-lines",
    ),
]


@pytest.mark.parametrize(("step", "seen", "kind"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_has_a_name_and_a_sentence(
    step: Any, seen: Any, kind: str
) -> None:
    found = look(step, seen, NAMES)
    assert isinstance(found, Look)
    assert found.kind == kind
    assert sentence(Reason(kind, "SOCK-A1", found.fields)) != kind.replace("-", " ")


def test_the_line_that_fits_best_is_shown() -> None:
    pattern = {"$all_of": [{"tool": "echo"}, {"decision": "deny"}]}
    lines = [{"tool": "other", "decision": "allow"}, ENTRY]
    found = look({"expect_lines": "log", "match": pattern}, {"lines": lines}, NAMES)
    assert isinstance(found, Look)
    (difference,) = found.differences
    assert (difference.expected, difference.actual) == ({"decision": "deny"}, ENTRY)


def test_what_a_poll_saves_can_be_named_later() -> None:
    step = {"poll": {}, "until": {"a": {"$save": "it", "match": {"$type": "integer"}}}}
    seen = {"value": {"a": 5}, "ended": "answered", "seconds": 2.0}
    assert look(step, seen, NAMES) == {"it": 5}
