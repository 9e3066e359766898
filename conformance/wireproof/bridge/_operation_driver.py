"""How a subject of ops on data is started, and whether its ops do anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wireproof.bridge._driver import BridgeDriver, plain_hands
from wireproof.bridge._operations import OperationOps, look_at_operation
from wireproof.checks import VectorDefect
from wireproof.judge import MAIN, Look, Reason
from wireproof.patterns import expand, is_object, match
from wireproof.run import NotUp, Unproven

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wireproof.bridge._messages import Description
    from wireproof.checks import Check, SubjectFacts, SuiteInputs
    from wireproof.run import Answer, Request

    Step = Mapping[str, Any]
    Ask = Callable[[Request], Answer]

ANY = ""
"""The format of controls that are not by format."""

MOST_SILENT = 2
"""Controls of an op that may be left without an answer before it has none."""


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
        optional_ops: Further ops that a subject may offer.
        by_format: Ops of which a subject knows one format; their controls are by
            format. That comes first whose control best shows the format.
    """

    full_ops: Sequence[str]
    targets: frozenset[str] = frozenset()
    uses: Callable[[str, Step], bool] = _uses_none
    lacking: Callable[[Check, Sequence[Step], Description], Reason | None] = _lacks_none
    optional_ops: Sequence[str] = ()
    by_format: Sequence[str] = ()


class OperationDriver(BridgeDriver):
    """How one subject of ops on data is started and asked."""

    ops: OperationOps

    def __init__(self, inputs: SuiteInputs, ops: OperationOps, offers: Offers) -> None:
        """Prepare; nothing is started."""
        super().__init__(ops)
        self._offers = offers
        self.ops.lacks = self._lacked_by
        self._vectors = inputs.vectors
        self._controls = {
            (op, form): found
            for op, controls in inputs.setup["controls"].items()
            for form, found in (
                controls.items() if op in offers.by_format else [(ANY, controls)]
            )
        }
        # By op and format: why each control that was tried did not come out right.
        self._tried: dict[tuple[str, str], list[NotUp | None]] = {}
        self._has_asked = False
        self._format: str | None = None

    def lacking(self, check: Check, ask: Ask) -> Reason | NotUp | Unproven | None:
        """Return what a check needs and the subject does not offer."""
        if (described := self.described) is None:
            raise TypeError("no check is carried out before the driver is up")
        steps = self.steps_of(check)
        ops = self._needed_ops(check, steps, described)
        lacks = next(self._lacks(check, steps, ops, described), None)
        if lacks is not None:
            return lacks
        lacks = self._offers.lacking(check, steps, described)
        if lacks is not None:
            return lacks
        begun, self._has_asked = self.ops.begun, False
        why = self._of_another_format(check, ops, ask) or self._unproven(
            ops, steps, described, ask
        )
        if self._has_asked:
            # Nothing is left of controls.
            self.ops.begin(begun)
        return why

    def _needed_ops(
        self, check: Check, steps: Sequence[Step], described: Description
    ) -> Sequence[str]:
        """Return the ops that a check needs: of its steps, or as it says itself."""
        if check.kind == "vector":
            return list(dict.fromkeys(step["op"] for step in steps if "op" in step))
        known = (*self._offers.full_ops, *self._offers.optional_ops)
        # A check that needs no op needs a subject that does something.
        some = [op for op in known if op in described.ops][:1]
        return check.needs.get("ops", some if check.kind == "scenario" else ())

    def _of_another_format(
        self, check: Check, ops: Sequence[str], ask: Ask
    ) -> Reason | None:
        wanted = check.needs.get("provider")
        if not wanted or not set(ops) & set(self._offers.by_format):
            return None
        found = self._known_format(ask)
        if not found or found == wanted:
            return None
        fields = {"wanted": wanted, "format": found}
        return Reason("needs-provider", check.clauses[0], fields)

    def _unproven(
        self,
        ops: Sequence[str],
        steps: Sequence[Step],
        described: Description,
        ask: Ask,
    ) -> NotUp | Unproven | None:
        """Return why nothing can pass that needs these ops, None if all can."""
        offered = [op for op in self._offers.full_ops if op in described.ops]
        for op in ops:
            if (why := self._without_control(op, ask)) is None:
                continue
            if all(self._without_control(one, ask) for one in offered):
                return why
            # An op that changes nothing rightly keeps nothing rightly either.
            if not is_own_control(op, steps):
                return Unproven(why)
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
        if check.kind == "scenario":
            targets = self._offers.targets.intersection(needs.get("targets", ()))
            for op in ops or [""]:
                for name in sorted(targets):
                    if not described.offers_target(op, name):
                        yield Reason(
                            "needs-feature", clause, {"feature": f"the target {name}"}
                        )
        for step in steps:
            if (lacked := self._lacked_by(step)) is not None:
                yield Reason("needs-feature", clause, {"feature": lacked})

    def _lacked_by(self, step: Step) -> str | None:
        """Return what a step needs and the subject does not offer."""
        if (described := self.described) is None or "op" not in step:
            return None
        given = step.get("input")
        name: Any = given.get("target") if is_object(given) else None
        is_optional = isinstance(name, str) and name in self._offers.targets
        if is_optional and not described.offers_target(step["op"], str(name)):
            return f"the target {name}"
        uses = self._offers.uses
        return next((one for one in described.lacks if uses(one, step)), None)

    # --- controls

    def _known_format(self, ask: Ask) -> str:
        """Return the format that the subject knows, as controls show; "" if none does.

        A subject does not say it: that is known whose control comes out right.
        """
        offered = self.described.ops if self.described is not None else ()
        for op in self._offers.by_format if self._format is None else ():
            forms = [form for one, form in self._controls if one == op]
            for form in forms if op in offered else ():
                if self._format is None and self._why(op, form, ask) is None:
                    self._format = form
        return self._format or ""

    def _without_control(self, op: str, ask: Ask) -> NotUp | None:
        """Return why no plain op came out right, None if one did."""
        if op not in self._offers.by_format:
            return self._why(op, ANY, ask)
        if form := self._known_format(ask):
            return self._why(op, form, ask)
        whys = (tried for (_, one), tried in self._tried.items() if one != ANY)
        first = next((why for tried in whys for why in tried if why), None)
        if first is None:
            return NotUp("no-control", {"op": op})
        return NotUp("no-plain-format", {"why": first.fields["why"]})

    def _why(self, op: str, form: str, ask: Ask) -> NotUp | None:
        """Return why no control came out right, None if one did.

        What ends the driver ends this too; it goes on when a driver runs again.
        """
        tried = self._tried.setdefault((op, form), [])
        controls = self._controls.get((op, form), ())
        while None not in tried and self.ops.turn(MAIN) and len(tried) < len(controls):
            if sum(map(_is_silent, tried)) >= MOST_SILENT:
                break
            self._has_asked = True
            tried.append(self._try(op, controls[len(tried)], ask))
        if None in tried:
            return None
        return tried[0] if tried else NotUp("no-control", {"op": op})

    def _try(self, op: str, control: Step, ask: Ask) -> NotUp | None:
        names = dict(self.names)
        hands = plain_hands(ask)._replace(names=names)
        own = {key: value for key, value in control.items() if key != "before"}
        steps = [*control.get("before", ()), {"op": op, **own}]
        self.ops.begin(steps)
        for step in steps:
            seen = self.ops.carry_out(step, hands)
            found = look_at_operation(step, seen, names) if seen else {}
            if isinstance(found, Look):
                if found.kind == "op-unanswered" and self.ops.process is not None:
                    # It may answer yet; then nothing would be in step.
                    self.ops.process.close_input()
                why = (found.kind, found.fields)
                return NotUp("no-plain-op", {"op": op, "why": why})
            names.update(found)
        return None

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the subject: its level, and what it lacks."""
        described = self.described
        offered = described.ops if described is not None else frozenset[str]()
        is_controlled = any(None in one for one in self._tried.values())
        is_full = is_controlled and offered.issuperset(self._offers.full_ops)
        lacks = described.lacks if described is not None else ()
        return replace(facts, level="full" if is_full else "wire", lacks=lacks)


def _is_silent(why: NotUp | None) -> bool:
    return why is not None and why.fields["why"][0] == "op-unanswered"


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
