"""Registries that differ in one step of converting: INT-S1 to S12, C3 to C14."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

from tests.proof.interop.subject import TABLES, Json, Subject, body_of
from tests.proof.row import Change, around

from wireproof_reference.interop import InteropError, UnknownFormatError

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"

fault = TABLES.faults(__name__, Subject)
variant = TABLES.variants(__name__, Subject)


def on_schemas(change: Callable[[list[Json], list[Json], str], Any]) -> Change:
    """Change the schemas that come out.

    Args:
        change: Called with them, with the sources, and with the target.
    """

    def converted(
        _: Any, convert: Any, schemas: Any, target: Any, target_formats: Any = None
    ) -> Any:
        kept = copy.deepcopy(schemas)
        return change(convert(schemas, target, target_formats), kept, target)

    return around("convert_schemas", converted)


def on_schema(change: Callable[[Json, Json], Any]) -> Change:
    """Change the body of each schema that changed its format, in place."""

    def each(made: list[Json], sources: list[Json], _: str) -> list[Json]:
        for one, source in zip(made, sources, strict=True):
            if one != source:
                change(body_of(one), body_of(source))
        return made

    return on_schemas(each)


def on_parameters(change: Callable[[Any], Any], *, all_of: bool = False) -> Change:
    """Change the parameters of each schema that changed its format, or of all."""

    def each(made: list[Json], sources: list[Json], _: str) -> list[Json]:
        for one, source in zip(made, sources, strict=True):
            body = body_of(one)
            if body.get("parameters") and (all_of or one != source):
                body["parameters"] = change(body["parameters"])
        return made

    return on_schemas(each)


def everywhere(change: Callable[[Json], Json]) -> Callable[[Any], Any]:
    """Return what applies a change to every object at any depth."""

    def applied(value: Any) -> Any:
        if isinstance(value, dict):
            return change({key: applied(one) for key, one in value.items()})
        if isinstance(value, list):
            return [applied(one) for one in value]
        return value

    return applied


def without(*keys: str) -> Callable[[Any], Any]:
    """Return what leaves out keys at any depth, as if each were a keyword."""
    return everywhere(lambda one: {k: v for k, v in one.items() if k not in keys})


def on_calls(change: Callable[[list[Json], list[Json], str], Any]) -> Change:
    """Change the calls that come out; called as `on_schemas`."""

    def converted(_: Any, convert: Any, calls: Any, target: Any) -> Any:
        kept = copy.deepcopy(calls)
        return change(convert(calls, target), kept, target)

    return around("convert_tool_calls", converted)


def on_call(change: Callable[[Json, Json], Any]) -> Change:
    """Change each call that changed its format, in place."""

    def each(made: list[Json], sources: list[Json], _: str) -> list[Json]:
        for one, source in zip(made, sources, strict=True):
            if one != source:
                change(one, source)
        return made

    return on_calls(each)


def on_input(change: Callable[[str, Json], str]) -> Change:
    """Change the raw input of each custom call that goes to another provider."""

    def each(made: list[Json], sources: list[Json], _: str) -> list[Json]:
        for one, source in zip(made, sources, strict=True):
            body = body_of(one)
            if isinstance(body.get("input"), str):
                body["input"] = change(body["input"], source)
        return made

    return on_calls(each)


def on_payload(change: Callable[[Any, Json], Any]) -> Change:
    """Change the payload that is seen of each call."""

    def inspected(_: Any, inspect: Any, call: Json) -> Any:
        seen = inspect(call)
        seen["payload"] = change(seen["payload"], call)
        return seen

    return around("inspect_call", inspected)


def on_ids(change: Callable[[str], str], *, results: bool = True) -> Change:
    """Change the ids of all calls that come out, and those of results, or not."""

    def changed(subject: type[Any]) -> type[Any]:
        def each(made: list[Json], _: list[Json], __: str) -> list[Json]:
            for one in made:
                for key in ("id", "call_id"):
                    if isinstance(one.get(key), str) and len(one[key]) > LONGEST:
                        one[key] = change(one[key])
            return made

        def converted(_: Any, convert: Any, *args: Any, **named: Any) -> Any:
            found = convert(*args, **named)
            for one in found if results else ():
                for key in ("tool_call_id", "call_id"):
                    if isinstance(one.get(key), str) and len(one[key]) > LONGEST:
                        one[key] = change(one[key])
            return found

        return around("convert_results", converted)(on_calls(each)(subject))

    return changed


LONGEST = 64


def on_names(change: Callable[[str], str], *, back: bool = False) -> Change:
    """Change the names that a provider refuses; `back`: calls lead back to them."""

    def changed(subject: type[Any]) -> type[Any]:
        own: dict[str, str] = {}

        def each(made: list[Json], _: list[Json], __: str) -> list[Json]:
            for one in made:
                body = body_of(one)
                name = body["name"]
                if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name):
                    body["name"] = change(name)
                    own[body["name"]] = name
            return made

        def inspected(_: Any, inspect: Any, call: Json) -> Any:
            seen = inspect(call)
            seen["tool_name"] = own.get(seen["tool_name"], seen["tool_name"])
            return seen

        made = on_schemas(each)(subject)
        return around("inspect_call", inspected)(made) if back else made

    return changed


def numbered() -> Callable[[str], str]:
    """Return what gives each text a stand-in of its own."""
    known: dict[str, str] = {}
    return lambda text: known.setdefault(text, f"stand-in-{len(known)}")


# --- insides of parameters: INT-S1, S2

for keyword in ("title", "default", "pattern", "description", "optional", "id"):
    fault(
        f"drops-each-{keyword}",
        "INT-S2",
        f"leaves out every key {keyword} of parameters, whatever it names",
        on_parameters(without(keyword)),
    )
fault(
    "drops-titles-of-accepted",
    "INT-S1",
    "leaves out every key title of parameters, accepted or not",
    on_parameters(without("title"), all_of=True),
)
fault(
    "drops-defaults-of-accepted",
    "INT-S1",
    "leaves out every key default of parameters, accepted or not",
    on_parameters(without("default"), all_of=True),
)
fault(
    "drops-empty-sub-schemas",
    "INT-S2",
    "leaves out empty sub-schemas",
    on_parameters(everywhere(lambda one: {k: v for k, v in one.items() if v != {}})),
)
fault(
    "drops-empty-items-of-accepted",
    "INT-S1",
    "leaves out empty items, accepted or not",
    on_parameters(
        everywhere(
            lambda one: {k: v for k, v in one.items() if (k, v) != ("items", {})}
        ),
        all_of=True,
    ),
)
fault(
    "references-alone",
    "INT-S2",
    "leaves out what stands beside a reference",
    on_parameters(
        everywhere(lambda one: {"$ref": one["$ref"]} if "$ref" in one else one)
    ),
)
fault(
    "closes-open-objects",
    "INT-S2",
    "closes the objects of parameters",
    on_parameters(
        everywhere(
            lambda one: (
                {**one, "additionalProperties": False}
                if one.get("type") == "object"
                else one
            )
        )
    ),
)
fault(
    "null-defaults-dropped",
    "INT-S2",
    "leaves out null members of parameters",
    on_parameters(
        everywhere(lambda one: {k: v for k, v in one.items() if v is not None})
    ),
)

# --- absent keys: INT-S2

fault(
    "adds-a-description",
    "INT-S2",
    "adds an empty description",
    on_schema(lambda body, _: body.setdefault("description", "")),
    level="should",
)
fault(
    "adds-no-parameters",
    "INT-S2",
    "adds an object schema without properties",
    on_schema(
        lambda body, _: (
            body.setdefault("parameters", {"type": "object", "properties": {}})
            if "format" not in body
            else None
        )
    ),
    level="should",
)
fault(
    "strict-left-out",
    "INT-S2",
    "leaves strict absent for Responses",
    on_schema(lambda body, source: "strict" in source or body.pop("strict", None)),
    level="should",
)
fault(
    "function-without-description",
    "INT-S3",
    "leaves out the description of a custom tool",
    on_schema(
        lambda body, source: (
            body.pop("description", None)
            if "parameters" in body and "parameters" not in source
            else None
        )
    ),
    level="should",
)
variant(
    "equal-values-for-absent-keys",
    "gives absent keys the values that mean the same",
    on_schema(
        lambda body, _: (
            "format" in body
            or (
                body.setdefault("description", ""),
                body.setdefault("parameters", {"type": "object", "properties": {}}),
            )
        )
    ),
    warns={"INT-S2": "absent keys may get equal values"},
)

# --- sources and refusals: INT-S5, S6, S7


def _marks_sources(_: Any, convert: Any, schemas: Any, *rest: Any, **named: Any) -> Any:
    """Complete the sources on the way, and leave them so if it is refused."""
    kept = copy.deepcopy(schemas)
    for one in schemas:
        if isinstance(body_of(one).get("parameters"), dict):
            body_of(one)["parameters"].setdefault("additionalProperties", False)
    made = convert(copy.deepcopy(kept), *rest, **named)
    for one, was in zip(schemas, kept, strict=True):
        one.clear()
        one.update(was)
    return made


fault(
    "source-changed-by-a-refusal",
    "INT-S6",
    "leaves sources changed that it refuses",
    around("convert_schemas", _marks_sources),
)
fault(
    "passes-parameters-on",
    "INT-S6",
    "shares the parameters with the source",
    around(
        "convert_schemas",
        lambda _, convert, schemas, *rest, **named: [
            _sharing(made, source)
            for made, source in zip(
                convert(schemas, *rest, **named), schemas, strict=True
            )
        ],
    ),
    level="should",
)


def _sharing(made: Json, source: Json) -> Json:
    if "parameters" in body_of(source) and "parameters" in body_of(made):
        body_of(made)["parameters"] = body_of(source)["parameters"]
    return made


def _refusing(text: str) -> Change:
    def converted(_: Any, convert: Any, *args: Any, **named: Any) -> Any:
        try:
            return convert(*args, **named)
        except InteropError:
            raise ValueError(text) from None

    return around("convert_schemas", converted)


fault(
    "refuses-without-a-name",
    "INT-S5",
    "refuses without naming what it refuses",
    _refusing("cannot convert"),
    level="should",
)


def _passing(of: Callable[[Json], Any]) -> Change:
    """Put `of` the schema in the place of each that is of unknown type."""

    def converted(
        _: Any, convert: Any, schemas: Any, target: Any, target_formats: Any = None
    ) -> Any:
        made: list[Any] = []
        for one in schemas:
            try:
                made += convert([one], target, target_formats)
            except UnknownFormatError:
                found = of(one)
                made += found if isinstance(found, list) else [found]
        return made

    return around("convert_schemas", converted)


fault(
    "unknown-types-as-null",
    "INT-S7",
    "makes unknown types null",
    _passing(lambda _: None),
)
fault(
    "unknown-types-as-functions",
    "INT-S7",
    "makes functions of unknown types",
    _passing(
        lambda one: {
            "type": "function",
            "name": str(one.get("name", "tool")),
            "parameters": None,
            "strict": False,
        }
    ),
)
fault(
    "unknown-types-left-out",
    "INT-S7",
    "leaves out unknown types",
    _passing(lambda _: []),
)
variant(
    "passes-unknown-types-on",
    "hands on schemas of unknown type as they are, hosted tools too",
    _passing(copy.deepcopy),
    warns={"INT-S7": "a made-up type may come back unchanged"},
)

# --- names: INT-S11

fault("names-cut", "INT-S11", "cuts long names", on_names(lambda name: name[:LONGEST]))
fault(
    "names-made-alike",
    "INT-S11",
    "replaces what is not allowed in a name by an underscore, and leads back",
    on_names(lambda name: re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:LONGEST], back=True),
)
fault(
    "stand-ins-that-lead-nowhere",
    "INT-S11",
    "gives stand-ins that no call leads back from",
    on_names(numbered()),
)
variant(
    "stand-ins-for-names",
    "gives names that a provider refuses stand-ins that lead back",
    on_names(numbered(), back=True),
)

# --- target formats: INT-S12


def _in_formats(change: Callable[[str, list[str] | None], Any]) -> Change:
    def converted(
        _: Any, convert: Any, schemas: Any, target: Any, target_formats: Any = None
    ) -> Any:
        return convert(schemas, target, change(target, target_formats))

    return around("convert_schemas", converted)


fault(
    "target-formats-ignored",
    "INT-S12",
    "takes the formats of the target, whatever is accepted",
    _in_formats(lambda _, __: None),
)
fault(
    "custom-tools-always",
    "INT-S12",
    "keeps custom tools for Responses, accepted or not",
    _in_formats(
        lambda target, formats: (
            [*(formats or ()), f"{RESPONSES}.custom"]
            if target == RESPONSES and formats
            else formats
        )
    ),
)
fault(
    "unreached-formats-made-default",
    "INT-S12",
    "takes the formats of the target if it knows none of those accepted",
    _in_formats(
        lambda _, formats: (
            formats
            if formats and any(one.startswith("openai") for one in formats)
            else None
        )
    ),
)
fault(
    "last-format-first",
    "INT-S12",
    "prefers the last accepted format",
    _in_formats(lambda _, formats: formats and formats[::-1]),
    level="should",
)

# --- raw texts that look like something: INT-C3, C5


def _unwrapped(text: str) -> str:
    try:
        found = json.loads(text)
    except ValueError:
        return text
    is_wrapped = isinstance(found, dict) and isinstance(found.get("input"), str)
    return found["input"] if is_wrapped else text


def _unfenced(text: str) -> str:
    found = re.fullmatch(r"```\w*\n(.*?)\n?```\s*", text, re.DOTALL)
    return found[1] if found else text


def _is_raw(call: Json) -> bool:
    return call.get("type") in {"custom_tool_call", "custom"}


def _seen_raw(change: Callable[[str, Json], Any]) -> Change:
    return on_payload(
        lambda payload, call: change(payload, call) if _is_raw(call) else payload
    )


fault(
    "input-unwrapped",
    "INT-C5",
    "unwraps a raw text that is an object with input",
    on_input(lambda text, _: _unwrapped(text)),
)
fault(
    "fence-stripped",
    "INT-C5",
    "strips the code fence of a raw text",
    on_input(lambda text, _: _unfenced(text)),
)
fault(
    "arguments-before-input",
    "INT-C5",
    "takes arguments beside the input for it",
    on_input(lambda text, call: call.get("arguments", text)),
)
fault(
    "payload-unwrapped",
    "INT-C3",
    "sees a raw text unwrapped",
    _seen_raw(lambda text, _: _unwrapped(text)),
)
fault(
    "payload-without-fence",
    "INT-C3",
    "sees a raw text without its code fence",
    _seen_raw(lambda text, _: _unfenced(text)),
)
fault(
    "payload-of-arguments",
    "INT-C3",
    "sees arguments beside the input",
    _seen_raw(lambda text, call: call.get("arguments", text)),
)
fault(
    "arguments-unwrapped",
    "INT-C2",
    "unwraps arguments with the one key input",
    on_payload(
        lambda payload, _: (
            json.loads(payload["input"])
            if isinstance(payload, dict)
            and list(payload) == ["input"]
            and str(payload["input"]).startswith("{")
            else payload
        )
    ),
)
fault(
    "null-arguments-dropped",
    "INT-C2",
    "leaves out null members of arguments",
    on_payload(
        lambda payload, _: (
            {k: v for k, v in payload.items() if v is not None}
            if isinstance(payload, dict)
            else payload
        )
    ),
)
fault(
    "empty-calls-dropped",
    "INT-C8",
    "leaves out calls with an empty arguments text",
    on_calls(
        lambda made, _, __: [
            one for one in made if body_of(one).get("arguments", "x") != ""
        ]
    ),
)

# --- ids and keys: INT-C13, C14

fault("ids-cut", "INT-C13", "cuts long ids", on_ids(lambda one: one[:LONGEST]))
fault(
    "ids-of-calls-alone",
    "INT-C13",
    "gives long ids of calls stand-ins, and not those of results",
    on_ids(numbered(), results=False),
)
fault(
    "ids-by-their-length",
    "INT-C13",
    "gives long ids of one length one stand-in",
    on_ids(lambda one: f"call_{len(one)}"),
)
variant(
    "stand-ins-for-ids",
    "gives long ids stand-ins, the same for a call and its result",
    on_ids(numbered()),
)


def _kept_keys(made: Json, source: Json) -> None:
    keys = ("type", "function", "custom", "name", "arguments", "input")
    for key, value in source.items():
        if key not in (*keys, "id", "call_id"):
            made.setdefault(key, value)


fault(
    "calls-keep-extras",
    "INT-C14",
    "takes along all keys of a call",
    on_call(_kept_keys),
)
fault(
    "call-id-beside-id",
    "INT-C14",
    "leaves the call id beside the id of a chat call",
    on_call(lambda made, source: made.setdefault("call_id", source.get("call_id", ""))),
)
fault(
    "index-added",
    "INT-C14",
    "numbers the calls",
    on_call(lambda made, _: made.setdefault("index", 0)),
)
fault(
    "item-id-made-up",
    "INT-C14",
    "makes up an item id",
    on_call(
        lambda made, _: (
            made.setdefault("id", f"fc_{made['call_id']}")
            if "call_id" in made
            else None
        )
    ),
    level="should",
)


# --- what a registry lacks, and says so


def _lacking(feature: str, *shown: str) -> Change:
    """Refuse what shows a feature, and say that it is lacking."""

    def changed(subject: type[Any]) -> type[Any]:
        def refusing(_: Any, op: Any, *args: Any, **named: Any) -> Any:
            given = json.dumps([args, named], default=str)
            if any(f': "{one}"' in given for one in shown) or named.get(feature):
                raise LookupError("there is no such thing here")
            return op(*args, **named)

        ops: tuple[str, ...] = ("convert_schemas", "inspect_schema")
        ops += ("convert_tool_calls", "inspect_call", "sanitize_tool_call")
        for op in (*ops, "convert_results", "inspect_result"):
            subject = around(op, refusing)(subject)
        return type(subject.__name__, (subject,), {"lacks": (feature,)})

    return changed


variant(
    "no-custom-tools",
    "has no custom tools, and says so",
    _lacking("custom", "custom", "custom_tool_call"),
    bridged=False,
)
variant(
    "no-envelopes",
    "has text results only, and says so",
    _lacking("envelopes", "provider_native_tool_result"),
    bridged=False,
)
variant(
    "no-target-formats",
    "has no argument target_formats, and says so",
    _lacking("target_formats"),
    bridged=False,
)
