"""Clients that misread what a host sends: HV1-C2, C3, C5, C8."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.proof.host_client.subject import (
    RewritingConnection,
    WiredClient,
    broken,
)

from wireproof_reference.framing import JSON, encode
from wireproof_reference.host_v1 import (
    ClientConnection,
    Execution,
    HostClient,
    HostFailure,
    Malformed,
    StrayLine,
)
from wireproof_reference.host_v1._link import HostLink

MOST_PARTS = 100


class FirstInFirstOut(RewritingConnection):
    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if self.waiting:
            frame["id"] = self.waiting[0]


@broken(
    "first-in-first-out",
    "HV1-C2",
    "takes answers in the order of its calls",
)
class TakesInOrder(WiredClient):
    connection_type = FirstInFirstOut


class LastInFirstOut(RewritingConnection):
    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if self.waiting:
            frame["id"] = self.waiting[-1]


@broken("last-in-first-out", "HV1-C2", "takes all for the call made last")
class TakesForTheLast(WiredClient):
    connection_type = LastInFirstOut


class SecondAnswersConnection(RewritingConnection):
    """Takes a second answer to an earlier call for that of the oldest in flight."""

    def __init__(self) -> None:
        super().__init__()
        self.answered: set[str] = set()

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame["id"] in self.answered and self.waiting:
            frame["id"] = self.waiting[0]
        elif frame.get("ok") is not None and isinstance(frame["id"], str):
            self.answered.add(frame["id"])


@broken(
    "second-answers-count",
    "HV1-C2",
    "takes a second answer to an earlier call for that of the call in flight",
)
class TakesSecondAnswers(WiredClient):
    connection_type = SecondAnswersConnection


class EventsToTheOldest(RewritingConnection):
    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame.get("event") and self.waiting:
            frame["id"] = self.waiting[0]


@broken("events-to-the-oldest", "HV1-C2", "takes events for the oldest call")
class TakesEventsForTheOldest(WiredClient):
    connection_type = EventsToTheOldest


class EventConnection(RewritingConnection):
    """Changes events before they are read."""

    def rewrite_event(self, event: dict[str, Any]) -> None:
        raise NotImplementedError

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame.get("event"):
            self.rewrite_event(frame["event"])


class AllEvents(EventConnection):
    def rewrite_event(self, event: dict[str, Any]) -> None:
        event.update({"type": "part", "payload": event.get("payload")})


@broken("all-events", "HV1-C3", "makes a chunk of every event")
class MakesChunksOfAll(WiredClient):
    connection_type = AllEvents


class WholeEvents(EventConnection):
    def rewrite_event(self, event: dict[str, Any]) -> None:
        event["payload"] = dict(event)


@broken("whole-events", "HV1-C3", "puts the whole event into the chunk")
class MakesChunksOfWholeEvents(WiredClient):
    connection_type = WholeEvents


class FilledEvents(EventConnection):
    def rewrite_event(self, event: dict[str, Any]) -> None:
        if not event.get("payload"):
            event["type"] = "empty"


@broken("no-empty-parts", "HV1-C3", "drops payloads that are empty, 0 or null")
class DropsEmptyParts(WiredClient):
    connection_type = FilledEvents


class NewEvents(EventConnection):
    seen: JSON = None

    def rewrite_event(self, event: dict[str, Any]) -> None:
        if event.get("payload") == self.seen:
            event["type"] = "repeated"
        self.seen = event.get("payload")


@broken("no-repeated-parts", "HV1-C3", "drops a part that repeats the last one")
class DropsRepeatedParts(WiredClient):
    connection_type = NewEvents


class CountedEvents(EventConnection):
    count = 0

    def rewrite_event(self, event: dict[str, Any]) -> None:
        self.count += 1
        if self.count > MOST_PARTS:
            event["type"] = "dropped"


@broken(
    "a-hundred-parts",
    "HV1-C3",
    "drops the parts of a call beyond a hundred",
    shown_by="host-client/events/parts-by-the-hundred",
)
class AHundredParts(WiredClient):
    connection_type = CountedEvents


@broken("result-as-chunk", "HV1-C3", "adds the result as a last chunk")
class ResultAsChunk(HostClient):
    async def execute(self, *args: Any, **kwargs: Any) -> Execution:
        done = await super().execute(*args, **kwargs)
        return replace(done, chunks=(*done.chunks, {"part": done.result}))


@broken("failure-as-result", "HV1-C5", "makes a tool result of a failure")
class FailureAsResult(HostClient):
    async def execute(self, *args: Any, **kwargs: Any) -> Execution:
        try:
            return await super().execute(*args, **kwargs)
        except HostFailure as error:
            result: JSON = {"success": False, "error": error.detail}
            return Execution((), result, self.state)


@broken("own-error-type", "HV1-C5", "gives every failure a type of its own")
class OwnErrorType(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except HostFailure as error:
            raise HostFailure("ToolHostError", error.detail) from error


@broken("no-detail", "HV1-C5", "loses the detail of a failure")
class NoDetail(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except HostFailure as error:
            raise HostFailure(error.type, "the call failed") from error


@broken(
    "short-details",
    "HV1-C5",
    "keeps a thousand characters of a detail",
    shown_by="host-client/failures/long-detail",
)
class ShortDetails(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except HostFailure as error:
            raise HostFailure(error.type, error.detail[:1000]) from error


@broken(
    "details-filled-in",
    "HV1-C5",
    "takes a detail for a template of its own",
    shown_by="host-client/failures/detail-like-a-template",
)
class DetailsFilledIn(HostClient):
    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super()._finish(*args, **kwargs)
        except HostFailure as error:
            detail = error.detail.replace("%%", "%").replace("{}", "")
            raise HostFailure(error.type, detail) from error


class LineLink(HostLink):
    """Begins anew with each read that ends a line."""

    def _receive(self, data: bytes) -> None:
        lines, feed, _ = data.rpartition(b"\n")
        super()._receive(lines + feed or data)


@broken(
    "drops-what-follows-a-line",
    "HV1-C3",
    "drops what a read holds behind the last line feed",
    shown_by="host-client/events/large-parts",
)
class DropsWhatFollowsALine(WiredClient):
    link_type = LineLink


class SniffingConnection(ClientConnection):
    def _receive_value(self, value: JSON, line: bytes) -> Any:
        known = line.startswith(b'{"v":1,"id":"')
        return super()._receive_value(value if known else None, line)


@broken(
    "reads-known-lines",
    "HV1-C2",
    "takes a line for a message only where it begins as those of one host do",
    shown_by="host-client/answers/keys-in-another-order",
)
class ReadsKnownLines(WiredClient):
    connection_type = SniffingConnection


@broken("gives-up-at-a-failure", "HV1-C5", "fails all calls after a failure")
class GivesUpAtAFailure(HostClient):
    failure: HostFailure | None = None

    async def _finish(self, *args: Any, **kwargs: Any) -> Any:
        try:
            answer = await super()._finish(*args, **kwargs)
        except HostFailure as error:
            self.failure = error
            raise
        if self.failure is not None:
            raise self.failure
        return answer


class KeysConnection(RewritingConnection):
    """Takes a key that is there for one that says something, null or not."""

    key = ""

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if self.key in frame and frame[self.key] is None:
            frame[self.key] = {}


class ErrorKeyConnection(KeysConnection):
    key = "error"


@broken(
    "error-key-alone",
    "HV1-C11",
    "takes a success for malformed where it has the key error",
)
class SeesTheErrorKey(WiredClient):
    connection_type = ErrorKeyConnection


class ResultKeyConnection(KeysConnection):
    key = "result"


@broken(
    "result-key-alone",
    "HV1-C5",
    "takes a failure for malformed where it has the key result",
)
class SeesTheResultKey(WiredClient):
    connection_type = ResultKeyConnection


class StrictConnection(RewritingConnection):
    """Takes a line that it cannot read for the answer to the oldest call."""

    def tolerates(self, stray: StrayLine) -> bool:
        """Tell whether a stray line is skipped."""
        raise NotImplementedError

    def next_event(self) -> Any:
        event = super().next_event()
        if not isinstance(event, StrayLine) or self.tolerates(event):
            return event
        if not self.waiting:
            return event
        request_id = self.waiting[0]
        self.forget(request_id)
        return Malformed(request_id, event.detail, event.line)


class JsonConnection(StrictConnection):
    def tolerates(self, stray: StrayLine) -> bool:
        return not stray.detail.startswith(("not-json", "not-utf8"))


@broken(
    "json-alone", "HV1-C8", "fails the call at a line that is not JSON", level="should"
)
class JsonAlone(WiredClient):
    connection_type = JsonConnection


class ObjectConnection(StrictConnection):
    def tolerates(self, stray: StrayLine) -> bool:
        return not stray.line.startswith((b"[", b"1", b"n", b'"'))


@broken(
    "objects-alone",
    "HV1-C8",
    "fails the call at JSON that is no object",
    level="should",
)
class ObjectsAlone(WiredClient):
    connection_type = ObjectConnection


class FilledConnection(RewritingConnection):
    """Takes a blank line for the answer to the oldest call."""

    blank = False

    def receive_data(self, data: bytes) -> None:
        self.blank = any(not line.strip() for line in data.split(b"\n")[:-1])
        super().receive_data(data)

    def next_event(self) -> Any:
        if not self.blank:
            return super().next_event()
        self.blank = False
        request_id = self.waiting[0]
        self.forget(request_id)
        return Malformed(request_id, "a blank line", b"")


@broken("no-blank-lines", "HV1-C8", "fails the call at a blank line", level="should")
class NoBlankLines(WiredClient):
    connection_type = FilledConnection


class OwnIdsConnection(RewritingConnection):
    """Takes what has an id that it never sent for the oldest call."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: set[str] = set()

    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        self.sent.add(frame["id"])
        return encode(frame)

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame["id"] not in self.sent and self.waiting:
            frame["id"] = self.waiting[0]


@broken(
    "unknown-ids",
    "HV1-C2",
    "takes an answer to nobody for the oldest call's",
)
class UnknownIds(WiredClient):
    connection_type = OwnIdsConnection


class RefusingConnection(RewritingConnection):
    """Fails the oldest call at a second answer to an earlier one."""

    def __init__(self) -> None:
        super().__init__()
        self.answered: set[str] = set()

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if frame["id"] in self.answered and self.waiting:
            error = {"type": "ProtocolError", "detail": "an answer came twice"}
            refusal = {"v": 1, "id": self.waiting[0], "ok": False, "error": error}
            frame.clear()
            frame.update(refusal)
        elif frame.get("ok") is not None and isinstance(frame["id"], str):
            self.answered.add(frame["id"])


@broken(
    "no-second-answers",
    "HV1-C8",
    "fails the call in flight at a second answer to an earlier one",
    level="should",
)
class RefusesSecondAnswers(WiredClient):
    connection_type = RefusingConnection


class UnlistingConnection(RewritingConnection):
    """Takes a list of one id for the id, as a loose comparison does."""

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if isinstance(frame["id"], list) and len(frame["id"]) == 1:
            frame["id"] = frame["id"][0]


@broken(
    "listed-ids",
    "HV1-C8",
    "takes an answer under a list of one id for the answer to it",
    level="should",
)
class ListedIds(WiredClient):
    connection_type = UnlistingConnection


class NumberingConnection(RewritingConnection):
    """Has numbers for ids, and compares them as texts."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, str] = {}

    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        number = str(len(self.numbers) + 1)
        self.numbers[number] = frame["id"]
        return super().rewrite_request({**frame, "id": number})

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if isinstance(frame["id"], str | int):
            frame["id"] = self.numbers.get(str(frame["id"]), frame["id"])


@broken(
    "numbers-for-ids",
    "HV1-C8",
    "takes an answer under a number for that to the id of these digits",
    level="should",
)
class NumbersForIds(WiredClient):
    connection_type = NumberingConnection


class EchoConnection(RewritingConnection):
    """Takes a request that is written back for the answer to it."""

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        if "method" in frame and frame["id"] in self.waiting:
            del frame["method"]


@broken(
    "echo-as-answer",
    "HV1-C8",
    "takes a request that the host writes back for a malformed answer",
    level="should",
)
class EchoAsAnswer(WiredClient):
    connection_type = EchoConnection


class LineFeedConnection(RewritingConnection):
    """Skips a line that has a carriage return before its line feed."""

    def receive_data(self, data: bytes) -> None:
        lines = data.split(b"\n")
        kept = [line for line in lines[:-1] if not line.endswith(b"\r")]
        super().receive_data(b"\n".join([*kept, lines[-1]]))


@broken(
    "no-carriage-returns", "HV1-C8", "skips lines that end in CR LF", level="should"
)
class SkipsCarriageReturns(WiredClient):
    connection_type = LineFeedConnection


class StackForDetail(RewritingConnection):
    def rewrite_message(self, frame: dict[str, Any]) -> None:
        match frame:
            case {"error": {"stack": str(stack)}} if stack:
                frame["error"]["detail"] = stack.splitlines()[-1]
            case _:
                pass


@broken("stack-for-detail", "HV1-C5", "gives the last line of a stack for the detail")
class GivesTheStack(WiredClient):
    connection_type = StackForDetail
