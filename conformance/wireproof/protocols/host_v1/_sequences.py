"""What a host answers in a sequence of requests, as the clauses say it.

Theory of operation. An act is a request of one kind. The model goes through acts in
order and writes the steps of a vector: what is sent, and a pattern for what has to
come. It knows nothing of any host, only what the clauses let a client know: which
states it was given, and what the counter is in each. Each call carries texts and
payloads of its own, so that what belongs to another call shows. Where a clause leaves a
choice the pattern allows each; where an answer depends on what only a SHOULD asks for,
the step names that clause, so that nothing is said of a host that does not keep it.

The fixed vectors in ``host_v1/sequences.json`` and the fuzzer's plans are made of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wireproof.protocols.host_v1._acts import Act, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

Step = dict[str, Any]
Pattern = dict[str, Any]

START: Final = "state"
"""The state of the host's first `init`, by the name that every vector knows."""


TOOLS: Final = (
    "conformance_counter",
    "conformance_echo",
    "conformance_fail",
    "conformance_sleep",
    "conformance_stream",
    "conformance_throw",
)

CLAUSES: Final = (
    "HV1-R5",
    "HV1-R11",
    "HV1-M13",
    "HV1-M3",
    "HV1-M8",
    "HV1-R3",
    "HV1-R6",
    "HV1-R7",
    "HV1-R8",
    "HV1-E3",
    "HV1-E4",
    "HV1-E6",
)
"""What a sequence at level MUST may be charged to."""

MOST_BAD_LINES: Final = 20
"""Lines that are no requests which a host has to bear before anything rests on it."""

_BAD_LINE: Final = '{"v":1,"id":\n'
_ANY_ANSWER: Final[Pattern] = {"ok": {"$type": "boolean"}}


class Sequence:
    """Writes the steps of a sequence, act by act.

    Attributes:
        steps: The steps so far.
        charged: The clause that all wrong answers break from here on; None for each
            its own.
    """

    def __init__(self, prefix: str) -> None:
        """Begin with nothing.

        Args:
            prefix: Begins the ids of the requests.
        """
        self.steps: list[Step] = []
        self.charged: str | None = None
        self._prefix = prefix
        self._number = 0
        self._latest: Pattern = {"$use": START}
        self._count = 0
        self._second: Pattern = {"$use": START}
        self._linear = False
        self._survives = False
        self._bears_absence = False

    def one_by_one(self, acts: Iterable[Act]) -> None:
        """Add acts, each of which begins when the one before has been answered."""
        for act in acts:
            send, expects = self._act(act, together=False)
            self.steps += [*send, *expects]

    def fence(self) -> None:
        """Prove that the host lives; what has not come before it is not coming."""
        self.steps.append({"fence": True})

    def together(self, acts: Iterable[Act], *, one_write: bool = False) -> None:
        """Add acts that all begin before the first answer is awaited.

        Args:
            acts: The acts.
            one_write: Whether their requests are one write; lines that are none come
                before them.
        """
        acts = list(acts)
        if any(act.kind is Kind.NO_PARAMS for act in acts):
            self._try_absence()
        pairs = [self._act(act, together=True) for act in acts]
        sends = [step for send, _ in pairs for step in send]
        if one_write:
            messages = [step["send"] for step in sends if "send" in step]
            sends = [step for step in sends if "send" not in step]
            sends += [{"send_many": messages}] if messages else []
        self.steps += sends
        self.steps += [step for _, expects in pairs for step in expects]

    def _act(self, act: Act, *, together: bool) -> tuple[list[Step], list[Step]]:
        self._number += 1
        key = f"{self._prefix}-{self._number}"
        if act.kind is Kind.BAD_LINE:
            return self._bad_line(), []
        own = key if act.own_id is None else act.own_id
        params, answers = self._asked(act, key, together=together)
        send: Step = {"send": {"v": 1, "id": own, **params}}
        return [send], [
            {"expect": {"id": own, **answer}, "clause": self.charged or clause}
            for answer, clause in answers
        ]

    def _try_absence(self) -> None:
        """Send a request without params where no other is in flight, once.

        HV1-M12 is no MUST: of a host that dies of it, nothing more is said.
        """
        if not self._bears_absence:
            self._bears_absence = True
            self.one_by_one([Act(Kind.NO_PARAMS)])

    def _bad_line(self) -> list[Step]:
        send: Step = {"send_raw": [{"text": _BAD_LINE}]}
        if self._survives:
            return [send]
        # HV1-T7 is no MUST: of a host that does not live on, nothing more is said.
        self._survives = True
        many: Step = {"send_raw": [{"text": _BAD_LINE, "times": MOST_BAD_LINES}]}
        return [many, {"fence": True, "clause": "HV1-T7"}, send]

    def _asked(
        self, act: Act, key: str, *, together: bool
    ) -> tuple[dict[str, Any], list[tuple[Pattern, str]]]:
        """Return what is sent, and each answer with its clause."""
        match act.kind:
            case Kind.ECHO:
                value = key if act.value is None else {"call": key, "value": act.value}
                call = self._call("echo", {"value": value})
                done = self._success({"value": {"$equals": value}}, act, together)
                clause = "HV1-M13" if together else "HV1-R5"
                return call, [(done, clause if act.value is None else "HV1-M10")]
            case Kind.COUNT:
                return self._counted(act, together=together)
            case Kind.FAIL:
                message = f"no {key}.{act.text}"
                call = self._call("fail", {"message": message})
                failed = {"success": False, "error": message}
                return call, [(self._keeping(failed, act, together), "HV1-R6")]
            case Kind.THROW:
                message = f"thrown {key}.{act.text}"
                text = {"$contains": message}
                answer = _failed_call({"detail": text}, {"error": text})
                return self._call("throw", {"message": message}), [(answer, "HV1-R7")]
            case Kind.STREAM:
                return self._streamed(act, key, together=together)
            case Kind.SLEEP:
                call = self._call("sleep", {"ms": 2})
                done = self._success({"slept_ms": 2}, act, together)
                return call, [(done, "HV1-R5")]
            case Kind.UNKNOWN_TOOL:
                call = self._call("no_such_tool", {"value": key})
                return call, [(_failed_call({}, {}), "HV1-R8")]
            case Kind.LISTING:
                params = {"state": self._latest}
                answer = self._keeping({"$type": "array"}, act, together)
                return {"method": "get_tool_schemas", "params": params}, [
                    (answer, "HV1-R3")
                ]
            case Kind.INIT:
                return self._init()
            case Kind.COUNT_ANEW:
                return self._counted_in(self._second, act, "HV1-R13")
            case Kind.COUNT_AGAIN:
                return self._counted_in({"$use": START}, act, "HV1-R10")
            case _:
                return self._unusual(act.kind, key)

    def _streamed(
        self, act: Act, key: str, *, together: bool
    ) -> tuple[dict[str, Any], list[tuple[Pattern, str]]]:
        more = {} if act.value is None else {"value": act.value}
        own = {} if act.alike else {"call": key}
        parts: Any = [{**own, "n": n, **more} for n in range(act.parts)]
        events: list[tuple[Pattern, str]] = [
            ({"event": {"type": "part", "payload": {"$equals": part}}}, "HV1-E3")
            for part in parts
        ]
        arguments: dict[str, Any] = {"parts": parts}
        if act.delay_ms:
            arguments["delay_ms"] = act.delay_ms
        call = self._call("stream", arguments)
        done = self._success({"count": act.parts}, act, together)
        return call, [*events, (done, "HV1-M13" if together else "HV1-R5")]

    def _unusual(
        self, kind: Kind, key: str
    ) -> tuple[dict[str, Any], list[tuple[Pattern, str]]]:
        """Return a request to which several answers are right."""
        call: dict[str, Any] = self._call("echo", {"value": key})
        params = call["params"]
        clause = "HV1-M3"
        answer = _ANY_ANSWER
        match kind:
            case Kind.UNKNOWN_METHOD:
                call = {"method": "conformance_no_such_method", "params": {}}
                return call, [({"ok": False}, "HV1-M8")]
            case Kind.OPTIONAL:
                call = {"method": "get_config_schema", "params": {}}
            case Kind.NO_OBJECT_ARGUMENTS:
                params["arguments"] = [key]
            case Kind.NO_PARAMS:
                call, clause = {"method": "get_tool_schemas"}, "HV1-M12"
            case Kind.NO_STATE:
                del params["state"]
            case Kind.EMPTY_STATE:
                params["state"] = {}
            case _:
                params["state"] = {"another": 1}
        return call, [(answer, clause)]

    def _call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        params = {
            "tool_name": f"conformance_{tool}",
            "arguments": arguments,
            "state": self._latest,
        }
        return {"method": "execute_tool", "params": params}

    def _success(self, result: Any, act: Act, together: bool) -> Pattern:  # noqa: FBT001 - passed on
        return self._keeping({"success": True, "result": result}, act, together)

    def _keeping(self, value: Any, act: Act, together: bool) -> Pattern:  # noqa: FBT001 - passed on
        """Return the pattern of a success, and take up its state where that is asked.

        A call that does not count leaves the counter in its state as it was (HV1-R11).
        """
        answer: Pattern = {"ok": True, "result": {"value": value}}
        if act.keeps and not together:
            answer["result"]["state"] = self._take_up()
        return answer

    def _take_up(self) -> Pattern:
        name = f"state-{self._number}"
        self._latest = {"$use": name}
        return {"$save": name, "match": {"$type": "object"}}

    def _counted(
        self, act: Act, *, together: bool
    ) -> tuple[dict[str, Any], list[tuple[Pattern, str]]]:
        call = self._call("counter", {"by": act.by})
        count = self._count + act.by
        value = {"success": True, "result": {"counter": count}}
        if together:
            # Several carry the same state: which of them decides is HV1-R10's to say.
            answer: Pattern = {"ok": True, "result": {"value": value}}
            self._linear = False
            return call, [(answer, "HV1-R10")]
        clause = "HV1-R11" if self._linear else "HV1-R10"
        self._linear, self._count = True, count
        state = self._take_up()
        return call, [
            ({"ok": True, "result": {"value": value, "state": state}}, clause)
        ]

    def _init(self) -> tuple[dict[str, Any], list[tuple[Pattern, str]]]:
        name = f"state-{self._number}"
        self._second = {"$use": name}
        state = {"$save": name, "match": {"$type": "object"}}
        answer = {"ok": True, "result": {"value": {"$type": "object"}, "state": state}}
        request: dict[str, Any] = {"method": "init", "params": {"config": {}}}
        return request, [(answer, "HV1-R13")]

    def _counted_in(
        self, state: Pattern, act: Act, clause: str
    ) -> tuple[dict[str, Any], list[tuple[Pattern, str]]]:
        """Count in the state of an `init`, in which nothing has been counted."""
        call = self._call("counter", {"by": act.by})
        call["params"]["state"] = state
        value = {"success": True, "result": {"counter": act.by}}
        return call, [({"ok": True, "result": {"value": value}}, clause)]


def _failed_call(error: Pattern, value: Pattern) -> Pattern:
    return {
        "$one_of": [
            {"ok": False, **({"error": error} if error else {})},
            {"result": {"value": {"success": False, **value}}},
        ]
    }
