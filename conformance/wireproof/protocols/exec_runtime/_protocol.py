"""The registry's view of exec-runtime: how one is named, how a suite is opened."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from wireproof.operations import BridgedProtocol
from wireproof.protocols.exec_runtime._fuzz_checks import FUZZ_CHECKS
from wireproof.protocols.exec_runtime._ops import OPS, OPTIONAL_OPS
from wireproof.protocols.exec_runtime._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Suite, Target
    from wireproof.protocols.exec_runtime._one_runtime import OneRuntime

BESIDE = 4
"""Drivers that are tried beside each other: most of the time they wait."""


class ExecRuntimeProtocol(BridgedProtocol):
    """exec-runtime as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "exec", "runtime")
    kind = "runtime"
    ops = (*OPS, *OPTIONAL_OPS)
    fuzz_checks = FUZZ_CHECKS

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a runtime; nothing is started yet."""
        from wireproof.protocols.exec_runtime._config_files import lay_launcher
        from wireproof.protocols.exec_runtime._one_runtime import Lessons, OneRuntime
        from wireproof.protocols.exec_runtime._suite import RuntimeSuite
        from wireproof.subjects import subject_environment

        inputs = self.inputs(target, settings)
        # What a tool must not get has to be there for it to get.
        own = subject_environment(settings.environment)
        planted = {**inputs.setup["environment"], **own}
        folder = TemporaryDirectory(prefix="wp-path-")
        lay_launcher(Path(folder.name))
        planted["PATH"] = os.pathsep.join([own.get("PATH", os.defpath), folder.name])
        with_planted = replace(settings, environment=planted)
        parents = frozenset(subject_environment(planted))
        lessons = Lessons()

        def open_one() -> OneRuntime:
            bridge = self.bridge(target, with_planted)
            return OneRuntime(bridge, inputs, parents, lessons)

        return RuntimeSuite(inputs, open_one, BESIDE, folder)


PROTOCOL = ExecRuntimeProtocol()
