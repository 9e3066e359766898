"""A host with a tool of its own beside the conformance toolset."""

import sys
from dataclasses import replace
from typing import Any

from wireproof_reference.host_v1 import (
    Tool,
    ToolContext,
    conformance_toolset,
    run_stdio,
)


async def shout(arguments: dict[str, Any], context: ToolContext) -> str:
    return str(arguments["text"]).upper()


SHOUT = Tool(
    name="shout",
    description="Return the text in capital letters.",
    parameters={"type": "object", "properties": {"text": {"type": "string"}}},
    run=shout,
)

tried = conformance_toolset()
sys.exit(run_stdio(replace(tried, tools=[SHOUT, *tried.tools])))
