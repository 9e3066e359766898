"""What is drawn for each fuzz property of the tool contract.

What is expected follows from what was drawn: a small model of budgets, filters and
outcomes. Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import corpus_texts, texts, values
from wireproof.operations import OperationPlan, exactly
from wireproof.protocols.tool_contract._fuzz_checks import PREFIX
from wireproof.protocols.tool_contract._sequence_plans import FILES, SEQUENCES
from wireproof.protocols.tool_contract._views import TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Check
    from wireproof.fuzzing import Example

Step = dict[str, Any]

MOST_CALLS = 9
MOST_CHARS = 120


def tool(name: str, *steps: Step, **more: Any) -> Step:
    """Return a tool as data."""
    schema = {"type": "object"}
    facts = {"name": name, "description": "A tool.", "schema": schema}
    return {**facts, **more, "steps": list(steps)}


def returning(value: Any, **more: Any) -> Step:
    """Return the step that returns a success."""
    return {"return": {"$literal": {"ok": True, "value": value, **more}}}


def registered(*tools: Step) -> Step:
    """Return the step that registers tools."""
    names = [one["name"] for one in tools]
    return {
        "op": "register",
        "input": {"tools": list(tools)},
        "expected": {"registered": names},
    }


def call(index: int, name: str, args: Any = None) -> Step:
    """Return a call."""
    given = {} if args is None else {"$literal": args}
    return {"toolCallId": f"call-{index}", "name": name, "args": given}


def executed(calls: Sequence[Step], results: Sequence[Any], **more: Any) -> Step:
    """Return the step that carries out calls."""
    return {
        "op": "execute_parallel",
        "input": {"calls": list(calls), **more},
        "expected": {"results": list(results)},
    }


# --- untrusted output

_white = st.sampled_from(["", "", "", " ", "\n", "\t", "\u00a0", "  "])


@st.composite
def _tags(draw: st.DrawFn) -> str:
    """Draw something like a tag of the wrapper."""
    name = draw(st.sampled_from(["untrusted", "UNTRUSTED", "Untrusted", "untrusted x"]))
    parts = ["<", draw(_white), draw(st.sampled_from(["/", "/", ""])), draw(_white)]
    end = draw(st.sampled_from([">", ">", " >", "", ' source="a" tool="b">']))
    return "".join([*parts, name, end])


@st.composite
def _tokens(draw: st.DrawFn) -> str:
    """Draw a token of a chat template, in some case."""
    token = draw(st.sampled_from(TOKENS))
    return draw(st.sampled_from([token, token.upper(), token.title()]))


@st.composite
def _nested(draw: st.DrawFn) -> str:
    """Draw what leaves a token or a tag where another is taken out of it once."""
    outer, inner = (
        draw(st.one_of(_tags(), _tokens())),
        draw(st.one_of(_tags(), _tokens())),
    )
    place = draw(st.integers(0, len(outer)))
    return outer[:place] + inner + outer[place:]


_OTHERS = (
    "<|endoftext|>",
    "<\uff5cUser\uff5c>",
    "<bos>",
    "[TOOL_CALLS]",
    "&lt;/untrusted&gt;",
    "<\u200b/untrusted>",
    "\uff1c/untrusted\uff1e",
    "</untrust\u0435d>",
    "<!--",
    "]]>",
    '"',
    "'",
    "\\u003c/untrusted\\u003e",
)
"""Tokens of other templates, homoglyphs, and what looks like an end elsewhere."""

_content = st.lists(
    st.one_of(
        _tags(),
        _tokens(),
        _nested(),
        st.sampled_from(_OTHERS),
        corpus_texts,
        texts(6),
    ),
    min_size=1,
    max_size=8,
).map("".join)


def _untrusted(
    content: str, context: Mapping[str, int], wanted: Mapping[str, Any]
) -> OperationPlan:
    name = "fuzz_untrusted"
    steps = (
        registered(tool(name, returning(content), outputIsUntrusted=True)),
        executed([call(1, name)], [dict(wanted)], context=dict(context)),
    )
    return OperationPlan(steps)


ONE_WRAPPER: Mapping[str, Any] = {
    "tags": 2,
    "wrapper": {"tool": "fuzz_untrusted", "before": ""},
}

untrusted_content = _content.map(lambda text: _untrusted(text, {}, ONE_WRAPPER))

untrusted_tokens = _content.map(
    lambda text: _untrusted(text, {}, {"tokens": exactly([])})
)

untrusted_and_cut = st.tuples(_content, st.integers(0, 40)).map(
    lambda pair: _untrusted(pair[0], {"resultBudgetChars": pair[1]}, ONE_WRAPPER)
)

_SAFE: Mapping[str, Any] = {
    "$all_of": [
        {"$type": "string"},
        *({"$not": {"$contains": one}} for one in ('"', "<", ">", "\n", "\r")),
    ]
}

_attribute = st.lists(
    st.one_of(_tags(), st.sampled_from(_OTHERS), texts(4), st.just("\r\n")),
    min_size=1,
    max_size=4,
).map("".join)


@st.composite
def untrusted_attributes(draw: st.DrawFn) -> OperationPlan:
    """Draw values of attributes that try to break out."""
    asked = {
        "content": "words",
        "toolName": {"$literal": draw(_attribute)},
        "source": {"$literal": draw(_attribute)},
    }
    wrapper = {"tool": _SAFE, "source": _SAFE, "before": "", "after": ""}
    wanted = {"tags": 2, "wrapper": {**wrapper, "inside": {"$contains": "words"}}}
    step = {"op": "wrap_untrusted", "input": asked, "expected": wanted}
    return OperationPlan((step,))


# --- budgets and batches


def _marked(length: int, cap: int) -> Any:
    """Return the pattern of a value of so many letters with this cap."""
    if length <= cap:
        return "x" * length
    kept = "x" * cap
    return {
        "$one_of": [
            f"{kept}\n[truncated {dash} {length} chars total]"
            for dash in ("--", "\u2014")
        ]
    }


@st.composite
def budgets(draw: st.DrawFn) -> OperationPlan:
    """Draw lengths, own caps and a budget; each value is cut as they say."""
    count = draw(st.integers(1, MOST_CALLS))
    total = draw(st.integers(0, MOST_CHARS * 3))
    part = total // count
    tools: list[Step] = []
    calls: list[Step] = []
    results: list[Any] = []
    for index in range(count):
        length = draw(st.one_of(st.integers(0, MOST_CHARS), st.just(part)))
        own = draw(st.one_of(st.none(), st.integers(0, MOST_CHARS)))
        more = {} if own is None else {"maxResultChars": own}
        name = f"fuzz_budget_{index}"
        tools.append(tool(name, returning("x" * length), **more))
        calls.append(call(index, name))
        cap = part if own is None else min(part, own)
        results.append({"result": {"ok": True, "value": _marked(length, cap)}})
    context = {"resultBudgetChars": total}
    return OperationPlan(
        (registered(*tools), executed(calls, results, context=context))
    )


_FAILED: Mapping[str, Any] = {"ok": False, "code": "execution_failed"}

_OUTCOMES: Sequence[tuple[Step, Mapping[str, Any]]] = (
    ({"throw": "thrown"}, {**_FAILED, "error": "thrown"}),
    ({"return": None}, _FAILED),
    ({"return": "bare"}, _FAILED),
    ({"return": {"ok": True}}, _FAILED),
    ({"return": {"ok": False, "error": "no", "code": "odd"}}, _FAILED),
    (
        {"return": {"ok": False, "error": "no", "code": "input_invalid"}},
        {"ok": False, "error": "no", "code": "input_invalid"},
    ),
)
"""What tools come to that do not succeed."""


@st.composite
def batches(draw: st.DrawFn) -> OperationPlan:
    """Draw calls that succeed, fail, throw, return nonsense or are unknown."""
    kinds = draw(
        st.lists(st.integers(-1, len(_OUTCOMES)), min_size=1, max_size=MOST_CALLS)
    )
    tools: list[Step] = []
    calls: list[Step] = []
    results: list[Any] = []
    for index, kind in enumerate(kinds):
        name = f"fuzz_batch_{index}"
        wanted: Mapping[str, Any]
        if kind == len(_OUTCOMES):
            wanted = {"ok": False, "code": "not_available"}
        elif kind < 0:
            value = f"value {index}"
            wanted = {"ok": True, "value": value}
            tools.append(tool(name, returning(value)))
        else:
            step, wanted = _OUTCOMES[kind]
            tools.append(tool(name, step))
        calls.append(call(index, name))
        results.append({"toolCallId": f"call-{index}", "name": name, "result": wanted})
    steps = [registered(*tools)] if tools else []
    return OperationPlan((*steps, executed(calls, results)))


_SERVERS = ("git", "github", "web")
_PLUGINS = ("acme", "acme2")


@st.composite
def filters(draw: st.DrawFn) -> OperationPlan:
    """Draw tools of all kinds and a filter; what passes is listed."""
    allowed_servers = draw(st.none() | st.lists(st.sampled_from(_SERVERS), unique=True))
    allowed_plugins = draw(st.none() | st.lists(st.sampled_from(_PLUGINS), unique=True))
    has_names = draw(st.booleans())
    tools: list[Step] = []
    names: list[str] = []
    passing: list[str] = []
    for index in range(draw(st.integers(1, MOST_CALLS))):
        server = draw(st.none() | st.sampled_from(_SERVERS))
        plugin = draw(st.none() | st.sampled_from(_PLUGINS))
        always = draw(st.booleans())
        named = draw(st.booleans())
        prefix = "" if server is None else f"mcp__{server}__"
        name = f"{prefix}fuzz_filter_{index}"
        more: dict[str, Any] = {"alwaysInclude": True} if always else {}
        if plugin is not None:
            more["plugin"] = plugin
        # Whether the filter by names gates a plugin's tool is left open (TOOL-X7).
        if named or (plugin is not None and server is None):
            names.append(name)
            named = True
        tools.append(tool(name, returning("ran"), **more))
        passes = server is not None or always or named or not has_names
        passes = passes and (server is None or _in(allowed_servers, server))
        if passes and (plugin is None or _in(allowed_plugins, plugin)):
            passing.append(name)
    asked: dict[str, Any] = {"allowedTools": names} if has_names else {}
    options = {"allowedMcpServers": allowed_servers, "allowedPlugins": allowed_plugins}
    if given := {key: one for key, one in options.items() if one is not None}:
        asked["filterOpts"] = given
    listed = [{"name": name} for name in sorted(passing)]
    step = {"op": "definitions", "input": asked, "expected": listed}
    return OperationPlan((registered(*tools), step))


def _in(allowed: Sequence[str] | None, name: str) -> bool:
    return allowed is None or name in allowed


# --- values


@st.composite
def kept_values(draw: st.DrawFn) -> OperationPlan:
    """Draw a value, structured output and an error; all come as they are."""
    text = draw(st.one_of(corpus_texts, texts(12)))
    structured: dict[str, Any] = {}
    if draw(st.booleans()):
        structured = {"value": draw(values), draw(texts(4)): draw(values)}
    cost = draw(st.sampled_from([0, 0.25, 1.5, 12]))
    error = draw(st.one_of(corpus_texts, texts(12)))
    failure = {"ok": False, "error": error, "code": "input_invalid"}
    tools = (
        tool("fuzz_value", returning(text, structured=structured, cost_usd=cost)),
        tool("fuzz_error", {"return": {"$literal": failure}}),
    )
    kept = {"structured": exactly(structured), "cost_usd": cost}
    wanted = {"ok": True, "value": exactly(text), **kept}
    refused = {"ok": False, "error": exactly(error), "code": "input_invalid"}
    results = [{"result": wanted}, {"result": refused}]
    calls = [call(1, "fuzz_value"), call(2, "fuzz_error")]
    return OperationPlan((registered(*tools), executed(calls, results)))


@st.composite
def arguments(draw: st.DrawFn) -> OperationPlan:
    """Draw arguments and a turn; a reducer is told both."""
    args: dict[str, Any] = {"value": draw(values), draw(texts(4)): draw(values)}
    turn = draw(st.integers(1, 1_000))
    name = "fuzz_arguments"
    reducer = {
        "op": "register_reducer",
        "input": {"toolName": name, "reduce": {"return_context": True}},
        "expected": {"handle": {"$not": None}},
    }
    told = {"args": exactly(args), "turnCount": turn}
    results = [{"result": {"ok": True, "value": {"$json_text": told}}}]
    ran = executed([call(1, name, args)], results, context={"currentTurn": turn})
    return OperationPlan((registered(tool(name, returning("ran"))), reducer, ran))


STRATEGIES: Mapping[str, Callable[[], st.SearchStrategy[Example]]] = {
    "untrusted-content": lambda: untrusted_content,
    "untrusted-tokens": lambda: untrusted_tokens,
    "untrusted-and-cut": lambda: untrusted_and_cut,
    "untrusted-attributes": untrusted_attributes,
    "budgets": budgets,
    "batches": batches,
    "filters": filters,
    "values": kept_values,
    "arguments": arguments,
    "sequences": lambda: SEQUENCES,
    "file-sequences": lambda: FILES,
}
"""What is drawn for each property, by its name."""


def strategy_of(check: Check) -> st.SearchStrategy[Example]:
    """Return what is drawn for a property."""
    return STRATEGIES[check.id.removeprefix(PREFIX)]()
