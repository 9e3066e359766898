"""The registry's view of exec-runtime: how one is named, how a suite is opened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.operations import BridgedProtocol
from wireproof.protocols.exec_runtime._fuzz_checks import FUZZ_CHECKS
from wireproof.protocols.exec_runtime._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Suite, Target
    from wireproof.operations import BridgedHandle
    from wireproof.protocols.exec_runtime._one_runtime import OneRuntime

BESIDE = 4
"""Drivers that are tried beside each other: most of the time they wait."""


class ExecRuntimeProtocol(BridgedProtocol):
    """exec-runtime as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "exec", "runtime")
    kind = "runtime"
    fuzz_checks = FUZZ_CHECKS

    def handle(self, target: Target, settings: Settings) -> BridgedHandle:
        """Return a runtime for a user's own tests, started on entering a block."""
        from wireproof.operations import BridgedHandle, open_bridge
        from wireproof.protocols.exec_runtime._one_runtime import OPS

        return BridgedHandle(open_bridge(target, settings, OPS))

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a runtime; nothing is started yet."""
        from wireproof.operations import open_bridge
        from wireproof.protocols.exec_runtime._one_runtime import OPS, OneRuntime
        from wireproof.protocols.exec_runtime._suite import RuntimeSuite
        from wireproof.subjects import subject_environment
        from wireproof_vectors import load_setup

        vectors = self.vectors(settings)
        setup: Any = load_setup(self.name)
        # What a tool must not get has to be there for it to get.
        planted = {**setup["environment"], **settings.environment}
        with_planted = replace(settings, environment=planted)
        parents = frozenset(subject_environment(planted))

        def open_one() -> OneRuntime:
            bridge = open_bridge(target, with_planted, OPS)
            return OneRuntime(bridge, target, settings, vectors, setup, parents)

        return RuntimeSuite(
            target, settings, self.checks(settings), vectors, open_one, BESIDE
        )


PROTOCOL = ExecRuntimeProtocol()
