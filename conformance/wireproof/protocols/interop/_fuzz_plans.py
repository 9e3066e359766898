"""What is tried on a registry: texts, calls, schemas and results, as steps.

One example holds many texts, all cuts of one among them: an example of Hypothesis
costs a thousand times what a text costs. What is expected comes from the text itself,
read by a strict parser here: kept, emptied, or either where the clauses leave it open.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from hypothesis import strategies as st

from wireproof.fuzzing import texts, values
from wireproof.protocols.interop._shapes import CHAT, RESPONSES, chat_call, item_call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.fuzzing import Step

MOST_CUTS = 120
"""Cuts of one text in one example."""

DEEPEST = 100_000
"""The nesting that INT-Z10 names."""

PLAIN_DEPTH = 100
"""Nesting up to which every JSON parser reads a text."""

EMPTY = "{}"


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps that were drawn; they need no ids."""

    found: Sequence[Step]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector."""
        return list(self.found)


def _no_constant(text: str) -> Any:
    raise ValueError(text)


_STRICT = json.JSONDecoder(parse_constant=_no_constant)


def fate(text: str) -> Literal["kept", "emptied", "either"]:
    """Tell what becomes of an arguments text (INT-Z1 to Z3, Z6, Z7, Z10, Z11)."""
    try:
        text.encode()
        value: Any = _STRICT.decode(text)
    except RecursionError:
        return "either"
    except ValueError:
        return "emptied"
    if not isinstance(value, dict):
        return "emptied"
    try:
        # Escaped halves of surrogate pairs, and numbers that no double can hold, are
        # valid JSON that not every parser takes.
        again = json.dumps(value, ensure_ascii=False, allow_nan=False)
        again.encode()
    except (ValueError, RecursionError):
        return "either"
    return "kept" if _depth(text) <= PLAIN_DEPTH else "either"


def _depth(text: str) -> int:
    depth = deepest = 0
    for char in text:
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _kept_or_empty(text: str) -> Any:
    match fate(text):
        case "kept":
            return {"$equals": {"$literal": text}}
        case "emptied":
            return EMPTY
        case _:
            return {"$one_of": [{"$equals": {"$literal": text}}, EMPTY]}


def sanitising(call: Any, expected: Any, **beside: Any) -> Step:
    """Return the step that sanitises a call."""
    literal = {"$literal": call}
    return {
        "op": "sanitize_tool_call",
        "input": {"call": literal},
        "expected": expected,
        **beside,
    }


def _exactly(value: Any) -> dict[str, Any]:
    return {"$equals": {"$literal": value}}


# --- arguments and what becomes of them

_keys = st.one_of(st.sampled_from(["path", "input", "", "a", "日本"]), texts(5))
_scalars = st.one_of(
    st.sampled_from([None, True, False, 0, -1, 1.5, 2**53, "", "日本", "null"]),
    texts(5),
)
_small = st.one_of(
    _scalars,
    st.lists(_scalars, max_size=2),
    st.dictionaries(_keys, _scalars, max_size=2),
)
_objects = st.dictionaries(_keys, values, max_size=4)


_SPELLINGS: tuple[Mapping[str, Any], ...] = (
    {},
    {"separators": (",", ":")},
    {"separators": (" , ", " :\t"), "ensure_ascii": False},
    {"indent": 1},
    {"indent": "\t", "ensure_ascii": False},
    {"indent": "\r\n", "sort_keys": True},
)

_AROUND = (("", ""), (" ", ""), ("", "\n"), ("\t \r\n", " "))

_REWRITTEN = (("1", "1.0e0"), ("/", "\\/"), ("a", "\\u0061"), ("0", "0.00"))


def _spelling(value: Any, number: int) -> str:
    """Return one of the many ways in which an object's text may be written."""
    number, which = divmod(number, len(_SPELLINGS))
    text = json.dumps(value, **_SPELLINGS[which])
    number, around = divmod(number, len(_AROUND))
    before, after = _AROUND[around]
    rewritten = text
    if number:
        rewritten = text.replace(*_REWRITTEN[number - 1])
    found = before + rewritten + after
    return found if rewritten == text or fate(found) == "kept" else text


_WAYS = len(_SPELLINGS) * len(_AROUND) * (len(_REWRITTEN) + 1)


def spellings(value: Any) -> list[str]:
    """Return an object in all these ways."""
    if fate(json.dumps(value)) != "kept":
        return [EMPTY]
    return list(dict.fromkeys(_spelling(value, way) for way in range(_WAYS)))


_valid = st.tuples(_objects, st.integers(0, _WAYS - 1)).map(
    lambda pair: _spelling(*pair) if fate(json.dumps(pair[0])) == "kept" else EMPTY
)


def _cuts(text: str) -> list[str]:
    step = max(1, len(text) // MOST_CUTS)
    return [text[:end] for end in range(0, len(text), step)]


_NOISE = "{}[]\",:\\ \x00\x1f/*#'\ufeffe1-.tfnu日"


def damaged(first: str, second: str) -> list[str]:
    """Return all cuts of a text, splices with another, and single changes."""
    first = first[:MOST_CUTS]
    found = _cuts(first) + [first[end:] for end in range(1, len(first))]
    for place in range(len(first)):
        noise = _NOISE[place % len(_NOISE)]
        found += [
            first[:place] + second[place:],
            first[:place] + second,
            first[:place] + noise + first[place:],
            first[:place] + noise + first[place + 1 :],
            first[:place] + first[place + 1 :],
        ]
    return found


_damaged = st.tuples(_valid, _valid).map(lambda pair: damaged(*pair))


def _any_text(drawn: Sequence[str]) -> Plan:
    parses = {"$json_text": {"$type": "object"}}
    return Plan(
        [
            sanitising(
                chat_call(text),
                {
                    "function": {
                        # What some parsers refuse may be kept, so it is not parsed.
                        "arguments": _kept_or_empty(text)
                        if fate(text) == "either"
                        else parses
                    }
                },
            )
            for text in drawn
        ]
    )


def _arguments(kind: str) -> Callable[[Sequence[str]], Plan]:
    """Return what makes steps of the texts that have one fate."""

    def plan(drawn: Sequence[str]) -> Plan:
        chosen = [text for text in drawn if fate(text) == kind]
        if kind == "emptied":
            found = [sanitising(chat_call(text), _BECOMES_EMPTY) for text in chosen]
            return Plan(found or [sanitising(chat_call(""), _BECOMES_EMPTY)])
        return Plan([sanitising(chat_call(text), _keeps(text)) for text in chosen])

    return plan


_BECOMES_EMPTY = {"function": {"arguments": EMPTY}}


def _keeps(text: str) -> Any:
    return {"function": {"arguments": _exactly(text)}}


def _names(drawn: Sequence[tuple[str, str, str]]) -> Plan:
    found: list[Step] = []
    for call_id, name, text in drawn:
        call = chat_call(text, call_id=call_id, name=name)
        wanted = {
            "id": _exactly(call_id),
            "type": "function",
            "function": {"name": _exactly(name)},
        }
        found.append(sanitising(call, wanted))
        item = item_call(text, call_id=call_id, name=name)
        kept = {"call_id": _exactly(call_id), "name": _exactly(name)}
        found.append(sanitising(item, {"type": "function_call", **kept}))
    return Plan(found)


def _any_object(drawn: Sequence[Any]) -> Plan:
    """Sanitise what was sanitised: nothing changes any more, nor did the argument."""
    found: list[Step] = []
    for index, call in enumerate(drawn):
        name = f"once-{index}"
        first = sanitising(call, {"$type": "object"}, save=name)
        if index % 2:
            first["keeps_input"] = True
        again = {
            "op": "sanitize_tool_call",
            "input": {"call": {"$use": name}},
            "expected": {"$use": name},
        }
        found += [first, again]
    return Plan(found)


_parts = st.one_of(_small, st.sampled_from(["{", "{}", '{"a":', "null"]))
_odd_functions = st.one_of(
    _parts, st.dictionaries(st.sampled_from(["name", "arguments", "x"]), _parts)
)
_types = st.sampled_from(["function", "function_call", "custom", "custom_tool_call"])
_odd_calls = st.fixed_dictionaries(
    {},
    optional={
        "id": _parts,
        "call_id": _parts,
        "type": st.one_of(_types, _types, _parts),
        "function": _odd_functions,
        "custom": _odd_functions,
        "name": _parts,
        "arguments": _parts,
        "input": _parts,
        "": _parts,
    },
)

_no_objects = st.one_of(_scalars, st.lists(_small, max_size=2), st.just("{"))


def _other_values(drawn: Sequence[Any]) -> Plan:
    found: list[Step] = []
    empty_chat = {"function": {"arguments": EMPTY}}
    for value in drawn:
        text = value if isinstance(value, str) and fate(value) == "emptied" else None
        text = json.dumps(value) if text is None else text
        found.append(sanitising(chat_call(text), empty_chat))
        found.append(sanitising(item_call(text), {"arguments": EMPTY}))
        if not isinstance(value, str):
            found.append(sanitising(chat_call(value), empty_chat))
            found.append(sanitising(item_call(value), {"arguments": EMPTY}))
            broken = {"id": "call_1", "type": "function", "function": value}
            found.append(sanitising(broken, empty_chat))
    return Plan(found)


_LENIENT = (
    '{"a": NaN}',
    '{"a": Infinity}',
    '{"a": -Infinity}',
    '{"a": 1,}',
    '{"a": [1,]}',
    "{'a': 1}",
    "{a: 1}",
    '{"a": 01}',
    '{"a": +1}',
    '{"a": .5}',
    '{"a": 1.}',
    '{"a": 0x1}',
    '{"a": 1} // x',
    '/* x */ {"a": 1}',
    '{"a": 1 /* x */}',
    '{"a": 1} {"b": 2}',
    '{"a": 1}{}',
    '{"a": 1}]',
    '\ufeff{"a": 1}',
    '{"a": 1}\ufeff',
    '{"a": "\x01"}',
    '{"a": "\t"}',
    '{"a": "\\x41"}',
    '{"a": "\\u12"}',
    '{"a": True}',
    '{"a": None}',
    '{"a": undefined}',
    '{"a" 1}',
    '{"a": 1 "b": 2}',
    '\xa0{"a": 1}',
    '{"a": 1}\x00',
    '\u2028{"a": 1}',
)


@st.composite
def _lenient(draw: st.DrawFn) -> list[str]:
    """Lenient JSON, alone and inside a valid text."""
    chosen = draw(st.lists(st.sampled_from(_LENIENT), min_size=1, max_size=12))
    key = json.dumps(draw(texts(4)))
    inside = [f'{{{key}: [{text}], "z": {text}}}' for text in chosen]
    return [*chosen, *inside]


def _raw_inputs(drawn: Sequence[str]) -> Plan:
    found: list[Step] = []
    for text in drawn:
        item = {
            "type": "custom_tool_call",
            "call_id": "call_1",
            "name": "tool",
            "input": text,
        }
        custom = {"name": "tool", "input": text}
        call = {"id": "call_1", "type": "custom", "custom": custom}
        found += [sanitising(item, _exactly(item)), sanitising(call, _exactly(call))]
    return Plan(found)


def _items(drawn: Sequence[str]) -> Plan:
    return Plan(
        [
            sanitising(item_call(text), {"arguments": _kept_or_empty(text)})
            for text in drawn
        ]
    )


@st.composite
def _nested(draw: st.DrawFn) -> Plan:
    """Nesting up to the depth of INT-Z10, closed or not."""
    depth = draw(st.one_of(st.integers(0, 2_000), st.just(DEEPEST)))
    opening, closing = draw(
        st.sampled_from([("[", "]"), ('{"a":', "}"), ('[{"":', "}]")])
    )
    closed = draw(st.booleans())
    parts: list[Any] = ['{"a":', {"$repeat": opening, "times": depth}, "1"]
    if closed:
        parts += [{"$repeat": closing, "times": depth}, "}"]
    text = {"$join": parts}
    wanted: Any = {"$one_of": [text, EMPTY]} if closed else EMPTY
    if closed and depth * len(closing) < PLAIN_DEPTH:
        wanted = text
    call = chat_call(text)
    step: Step = {
        "op": "sanitize_tool_call",
        "input": {"call": call},
        "expected": {"function": {"arguments": wanted}},
        "survives": True,
    }
    return Plan([step])


@st.composite
def _duplicates(draw: st.DrawFn) -> list[str]:
    key = json.dumps(draw(_keys))
    one, two = json.dumps(draw(_small)), json.dumps(draw(_small))
    return [f"{{{key}:{one},{key}:{two}}}", f'{{"x":{{{key}:{one}, {key} :{two}}}}}']


def _twice(drawn: Sequence[str]) -> Plan:
    return Plan(
        [
            sanitising(
                chat_call(text), {"function": {"arguments": _kept_or_empty(text)}}
            )
            for text in drawn
        ]
    )


_KNOWN_TYPES = frozenset({"function", "function_call", "custom", "custom_tool_call"})
_other_types = st.one_of(
    texts(8),
    st.sampled_from(["message", "reasoning", "web_search_call", "FUNCTION", "tool"]),
).filter(lambda name: name not in _KNOWN_TYPES)


@st.composite
def _foreign(draw: st.DrawFn) -> Plan:
    found: list[Step] = []
    for call in draw(st.lists(_odd_calls, min_size=1, max_size=4)):
        other = {**call, "type": draw(_other_types)}
        found.append(sanitising(other, _exactly(other)))
    return Plan(found)


# --- schemas

_words = texts(10)
_leaf_schemas = st.one_of(
    st.sampled_from(
        [{"type": "string"}, {"type": "integer"}, {"type": ["number", "null"]}, {}]
    ),
    st.fixed_dictionaries({"enum": st.lists(_small, min_size=1, max_size=2)}),
    st.fixed_dictionaries({"const": _small, "description": _words}),
)


def _composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(_keys, inner)},
            optional={
                "required": st.lists(_words, max_size=2, unique=True),
                "additionalProperties": st.one_of(st.booleans(), inner),
                "description": _words,
            },
        ),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
    )


_schemas = st.recursive(_leaf_schemas, _composed, max_leaves=5)
_parameters = st.fixed_dictionaries(
    {
        "type": st.just("object"),
        "properties": st.dictionaries(_keys, _schemas, max_size=3),
    },
    optional={"$defs": st.dictionaries(_words, _schemas, max_size=2)},
)


def _words_of(letters: str, longest: int) -> st.SearchStrategy[str]:
    characters = st.lists(st.sampled_from(letters), min_size=1, max_size=longest)
    return characters.map("".join)


_tool_names = st.one_of(
    st.sampled_from(["a", "read_file", "A-1", "x" * 64]),
    _words_of("abz_-09", 8),
)
_functions = st.fixed_dictionaries(
    {"name": _tool_names, "description": _words, "parameters": _parameters},
    optional={"strict": st.booleans()},
)


def _chat(function: Any) -> Any:
    return {"type": "function", "function": function}


def _flat(function: Any) -> Any:
    return {"type": "function", **function}


def _converting(schemas: Any, target: str, formats: Sequence[str] = ()) -> Step:
    accepted = {"target_formats": list(formats)} if formats else {}
    return {
        "op": "convert_schemas",
        "input": {"schemas": schemas, "target": target, **accepted},
    }


def _unchanged(drawn: Sequence[tuple[Any, Any]]) -> Plan:
    found: list[Step] = []
    for function, more in drawn:
        extra = {f"x_{key}": value for key, value in more.items()}
        chat = {**_chat({**function, **extra}), **extra}
        flat = {**_flat(function), **extra}
        for schema, target in ((chat, CHAT), (flat, RESPONSES)):
            step = _converting([{"$literal": schema}], target)
            found.append({**step, "expected": [_exactly(schema)]})
    return Plan(found)


_NOT_STRICT = {"$one_of": [{"$absent": True}, None, False]}


def _kept_keys(function: Any) -> Any:
    wanted = {key: _exactly(value) for key, value in function.items()}
    return {"strict": _NOT_STRICT, **wanted}


def _schemas_and_back(drawn: Sequence[Any]) -> Plan:
    found: list[Step] = []
    for index, function in enumerate(drawn):
        kept = _kept_keys(function)
        flat = {"type": "function", "function": {"$absent": True}, **kept}
        chat = {"type": "function", "name": {"$absent": True}, "function": kept}
        ways = (
            (_chat(function), (RESPONSES, flat), (CHAT, chat)),
            (_flat(function), (CHAT, chat), (RESPONSES, flat)),
        )
        for way, (source, (there, one), (back, two)) in enumerate(ways):
            name = f"there-{index}-{way}"
            first = _converting([{"$literal": source}], there, [f"{there}.function"])
            again = _converting({"$use": name}, back, [f"{back}.function"])
            found.append({**first, "expected": [one], "save": name})
            found.append({**again, "expected": [two]})
    return Plan(found)


def _schemas_in_order(drawn: Sequence[tuple[str, int]]) -> Plan:
    forms: tuple[Callable[[str], Any], ...] = (
        lambda name: _chat({"name": name, "description": "", "parameters": {}}),
        lambda name: _flat({"name": name, "description": "", "parameters": {}}),
        lambda name: {
            "type": "custom",
            "name": name,
            "description": "",
            "format": {"type": "text"},
        },
    )
    schemas = [forms[form](name) for name, form in drawn]
    wanted = [{"function": {"name": name}} for name, _ in drawn]
    step = _converting(schemas, CHAT, [f"{CHAT}.function"])
    return Plan([{**step, "expected": wanted}])


# --- calls

_ids = st.one_of(
    st.sampled_from(["call_1", "0", " ", "é", "call_" + "x" * 59]),
    _words_of("aZ0_-", 6),
)


def _custom_inputs(drawn: Sequence[str]) -> Plan:
    found: list[Step] = []
    for text in drawn:
        custom = {"name": "tool", "input": text}
        item = {"type": "custom_tool_call", "call_id": "call_1", **custom}
        wanted = {"payload": _exactly(text), "payload_kind": "text"}
        found.append(
            {
                "op": "inspect_call",
                "input": {"call": {"$literal": item}},
                "expected": wanted,
            }
        )
    return Plan(found)


def _asking(calls: Any, target: str) -> Step:
    return {"op": "convert_tool_calls", "input": {"calls": calls, "target": target}}


def _both_forms(call_id: str, name: str, arguments: str) -> tuple[Any, Any]:
    chat = chat_call(arguments, call_id=call_id, name=name)
    return chat, item_call(arguments, call_id=call_id, name=name)


def _calls_and_back(drawn: Sequence[tuple[str, str, str]]) -> Plan:
    found: list[Step] = []
    for index, parts in enumerate(drawn):
        chat, item = _both_forms(*parts)
        ways = ((chat, RESPONSES, item, CHAT), (item, CHAT, chat, RESPONSES))
        for way, (source, there, one, back) in enumerate(ways):
            name = f"there-{index}-{way}"
            first = _asking([{"$literal": source}], there)
            found.append({**first, "expected": [_in_keys(one)], "save": name})
            again = _asking({"$use": name}, back)
            found.append({**again, "expected": [_in_keys(source)]})
    return Plan(found)


def _in_keys(call: Any) -> Any:
    """Return a pattern of a call's keys, whatever others there are."""
    return {
        key: _in_keys(value) if isinstance(value, dict) else _exactly(value)
        for key, value in call.items()
    }


def _calls_in_order(drawn: Sequence[tuple[str, str, str]]) -> Plan:
    forms = [_both_forms(*parts) for parts in drawn]
    source = [pair[index % 2] for index, pair in enumerate(forms)]
    literal = [{"$literal": call} for call in source]
    found = [
        {**_asking(literal, CHAT), "expected": [_in_keys(chat) for chat, _ in forms]},
        {**_asking(literal, RESPONSES), "expected": [_in_keys(i) for _, i in forms]},
    ]
    return Plan(found)


# --- results


def _result_texts(drawn: Sequence[tuple[str, str]]) -> Plan:
    results = [
        {
            "role": "tool",
            "content": text,
            "toolResult": {"type": "tool_result", "text": text},
            "metadata": {"tool_call_id": call_id, "tool_name": "tool"},
        }
        for call_id, text in drawn
    ]
    chat = [
        {"role": "tool", "content": _exactly(text), "tool_call_id": _exactly(call_id)}
        for call_id, text in drawn
    ]
    items = [
        {
            "type": "function_call_output",
            "call_id": _exactly(call_id),
            "output": _exactly(text),
        }
        for call_id, text in drawn
    ]
    given = {"$literal": results}
    return Plan(
        [
            {
                "op": "convert_results",
                "input": {"results": given, "target": target},
                "expected": wanted,
            }
            for target, wanted in ((CHAT, chat), (RESPONSES, items))
        ]
    )


def _core_results(drawn: Sequence[Any]) -> Plan:
    found: list[Step] = []
    for value in drawn:
        same = (
            _exactly(value)
            if isinstance(value, str)
            else {"$json_text": _exactly(value)}
        )
        one = {"result": value, "tool_call_id": "call_1", "tool_name": "tool"}
        wanted = {
            "role": "tool",
            "content": same,
            "toolResult": {"text": same},
            "metadata": {"tool_call_id": "call_1", "tool_name": "tool"},
        }
        found.append(
            {
                "op": "convert_results",
                "input": {"results": [{"$literal": one}], "target": "core"},
                "expected": [wanted],
            }
        )
    return Plan(found)


_stored = st.one_of(
    texts(20),
    st.dictionaries(texts(6), _small, max_size=3),
    st.lists(_small, max_size=3),
)


def _lists(of: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[Any]:
    return st.lists(of, min_size=1, max_size=most)


_call_parts = st.tuples(_ids, _tool_names, st.one_of(_valid, texts(12)))

_FRAGMENTS = (
    *(
        "{",
        "3",
        "{}",
        "[1]",
        '"x"',
        "1e5",
        "null",
        '{"path"',
        '{"path":',
        '{ "b":1.0 }',
    ),
    *('{"path": "a"}', '{"path": ["README.md", 1.0, "日本"]}', '{"path": ["README'),
)
"""Inputs that are JSON or nearly so, the shortest first: so one that fails is made
small. White space around an input is among the texts that are drawn."""

_raw = _lists(st.one_of(st.sampled_from(_FRAGMENTS), texts(20)), 8)

STRATEGIES: dict[str, st.SearchStrategy[Plan]] = {
    "sanitise-any-text": st.one_of(_damaged, _lists(texts(20), 4)).map(_any_text),
    "sanitise-broken-texts": _damaged.map(_arguments("emptied")),
    "sanitise-valid-texts": _objects.map(spellings).map(_arguments("kept")),
    "sanitise-names": _lists(st.tuples(texts(10), texts(10), _valid), 3).map(_names),
    "sanitise-any-object": _lists(_odd_calls, 4).map(_any_object),
    "sanitise-other-values": _lists(_no_objects, 6).map(_other_values),
    "sanitise-lenient-json": _lenient().map(_arguments("emptied")),
    "sanitise-raw-input": _raw.map(_raw_inputs),
    "sanitise-items": _damaged.map(_items),
    "sanitise-nesting": _nested(),
    "sanitise-duplicate-keys": _duplicates().map(_twice),
    "sanitise-other-types": _foreign(),
    "schemas-unchanged": _lists(
        st.tuples(_functions, st.dictionaries(_words, _small, max_size=2)), 2
    ).map(_unchanged),
    "schemas-there-and-back": _lists(_functions, 2).map(_schemas_and_back),
    "schemas-in-order": _lists(st.tuples(_tool_names, st.integers(0, 2)), 8).map(
        _schemas_in_order
    ),
    "custom-inputs": _raw.map(_custom_inputs),
    "calls-there-and-back": _lists(_call_parts, 6).map(_calls_and_back),
    "calls-in-order": _lists(_call_parts, 8).map(_calls_in_order),
    "result-texts": _lists(st.tuples(_ids, texts(20)), 4).map(_result_texts),
    "core-results": _lists(_stored, 4).map(_core_results),
}
"""What is drawn for each property, by its name."""
