"""The registry's view of exec-runtime: how one is named, how a suite is opened."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from wireproof.protocols._bridged import BridgedProtocol
from wireproof.protocols.exec_runtime._ops import OPS, OPTIONAL_OPS
from wireproof.protocols.exec_runtime._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, SuiteInputs, Target
    from wireproof.judge import Rules
    from wireproof.run import SideBySide

BESIDE = 4
"""Drivers that are tried beside each other: most of the time they wait."""


class ExecRuntimeProtocol(BridgedProtocol):
    """exec-runtime as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "exec", "runtime")
    kind = "runtime"
    ops = (*OPS, *OPTIONAL_OPS)

    def open(self, target: Target, settings: Settings) -> SideBySide:
        """Bind the checks to a runtime; nothing is started yet."""
        return self.bind(self.inputs(target, settings))

    def bind(self, inputs: SuiteInputs) -> SideBySide:
        """Bind checks to a runtime; nothing is started yet."""
        from wireproof.protocols.exec_runtime._config_files import lay_launcher
        from wireproof.protocols.exec_runtime._driver import RuntimeDriver
        from wireproof.report import sentence
        from wireproof.run import EngineSuite, SideBySide
        from wireproof.subjects import subject_environment

        # What a tool must not get has to be there for it to get.
        own = subject_environment(inputs.settings.environment)
        planted = {**inputs.setup["environment"], **own}
        folder = TemporaryDirectory(prefix="wp-path-")
        lay_launcher(Path(folder.name))
        planted["PATH"] = os.pathsep.join([own.get("PATH", os.defpath), folder.name])
        settings = replace(inputs.settings, environment=planted)
        environment = self.environment(inputs.target, settings)

        def open_one() -> EngineSuite:
            return EngineSuite(
                inputs,
                lambda: RuntimeDriver(inputs, environment),
                self.rules(),
                {},
                sentence,
                "wireproof.protocols.exec_runtime._fuzz_plans",
                kind="runtime",
            )

        suites = [open_one() for _ in range(BESIDE)]
        return SideBySide(inputs, suites, folder.cleanup)

    def rules(self) -> Rules:
        """Return what the judge has to know of exec-runtime."""
        from wireproof.bridge import BridgeDialect
        from wireproof.judge import Rules
        from wireproof.protocols.exec_runtime._reading import look
        from wireproof.protocols.exec_runtime.rules import FAULTS

        return Rules(BridgeDialect, FAULTS, look=look)


PROTOCOL = ExecRuntimeProtocol()
