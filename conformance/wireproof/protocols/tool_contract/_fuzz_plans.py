"""What is drawn for each fuzz property of the tool contract.

What is expected follows from what was drawn: a small model of budgets, filters and
outcomes. Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import corpus_texts, exactly, many, several, texts, values
from wireproof.protocols.tool_contract._plan import (
    ToolPlan,
    call,
    executed,
    registered,
    returning,
    tool,
)
from wireproof.protocols.tool_contract._sequence_plans import FILES, SEQUENCES
from wireproof.protocols.tool_contract._untrusted_plans import (
    untrusted_and_cut,
    untrusted_attributes,
    untrusted_content,
    untrusted_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.fuzzing import Example

Step = dict[str, Any]

MOST_CALLS = 9
MOST_PLANS = 6
"""In one example: what goes wrong with one combination alone is found sooner."""

MOST_CHARS = 120


# --- budgets and batches


_stretches = ("x", "a line\r\n", '{"a": [1]}, ', "\u6587\n", " ", "[truncated -- 9 ")


@st.composite
def cuts(draw: st.DrawFn) -> ToolPlan:
    """Draw a value, a budget and an own cap of one call."""
    value = draw(st.sampled_from(_stretches)) * draw(st.integers(0, MOST_CHARS))
    total, cap = (
        draw(st.integers(0, MOST_CHARS * 2) | st.just(len(value))) for _ in range(2)
    )
    told = tool("fuzz_cut", returning(value), maxResultChars=cap)
    wanted: dict[str, Any] = {"result": {"ok": True, "value": value}}
    if len(value) > min(total, cap):
        marker = rf"\[truncated (--|\u2014) {len(value)} chars total\]"
        marked = {"ok": True, "value": {"$schema": {"pattern": marker}}}
        most = {"$schema": {"maximum": min(total, cap)}}
        wanted = {"result": marked, "begins": True, "held": most}
    context = {"resultBudgetChars": total}
    ran = executed([call(1, "fuzz_cut")], [wanted], context=context)
    return ToolPlan((registered(told), ran))


@st.composite
def budgets(draw: st.DrawFn) -> ToolPlan:
    """Draw lengths, own caps and a budget, which all values together keep to."""
    total = draw(st.integers(0, MOST_CHARS * 3))
    tools: list[Step] = []
    calls: list[Step] = []
    for index in range(draw(st.integers(1, MOST_CALLS))):
        length = draw(st.integers(0, MOST_CHARS))
        own = draw(st.one_of(st.none(), st.integers(0, MOST_CHARS)))
        more = {} if own is None else {"maxResultChars": own}
        name = f"fuzz_budget_{index}"
        tools.append(tool(name, returning("x" * length), **more))
        calls.append(call(index, name))
    succeeded = [{"result": {"ok": True}}] * len(calls)
    step = executed(calls, succeeded, context={"resultBudgetChars": total})
    step["expected"]["held"] = {"$schema": {"maximum": total}}
    return ToolPlan((registered(*tools), step))


_FAILED: Mapping[str, Any] = {"ok": False, "code": "execution_failed"}
_EITHER: Mapping[str, Any] = {"ok": {"$type": "boolean"}}

_OUTCOMES: Sequence[tuple[Step, Mapping[str, Any]]] = (
    ({"throw": "thrown"}, {**_FAILED, "error": "thrown"}),
    ({"return": None}, _EITHER),
    ({"return": "bare"}, _EITHER),
    ({"return": {"ok": True}}, _EITHER),
    ({"return": {"ok": False, "error": "no", "code": "odd"}}, _EITHER),
    (
        {"return": {"ok": False, "error": "no", "code": "input_invalid"}},
        {"ok": False, "error": "no", "code": "input_invalid"},
    ),
)
"""What tools come to that do not succeed."""


@st.composite
def batches(draw: st.DrawFn) -> ToolPlan:
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
    return ToolPlan((*steps, executed(calls, results)))


_SERVERS = ("git", "github", "git_hub", "my_git", "web")
_PLUGINS = ("acme", "acme2")


@st.composite
def filters(draw: st.DrawFn) -> ToolPlan:
    """Draw tools of all kinds, and filters; of each what passes is listed."""
    tools: list[Step] = []
    servers: list[str | None] = []
    for index in range(draw(st.integers(1, MOST_CALLS))):
        servers.append(draw(st.none() | st.sampled_from(_SERVERS)))
        prefix = "" if servers[-1] is None else f"mcp__{servers[-1]}__"
        plugin = draw(st.none() | st.sampled_from(_PLUGINS))
        more: dict[str, Any] = {} if plugin is None else {"plugin": plugin}
        if draw(st.booleans()):
            more["alwaysInclude"] = True
        between = draw(st.sampled_from(["_", "__"]))
        name = f"{prefix}fuzz_filter{between}{index}"
        tools.append(tool(name, returning("ran"), **more))
    one_filter = _listing(list(zip(tools, servers, strict=True)))
    return ToolPlan((registered(*tools), *draw(many(one_filter, 1, MOST_PLANS))))


@st.composite
def _listing(draw: st.DrawFn, tools: Sequence[tuple[Step, str | None]]) -> Step:
    """Draw a filter; what passes is listed."""
    allowed_servers = draw(st.none() | st.lists(st.sampled_from(_SERVERS), unique=True))
    allowed_plugins = draw(st.none() | st.lists(st.sampled_from(_PLUGINS), unique=True))
    has_names = draw(st.booleans())
    names: list[str] = []
    passing: list[str] = []
    for one, server in tools:
        name, plugin = one["name"], one.get("plugin")
        named = draw(st.booleans())
        # Whether the filter by names gates a plugin's tool is left open (TOOL-X7).
        if named or (plugin is not None and server is None):
            names.append(name)
            named = True
        always = one.get("alwaysInclude", False)
        passes = server is not None or always or named or not has_names
        passes = passes and (server is None or _in(allowed_servers, server))
        if passes and (plugin is None or _in(allowed_plugins, plugin)):
            passing.append(name)
    asked: dict[str, Any] = {"allowedTools": names} if has_names else {}
    options = {"allowedMcpServers": allowed_servers, "allowedPlugins": allowed_plugins}
    if given := {key: one for key, one in options.items() if one is not None}:
        asked["filterOpts"] = given
    listed = [{"name": name} for name in sorted(passing)]
    return {"op": "definitions", "input": asked, "expected": listed}


def _in(allowed: Sequence[str] | None, name: str) -> bool:
    return allowed is None or name in allowed


# --- names


@st.composite
def other_names(draw: st.DrawFn) -> ToolPlan:
    """Draw a name like a tool's own: it runs and is allowed by none of them."""
    own = "fuzz_tool_read"
    forms = ["functions.{}", "mcp__git__{}", "{}()", "{}es", " {}", "{}:0", "{}*"]
    name = draw(st.sampled_from([*forms, "F{}"])).format(own)
    changes = [name, name.upper(), name.title(), name.replace("_r", "-r")]
    name = draw(st.sampled_from(changes))
    refused = {"result": {"ok": False, "code": "not_available"}}
    ran = executed([call(1, name), call(2, own)], [refused, {"result": {"ok": True}}])
    none: list[Step] = []
    listed: Step = {
        "op": "definitions",
        "input": {"allowedTools": [name]},
        "expected": none,
    }
    return ToolPlan((registered(tool(own, returning("ran"))), listed, ran))


# --- values


@st.composite
def kept_values(draw: st.DrawFn, *, shown: bool = False) -> ToolPlan:
    """Draw a value, structured output and an error; all come as they are.

    Args:
        draw: Hypothesis' own.
        shown: Whether they come to the model, and not to the caller.
    """
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
    if shown:
        seen = executed(calls, [{"shows": True}] * 2)
        return ToolPlan((registered(*tools), {**seen, "if_told": ["modelText"]}))
    return ToolPlan((registered(*tools), executed(calls, results)))


@st.composite
def arguments(draw: st.DrawFn) -> ToolPlan:
    """Draw arguments of two calls and a turn; a reducer is told both of each."""
    turn = draw(st.integers(1, 1_000))
    name = "fuzz_arguments"
    reducer = {
        "op": "register_reducer",
        "input": {"toolName": name, "reduce": {"return_context": True}},
        "expected": {"handle": {"$not": None}},
    }
    calls: list[Step] = []
    results: list[Any] = []
    for index in range(2):
        args = {"value": draw(values), draw(texts(4)): draw(values)}
        calls.append(call(index, name, args))
        told = {"args": exactly(args), "turnCount": turn}
        results.append({"result": {"ok": True, "value": {"$json_text": told}}})
    ran = executed(calls, results, context={"currentTurn": turn})
    return ToolPlan((registered(tool(name, returning("ran"))), reducer, ran))


_MADE: Mapping[str, Callable[[], st.SearchStrategy[Example]]] = {
    "untrusted-content": lambda: several(untrusted_content, MOST_PLANS),
    "untrusted-tokens": lambda: several(untrusted_tokens, MOST_PLANS),
    "untrusted-and-cut": lambda: several(untrusted_and_cut, MOST_PLANS),
    "untrusted-attributes": lambda: several(untrusted_attributes(), MOST_PLANS),
    "cuts": lambda: several(cuts(), MOST_PLANS),
    "budgets": lambda: several(budgets(), MOST_PLANS),
    "batches": lambda: several(batches(), MOST_PLANS),
    "names": lambda: several(other_names(), MOST_PLANS),
    "shown": lambda: several(kept_values(shown=True), MOST_PLANS),
    "filters": filters,
    "values": lambda: several(kept_values(), MOST_PLANS),
    "arguments": lambda: several(arguments(), MOST_PLANS),
    "sequences": lambda: SEQUENCES,
    "file-sequences": lambda: FILES,
}

STRATEGIES: Mapping[str, st.SearchStrategy[Example]] = {
    name: st.deferred(made) for name, made in _MADE.items()
}
"""What is drawn for each property, by its name; made when it is first drawn."""
