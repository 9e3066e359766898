"""Arguments checked against a JSON Schema (2020-12), in words for whoever called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from wireproof_reference.framing import dumps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema import Draft202012Validator, ValidationError

    from wireproof_reference.framing import JSON, JSONObject

# The rule that arguments break is quoted, and may be a schema of any size.
_MAX_RULE_CHARACTERS: Final = 200


class ArgumentSchema:
    """The schema of a tool's arguments; jsonschema, slow to import, waits for a use.

    Args:
        schema: The JSON Schema.
    """

    def __init__(self, schema: JSONObject) -> None:
        self._schema = schema
        self._validator: Draft202012Validator | None = None

    def check(self) -> None:
        """See that it is a JSON Schema.

        Raises:
            jsonschema.SchemaError: It is none.
        """
        from jsonschema import Draft202012Validator  # noqa: PLC0415  # see above

        Draft202012Validator.check_schema(self._schema)

    def flaw(self, arguments: JSON) -> str | None:
        """What is wrong with arguments, or None.

        It names the place and the rule and never quotes a value, which may be secret.
        """
        from jsonschema.exceptions import (  # noqa: PLC0415  # see above
            best_match,  # pyright: ignore[reportUnknownVariableType]  # the stubs do not say
        )
        from referencing.exceptions import Unresolvable  # noqa: PLC0415  # see above

        # The stubs do not say what it yields.
        errors = cast(
            "Iterator[ValidationError]",
            self._made_validator().iter_errors(arguments),  # pyright: ignore[reportUnknownMemberType]
        )
        try:
            error = cast("ValidationError | None", best_match(errors))
        except Unresolvable as unresolved:
            return f"the schema refers to what it has not: {unresolved.ref}"
        if error is None:
            return None
        rule = dumps(
            {str(error.validator): cast("JSON", error.validator_value)}
        ).decode()
        if len(rule) > _MAX_RULE_CHARACTERS:
            rule = f"{rule[:_MAX_RULE_CHARACTERS]}…"
        place = error.json_path.removeprefix("$.").removeprefix("$")
        return f"{place or 'arguments'} must satisfy {rule}"

    def _made_validator(self) -> Draft202012Validator:
        if self._validator is None:
            from jsonschema import Draft202012Validator  # noqa: PLC0415  # see above
            from referencing import Registry  # noqa: PLC0415  # see above

            # An empty registry: a schema has nothing fetched for it.
            self._validator = Draft202012Validator(self._schema, registry=Registry())
        return self._validator
