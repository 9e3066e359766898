"""What a vector file must be: the shipped JSON Schemas, and what no schema can say.

A protocol has a schema `vectors` of its own, which refers to what all share. Of all
that breaks it, jsonschema's best match is told, with its place and a remedy: the
`$comment` of the schema that is broken, where it has one. Ids and clauses are checked
here: that ids fit the file and are new, and that clauses exist.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from ._data import folder_of, load_clauses, load_schema, protocols
from ._model import VectorError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ._model import JSON

# A value quoted in a message is cut here, so that the message stays one line.
_QUOTED_LENGTH = 60

# By the keyword that is broken, where its schema has no `$comment`.
_REMEDIES = {
    "required": "add it",
    "minItems": "put at least one in",
    "minLength": "fill it",
}

_KEYS_OF_CLAUSES = ("clauses", "explains")


def check_vectors(document: "JSON", *, file: str = "") -> None:
    """Check the content of a vector file.

    Args:
        document: what the file holds.
        file: its path, for the error.

    Raises:
        VectorError: the first fault found: file, vector, JSON pointer and remedy.
    """
    error = _mismatch(document)
    if error is not None:
        raise _error_of(error, document, file)
    _check_ids(cast("dict[str, JSON]", document), file)


def _mismatch(document: "JSON") -> Any:
    """The best match of jsonschema, a `ValidationError`, or None."""
    from jsonschema import exceptions  # noqa: PLC0415  # rarely needed

    protocol = document.get("protocol") if isinstance(document, dict) else None
    known = isinstance(protocol, str) and protocol in protocols()
    name = f"{folder_of(str(protocol))}/vectors" if known else "vectors"
    # The stubs are at a loss here, as for `extend` below.
    best_match: Any = exceptions.best_match  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    error: Any = best_match(_validator(name).iter_errors(document))
    if error is None and not known:
        schema = {"properties": {"protocol": {"enum": list(protocols())}}}
        error = next(_validator_class()(schema).iter_errors(document))
    return error


def _validator_class() -> Any:
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415

    # To JSON Schema 1.0 is an integer; where a vector counts, it is none.
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    extend: Any = validators.extend  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return extend(Draft202012Validator, type_checker=types)


def _is_integer(_checker: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@cache
def _validator(name: str) -> Any:
    from referencing import Registry, Resource  # noqa: PLC0415  # jsonschema brings it

    shared = Resource[Any].from_contents(dict(load_schema("vectors")))
    registry: Registry[Any] = Registry[Any]().with_resource(shared.id() or "", shared)
    return _validator_class()(dict(load_schema(name)), registry=registry)


def _error_of(error: Any, document: "JSON", file: str) -> VectorError:
    path: list[str | int] = list(error.absolute_path)
    schema: dict[str, Any] = error.schema
    if "propertyNames" in error.absolute_schema_path:
        path.append(str(error.instance))
    elif error.validator == "additionalProperties":
        path += [key for key in error.instance if key not in schema["properties"]][:1]
    return VectorError(
        _message_of(error, schema),
        _remedy_of(error, schema),
        file=file,
        vector_id=_vector_id(document, path),
        pointer=_pointer(path),
    )


def _message_of(error: Any, schema: "dict[str, Any]") -> str:
    """The words of jsonschema; a long value is cut, and a pattern has its title."""
    quoted = shown = repr(error.instance)
    if len(quoted) > _QUOTED_LENGTH:
        shown = f"{quoted[:_QUOTED_LENGTH]}…"
    if error.validator == "pattern" and "title" in schema:
        return f"{shown} is no {schema['title']}"
    message: str = error.message
    return message.replace(quoted, shown)


def _remedy_of(error: Any, schema: "dict[str, Any]") -> str:
    remedies: list[str] = [schema["$comment"]] if "$comment" in schema else []
    match error.validator:
        case "additionalProperties":
            remedies.append(f"known are {', '.join(schema['properties'])}")
        case "oneOf" | "anyOf":
            branches: list[dict[str, list[str]]] = error.validator_value
            keys = [branch["required"][0] for branch in branches]
            remedies.append(f"write one of {', '.join(keys)}")
        case "enum" if "propertyNames" in error.absolute_schema_path:
            remedies.append("remove it")
        case _:
            pass
    return "; ".join(remedies) or _REMEDIES.get(str(error.validator), "write it so")


def _vector_id(document: Any, path: "list[str | int]") -> str | None:
    match path:
        case ["vectors", int(index), *_]:
            match document["vectors"][index]:
                case {"id": str(vector_id)}:
                    return vector_id
                case _:
                    return None
        case _:
            return None


def _pointer(path: "Iterable[str | int]") -> str:
    steps = (str(key).replace("~", "~0").replace("/", "~1") for key in path)
    return "".join(f"/{step}" for step in steps)


def _check_ids(document: "dict[str, JSON]", file: str) -> None:
    """Check what names something outside of its vector."""
    prefix = f"{document['protocol']}/{document['group']}/"
    clauses = {clause.id for clause in load_clauses(str(document["protocol"]))}
    seen: set[str] = set()
    vectors = cast("list[dict[str, JSON]]", document["vectors"])
    for index, vector in enumerate(vectors):
        vector_id = str(vector["id"])
        for path, problem, remedy in _faults_of(vector, prefix, seen, clauses):
            raise VectorError(
                problem,
                remedy,
                file=file,
                vector_id=vector_id,
                pointer=_pointer(("vectors", index, *path)),
            )
        seen.add(vector_id)


def _faults_of(
    vector: "dict[str, JSON]",
    prefix: str,
    taken: "Collection[str]",
    clauses: "Collection[str]",
) -> "Iterator[tuple[tuple[str | int, ...], str, str]]":
    vector_id = str(vector["id"])
    if not vector_id.startswith(prefix):
        problem = f"the id {vector_id!r} does not fit the file"
        yield ("id",), problem, f"begin it with {prefix}"
    if vector_id in taken:
        yield ("id",), f"the id {vector_id!r} is taken", "choose another"
    for path, clause in _clauses_of(vector):
        if clause not in clauses:
            problem = f"no clause has the id {clause!r}"
            yield path, problem, "look it up in the protocol's clauses"


def _clauses_of(
    vector: "dict[str, JSON]",
) -> "Iterator[tuple[tuple[str | int, ...], str]]":
    for key in _KEYS_OF_CLAUSES:
        for index, clause in enumerate(cast("list[str]", vector.get(key, []))):
            yield (key, index), clause
    steps = cast("list[dict[str, str]]", vector.get("steps", []))
    for index, step in enumerate(steps):
        if "clause" in step:
            yield ("steps", index, "clause"), step["clause"]
