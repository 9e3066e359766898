"""Turns acts into the steps of a vector, by the model of a protocol.

A model is data: ``wireproof_vectors/<protocol>/model.json``. It has a table of kinds of
acts. A kind says which steps begin an act and which steps await its answers. These are
steps of a vector. In them an object with one of these keys is replaced:

- ``{"$act": NAME}``: the value of the name;
- ``{"$act_text": "no {NAME}."}``: the text, with the value of each name in it;
- ``{"$act_line": T}``: the JSON text of T and a line feed;
- ``{"$fill": TEMPLATE, NAME: T, ...}``: the template of the model, in which these are
  names as well;
- ``{"$if": NAME, "then": T, "else": T}``: the first T if the value of the name is
  neither null nor false, otherwise the second. If that T is missing, the key or item
  is left out;
- ``{"$for": NAME, "as": T}``: in an array, as many T; ``n`` counts them from 0.

The names of an act are, each before those that may use it:

1. ``parameters`` of the model, or what the act gives for them;
2. ``prefix``, which begins all ids, ``number``, the place of the act in the sequence,
   ``key``, which is both of these, and ``id``, which is the key if the act gives none;
3. ``together``, whether it is in flight together with others, and ``new``, whether it
   is the first of its kind;
4. the names that the protocol's `Memory` of the acts before has for it;
5. ``names`` of the model, then those of the kind: templates.

Each call carries texts of its own, so that an answer to another call shows.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from wireproof.checks import WireproofError
from wireproof.patterns import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Step = dict[str, Any]
Names = dict[str, Any]

_FORMS: Final = frozenset({"$act", "$act_text", "$act_line", "$fill", "$if"})
_BLANK: Final = re.compile(r"\{(\w+)\}")
_NOTHING: Final = object()


class ModelDefect(WireproofError):
    """A model or an act has no meaning.

    Attributes:
        file: The file of the model.
        kind: The kind of the act.
        problem: The problem, and what there is instead.
    """

    def __init__(self, file: str, kind: str, problem: str) -> None:
        """Keep the fields and build the text from them."""
        self.file = file
        self.kind = kind
        self.problem = problem
        super().__init__(f"{file}: kind {kind!r}: {problem}")


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that is done to a subject.

    Attributes:
        kind: A kind of the model.
        given: Values for parameters of the model, and the ``id`` if the key is not it.
    """

    kind: str
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def but(self, **given: Any) -> Act:
        """Return the act with other values for some parameters."""
        return Act(self.kind, {**self.given, **given})


class Memory(Protocol):
    """The knowledge of a client from the acts of a sequence so far."""

    def names(self, effect: str | None, act: Names) -> Names:
        """Return more names for an act, and remember the act.

        Args:
            effect: The ``effect`` of its kind.
            act: Its names so far.
        """
        ...


class Model:
    """A model of what a subject answers.

    Attributes:
        memory: Makes the memory of a sequence; None if each act stands for itself.
    """

    def __init__(
        self, data: Mapping[str, Any], memory: Callable[[], Memory] | None = None
    ) -> None:
        """Take the content of a ``model.json``."""
        self.memory = memory
        self._data = data
        self._templates = data["templates"]

    def kind(self, name: str) -> Mapping[str, Any]:
        """Return the data of a kind."""
        found: Mapping[str, Any] = self._found(name, "kind", name, self._data["kinds"])
        return found

    def parameters(self, act: Act) -> Names:
        """Return all parameters of an act."""
        known = {"id": None, **self._data["parameters"]}
        for name in act.given:
            self._found(act.kind, "parameter", name, known)
        return {"kind": act.kind, **self._data["parameters"], **act.given}

    def steps(self, kind: str, names: Names) -> tuple[list[Step], list[Step]]:
        """Return the steps that begin an act, and those that await its answers."""
        data, names = self.kind(kind), dict(names)
        for templates in (self._data["names"], data.get("names", {})):
            for name, template in templates.items():
                names[name] = self.filled(template, names)
        return self.filled(data["begins"], names), self.filled(data["answers"], names)

    def filled(self, template: Any, names: Names) -> Any:
        """Return a template with the values of names in it."""
        if is_array(template):
            each = (one for item in template for one in self._items(item, names))
            return [one for one in each if one is not _NOTHING]
        if not is_object(template):
            return template
        for form in _FORMS & template.keys():
            return self._formed(form, template, names)
        return self._members(template, names)

    def _formed(self, form: str, template: Mapping[str, Any], names: Names) -> Any:
        of = template[form]
        match form:
            case "$act":
                return self._value(of, names)
            case "$act_text":
                return _BLANK.sub(lambda one: str(self._value(one[1], names)), of)
            case "$act_line":
                line = json.dumps(self.filled(of, names), separators=(",", ":"))
                return f"{line}\n"
            case "$fill":
                own = self._members(template, names)
                whole = self._found(names["kind"], "template", of, self._templates)
                return self.filled(whole, names | own)
            case _:
                value = self._value(of, names)
                is_set = value is not None and value is not False
                branch = template.get("then" if is_set else "else", _NOTHING)
                return self.filled(branch, names)

    def _members(self, templates: Mapping[Any, Any], names: Names) -> Names:
        found = {key: self.filled(one, names) for key, one in templates.items()}
        return {key: one for key, one in found.items() if one is not _NOTHING}

    def _items(self, template: Any, names: Names) -> list[Any]:
        match template:
            case {"$for": str(name), "as": one}:
                count = self._value(name, names)
                return [self.filled(one, {**names, "n": n}) for n in range(count)]
            case _:
                return [self.filled(template, names)]

    def _value(self, name: str, names: Names) -> Any:
        return self._found(names["kind"], "name", name, names)

    def _found(self, kind: str, what: str, name: str, there: Mapping[str, Any]) -> Any:
        if name in there:
            return there[name]
        file = f"{self._data['protocol'].replace('-', '_')}/model.json"
        problem = f"there is no {what} {name!r}; there is {', '.join(there)}"
        raise ModelDefect(file, kind, problem)


class Sequence:
    """Writes the steps of a sequence, act by act.

    Attributes:
        steps: The steps so far.
        charged: The clause that wrong answers break from here on, but for kinds with
            ``own_clause``; None for each its own.
    """

    def __init__(self, model: Model, prefix: str) -> None:
        """Begin with nothing.

        Args:
            model: The model.
            prefix: Begins the ids of the acts.
        """
        self.steps: list[Step] = []
        self.charged: str | None = None
        self._model = model
        self._memory = model.memory() if model.memory else None
        self._prefix = prefix
        self._number = 0
        self._seen: set[str] = set()
        self._tried_alone: set[str] = set()

    def one_by_one(self, acts: Iterable[Act]) -> None:
        """Add acts, each of which begins when the one before has been answered."""
        for act in acts:
            begins, answers = self.parts(act, together=False)
            self.steps += [*begins, *answers]

    def together(self, acts: Iterable[Act], *, one_write: bool = False) -> None:
        """Add acts that all begin before the first answer is awaited.

        Args:
            acts: The acts.
            one_write: Whether their messages are one write; other steps come before it.
        """
        acts = list(acts)
        for kind in dict.fromkeys(act.kind for act in acts):
            alone = self._model.kind(kind).get("alone_first", False)
            if alone and kind not in self._tried_alone:
                self._tried_alone.add(kind)
                self.one_by_one([Act(kind)])
        pairs = [self.parts(act, together=True) for act in acts]
        begins = [step for part, _ in pairs for step in part]
        if one_write:
            messages = [step["send"] for step in begins if "send" in step]
            begins = [step for step in begins if "send" not in step]
            begins += [{"send_many": messages}] if messages else []
        self.steps += begins
        self.steps += [step for _, answers in pairs for step in answers]

    def parts(self, act: Act, *, together: bool) -> tuple[list[Step], list[Step]]:
        """Return the steps that begin an act, and those that await its answers.

        If its kind is tried by itself first, that is added to the steps at once.
        """
        self._number += 1
        key = f"{self._prefix}-{self._number}"
        kind, is_new = self._model.kind(act.kind), act.kind not in self._seen
        self._seen.add(act.kind)
        names = {"prefix": self._prefix, "number": self._number, "key": key, "id": key}
        names |= self._model.parameters(act)
        names |= {"together": together, "new": is_new}
        if self._memory is not None:
            names |= self._memory.names(kind.get("effect"), names)
        if is_new and "first" in kind:
            own = self._model.filled(kind["first"]["names"], names)
            begins, answers = self._model.steps(act.kind, {**names, **own})
            fence = self._model.filled(kind["first"]["fence"], names)
            self.steps += [*begins, *answers, fence]
        begins, answers = self._model.steps(act.kind, names)
        if self.charged is not None and not kind.get("own_clause", False):
            answers = [{**step, "clause": self.charged} for step in answers]
        return begins, answers
