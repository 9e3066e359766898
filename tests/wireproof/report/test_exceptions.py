"""Exceptions on a subject's stderr: what is read as one, and which are shared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wireproof.checks import Entry, Result, Verdict
from wireproof.report import Raised, Traces, exception_of, explain

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


def test_what_perl_dies_of_is_one_cause_if_it_has_one_place() -> None:
    texts = ["malformed JSON: a", "illegal character", "garbage after JSON: b"]
    results = [
        result(f"{text} at host.pl line 8, <STDIN> line {place}.\n", text)
        for place, text in enumerate(texts)
    ]
    (cause,) = explain(results, ())
    assert cause.raised is not None
    assert cause.raised.where == "host.pl line 8"
    assert len(cause.results) == 3


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
    (cause,) = explain([result(PYTHON), result(other), result(PYTHON)], ())
    assert len(cause.results) == 3


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


def test_an_exception_of_two_checks_is_no_cause() -> None:
    causes = explain([result(PYTHON), result(PYTHON), result("")], ())
    assert [cause.raised for cause in causes] == [None]
