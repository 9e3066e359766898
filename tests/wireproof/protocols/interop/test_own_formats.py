"""Formats that a registry declares beside those of the table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wireproof.protocols.interop.conftest import DRIVER

from wireproof.checks import Difference, Result, Verdict
from wireproof.protocols.interop._protocol import PROTOCOL
from wireproof.run import EngineSuite

(OWN_FORMATS,) = (
    one for one in PROTOCOL.properties("scenario") if one.name == "declared-formats"
)

Open = Callable[..., EngineSuite]

# A registry that has one more format, acme.tool, and ways to and from it.
ACME = """
class Acme(InteropSubject):
    formats = ("openai.chat_completions.function", "acme.tool")
    def describe(self):
        return {"ops": ["convert_schemas", "inspect_schema"], "formats": self.formats}
    def convert_schemas(self, schemas, target, target_formats=None):
        return [self.one(schema, target, target_formats) for schema in schemas]
    def one(self, schema, target, target_formats):
        acme = schema.get("type") == "acme"
        if target_formats == ["acme.tool"]:
            return schema if acme else self.there(schema)
        if acme:
            schema = self.back(schema)
        return super().convert_schemas([schema], target, target_formats)[0]
    def there(self, schema):
        name = schema.get("function", schema)["name"]
        return {"type": "acme", "title": name}
    def back(self, schema):
        function = {"name": schema["title"], "description": "", "parameters": {}}
        return {"type": "function", "function": function}
    def inspect_schema(self, schema):
        if schema.get("type") == "acme":
            return {"name": schema["title"], "format": "acme.tool"}
        return super().inspect_schema(schema)
"""

CHAT = "openai.chat_completions"

WAYS = [
    "from openai.chat_completions.function",
    "to openai.chat_completions.function",
    "to openai.responses.function",
    "from openai.responses.function",
]


def run(open_suite: Open, more: str = "", **options: object) -> Result:
    source = f"{ACME}\nclass Subject(Acme):\n    pass\n{more}"
    suite = open_suite(module=source, checks=[OWN_FORMATS], **options)
    return suite.run(OWN_FORMATS)


def test_a_format_is_reached_inspected_handed_on_and_left(open_suite: Open) -> None:
    result = run(open_suite)
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")
    assert result.evidence["ways"] == {"acme.tool": WAYS}


def test_a_registry_without_a_format_of_its_own_is_not_applicable(
    open_suite: Open,
) -> None:
    suite = open_suite(checks=[OWN_FORMATS])
    result = suite.run(OWN_FORMATS)
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        "it needs a format of its own, which the registry has not",
    )


def test_a_format_that_no_way_leads_to_is_not_applicable(open_suite: Open) -> None:
    result = run(open_suite, "    def there(self, schema): raise ValueError('no way')")
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        (
            "it needs a way from a function schema to acme.tool, "
            "which the registry has not"
        ),
    )


def test_a_format_that_no_way_leaves_is_exercised_as_far_as_it_goes(
    open_suite: Open,
) -> None:
    result = run(open_suite, "    def back(self, schema): raise ValueError('no way')")
    assert result.evidence["ways"] == {"acme.tool": [WAYS[0], WAYS[3]]}


def test_a_format_that_is_not_inspected_is_exercised_all_the_same(
    open_suite: Open,
) -> None:
    refusing = "    def inspect_schema(self, schema):\n        raise ValueError\n"
    setup = {
        "controls": {
            "convert_schemas": [
                {
                    "input": {
                        "schemas": [{"type": "acme", "title": "x"}],
                        "target": "openai.responses",
                    },
                    "expected": [{"name": "x"}],
                }
            ],
            "inspect_schema": [
                {"input": {"schema": {}}, "error": {"mentions": []}},
            ],
        }
    }
    assert run(open_suite, refusing, setup=setup).verdict is Verdict.PASSED


CHANGED_ON_THE_WAY = """
    def one(self, schema, target, target_formats):
        if target_formats == ["acme.tool"]:
            return {"type": "acme", "title": "read_file", "of": schema}
        return super().one(schema, target, target_formats)
"""
RENAMED = """
    def there(self, schema):
        return {"type": "acme", "title": "another"}
"""
NAMELESS = """
    def back(self, schema):
        return {"type": "function", "function": {"name": "x"}}
"""
LOST = """
    def convert_schemas(self, schemas, target, target_formats=None):
        found = super().convert_schemas(schemas, target, target_formats)
        return [] if target_formats == ["acme.tool"] else found
"""


@pytest.mark.parametrize(
    ("more", "reason", "where"),
    [
        (
            CHANGED_ON_THE_WAY,
            "a schema of acme.tool is not handed on although acme.tool is accepted",
            "acme.tool",
        ),
        (
            RENAMED,
            "inspect_schema says something else of a schema of acme.tool",
            "acme.tool",
        ),
        (
            NAMELESS,
            f"the name is lost on the way from acme.tool to {CHAT}.function",
            "name",
        ),
        (LOST, "one schema converted to acme.tool is not one schema", "acme.tool"),
    ],
)
def test_a_format_that_does_not_work_fails(
    open_suite: Open, more: str, reason: str, where: str
) -> None:
    result = run(open_suite, more)
    assert (result.verdict, result.reason) == (Verdict.FAILED, reason)
    assert [one.where for one in result.differences] == [where]


def test_what_was_said_otherwise_is_shown(open_suite: Open) -> None:
    assert run(open_suite, RENAMED).differences == (
        Difference(
            "acme.tool",
            {"name": "read_file", "format": "acme.tool"},
            {"name": "another", "format": "acme.tool"},
        ),
    )


def test_a_registry_that_dies_on_the_way_fails(open_suite: Open) -> None:
    dies = "    def there(self, schema):\n        import os; os._exit(2)"
    result = run(open_suite, dies)
    assert (result.verdict, result.reason) == (
        Verdict.FAILED,
        "the subject exited with status 2 and did not answer `convert_schemas`",
    )


def test_a_driver_declares_formats_too(open_suite: Open) -> None:
    result = run(open_suite, command=DRIVER)
    assert result.verdict is Verdict.PASSED, result.reason
