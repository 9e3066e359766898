"""Registries that cut a name that no provider takes: INT-S1 to S3."""

from __future__ import annotations

from typing import Any

from tests.proof.interop.schema_faults import ConvertedSubject
from tests.proof.interop.subject import (
    Json,
    SchemaSubject,
    body_of,
    broken,
    is_accepted,
)

MOST_OF_A_NAME = 64
"""Characters of a name that providers take."""


@broken("long-names-stay-cut", "INT-S11", "cuts a name that it hands on at 64 letters")
class LongNamesStayCut(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        if is_accepted(made, source):
            body = body_of(made)
            body["name"] = body["name"][:MOST_OF_A_NAME]
        return made


@broken("long-names-cut", "INT-S11", "cuts a name at 64 letters on its way")
class LongNamesCut(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        body["name"] = body["name"][:MOST_OF_A_NAME]
        return made


@broken("long-custom-names-cut", "INT-S11", "cuts a custom tool's name at 64 letters")
class LongCustomNamesCut(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        if made["type"] == "function" and source["type"] == "custom":
            body = body_of(made)
            body["name"] = body["name"][:MOST_OF_A_NAME]
        return made
