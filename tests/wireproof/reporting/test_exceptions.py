"""Exceptions on a subject's stderr: what is read as one, and which are shared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wireproof.checks import Entry, Result, Verdict
from wireproof.reporting._exceptions import (
    Raised,
    Traces,
    exception_of,
    shared_exceptions,
    shared_refusals,
    shared_values,
)

PYTHON = """listening
Traceback (most recent call last):
  File "a.py", line 3, in serve
    handle(line)
  File "a.py", line 9, in handle
    return message["id"]
           ~~~~~~~^^^^^^
  File "/usr/lib/python3.11/collections/__init__.py", line 1006, in __getitem__
    raise KeyError(key)
KeyError: 'id'
"""
NODE = """/srv/a.mjs:9
  return message.id.length;
                    ^

TypeError: Cannot read properties of undefined (reading 'length')
    at JSON.parse (<anonymous>)
    at handle (/srv/a.mjs:9:21)
    at Socket.<anonymous> (/srv/a.mjs:30:5)
"""
GO = """\
panic: no such row: 17

goroutine 1 [running]:
panic({0x5d1f80?, 0xc000012345?})
	/usr/local/go/src/runtime/panic.go:792 +0x132
main.cThrow(0x40?, 0x65f188?, 0x5299ea?)
	/srv/host.go:176 +0x57
main.main()
	/srv/host.go:390 +0x48e
exit status 2
"""

PERL = """\
malformed JSON string, at character offset 0 (before "x: y") at host.pl line 8.
Not a HASH reference at host.pl line 9, <STDIN> line 3.
"""

IMPORTS = """\
Traceback (most recent call last):
  File "host.py", line 2, in <module>
    from tools import handlers
ImportError: cannot import name 'handlers' from 'tools'
"""

RUBY = """\
/usr/lib/ruby/json.rb:216:in `parse': unexpected token at '{ (JSON::ParserError)
'
\tfrom /usr/lib/ruby/3.1.0/json/common.rb:216:in `parse'
\tfrom host.rb:11:in `run'
\tfrom host.rb:76:in `<main>'
"""

RUBY_THREAD = """\
#<Thread:0x00007fea host.rb:3 run> terminated with exception:
host.rb:4:in 'block in <main>': no such tool (KeyError)
"""

RUST = """\

thread 'main' (6114) panicked at src/main.rs:1:72:
called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""

PHP = """\
PHP Fatal error:  Uncaught TypeError: f(): Argument #1 must be an array in /srv/h.php:9
Stack trace:
#0 {main}
  thrown in /srv/h.php on line 9
"""


def result(text: str, name: str = "a", verdict: Verdict = Verdict.FAILED) -> Result:
    data = text.encode()
    entries = [Entry(0.0, "stderr", data, len(data))] if text else []
    return Result(name, ("X-1",), "must", "seed", verdict, entries=entries)


@pytest.mark.parametrize(
    ("text", "raised"),
    [
        (PYTHON, Raised("KeyError: 'id'", 'File "a.py", line 9, in handle')),
        (
            NODE,
            Raised(
                "TypeError: Cannot read properties of undefined (reading 'length')",
                "at handle (/srv/a.mjs:9:21)",
            ),
        ),
        (GO, Raised("panic: no such row: 17", "/srv/host.go:176")),
        (GO.partition("\n")[0], Raised("panic: no such row: 17", "")),
        (
            PERL,
            Raised("Not a HASH reference", "host.pl line 9", names_kind=False),
        ),
        (
            IMPORTS,
            Raised(
                "ImportError: cannot import name 'handlers' from 'tools'",
                'File "host.py", line 2, in <module>',
            ),
        ),
        (
            RUBY,
            Raised(
                "JSON::ParserError: unexpected token at '{", "from host.rb:11:in `run'"
            ),
        ),
        (
            RUBY_THREAD,
            Raised("KeyError: no such tool", "host.rb:4:in 'block in <main>'"),
        ),
        (
            RUST,
            Raised(
                "called `Result::unwrap()` on an `Err` value: "
                "ParseIntError { kind: InvalidDigit }",
                "src/main.rs:1:72",
                names_kind=False,
            ),
        ),
        (
            PHP,
            Raised("TypeError: f(): Argument #1 must be an array", "/srv/h.php:9"),
        ),
        ("it listens at port 9.\n", None),
        ("warning: an Error may come\n", None),
        ("", None),
    ],
)
def test_an_exception_is_read_in_each_language(text: str, raised: Raised) -> None:
    assert exception_of(result(text)) == raised


def test_what_perl_dies_of_is_one_cause_where_it_has_one_place() -> None:
    texts = ["malformed JSON: a", "illegal character", "garbage after JSON: b"]
    results = [
        result(f"{text} at host.pl line 8, <STDIN> line {place}.\n", text)
        for place, text in enumerate(texts)
    ]
    (shared,) = shared_exceptions(results)
    assert shared.raised.where == "host.pl line 8"
    assert len(shared.results) == 3


def test_the_last_of_several_counts() -> None:
    found = exception_of(result(PYTHON + NODE))
    assert found is not None
    assert found.what.startswith("TypeError")


def test_the_end_of_a_long_one_is_taken_from_the_tail() -> None:
    head = Entry(0.0, "stderr", PYTHON.encode()[:40], len(PYTHON))
    cut = Result("a", ("X-1",), "must", "seed", Verdict.FAILED, entries=[head])
    whole = Result(
        "a", ("X-1",), "must", "seed", Verdict.FAILED, entries=[head], stderr=PYTHON
    )
    assert exception_of(cut) is None
    assert exception_of(whole) is not None


def test_exceptions_of_one_place_are_one_whatever_their_values() -> None:
    other = PYTHON.replace("'id'\n", "'name'\n")
    (shared,) = shared_exceptions([result(PYTHON), result(other), result(PYTHON)])
    assert len(shared.results) == 3


def test_a_failure_that_checks_of_several_clauses_were_answered_with_is_one_cause() -> (
    None
):
    def refused(clause: str, call: str, why: str = "V: must be a x") -> Result:
        reason = f"it was lost: {call} was answered with a failure: {why}"
        return replace(result("", call), clauses=(clause,), reason=reason)

    found = [refused("X-1", f"call {n}") for n in range(3)]
    found += [refused("X-2", f"call {n}") for n in range(2)]
    assert shared_refusals(found[:4]) == []
    (shared,) = shared_refusals([*found, refused("X-3", "other", "no such table")])
    assert shared.raised == Raised("the failure V: must be a x", "")
    assert [len(one) for one in shared.only.values()] == [3, 2]
    one_clause = [refused("X-1", f"call {n}") for n in range(9)]
    assert shared_refusals(one_clause) == []


def with_value(name: str, clause: str, values: str) -> Result:
    why = 'why it is tried, from other programs: "It is odd."'
    reason = f"with the value {values}: it is null ({why})"
    found = replace(result("", name), clauses=(clause,), reason=reason)
    return replace(found, evidence={"values": values})


def test_a_value_that_checks_of_several_clauses_fail_with_is_one_cause() -> None:
    found = [with_value("a", "X-1", "date"), with_value("b", "X-2", "date")]
    found += [with_value("c", "X-2", "date"), with_value("d", "X-2", "zero")]
    (shared,) = shared_values(found)
    assert shared.raised == Raised('the value date (tried because: "It is odd.")', "")
    assert [one.id for one in shared.results] == ["a", "b", "c"]
    assert list(shared.only) == ["X-1"]


@pytest.mark.parametrize(
    "found",
    [
        # Too few.
        [with_value("a", "X-1", "date"), with_value("b", "X-2", "date")],
        # One clause says it all.
        [with_value(name, "X-1", "date") for name in "abcd"],
        # It is hardly the value.
        [with_value(name, f"X-{name}", "date, zero") for name in "abcd"],
    ],
)
def test_other_values_are_none(found: list[Result]) -> None:
    assert shared_values(found) == []


def test_the_trace_of_one_exception_is_shown_once_whatever_its_value() -> None:
    def told(name: str, value: str) -> Result:
        text = NODE.replace("'length'", value)
        return replace(result(text, name), stderr=text)

    traces = Traces({"RangeError at f": "x/a/other"})
    assert traces.before(told("x/a/first", "a")) == ""
    assert traces.before(told("x/a/second", "b")) == "x/a/first"
    assert traces.before(told("x/a/first", "a")) == "x/a/first"


def test_a_trace_that_no_end_of_stderr_shows_stands_nowhere_above() -> None:
    traces = Traces()
    assert traces.before(result(NODE, "x/a/first")) == ""
    assert traces.before(result(NODE, "x/a/second")) == ""


def test_what_is_no_exception_has_no_trace_to_be_shown_before() -> None:
    traces = Traces()
    assert traces.before(result(GO, "x/a/first")) == ""
    assert traces.before(result(GO, "x/a/second")) == ""


def test_two_checks_are_too_few_for_a_cause() -> None:
    assert shared_exceptions([result(PYTHON), result(PYTHON), result("")]) == []
