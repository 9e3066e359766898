"""Runtimes that give tools other variables: EXEC-R6, R7."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from tests.proof.exec_runtime.runtime import Binding, Runtime
from tests.proof.exec_runtime.subject import broken

SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS", re.IGNORECASE)


@broken("whole-environment", "EXEC-R6", "gives a tool all of its variables")
class WholeEnvironment(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        return {**os.environ, **super().environment(binding)}


@broken(
    "filtered-environment",
    "EXEC-R6",
    "gives a tool all of its variables but those that look like secrets",
)
class FilteredEnvironment(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        harmless = {
            name: value for name, value in os.environ.items() if not SECRET.search(name)
        }
        return {**harmless, **super().environment(binding)}


@broken(
    "whole-where-none-listed",
    "EXEC-R6",
    "gives a tool all of its variables where the binding lists none",
)
class WholeWhereNoneListed(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        return super().environment(binding) or dict(os.environ)


@broken("usual-variables", "EXEC-R6", "gives each tool HOME, USER and LANG")
class UsualVariables(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        usual = ("HOME", "USER", "LANG", "WP_PLAIN")
        found = {name: os.environ[name] for name in usual if name in os.environ}
        return {**found, **super().environment(binding)}


@broken("servers-inherit", "EXEC-R6", "gives server tools all of its variables")
class ServersInherit(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        if binding.runtime == "server":
            return {**os.environ, **super().environment(binding)}
        return super().environment(binding)


@broken(
    "prefixes-forwarded",
    "EXEC-R6",
    "gives a tool the variables whose names begin as a listed one",
)
class PrefixesForwarded(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        return {
            name: value
            for name, value in os.environ.items()
            if name.startswith(tuple(binding.env))
        }


@broken(
    "case-ignored", "EXEC-R6", "gives a tool what is listed, whatever its name's case"
)
class CaseIgnored(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        listed = {name.lower() for name in binding.env}
        return {
            name: value for name, value in os.environ.items() if name.lower() in listed
        }


@broken("none-forwarded", "EXEC-R6", "gives tools no variables at all")
class NoneForwarded(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        return {}


@broken(
    "secrets-held-back", "EXEC-R6", "holds back what is listed and looks like a secret"
)
class SecretsHeldBack(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        found = super().environment(binding)
        return {name: one for name, one in found.items() if not SECRET.search(name)}


@broken("empty-left-out", "EXEC-R6", "leaves out a listed variable that is empty")
class EmptyLeftOut(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        found = super().environment(binding)
        return {name: one for name, one in found.items() if one}


@broken("values-trimmed", "EXEC-R6", "trims the values of variables")
class ValuesTrimmed(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        found = super().environment(binding)
        return {name: one.strip() for name, one in found.items()}


@broken("values-expanded", "EXEC-R6", "puts variables into the values of variables")
class ValuesExpanded(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        found = super().environment(binding)
        return {name: os.path.expandvars(one) for name, one in found.items()}


@broken(
    "servers-shared",
    "EXEC-R6",
    "has one process for all server tools of a program",
)
class ServersShared(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.shared: dict[str, Binding] = {}

    def bind(self, name: str, given: Mapping[str, Any], parameters: Any = None) -> None:
        super().bind(name, given, parameters)
        one = self.bindings[name]
        if one.runtime == "server":
            program = json.dumps([one.command, *one.args])
            self.bindings[name] = self.shared.setdefault(program, one)

    def end_server(self, binding: Binding, until: float) -> None:
        if binding.server is not None:
            super().end_server(binding, until)


@broken(
    "read-when-bound",
    "EXEC-R6",
    "reads variables when a tool is bound",
)
class ReadWhenBound(Runtime):
    def bind(self, name: str, given: Mapping[str, Any], parameters: Any = None) -> None:
        super().bind(name, given, parameters)
        self.values: dict[str, dict[str, str]] = getattr(self, "values", {})
        self.values[name] = super().environment(self.bindings[name])

    def environment(self, binding: Binding) -> dict[str, str]:
        return self.values[binding.name]


@broken(
    "read-at-first",
    "EXEC-R6",
    "keeps the variables that it was started with",
)
class ReadAtFirst(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.first = dict(os.environ)

    def environment(self, binding: Binding) -> dict[str, str]:
        return {name: self.first[name] for name in binding.env if name in self.first}


@broken(
    "servers-keep-variables",
    "EXEC-R6",
    "starts a server again with the variables that its first process had",
)
class ServersKeepVariables(Runtime):
    def __init__(self) -> None:
        super().__init__()
        self.first: dict[str, dict[str, str]] = {}

    def environment(self, binding: Binding) -> dict[str, str]:
        found = super().environment(binding)
        if binding.runtime == "server":
            return self.first.setdefault(binding.name, found)
        return found


@broken(
    "empty-where-unset",
    "EXEC-R7",
    "gives a tool an empty value where a variable is unset",
    level="should",
)
class EmptyWhereUnset(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        return {name: os.environ.get(name, "") for name in binding.env}


@broken(
    "null-where-unset",
    "EXEC-R7",
    "gives a tool the text None where a variable is unset",
    level="should",
)
class NullWhereUnset(Runtime):
    def environment(self, binding: Binding) -> dict[str, str]:
        return {name: str(os.environ.get(name)) for name in binding.env}
