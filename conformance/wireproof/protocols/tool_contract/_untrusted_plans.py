"""Untrusted content that tries to break out of its wrapper, as the fuzzer draws it.

A reader of tags finds one wrapper, and no token of a chat template in it, wherever it
is cut. Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import corpus_texts, exactly, texts
from wireproof.protocols.tool_contract._plan import (
    ToolPlan,
    call,
    executed,
    registered,
    returning,
    tool,
)
from wireproof.protocols.tool_contract._views import TOKENS

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    "\n",
    "\u2028",
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
) -> ToolPlan:
    name = "fuzz_untrusted"
    step = executed([call(1, name)], [dict(wanted)], context=dict(context))
    step["if_told"] = ["modelText"]
    told = tool(name, returning(content), outputIsUntrusted=True)
    return ToolPlan((registered(told), step))


def _one_wrapper(**wrapper: Any) -> Mapping[str, Any]:
    tool_name = {"tool": "fuzz_untrusted"}
    return {"wrappers": 1, "tags": 0, "wrapper": {**tool_name, **wrapper}}


WHOLE = _one_wrapper(inside={"$contains": ["head", "tail"]})

untrusted_content = _content.map(
    lambda text: _untrusted(f"head{text}tail", {}, WHOLE),
)

untrusted_tokens = _content.map(
    lambda text: _untrusted(text, {}, {"tokens": exactly([])})
)

untrusted_and_cut = st.tuples(_content, st.integers(0, 40)).map(
    lambda pair: _untrusted(
        pair[0],
        {"resultBudgetChars": pair[1]},
        _one_wrapper(after={"$not": {"$contains": "</untrusted"}}),
    )
)

_SAFE: Mapping[str, Any] = {
    "$all_of": [
        {"$type": "string"},
        *({"$not": {"$contains": one}} for one in ('"', "<", ">")),
    ]
}

_attribute = st.lists(
    st.one_of(_tags(), st.sampled_from(_OTHERS), texts(4), st.just("\r\n")),
    min_size=1,
    max_size=4,
).map("".join)


@st.composite
def untrusted_attributes(draw: st.DrawFn) -> ToolPlan:
    """Draw values of attributes that try to break out."""
    asked = {
        "content": "words",
        "toolName": {"$literal": draw(_attribute)},
        "source": {"$literal": draw(_attribute)},
    }
    wrapper = {"tool": _SAFE, "source": _SAFE, "inside": {"$contains": "words"}}
    wanted = {"wrappers": 1, "tags": 0, "wrapper": wrapper}
    step = {"op": "wrap_untrusted", "input": asked, "expected": wanted}
    return ToolPlan((step,))
