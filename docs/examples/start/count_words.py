"""An exec tool that counts words: one call, or with --server one after the other."""

from typing import Any

from exec_tool import ToolError, serve


def count_words(args: dict[str, Any]) -> dict[str, int]:
    if not isinstance(args.get("text"), str):
        raise ToolError("text is missing")
    return {"words": len(args["text"].split())}


serve(count_words)
