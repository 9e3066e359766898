"""The subject as a scenario sees it, and what a scenario may come to."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

from ._objects import KINDS


class NotProvided(Exception):
    """The subject does not have what a scenario needs."""


class Unexpected(Exception):
    """Something came out otherwise than the clause has it."""

    def __init__(self, text: str, where: str, expected: Any, actual: Any) -> None:
        """Keep what was expected and what came."""
        self.text = text
        self.where = where
        self.expected = expected
        self.actual = actual
        super().__init__(text)


class SubjectView:
    """The subject as a scenario sees it.

    Attributes:
        subject: The subject itself.
        compared: What was compared so far, by place: the evidence of a pass.
    """

    def __init__(self, served: Any) -> None:
        """Look at what is served."""
        self._served = served
        self.subject: Any = served.subject
        self.compared: list[str] = []

    def get(self, name: str) -> Any:
        """Return an attribute of the subject, of its module, or of its providers'.

        Raises:
            NotProvided: If none has it.
        """
        module = self._served.module
        for place in (self.subject, module, getattr(module, "providers", None)):
            if (found := getattr(place, name, None)) is not None:
                return found
        raise NotProvided(name)

    def compose(self, **layers: Any) -> Any:
        """Compose a registry of contributions."""
        compose: Any = self.get("compose_registry")
        return compose(**{name: (layer,) for name, layer in layers.items()})

    def contribution(self, **parts: Any) -> Any:
        """Return a contribution, of the subject's own class where it has one."""
        parts = {name: tuple(part) for name, part in parts.items()}
        try:
            kind: Any = self.get("ToolInteropContribution")
        except NotProvided:
            names = [f"{k}_{p}" for k in KINDS for p in ("accessors", "adapters")]
            return SimpleNamespace(**{**dict.fromkeys(names, ()), **parts})
        try:
            return kind(**parts)
        except TypeError as error:
            raise NotProvided(
                f"a ToolInteropContribution of {', '.join(parts)}"
            ) from error

    def fits(self, name: str, found: Any, *args: Any, **options: Any) -> Any:
        """Return what was found, where it can be called like the reference's.

        The names that a scenario looks for are no one's own: another library may have
        one for something else, a provider's method that takes nothing among them.

        Raises:
            NotProvided: If it cannot.
        """
        try:
            inspect.signature(found).bind(*args, **options)
        except (TypeError, ValueError) as error:
            raise NotProvided(f"{name} as the reference has it ({error})") from error
        return found

    def ask(self, registry: Any, op: str, **arguments: Any) -> Any:
        """Call a method of a registry that was composed here."""
        return self._served.call_on(registry, op, arguments)

    def expect(self, where: str, expected: Any, actual: Any) -> None:
        """Compare, and go on where it is as it should be.

        Raises:
            Unexpected: If it is not.
        """
        if expected != actual:
            raise Unexpected(
                f"{where} is not what it should be", where, expected, actual
            )
        self.compared.append(where)
