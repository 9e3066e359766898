"""Steps that are ops on data: what is asked, and what the answers have to be."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.bridge._driver import BridgeOps
from wireproof.bridge._reading import refused, unanswered
from wireproof.checks import Difference, VectorDefect, Words
from wireproof.judge import Look
from wireproof.patterns import (
    difference_of,
    expand,
    in_words,
    is_object,
    json_equal,
    match,
)
from wireproof.run import BEYOND_SECONDS
from wireproof.subjects import (
    is_in_process,
    pipe_line,
    placed,
    python_line,
    shown_folder,
    signature_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Settings, Target
    from wireproof.run import Hands

    Step = Mapping[str, Any]
    Seen = Mapping[str, Any]

DESCRIBE = b'{"id":1,"op":"describe"}\n'
"""What each driver is told first."""

UNNAMED = frozenset({"describe", "scenario"})
"""Ops that are no method of an object."""


class OperationOps(BridgeOps):
    """The ops of a driver on data.

    Attributes:
        is_in_process: Whether the driver is the suite's own, in the subject's process:
            what ends it is the subject.
        lacks: Returns what a step needs and the subject does not offer, None if it
            offers all; such a step of an example is left out.
        begun: The steps of the check in hand.
    """

    def __init__(
        self, target: Target, settings: Settings, environment: Mapping[str, str]
    ) -> None:
        """Prepare; nothing is started."""
        super().__init__(target, settings, environment)
        self.is_in_process = is_in_process(target.command)
        self.lacks: Callable[[Step], str | None] = lambda _: None
        self.begun: Sequence[Step] = ()
        self._left_out: list[str] = []
        self._has_refused = False

    def begin(self, steps: Sequence[Step]) -> None:
        """Begin a check of these steps."""
        self.begun = steps
        self._left_out = []
        self._has_refused = False

    def carry_out(self, step: Step, hands: Hands) -> Any:
        """Carry out the op of a step; return what came of it.

        Returns:
            As `Told.seen` has it, with what the step compares beside the value; None if
            the step was left out, or uses a value of one that was, or was refused. If
            no step of the check was carried out, ``lacks`` says what they need.

        Raises:
            VectorDefect: If it cannot be carried out as it is written.
        """
        lacked = self.lacks(step)
        if lacked is None:
            try:
                given = expand(step.get("input", {}), hands.names)
            except VectorDefect:
                if not (self._left_out or self._has_refused):
                    raise
                if not self._left_out:
                    return None
                lacked = self._left_out[-1]
            else:
                return self.asked(step, given, hands)
        self._left_out.append(lacked)
        is_whole = len(self._left_out) == len(self.begun)
        return {"lacks": lacked} if is_whole else None

    def asked(
        self,
        step: Step,
        given: Mapping[str, Any],
        hands: Hands,
        seconds: float = 0.0,
    ) -> Any:
        """Ask the op of a step with these arguments; return what came of it.

        Args:
            step: The step.
            given: The arguments.
            hands: What it is asked with.
            seconds: How long it may take beside the usual, and what the step allows.
        """
        op: str = step["op"]
        keeps = bool(step.get("keeps_input"))
        echo = {"echo": True} if keeps or step.get("shares_nothing") else {}
        extra = step.get("limit_ms", 0) / 1000 + seconds
        told = self.told(op, hands.carry(self.request(op, {**given, **echo}), extra))
        seen = told.seen | {"is_in_process": self.is_in_process, "keeps": self.keeps}
        if told.answer is None:
            return seen
        self._has_refused |= not told.answer.ok and "error" in step
        if "record" in step and told.answer.ok:
            seen["choices"] = [[op, step["record"], told.answer.value]]
        elif "record" in step:
            seen["choices"] = [[op, {"refused": None}, None]]
        if keeps:
            seen |= {"given": given, "args": told.answer.args}
        if step.get("shares_nothing"):
            seen["shares"] = told.answer.shared
        return seen

    def is_shown(self, steps: Sequence[Step], *, has_seen: bool) -> bool:
        """Return True: ops on data come to the same again."""
        return True

    def line_of_shell(
        self, writes: Sequence[bytes], names: Mapping[str, Any], seconds: float
    ) -> str | None:
        """Build a line that asks the driver the same, describing first.

        For an object in Python it calls the method that was asked last.
        """
        data = b"".join(writes)
        first, *_, last = map(json.loads, (*data.splitlines(), data.splitlines()[-1]))
        if self.is_in_process:
            return self._call_in_python(last)
        return pipe_line(
            data if first["op"] == "describe" else DESCRIBE + data,
            self.target.command,
            folder=shown_folder(self.settings),
            environment=self.settings.shown_environment,
        )

    def _call_in_python(self, request: dict[str, Any]) -> str | None:
        """Build a line that calls a method, if its value alone shows what is wrong."""
        _, op = request.pop("id"), request.pop("op")
        described = self.described
        is_told = described is not None and described.expression
        if described is None or not is_told or op in UNNAMED or "echo" in request:
            return None
        by_place = 1
        if signature := described.signatures.get(op):
            by_place = placed(signature_of(signature), request, (1, 0))
        return python_line(
            self.target.command[-1].partition(":")[0],
            described.expression,
            op,
            request,
            by_place,
            folder=shown_folder(self.settings),
            environment=self.settings.shown_environment,
        )


def look_at_operation(
    step: Step, seen: Seen, names: Mapping[str, Any]
) -> Look | dict[str, Any]:
    """Return what is wrong with what an op came to, as `Rules.look` has it."""
    if "lacks" in seen:
        return Look("needs-feature", {"feature": seen["lacks"]}, applies=False)
    survives = bool(step.get("survives") or seen["is_in_process"])
    # A subject that keeps nothing ends because of this op; a driver may end by itself.
    again = None if seen["keeps"] else survives and not seen["is_in_process"]
    if found := unanswered(seen, is_charged=survives, again=again):
        return found
    op, limit = step["op"], step.get("limit_ms")
    if limit is not None and seen["seconds"] > limit / 1000 + BEYOND_SECONDS:
        took = f"{op} took {seen['seconds']:.1f} s"
        wanted = Words(f"an answer within {limit / 1000:g} s")
        shown = (Difference("", wanted, Words(took)),)
        return Look("op-slow", {"op": op, "seconds": seen["seconds"]}, shown)
    is_ok = "error" not in seen
    for key in step.get("if_told", ()):
        told = {"$somewhere": {key: {"$not": {"$absent": True}}}}
        if is_ok and match(told, seen["value"], {}, {}) is not None:
            return Look("not-told", {"op": op, "key": key}, applies=False)
    saved: dict[str, Any] = {}
    if found := _look_at_outcome(step, seen, names, saved):
        return found
    if step.get("keeps_input"):
        if seen["args"] is None:
            return Look("no-echo", {}, applies=False)
        if (difference := _changed(seen["given"], seen["args"])) is not None:
            return Look("op-changed-input", {"op": op}, (difference,))
    if step.get("shares_nothing"):
        if seen["shares"] is None:
            return Look("no-sharing-told", {}, applies=False)
        if seen["shares"]:
            return Look("op-shares", {"op": op})
    if "save" in step and is_ok:
        saved[step["save"]] = seen["value"]
    return saved


def _look_at_outcome(
    step: Step, seen: Seen, names: Mapping[str, Any], saved: dict[str, Any]
) -> Look | None:
    """Hold an outcome to ``expected`` and ``error``: to either, if both stand there."""
    op = step["op"]
    if "error" in seen:
        return _look_at_refusal(step, seen)
    if "expected" not in step:
        if "error" not in step:
            return None
        mentioned = ", ".join(step["error"]["mentions"])
        wanted = Words(f"an error that names {mentioned}" if mentioned else "an error")
        shown = (Difference("", wanted, seen["value"]),)
        return Look("op-has-to-be-refused", {"op": op}, shown)
    miss = match(step["expected"], seen["value"], names, saved)
    if miss is None:
        return None
    shown = (replace(difference_of(miss), where=miss.path or "the value itself"),)
    return Look("op-differs", {"op": op, "miss": miss, "where": miss.path}, shown)


def _look_at_refusal(step: Step, seen: Seen) -> Look | None:
    error = seen["error"]
    if "error" in step:
        missing = [text for text in step["error"]["mentions"] if text not in error]
        one_of = step["error"].get("one_of", [])
        if not missing and (not one_of or any(text in error for text in one_of)):
            return None
        named = ", ".join(missing) or " or ".join(one_of)
        shown = (Difference("error", Words(f"an error that names {named}"), error),)
        return Look("op-error-lacks", {"op": step["op"], "named": named}, shown)
    if "expected" not in step and "record" in step:
        return None
    wanted = in_words(step.get("expected", Words("<a value>")))
    shown = (Difference("", wanted, Words(f"an error ({error})")),)
    return refused(seen)._replace(differences=shown)


def _changed(given: Mapping[str, Any], args: Any) -> Difference | None:
    """Compare arguments with what they are afterwards: all of them, or the first."""
    name, first = next(iter(given.items()))
    wanted: Any
    if is_object(args) and name in args:
        told: Any = {key: value for key, value in args.items() if key in given}
        wanted = {key: given[key] for key in told}
    else:
        told, wanted = args, first
    if json_equal(wanted, told):
        return None
    return Difference("the argument afterwards", wanted, told)
