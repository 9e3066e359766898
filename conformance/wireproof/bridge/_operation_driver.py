"""How a subject of ops on data is started, and whether its ops do anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wireproof.bridge._driver import BridgeDriver, plain_hands
from wireproof.bridge._operations import OperationOps, look_at_operation
from wireproof.checks import VectorDefect
from wireproof.judge import Look, Reason
from wireproof.patterns import expand, is_object, match
from wireproof.run import NotUp, Unproven

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wireproof.checks import Check, SubjectFacts, SuiteInputs
    from wireproof.run import Answer, Request
    from wireproof.subjects import Description

    Step = Mapping[str, Any]
    Ask = Callable[[Request], Answer]


def _uses_none(feature: str, step: Step) -> bool:
    return False


def _lacks_none(
    check: Check, steps: Sequence[Step], described: Description
) -> Reason | None:
    return None


@dataclass(frozen=True, slots=True)
class Offers:
    """What subjects of a protocol offer, or may leave out.

    Attributes:
        full_ops: The ops that a subject at full level offers.
        targets: The targets of ops that a subject may leave out.
        uses: Returns whether a step uses a feature that a subject may lack, by the
            name that ``lacks`` of ``describe`` has for it.
        lacking: Returns what a check needs beside ops and a subject does not offer,
            from the check, its steps and what the driver says.
    """

    full_ops: Sequence[str]
    targets: frozenset[str] = frozenset()
    uses: Callable[[str, Step], bool] = _uses_none
    lacking: Callable[[Check, Sequence[Step], Description], Reason | None] = _lacks_none


class OperationDriver(BridgeDriver):
    """How one subject of ops on data is started and asked."""

    ops: OperationOps

    def __init__(self, inputs: SuiteInputs, ops: OperationOps, offers: Offers) -> None:
        """Prepare; nothing is started."""
        super().__init__(ops)
        self._offers = offers
        self.ops.lacks = self._is_lacking
        self._vectors = inputs.vectors
        self._controls: Mapping[str, Sequence[Step]] = inputs.setup["controls"]
        # Why no plain op came out right; None if one did.
        self._missing: dict[str, NotUp | None] = {}

    def lacking(self, check: Check, ask: Ask) -> Reason | NotUp | Unproven | None:
        """Return what a check needs and the subject does not offer."""
        if (described := self.described) is None:
            raise TypeError("no check is carried out before the driver is up")
        steps = self.steps_of(check)
        ops = _needed_ops(check, steps)
        lacks = next(self._lacks(check, steps, ops, described), None)
        if lacks is not None:
            return lacks
        lacks = self._offers.lacking(check, steps, described)
        if lacks is not None:
            return lacks
        offered = [op for op in self._offers.full_ops if op in described.ops]
        known, begun = len(self._missing), self.ops.begun
        why = self._unproven(ops, steps, offered, ask)
        if len(self._missing) > known:
            # Nothing is left of controls.
            self.ops.begin(begun)
        return why

    def _unproven(
        self,
        ops: Sequence[str],
        steps: Sequence[Step],
        offered: Sequence[str],
        ask: Ask,
    ) -> NotUp | Unproven | None:
        """Return why nothing can pass that needs these ops, None if all can."""
        for op in ops:
            why = self._without_control(op, ask)
            if why is None or is_own_control(op, steps):
                # An op that changes nothing rightly keeps nothing rightly either.
                continue
            is_shell = all(self._without_control(one, ask) for one in offered)
            return why if is_shell else Unproven(why)
        return None

    def steps_of(self, check: Check) -> Sequence[Step]:
        """Return the steps of the vector behind a check; none if there is none."""
        if check.kind != "vector":
            return ()
        steps: Any = self._vectors[check.id].data["steps"]
        found: Sequence[Step] = steps
        return found

    def _lacks(
        self,
        check: Check,
        steps: Sequence[Step],
        ops: Sequence[str],
        described: Description,
    ) -> Iterator[Reason]:
        clause, needs = check.clauses[0], check.needs
        for op in ops:
            if op not in described.ops:
                yield Reason("needs-op", clause, {"op": op})
        for name in needs.get("formats", ()):
            if name not in described.formats:
                yield Reason("needs-format", clause, {"format": name})
        if needs.get("half_pairs") and described.told.get("halfPairs") is not True:
            yield Reason("needs-half-pairs", clause, {})
        if needs.get("in_process") and not self.ops.is_in_process:
            yield Reason("needs-in-process", clause, {})
        for name in needs.get("features", ()):
            if name in described.lacks:
                yield Reason("needs-feature", clause, {"feature": name})
        for step in steps:
            if (lacked := self._lacked_by(step)) is not None:
                yield Reason("needs-feature", clause, {"feature": lacked})

    def _lacked_by(self, step: Step) -> str | None:
        """Return what a step needs and the subject does not offer."""
        if (described := self.described) is None or "op" not in step:
            return None
        given = step.get("input")
        name = given.get("target") if is_object(given) else None
        is_optional = isinstance(name, str) and name in self._offers.targets
        if is_optional and not described.offers_target(step["op"], str(name)):
            return f"the target {name}"
        uses = self._offers.uses
        return next((one for one in described.lacks if uses(one, step)), None)

    def _is_lacking(self, step: Step) -> bool:
        return self._lacked_by(step) is not None

    # --- controls

    def _without_control(self, op: str, ask: Ask) -> NotUp | None:
        """Return why no plain op came out right, None if one did."""
        if op not in self._missing:
            self._missing[op] = self._try(op, ask)
        return self._missing[op]

    def _try(self, op: str, ask: Ask) -> NotUp | None:
        why: NotUp | None = None
        for control in self._controls.get(op, ()):
            names = dict(self.names)
            hands = plain_hands(ask)._replace(names=names)
            own = {key: value for key, value in control.items() if key != "before"}
            found: Look | dict[str, Any] = {}
            steps = [*control.get("before", ()), {"op": op, **own}]
            self.ops.begin(steps)
            for step in steps:
                seen = self.ops.carry_out(step, hands)
                found = look_at_operation(step, seen, names) if seen else {}
                if isinstance(found, Look):
                    break
                names.update(found)
            else:
                return None
            fields = {"op": op, "why": (found.kind, found.fields)}
            why = why or NotUp("no-plain-op", fields)
        return why or NotUp("no-control", {"op": op})

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the subject: its level, and what it lacks."""
        described = self.described
        offered = described.ops if described is not None else frozenset[str]()
        is_controlled = None in self._missing.values()
        is_full = is_controlled and offered.issuperset(self._offers.full_ops)
        lacks = described.lacks if described is not None else ()
        return replace(facts, level="full" if is_full else "wire", lacks=lacks)


def _needed_ops(check: Check, steps: Sequence[Step]) -> Sequence[str]:
    """Return the ops that a check needs: those of its steps, or what it says itself."""
    if check.kind == "vector":
        return list(dict.fromkeys(step["op"] for step in steps if "op" in step))
    return list(check.needs.get("ops", ()))


def is_own_control(op: str, steps: Sequence[Step]) -> bool:
    """Return whether a right answer to one of these steps shows that an op works.

    It does if it differs from what the op was given and from empty values.
    """
    for step in steps:
        if step.get("op") != op:
            continue
        try:
            given = expand(step.get("input", {}), {})
        except VectorDefect:
            # The step holds what an earlier one saved, or a value of a place.
            continue
        echoes: list[Any] = [given, *given.values(), None, {}, [], ""]
        if "expected" in step and not any(
            match(step["expected"], echo, {}, {}) is None for echo in echoes
        ):
            return True
    return False
