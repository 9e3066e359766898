"""The conformance toolset for Python hosts, whatever the protocol.

A tool is data and one async function; it learns through its `ToolContext` what the
protocol gives it.  `conformance_tools` lists those that every host offers.
"""

from wireproof_reference.toolset._tool import Tool, ToolContext, ToolFailure
from wireproof_reference.toolset._tools import conformance_tools

__all__ = ["Tool", "ToolContext", "ToolFailure", "conformance_tools"]
