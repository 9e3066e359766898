"""Runtimes that read their files otherwise: EXEC-Y1 to Y4."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.proof.exec_runtime.config import FIELDS
from tests.proof.exec_runtime.runtime import Binding, Driver, Runtime
from tests.proof.exec_runtime.subject import broken


class FirstBindingDriver(Driver):
    def load(self, config: Path, pack: str | None) -> dict[str, Any]:
        loaded = super().load(config, pack)
        for name in loaded["bound"][1:]:
            del self.runtime.bindings[name]
        return {**loaded, "bound": loaded["bound"][:1]}


@broken(
    "first-binding-alone",
    "EXEC-Y1",
    "binds the first tool of a file alone",
    driver=FirstBindingDriver,
)
class FirstBindingAlone(Runtime):
    pass


def forgets(field: str, value: Any) -> type[Driver]:
    """Return a driver that does not heed a field of a file."""

    class ForgetfulDriver(Driver):
        def load(self, config: Path, pack: str | None) -> dict[str, Any]:
            loaded = super().load(config, pack)
            for name in loaded["bound"]:
                setattr(self.runtime.bindings[name], field, value)
            return loaded

    return ForgetfulDriver


@broken(
    "one-shot-alone",
    "EXEC-Y1",
    "takes each tool of a file for a one-shot tool",
    driver=forgets("runtime", "exec"),
)
class OneShotAlone(Runtime):
    pass


@broken(
    "variables-forgotten",
    "EXEC-Y1",
    "does not heed the variables that a file lists",
    driver=forgets("env", ()),
)
class VariablesForgotten(Runtime):
    pass


@broken(
    "limit-forgotten",
    "EXEC-Y1",
    "does not heed the limits of a file",
    driver=forgets("timeout_ms", None),
)
class LimitForgotten(Runtime):
    pass


class FoldingDriver(Driver):
    """Tells the tools of a file apart by the letters of their names alone."""

    def load(self, config: Path, pack: str | None) -> dict[str, Any]:
        loaded, bindings = super().load(config, pack), self.runtime.bindings
        latest = {_folded(name): bindings[name] for name in loaded["bound"]}
        bindings |= {name: latest[_folded(name)] for name in loaded["bound"]}
        return loaded


def _folded(name: str) -> str:
    return name.replace("-", "_").lower()


@broken(
    "names-folded",
    "EXEC-Y1",
    "takes tools whose names look alike for one",
    driver=FoldingDriver,
    shown_by="exec-runtime/configuration/names-that-look-alike",
)
class NamesFolded(Runtime):
    pass


class LenientDriver(Driver):
    def load(self, config: Path, pack: str | None) -> dict[str, Any]:
        from tests.proof.exec_runtime import config as module  # noqa: PLC0415

        kept = module.look_at
        module.look_at = lambda name, given: None
        try:
            return self.load_leniently(config, pack)
        finally:
            module.look_at = kept

    def load_leniently(self, config: Path, pack: str | None) -> dict[str, Any]:
        from tests.proof.exec_runtime.config import read_config  # noqa: PLC0415

        bound, warnings = read_config(config, Path(pack) if pack else None)
        for name, (given, parameters) in bound.items():
            known = {key: one for key, one in given.items() if key in FIELDS}
            known.setdefault("command", "")
            self.runtime.bind(name, known, parameters)
        return {"bound": list(bound), "warnings": warnings}


@broken(
    "anything-loads",
    "EXEC-Y2",
    "loads a file whatever is wrong in it",
    level="should",
    driver=LenientDriver,
)
class AnythingLoads(Runtime):
    pass


class VagueDriver(Driver):
    def load(self, config: Path, pack: str | None) -> dict[str, Any]:
        try:
            return super().load(config, pack)
        except ValueError as error:
            raise ValueError("the file is invalid") from error


@broken(
    "place-unnamed",
    "EXEC-Y2",
    "does not say where a file is wrong",
    level="should",
    driver=VagueDriver,
)
class PlaceUnnamed(Runtime):
    pass


class SilentDriver(Driver):
    def load(self, config: Path, pack: str | None) -> dict[str, Any]:
        return {**super().load(config, pack), "warnings": []}


@broken(
    "silent",
    "EXEC-Y3",
    "does not report a binding that the pack lacks",
    level="should",
    driver=SilentDriver,
)
class Silent(Runtime):
    pass


@broken("schema-unread", "EXEC-Y4", "does not check arguments", level="should")
class SchemaUnread(Runtime):
    def check(self, binding: Binding, args: Any) -> None:
        pass


@broken("true-is-a-number", "EXEC-Y4", "takes true for a number", level="should")
class TrueIsANumber(Runtime):
    def fits(self, value: Any, wanted: str) -> bool:
        return super().fits(int(value) if isinstance(value, bool) else value, wanted)
