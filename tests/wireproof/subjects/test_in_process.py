"""Objects in Python, served in a process of their own as the bridge has it."""

from __future__ import annotations

import json
import sys
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar

import pytest
from tests.bridge import Driver

from wireproof.subjects import _in_process
from wireproof.subjects._in_process import (
    IN_PROCESS_VARIABLE,
    called,
    placed,
    plain,
    signature_as_json,
    signature_of,
    written,
)

OPS = ["give", "keep", "other"]

GIVES = """
class Subject:
    def give(self, one):
        {body}
"""

Serve = Callable[..., Driver]


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Return what serves an attribute of a module of a few lines."""
    with ExitStack() as stack:

        def start(
            source: str, subject: str = "own:Subject", inside: str = ""
        ) -> Driver:
            (tmp_path / "own.py").write_text(source)
            (tmp_path / "inside.py").write_text(inside)
            told = {
                "subject": subject,
                "path": [str(tmp_path), *sys.path],
                "ops": OPS,
                "inside": str(tmp_path / "inside.py") if inside else "",
            }
            monkeypatch.setenv(IN_PROCESS_VARIABLE, json.dumps(told))
            command = (sys.executable, "-P", _in_process.__file__)
            return stack.enter_context(Driver(*command, cwd=tmp_path))

        yield start


def gives(body: str) -> str:
    return GIVES.format(body=body.replace("\n", "\n        "))


# --- what is served


@pytest.mark.parametrize(
    ("subject", "expression"),
    [
        ("own:it", "own.it"),
        ("own:Subject", "own.Subject()"),
        ("own:make", "own.make()"),
        ("own:Place.it", "own.Place.it"),
        ("own:Place.Inner.make", "own.Place.Inner.make()"),
        ("own:callable_one", "own.callable_one"),
        ("package.deep:it", "package.deep.it"),
    ],
)
def test_an_object_a_class_or_a_factory_is_served(
    serve: Serve, tmp_path: Path, subject: str, expression: str
) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "deep.py").write_text("from own import it")
    source = """
class Subject:
    def give(self, one):
        return [one]
class Place:
    it = Subject()
    class Inner:
        @staticmethod
        def make():
            return Subject()
def make():
    return Subject()
async def make_slowly():
    return Subject()
class CallableOne(Subject):
    def __call__(self):
        raise RuntimeError("it was called")
it = Subject()
callable_one = CallableOne()
"""
    driver = serve(source, subject)
    assert driver.value("describe")["expression"] == expression
    assert driver.value("give", one=5) == [5]


@pytest.mark.parametrize(
    "source",
    [
        "class Subject:\n    async def give(self, one): return [one]",
        "import own\nasync def Subject(): return own\ndef give(one): return [one]",
    ],
)
def test_what_has_to_be_awaited_is_served_but_is_no_expression(
    serve: Serve, source: str
) -> None:
    driver = serve(source)
    assert driver.value("describe")["expression"] == ""
    assert driver.value("give", one=5) == [5]


def test_a_module_may_be_the_object(serve: Serve) -> None:
    driver = serve("import own as it\ndef give(one): return [one]", "own:it")
    assert driver.value("give", one=5) == [5]


def test_the_object_is_made_once(serve: Serve) -> None:
    source = """
class Subject:
    def __init__(self): self.asked = 0
    def give(self, one):
        self.asked += 1
        return self.asked
"""
    driver = serve(source)
    assert [driver.value("give", one=0) for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("source", "subject", "detail"),
    [
        ("import sys; sys.exit(3)", "own:it", "cannot import own: SystemExit: 3"),
        ("1 / 0", "own:it", "cannot import own: ZeroDivisionError: division by zero"),
        (
            "def make(): raise ValueError('no key')",
            "own:make",
            "own:make was called and raised ValueError: no key",
        ),
        (
            "async def make(): raise SystemExit(2)",
            "own:make",
            "own:make was called and raised SystemExit: 2",
        ),
        (
            "it = object()",
            "own:it",
            "own:it is a object with none of the methods give, keep, other",
        ),
        (
            "def make(): return 5",
            "own:make",
            "own:make is a int with none of the methods give, keep, other",
        ),
    ],
)
def test_what_cannot_be_served_is_refused_with_its_reason(
    serve: Serve, source: str, subject: str, detail: str
) -> None:
    driver = serve(source, subject)
    assert driver.error("describe") == {"type": "Unusable", "detail": detail}
    assert driver.error("give", one=1)["detail"] == detail


@pytest.mark.parametrize("subject", ["nothing:it", "nothing.deeper:it"])
def test_a_module_that_is_not_there_is_refused_with_the_place_and_a_remedy(
    serve: Serve, tmp_path: Path, subject: str
) -> None:
    detail = serve("", subject).error("describe")["detail"]
    assert detail == (
        f"cannot import {subject[:-3]}: ModuleNotFoundError: No module named 'nothing'"
        f"; modules are looked for in {tmp_path}, then where this Python has them: "
        "start the run elsewhere, set pytest's pythonpath, or install what is missing"
    )


@pytest.mark.parametrize("attribute", ["it", "Subject.deeper", "nothing.deeper"])
def test_an_attribute_that_is_not_there_is_refused_with_the_file(
    serve: Serve, tmp_path: Path, attribute: str
) -> None:
    driver = serve("class Subject: pass", f"own:{attribute}")
    assert driver.error("describe")["detail"] == (
        f"own ({tmp_path}/own.py) has no {attribute}"
    )


def test_a_module_is_found_by_the_users_variable_too(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "deep.py").write_text("def give(one): return [one]")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "more"))
    assert serve("import deep as it", "own:it").value("give", one=1) == [1]


def test_a_module_that_cannot_be_parsed_is_refused(serve: Serve) -> None:
    detail = serve("def", "own:it").error("describe")["detail"]
    assert detail.startswith("cannot import own: SyntaxError: ")


def test_a_class_that_wants_arguments_is_refused(serve: Serve) -> None:
    source = "class Subject:\n    def __init__(self, key): pass"
    detail = serve(source).error("describe")["detail"]
    assert detail.startswith("own:Subject was called and raised TypeError: ")
    assert "'key'" in detail


# --- what is said of it


def test_the_description_has_the_ops_that_the_object_has(serve: Serve) -> None:
    source = (
        "class Subject:\n    give = lambda self: 1\n    other = 5\n    more = print"
    )
    found = serve(source).value("describe")
    version = "{}.{}.{}".format(*sys.version_info[:3])
    assert found == {
        "name": "own.Subject()",
        "version": "",
        "language": f"Python {version}",
        "ops": ["give"],
        "formats": [],
        "halfPairs": True,
        "expression": "own.Subject()",
        "signatures": {"give": []},
    }


def test_an_object_may_describe_itself(serve: Serve) -> None:
    source = """
class Subject:
    give = keep = print
    async def describe(self):
        return {"name": "it", "version": 2, "ops": ["keep", "other"], "formats": ["f"]}
"""
    found = serve(source).value("describe")
    assert (found["name"], found["version"]) == ("it", "2")
    assert (found["ops"], found["formats"]) == (["keep"], ["f"])


def test_formats_may_be_an_attribute(serve: Serve) -> None:
    source = "class Subject:\n    give = print\n    formats = ('a', 'b')"
    assert serve(source).value("describe")["formats"] == ["a", "b"]


def test_targets_are_told_where_the_subject_says_them(serve: Serve) -> None:
    source = "class Subject:\n    give = print\n    targets = ('core',)"
    assert serve(source).value("describe")["targets"] == ["core"]
    assert "targets" not in serve("class Subject:\n    give = print").value("describe")


@pytest.mark.parametrize(
    ("key", "attribute", "told"),
    [
        ("targets", "{'give': ('core',)}", {"give": ["core"]}),
        ("lacks", "('custom',)", ["custom"]),
        ("steps", "{'return'}", ["return"]),
        ("halfPairs", "False", False),
        ("lengthUnit", "'utf16'", "utf16"),
    ],
)
def test_a_subject_says_of_itself_by_attributes_or_describe(
    serve: Serve, key: str, attribute: str, told: Any
) -> None:
    source = "class Subject:\n    give = print\n    {}"
    by_attribute = serve(source.format(f"{key} = {attribute}")).value("describe")
    describe = f"def describe(self): return {{{key!r}: {attribute}}}"
    by_method = serve(source.format(describe)).value("describe")
    assert (by_attribute[key], by_method[key]) == (told, told)


@pytest.mark.parametrize("lacks", ["print", "'text'", "5", "{'a': 1}"])
def test_an_attribute_of_another_shape_says_nothing(serve: Serve, lacks: str) -> None:
    source = f"class Subject:\n    give = print\n    lacks = steps = {lacks}"
    found = serve(source).value("describe")
    assert {"lacks", "steps"} & found.keys() == set()


@pytest.mark.parametrize("formats", ["None", "'text'", "print"])
def test_an_attribute_of_that_name_need_not_hold_formats(
    serve: Serve, formats: str
) -> None:
    source = f"class Subject:\n    give = print\n    formats = {formats}"
    assert serve(source).value("describe")["formats"] == []


@pytest.mark.parametrize("given", ["None", "'text'", "[1]"])
def test_a_description_that_is_no_object_says_nothing(serve: Serve, given: str) -> None:
    source = f"class Subject:\n    give = print\n    def describe(self): return {given}"
    assert serve(source).value("describe")["name"] == "own.Subject()"


def test_a_description_that_raises_is_a_refusal(serve: Serve) -> None:
    source = "class Subject:\n    give = print\n    def describe(self): 1 / 0"
    assert serve(source).error("describe") == {
        "type": "ZeroDivisionError",
        "detail": "division by zero",
    }


# --- calls


def test_arguments_go_by_name(serve: Serve) -> None:
    source = "class Subject:\n    def give(self, b, *, a): return [a, b]"
    assert serve(source).value("give", a=1, b=2) == [1, 2]


def test_a_method_may_be_a_coroutine(serve: Serve) -> None:
    source = """
import asyncio
class Subject:
    async def give(self, one):
        await asyncio.sleep(0)
        return [one]
"""
    assert serve(source).value("give", one=1) == [1]


def test_all_coroutines_run_on_one_loop(serve: Serve) -> None:
    source = """
import asyncio
async def make():
    subject = Subject()
    subject.loop = asyncio.get_running_loop()
    return subject
class Subject:
    async def give(self, one):
        return asyncio.get_running_loop() is self.loop
"""
    driver = serve(source, "own:make")
    assert driver.value("give", one=1) is True
    assert driver.value("give", one=1) is True


def test_an_error_is_a_refusal(serve: Serve) -> None:
    driver = serve(gives("raise LookupError(one)"))
    assert driver.error("give", one="no such tool") == {
        "type": "LookupError",
        "detail": "no such tool",
    }
    assert driver.error("give", one="again")["detail"] == "again"


def test_the_text_of_an_error_is_bounded(serve: Serve) -> None:
    error = serve(gives("raise ValueError('x' * 5000)")).error("give", one=1)
    assert error["detail"] == "x" * 2_000


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_leaving_the_program_is_a_refusal(serve: Serve, kind: str) -> None:
    source = f"""
class Subject:
    {kind} give(self, one):
        raise SystemExit(one)
    def keep(self):
        return "alive"
"""
    driver = serve(source)
    assert driver.error("give", one=3) == {"type": "SystemExit", "detail": "3"}
    assert driver.value("keep") == "alive"


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "GeneratorExit"])
def test_what_is_no_exception_of_programs_is_a_refusal_too(
    serve: Serve, error: str
) -> None:
    driver = serve(gives(f"raise {error}('so')"))
    assert driver.error("give", one=1) == {"type": error, "detail": "so"}
    assert driver.error("give", one=2) == {"type": error, "detail": "so"}


def test_a_cancelled_call_is_a_refusal(serve: Serve) -> None:
    source = """
import asyncio
class Subject:
    async def give(self, one):
        raise asyncio.CancelledError("late")
"""
    driver = serve(source)
    assert driver.error("give", one=1) == {"type": "CancelledError", "detail": "late"}


def test_an_error_that_has_no_text_is_a_refusal(serve: Serve) -> None:
    source = """
class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")
class Subject:
    def give(self, one):
        raise Mute
"""
    driver = serve(source)
    wanted = {"type": "Mute", "detail": "its text cannot be had: ValueError"}
    assert driver.error("give", one=1) == wanted
    assert driver.error("give", one=2) == wanted


def test_a_value_that_cannot_be_read_out_is_a_refusal(serve: Serve) -> None:
    source = """
class Model:
    def model_dump(self):
        raise KeyError("gone")
class Subject:
    def give(self, one):
        return [Model()]
    def keep(self):
        return "alive"
"""
    driver = serve(source)
    assert driver.error("give", one=1) == {
        "type": "KeyError",
        "detail": "what it gave is no JSON value: 'gone'",
    }
    assert driver.value("keep") == "alive"


def test_recursion_without_end_is_a_refusal(serve: Serve) -> None:
    assert serve(gives("self.give(one)")).error("give", one=1)["type"] == (
        "RecursionError"
    )


@pytest.mark.parametrize("op", ["keep", "more", "__init__", ""])
def test_a_method_that_is_no_op_of_the_object_is_refused(serve: Serve, op: str) -> None:
    driver = serve(gives("return 1") + "    def more(self): return 1")
    assert driver.error(op) == {
        "type": "UnknownOp",
        "detail": f"own.Subject() has no method {op}",
    }


def test_what_is_printed_does_not_come_between_the_answers(serve: Serve) -> None:
    source = gives(
        "import os, subprocess\n"
        "print('a word')\n"
        "os.write(1, b'a word')\n"
        "subprocess.run(['echo', 'a word'])\n"
        "return one"
    )
    assert serve(f"print('imported')\n{source}").value("give", one=1) == 1


def test_there_is_nothing_to_read(serve: Serve) -> None:
    driver = serve(gives("import sys\nreturn sys.stdin.read() + 'end'"))
    assert driver.value("give", one=1) == "end"
    assert driver.value("give", one=1) == "end"


def test_asking_for_input_is_a_refusal(serve: Serve) -> None:
    assert serve(gives("return input()")).error("give", one=1)["type"] == "EOFError"


def test_the_object_is_told_nothing_of_the_suite(serve: Serve) -> None:
    body = f"import os\nreturn {IN_PROCESS_VARIABLE!r} in os.environ"
    assert serve(gives(body)).value("give", one=1) is False


def test_modules_of_the_suite_do_not_stand_before_those_of_the_user(
    serve: Serve,
) -> None:
    body = "import sys\nreturn [name for name in sys.modules if 'wireproof' in name]"
    assert serve(gives(body)).value("give", one=1) == []


@pytest.mark.parametrize("value", [10**400, "\u2028\r\n", 5e-324, [], {}, None])
def test_values_come_back_as_they_were(serve: Serve, value: Any) -> None:
    assert serve(gives("return one")).value("give", one=value) == value


def test_half_a_surrogate_pair_may_come_back(serve: Serve) -> None:
    assert serve(gives("return chr(0xD800)")).value("give", one=1) == "\ud800"


# --- what is told beside the value


def test_an_echo_tells_the_arguments_afterwards(serve: Serve) -> None:
    driver = serve(gives("one['changed'] = True\nreturn 1"))
    assert driver.ask("give", one={}, echo=True) == {
        "id": 1,
        "ok": True,
        "value": 1,
        "args": {"one": {"changed": True}},
        "shared": False,
    }


def test_an_echo_tells_them_after_a_refusal_too(serve: Serve) -> None:
    driver = serve(gives("one['changed'] = True\nraise ValueError('no')"))
    assert driver.ask("give", one={}, echo=True) == {
        "id": 1,
        "ok": False,
        "error": {"type": "ValueError", "detail": "no"},
        "args": {"one": {"changed": True}},
    }


def test_the_time_of_the_processor_is_told_where_it_is_asked_for(serve: Serve) -> None:
    driver = serve(gives("while one: one -= 1\nreturn 'done'"))
    long = driver.ask("give", one=1_000_000, timed=True)["seconds"]
    short = driver.ask("give", one=1, timed=True)["seconds"]
    assert 0 <= short < long < 20


def test_nothing_is_told_that_was_not_asked_for(serve: Serve) -> None:
    answer = serve(gives("return one")).ask("give", one={})
    assert answer == {"id": 1, "ok": True, "value": {}}


@pytest.mark.parametrize(
    ("body", "shared"),
    [
        ("return one", True),
        ("return {'new': one['a']}", True),
        ("return [{'b': one['a']['b']}]", True),
        ("return (one,)", True),
        ("return {'new': (one['a'],)}", True),
        ("import copy; return copy.deepcopy(one)", False),
        ("return one['text']", False),
        ("return {'text': one['text']}", False),
    ],
)
def test_an_echo_tells_whether_the_value_shares_a_mutable_part(
    serve: Serve, body: str, *, shared: bool
) -> None:
    one = {"a": {"b": [1]}, "text": "a text"}
    answer = serve(gives(body)).ask("give", one=one, echo=True)
    assert answer["shared"] is shared


# --- ops that need the object itself


def test_ops_of_a_file_are_given_the_object(serve: Serve) -> None:
    inside = "OPS = {'look': lambda served, name: [served.subject.secret, name]}"
    driver = serve(gives("return 1") + "    secret = 7", inside=inside)
    assert driver.value("look", name="it") == [7, "it"]


def test_an_error_of_such_an_op_is_a_refusal(serve: Serve) -> None:
    driver = serve(gives("return 1"), inside="OPS = {'look': lambda served: 1 / 0}")
    assert driver.error("look")["type"] == "ZeroDivisionError"


# --- how a method is called


def by_name(one: int, two: int = 0) -> list[int]:
    return [one, two]


def by_place(*values: int) -> list[int]:
    return list(values)


def by_any_name(**values: int) -> dict[str, int]:
    return values


def with_another_first(schema: int, /, two: int) -> list[int]:
    return [schema, two]


def with_other_names(a: int, b: int) -> list[int]:
    return [a, b]


def with_another_first_and_any(a: int, **others: int) -> list[int]:
    return [a, *others.values()]


@pytest.mark.parametrize(
    ("method", "arguments", "given"),
    [
        (by_name, {"two": 2, "one": 1}, [1, 2]),
        (by_name, {"one": 1}, [1, 0]),
        (by_place, {"one": 1, "two": 2}, [1, 2]),
        (by_any_name, {"one": 1}, {"one": 1}),
        (with_another_first, {"one": 1, "two": 2}, [1, 2]),
        (with_other_names, {"one": 1, "two": 2}, [1, 2]),
        (with_another_first_and_any, {"one": 1, "two": 2}, [1, 2]),
        (dict, {"one": 1}, {"one": 1}),
        (lambda: 5, {}, 5),
    ],
)
def test_arguments_go_as_the_method_takes_them(
    method: Callable[..., Any], arguments: dict[str, Any], given: Any
) -> None:
    assert called(method, arguments) == given


def by_keyword(*, one: int, two: int = 0) -> list[int]:
    return [one, two]


@pytest.mark.parametrize(
    ("method", "count"),
    [(by_name, 1), (by_keyword, 0), (by_place, 2), (with_other_names, 2)],
)
def test_a_signature_can_be_told(method: Callable[..., Any], count: int) -> None:
    told = json.loads(json.dumps(signature_as_json(method)))
    arguments = {"one": 1, "two": 2}
    assert placed(signature_of(told), arguments, (1, 0)) == count


def test_a_method_without_a_signature_tells_none() -> None:
    assert signature_as_json(dict) is None


def test_too_many_arguments_are_an_error() -> None:
    with pytest.raises(TypeError):
        called(lambda one: one, {"one": 1, "two": 2})


# --- what a method gives


@dataclass
class Record:
    name: str
    parts: list[int] = field(default_factory=list)
    kind: ClassVar[str] = "no field"


@dataclass(frozen=True, slots=True)
class Slotted:
    name: str


Pair = namedtuple("Pair", ["one", "two"])  # noqa: PYI024 - the untyped one is tried


class Model:
    def model_dump(self) -> dict[str, Any]:
        return {"dumped": True}


class Plain:
    def __init__(self) -> None:
        self.name = "it"
        self._own = "hidden"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        ("text", "text"),
        ([1], [1]),
        ({"a": 1}, {"a": 1}),
        (Record("it", [1]), {"name": "it", "parts": [1]}),
        (Slotted("it"), {"name": "it"}),
        (Pair(1, 2), {"one": 1, "two": 2}),
        (Model(), {"dumped": True}),
        ((1, 2), [1, 2]),
        (iter([1, 2]), [1, 2]),
        ({1}, [1]),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (OrderedDict(a=1), {"a": 1}),
        (SimpleNamespace(a=1), {"a": 1}),
        (Plain(), {"name": "it"}),
    ],
)
def test_what_a_method_gives_is_told_as_json(value: Any, shown: Any) -> None:
    assert plain(value) == shown


@pytest.mark.parametrize("value", [1j, b"bytes", bytearray(1), Record, print])
def test_what_has_no_shape_in_json_stays_what_it_is(value: Any) -> None:
    assert plain(value) is value


def test_what_stands_deeper_is_told_as_json_too() -> None:
    answer = {"id": 1, "ok": True, "value": [{"a": Record("it", [1])}, (Slotted("b"),)]}
    assert json.loads(written(answer))["value"] == [
        {"a": {"name": "it", "parts": [1]}},
        [{"name": "b"}],
    ]


@pytest.mark.parametrize(
    ("value", "kind", "detail"),
    [
        (float("nan"), "ValueError", "Out of range float values"),
        (float("inf"), "ValueError", "Out of range float values"),
        ([1j], "TypeError", "a complex stands in it"),
        (b"bytes", "TypeError", "a bytes stands in it"),
        ({"a": print}, "TypeError", "a builtin_function_or_method stands in it"),
        ({(1, 2): 3}, "TypeError", "keys must be"),
    ],
)
def test_a_value_that_is_no_json_is_a_refusal(
    value: Any, kind: str, detail: str
) -> None:
    answer = json.loads(written({"id": 1, "ok": True, "value": value}))
    assert (answer["id"], answer["ok"]) == (1, False)
    assert answer["error"]["type"] == kind
    assert answer["error"]["detail"].startswith(
        f"what it gave is no JSON value: {detail}"
    )


def test_a_value_that_holds_itself_is_a_refusal() -> None:
    value: list[Any] = []
    value.append(value)
    answer = json.loads(written({"id": 1, "ok": True, "value": value}))
    assert answer["error"]["type"] == "ValueError"


def test_a_value_that_is_nested_too_deep_is_a_refusal(serve: Serve) -> None:
    body = "for _ in range(100_000): one = [one]\nreturn one"
    driver = serve(gives(body))
    assert driver.error("give", one=1)["type"] == "RecursionError"
    assert driver.error("give", one=1)["type"] == "RecursionError"
