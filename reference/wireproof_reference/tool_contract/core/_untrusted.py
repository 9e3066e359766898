"""Output that an adversary may have written, made harmless for a model.

Two things are taken from such a text: the tokens by which chat templates tell who
speaks, and the tags of the wrapper that says where the text ends. Of each the first
character is written as an HTML entity: people and models still read what stood there,
and no token or tag is left, whatever stands around it.
"""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = (
    "im_start",
    "im_end",
    "im_sep",
    "begin_of_text",
    "end_of_text",
    "eot_id",
    "eom_id",
    "start_header_id",
    "end_header_id",
    "endoftext",
    "python_tag",
    "system",
    "user",
    "assistant",
    "tool",
    "end",
    "start",
    "message",
    "channel",
    "return",
    "call",
)
"""What stands between `<|` and `|>` in templates; any other short word does, too."""

_BRACKETS: Final = (
    "INST",
    "SYS",
    "AVAILABLE_TOOLS",
    "TOOL_CALLS",
    "TOOL_RESULTS",
    "SYSTEM_PROMPT",
    "BOS",
    "EOS",
)
"""What stands in square brackets, or in two angle brackets, in templates."""

_TURNS: Final = (
    *("start_of_turn", "end_of_turn", r"\|turn"),
    *("s", "bos", "eos", "pad", "unk"),
)
"""What stands in angle brackets in templates."""

_TOKEN: Final = re.compile(
    r"<(?=\s*[|\uff5c]\s*(?:" + "|".join(_NAMES) + r"|[\w\u2581 -]{1,40}?)"
    r"\s*[|\uff5c]\s*>"
    r"|\s*<\s*/?\s*(?:" + "|".join(_BRACKETS) + r")\s*>"
    r"|\s*/?\s*(?:" + "|".join(_TURNS) + r")\s*>"
    r"|\s*/?\s*untrusted)"
    r"|\[(?=\s*/?\s*(?:" + "|".join(_BRACKETS) + r")\s*\])",
    re.IGNORECASE,
)

_ENTITIES: Final = {"<": "&lt;", "[": "&#91;"}

_IN_ATTRIBUTES: Final = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&#39;",
        "[": "&#91;",
        "\n": " ",
        "\r": " ",
        "\u0085": " ",
        "\u2028": " ",
        "\u2029": " ",
    }
)


def sanitize_untrusted(content: str) -> str:
    """Take tokens of chat templates and tags of the wrapper from a text (TOOL-U2, U3).

    Once is enough: a text that was sanitised stays as it is (TOOL-U6).
    """
    return _TOKEN.sub(lambda found: _ENTITIES[found[0]], content)


def wrap_untrusted(content: str, tool_name: str, source: str | None = None) -> str:
    """Put a text into the wrapper that says that it is not to be trusted (TOOL-U1).

    Args:
        content: What the tool gave.
        tool_name: The tool.
        source: Where the content is from; the tool's name where that is not known.
    """
    where = (source or tool_name).translate(_IN_ATTRIBUTES)
    tool = tool_name.translate(_IN_ATTRIBUTES)
    inner = sanitize_untrusted(content)
    return f'<untrusted source="{where}" tool="{tool}">{inner}</untrusted>'
