"""Hosts that take a name in another style for one that they know: HV1-M8, R8."""

from __future__ import annotations

from tests.proof.host_v1.method_faults import FindingHost
from tests.proof.host_v1.subject import broken
from tests.proof.style import snake_case

from wireproof_reference.host_v1 import Host, Request


@broken("methods-in-any-style", "HV1-M8", "takes getToolSchemas for get_tool_schemas")
class MethodsInAnyStyle(Host):
    def handle_request(self, request: Request) -> None:
        method = snake_case(request.method)
        super().handle_request(Request(request.id, method, request.params))


@broken("tools-in-any-style", "HV1-R8", "takes conformanceEcho for conformance_echo")
class ToolsInAnyStyle(FindingHost):
    def guess(self, name: str) -> str | None:
        return snake_case(name)
