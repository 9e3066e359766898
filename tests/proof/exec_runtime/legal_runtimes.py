"""Runtimes that conform in their own way; none may fail anything."""

from __future__ import annotations

from tests.proof.exec_runtime.runtime import Runtime
from tests.proof.exec_runtime.subject import legal


@legal("plain", "is the plain one")
class Plain(Runtime):
    pass
